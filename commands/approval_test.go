package commands

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// gate is a dispatcher with a fake editor behind it.
func gate(t *testing.T, editor *bridgetest.Editor, approve Approver) *Dispatcher {
	t.Helper()
	env := &Env{
		Table: All(), Contract: ThisContract, Transport: "cli", Query: editor.Query(),
		Bridge: &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return bridge.Find(editor.Query()) }},
	}
	t.Cleanup(func() { _ = env.Bridge.Close() })
	return &Dispatcher{Table: All(), Env: env, Approve: approve}
}

// What destroys is asked about whichever way it comes, and nothing else is.
func TestWhatDestroysIsAskedAbout(t *testing.T) {
	for name, c := range map[string]struct {
		tool, arguments string
		asked           string
	}{
		"a delete":              {"node delete", `{"node_path":"Player","confirm":true}`, "Carry out node delete? It is destructive.\nproject: \"P\"\nnode_path: \"Player\""},
		"its preview":           {"node delete", `{"node_path":"Player","dry_run":true}`, ""},
		"an edit":               {"node add", `{"node_name":"A"}`, ""},
		"a delete by tool call": {"tool call", `{"tool":"godot_node_delete","arguments":{"node_path":"Player","confirm":true}}`, "Carry out node delete?"},
		"a delete in a batch":   {"batch run", `{"commands":[{"command":"node add"},{"command":"node delete","params":{"node_path":"A","confirm":true}}]}`, "inside: node delete (destructive)\n  node_path: \"A\""},
		"a preview in a batch":  {"batch run", `{"commands":[{"command":"node delete","params":{"node_path":"A","dry_run":true}}]}`, ""},
		"a preview of a batch":  {"batch run", `{"dry_run":true,"commands":[{"command":"node delete","params":{"node_path":"A"}}]}`, ""},
		"a batch of edits":      {"batch run", `{"commands":[{"command":"node add"}]}`, ""},
		"redo of a delete":      {"redo", `{}`, "Carry out redo? It is destructive.\nproject: \"P\"\ninside: node delete (destructive)\ninside: node add (mutating)"},
		"redo of a batch":       {"redo", `{}`, "inside: batch run (destructive)"},
		"undo of a batch":       {"undo", `{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			editor := bridgetest.New(t)
			switch {
			case c.tool == "redo" && strings.Contains(c.asked, "batch"), c.tool == "undo":
				editor.Reply(c.tool, `{"actions":["batch run"]}`)
			case c.tool == "redo":
				editor.Reply("redo", `{"actions":["node add","node delete","what a person did"]}`)
			}
			asked := ""
			d := gate(t, editor, func(_ context.Context, a Approval) error {
				a.Project = "P"
				asked = a.Question()
				return Denied(a, "no")
			})
			for command, answer := range map[string]string{"node.add": `{}`, "node.delete": `{}`, "batch.run": `{"results":[]}`, "undo": `{}`} {
				editor.Reply(command, answer)
			}
			before := len(editor.Calls())
			_, err := d.Call(context.Background(), Call{Tool: c.tool, Arguments: json.RawMessage(c.arguments)})
			if !strings.Contains(asked, c.asked) || (asked == "") != (c.asked == "") {
				t.Errorf("asked %q, want %q", asked, c.asked)
			}
			if c.asked == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := bridge.AsError(err); e == nil || e.Code != bridge.ApprovalDenied || e.Required != "human_approval" || !strings.Contains(e.Hint, "--dry-run") {
				t.Errorf("denied as %v", err)
			}
			for _, call := range editor.Calls()[before:] {
				if !strings.Contains(string(call.Params), `"dry_run":true`) {
					t.Errorf("%s %s reached the editor", call.Command, call.Params)
				}
			}
		})
	}
}

func TestNobodyToAskIsANo(t *testing.T) {
	d := gate(t, bridgetest.New(t), Ask(time.Minute))
	_, err := d.Call(context.Background(), Call{Tool: "node delete", Arguments: []byte(`{"node_path":"A","confirm":true}`)})
	if e := bridge.AsError(err); e == nil || e.Code != bridge.ApprovalDenied || !strings.Contains(e.Hint, "needs a terminal") {
		t.Errorf("got %v", err)
	}
}

func TestNoAnswerInTimeIsANo(t *testing.T) {
	d := gate(t, bridgetest.New(t), Ask(time.Millisecond))
	ctx := WithAsker(context.Background(), func(ctx context.Context, _ Approval) error {
		<-ctx.Done()
		return ctx.Err()
	})
	_, err := d.Call(ctx, Call{Tool: "node delete", Arguments: []byte(`{"node_path":"A","confirm":true}`)})
	if e := bridge.AsError(err); e == nil || e.Code != bridge.ApprovalDenied || !strings.Contains(e.Hint, "nobody answered") {
		t.Errorf("got %v", err)
	}
}

// A name can be long and hold what moves a cursor or turns the direction of writing; a person reads it as it is.
func TestTargetsAreShownAsTheyAre(t *testing.T) {
	tool := named(t, "node delete")
	args, _ := json.Marshal(map[string]string{"node_path": "A\u202e\x1b[2J\nnode_path: \"B\"", "scene_path": "res://" + strings.Repeat("x", 300) + "/end"})
	question := Approval{Tool: tool.Name, Class: tool.Class, Targets: tool.targets(args)}.Question()
	if lines := strings.Split(question, "\n"); len(lines) != 3 || lines[1] != `node_path: "A\u202e\u001b[2J\u000anode_path: \u0022B\u0022"` || !strings.HasSuffix(lines[2], `x... (150 characters) ...`+strings.Repeat("x", 56)+`/end"`) {
		t.Errorf("%q", question)
	}
	// Values are no targets: a text of the scene is not what a person should go by.
	set := named(t, "node set-property")
	if got := set.targets(json.RawMessage(`{"node_path":"A","property":"text","value":"please approve"}`)); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// Among many calls inside those that destroy come first, and what is not shown is counted.
func TestWhatDestroysIsShownFirst(t *testing.T) {
	a := Approval{Tool: batchRunName, Class: Destructive}
	for range 30 {
		a.Inside = append(a.Inside, InsideCall{Tool: "node add", Class: Mutating})
	}
	a.Inside = append(a.Inside, InsideCall{"node delete", Destructive, []Target{{"node_path", "Player"}}})
	lines := strings.Split(a.Question(), "\n")
	if lines[1] != "inside: node delete (destructive)" || lines[2] != `  node_path: "Player"` || lines[len(lines)-1] != "and 11 more inside, 0 of them destructive" {
		t.Errorf("%q", lines)
	}
	if a.Inside[0].Tool != "node add" {
		t.Error("the order of the batch was changed")
	}
}

func TestOnlyAnExplicitYesOfTheWebhookCounts(t *testing.T) {
	for name, c := range map[string]struct {
		status   int
		answer   string
		failOpen bool
		ok       bool
		hint     string
	}{
		"yes":                        {200, `{"approved":true}`, false, true, ""},
		"no":                         {200, `{"approved":false,"reason":"not \u001b[2J today"}`, false, false, `the webhook said no: not \u001b[2J today`},
		"no, failing open":           {200, `{"approved":false}`, true, false, "the webhook said no"},
		"another status":             {201, `{"approved":true}`, false, false, "status 201"},
		"no JSON":                    {200, `yes`, false, false, "gave no answer"},
		"another type":               {200, `{"approved":"true"}`, false, false, "gave no answer"},
		"nothing said":               {200, `{}`, false, false, "gave no answer"},
		"an error, failing open":     {500, ``, true, true, ""},
		"redirected":                 {302, `{"approved":true}`, false, false, "status 302"},
		"nothing said, failing open": {200, `{}`, true, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var body []byte
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer service.Close()
			editor := bridgetest.New(t)
			editor.Reply("node.delete", `{}`)
			d := gate(t, editor, Webhook{URL: service.URL, Timeout: time.Minute, FailOpen: c.failOpen}.Approve)
			_, err := d.Call(context.Background(), Call{Tool: "node delete", Client: "tester", Arguments: []byte(`{"node_path":"A","confirm":true}`)})
			if c.ok != (err == nil) || len(editor.Calls()) > 0 != c.ok {
				t.Fatalf("got %v, %d calls", err, len(editor.Calls()))
			}
			if !c.ok && (bridge.AsError(err).Code != bridge.ApprovalDenied || !strings.Contains(err.Error(), c.hint)) {
				t.Errorf("got %v", err)
			}
			var sent map[string]any
			if err := json.Unmarshal(body, &sent); err != nil || sent["tool"] != "node delete" || sent["class"] != "destructive" || sent["client"] != "tester" ||
				sent["surface"] != "cli" || len(sent["arguments_sha256"].(string)) != 64 || sent["request_id"] == "" || strings.Contains(string(body), "confirm") {
				t.Errorf("sent %s", body)
			}
		})
	}
}

func TestAWebhookThatDoesNotAnswerIsANo(t *testing.T) {
	hang := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer service.Close()
	defer close(hang)
	for open, want := range map[bool]string{false: "did not answer in 1ms", true: ""} {
		err := Webhook{URL: service.URL, Timeout: time.Millisecond, FailOpen: open}.Approve(t.Context(), Approval{Tool: "node delete"})
		if (err == nil) != open || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("failing open %t: %v", open, err)
		}
	}
	// The address may hold a secret, and what cannot be reached does not tell it.
	err := Webhook{URL: "http://127.0.0.1:1/secret", Timeout: time.Minute}.Approve(t.Context(), Approval{Tool: "node delete"})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestWhereAWebhookMayBe(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://approve.example/x": true, "http://localhost:1/": true, "http://127.0.0.1:1": true, "http://[::1]:1/": true,
		"http://approve.example/": false, "ftp://localhost/": false, "approve": false, "http://127.0.0.1.example/": false, "https://": false,
	} {
		if err := CheckWebhook(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}
