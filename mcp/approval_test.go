package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

const deletePlayer = `{"node_path":"Player","confirm":true}`

// approving is a server that asks about calls that destroy.
func approving(t *testing.T, editor *bridgetest.Editor, timeout time.Duration) *Server {
	t.Helper()
	env := envFor(t, editor.Query())
	d := &commands.Dispatcher{Table: env.Table, Env: env, Approve: commands.Ask(timeout)}
	return NewServer(d, slog.New(slog.NewTextHandler(io.Discard, nil)))
}

const asksNobody, asksForm = `{}`, `{"elicitation":{"form":{}}}`

// deleting is a call of the tool in the newer revision; more is put behind its arguments.
func deleting(id int, arguments, capabilities, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"godot_node_delete","arguments":%s,`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}%s}}`, id, arguments, capabilities, more)
}

type asked struct {
	ResultType    string
	RequestState  string
	IsError       bool
	Content       []struct{ Text string }
	InputRequests map[string]struct {
		Method string
		Params struct {
			Mode, Message   string
			RequestedSchema json.RawMessage
		}
	}
}

func (w *wire) call(line string) asked {
	w.t.Helper()
	w.send(line)
	r := w.next()
	var result asked
	if err := json.Unmarshal(r.Result, &result); err != nil || r.Error != nil {
		w.t.Fatalf("%v %+v", err, r.Error)
	}
	return result
}

func (a asked) denied(t *testing.T, hint string) {
	t.Helper()
	if !a.IsError || len(a.Content) == 0 || !strings.HasPrefix(a.Content[0].Text, "APPROVAL_DENIED: ") ||
		!strings.HasSuffix(a.Content[0].Text, "[required=human_approval]") || !strings.Contains(a.Content[0].Text, hint) {
		t.Errorf("got %+v, want a denial with %q", a, hint)
	}
}

const ticked = `,"inputResponses":{"approval":{"action":"accept","content":{"approve":true}}},"requestState":%q`

// A newer client is answered with the question, and makes the call again with the answer.
func TestApprovalByInputRequest(t *testing.T) {
	editor := bridgetest.New(t)
	w := plugServer(t, approving(t, editor, time.Minute))
	first := w.call(deleting(1, deletePlayer, asksForm, ""))
	request := first.InputRequests["approval"]
	if first.ResultType != "input_required" || first.RequestState == "" || request.Method != "elicitation/create" || request.Params.Mode != "form" ||
		!strings.Contains(request.Params.Message, "Carry out node delete? It is destructive.") || !strings.Contains(request.Params.Message, `node_path: "Player"`) {
		t.Fatalf("asked %+v", first)
	}
	if len(editor.Calls()) != 0 {
		t.Fatal("the editor was asked before the person")
	}
	editor.Reply("node.delete", `{"node_path":"Player","deleted":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`)
	again := fmt.Sprintf(ticked, first.RequestState)
	if done := w.call(deleting(2, deletePlayer, asksForm, again)); done.ResultType != "complete" || done.IsError || len(editor.Calls()) != 1 {
		t.Fatalf("got %+v, %d calls", done, len(editor.Calls()))
	}
	// A yes counts once.
	w.call(deleting(3, deletePlayer, asksForm, again)).denied(t, "used before")
	if len(editor.Calls()) != 1 {
		t.Error("it was carried out twice")
	}
}

// Only the one answer to the one question counts: bridgetest fails the test on any call of the editor.
func TestStatesThatDoNotCount(t *testing.T) {
	editor := bridgetest.New(t)
	w := plugServer(t, approving(t, editor, time.Minute))
	id := 0
	next := func() (int, string) {
		id += 2
		return id, w.call(deleting(id-1, deletePlayer, asksForm, "")).RequestState
	}
	n, state := next()
	w.call(deleting(n, `{"node_path":"Enemy","confirm":true}`, asksForm, fmt.Sprintf(ticked, state))).denied(t, "of another call")
	n, state = next()
	payload, signature, _ := strings.Cut(state, ".")
	w.call(deleting(n, deletePlayer, asksForm, fmt.Sprintf(ticked, payload+"x."+signature))).denied(t, "not one of this server")
	n, _ = next()
	w.call(deleting(n, deletePlayer, asksForm, fmt.Sprintf(ticked, "made-up"))).denied(t, "not one of this server")
	n, _ = next()
	other := approving(t, editor, time.Minute)
	foreign := other.states.give("x", time.Now().Add(time.Hour))
	w.call(deleting(n, deletePlayer, asksForm, fmt.Sprintf(ticked, foreign))).denied(t, "not one of this server")
	for answer, hint := range map[string]string{
		`"approval":{"action":"decline"}`:                             "the person said no",
		`"approval":{"action":"cancel"}`:                              "closed the question",
		`"approval":{"action":"accept"}`:                              "the person said no",
		`"approval":{"action":"accept","content":{"approve":false}}`:  "the person said no",
		`"approval":{"action":"accept","content":{"approve":"true"}}`: "the person said no",
		`"other":{"action":"accept","content":{"approve":true}}`:      "without the answer",
	} {
		n, state = next()
		w.call(deleting(n, deletePlayer, asksForm, fmt.Sprintf(`,"inputResponses":{%s},"requestState":%q`, answer, state))).denied(t, hint)
	}
	n, state = next()
	w.call(deleting(n, deletePlayer, asksForm, fmt.Sprintf(`,"requestState":%q`, state))).denied(t, "without the answer")
	// An answer to no question is not taken for one.
	if got := w.call(deleting(n+1, deletePlayer, asksForm, `,"inputResponses":{"approval":{"action":"accept","content":{"approve":true}}}`)); got.ResultType != "input_required" {
		t.Errorf("got %+v", got)
	}
}

func TestALateAnswerIsANo(t *testing.T) {
	var s states
	now := time.Now()
	late, inTime := s.give("d", now.Add(-time.Second)), s.give("d", now.Add(time.Hour))
	if why := s.take(late, "d"); !strings.Contains(why, "nobody answered in time") {
		t.Errorf("got %q", why)
	}
	if why := s.take(inTime, "d"); why != "" {
		t.Errorf("got %q", why)
	}
	// What is over is not kept.
	s.taken["old"] = now.Add(-time.Second)
	s.take(inTime, "d")
	if len(s.taken) != 1 {
		t.Errorf("kept: %v", s.taken)
	}
}

func TestAClientThatCannotAskIsDenied(t *testing.T) {
	w := plugServer(t, approving(t, bridgetest.New(t), time.Minute))
	w.call(deleting(1, deletePlayer, asksNobody, "")).denied(t, "this client cannot ask its user")
	w.call(deleting(2, deletePlayer, `{"elicitation":{"url":{}}}`, "")).denied(t, "this client cannot ask its user")
	w.send(`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	w.next()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.call(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"godot_node_delete","arguments":`+deletePlayer+`}}`).denied(t, "this client cannot ask its user")
}

// An older client is asked by a request within the call.
func TestApprovalByElicitation(t *testing.T) {
	for answer, ok := range map[string]bool{
		`{"action":"accept","content":{"approve":true}}`: true, `{"action":"accept","content":{"approve":false}}`: false,
		`{"action":"accept","content":{}}`: false, `{"action":"decline"}`: false, `{"action":"cancel"}`: false,
	} {
		t.Run(answer, func(t *testing.T) {
			editor := bridgetest.New(t)
			if ok {
				editor.Reply("node.delete", `{"node_path":"Player","deleted":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`)
			}
			w := plugServer(t, approving(t, editor, time.Minute))
			w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
			w.next()
			w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_node_delete","arguments":` + deletePlayer + `}}`)
			question := w.next()
			if question.Method != "elicitation/create" || !strings.Contains(string(question.Params), `node_path: \"Player\"`) {
				t.Fatalf("asked %+v", question)
			}
			id, _ := json.Marshal(question.ID)
			got := w.call(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, answer))
			if !ok {
				got.denied(t, "")
			} else if got.IsError || len(editor.Calls()) != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// The SDK's own client goes through both ways by itself, over a pipe and over HTTP.
func TestApprovalWithTheSDKsClient(t *testing.T) {
	ways := map[string]func(*testing.T, *Server) sdk.Transport{
		"stdio": func(t *testing.T, s *Server) sdk.Transport {
			w := plugServer(t, s)
			return &sdk.IOTransport{Reader: w.reader, Writer: w.in}
		},
		"http": func(t *testing.T, s *Server) sdk.Transport {
			w := serveWeb(t, s, "", nil)
			return &sdk.StreamableClientTransport{Endpoint: w.http.URL(), HTTPClient: w.client}
		},
	}
	for name, way := range ways {
		for _, revision := range []string{"2026-07-28", "2025-11-25"} {
			t.Run(name+" "+revision, func(t *testing.T) { approvedBySDK(t, way, revision) })
		}
	}
}

func approvedBySDK(t *testing.T, way func(*testing.T, *Server) sdk.Transport, revision string) {
	editor := bridgetest.New(t)
	editor.Reply("node.delete", `{"node_path":"Player","deleted":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`)
	message, answer := "", false
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			message = r.Params.Message
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": answer}}, nil
		},
	})
	session, err := client.Connect(t.Context(), way(t, approving(t, editor, time.Minute)), &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	refused(t, call(t, session, "godot_node_delete", deletePlayer), bridge.ApprovalDenied, "human_approval", "the person said no")
	answer = true
	if result := call(t, session, "godot_node_delete", deletePlayer); result.IsError || len(editor.Calls()) != 1 {
		t.Errorf("got %v, %d calls", text(result), len(editor.Calls()))
	}
	if !strings.Contains(message, "Carry out node delete?") {
		t.Errorf("asked %q", message)
	}
}
