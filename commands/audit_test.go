package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// audited are the lines that a file has.
func audited(t *testing.T, path string) []auditLine {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []auditLine
	for line := range bytes.Lines(text) {
		var l auditLine
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// Each call is one line, whatever became of it, and no line has what was said.
func TestEachCallIsNotedOnce(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("node.add", `{"node_path":"secret-result"}`)
	editor.Reply("node.add", `{"node_path":"secret-result"}`)
	editor.Reply("node.get", `{"ok":false,"error":"RESOURCE_NOT_FOUND","hint":"secret-error","required":"node_path"}`)
	editor.Reply("batch.run", `{"results":[]}`)
	path := filepath.Join(t.TempDir(), "new", "audit.jsonl")
	d := gate(t, editor, func(_ context.Context, a Approval) error {
		if a.Tool == "node delete" {
			return Denied(a, "no")
		}
		return nil
	})
	d.Policy = denying(t, "plugin")
	d.Env.Audit = &Audit{Path: path}
	for _, call := range []struct{ tool, arguments string }{
		{"node add", `{"node_name":"secret-argument","dry_run":true}`},
		{"tool call", `{"tool":"godot_node_add"}`},
		{"node get", `{"node_path":"secret-argument"}`},
		{"node get", `{"secret-argument":1}`},
		{"plugin list", `{}`},
		{"node delete", `{"node_path":"secret-argument","confirm":true}`},
		{"batch run", `{"commands":[{"command":"node add"},{"command":"node delete","params":{"node_path":"secret-argument","confirm":true}}]}`},
		{"tool call", `{"tool":"node add","secret-argument":1}`},
		{"no such tool\n", `{}`},
		{"tool classes", `{}`},
	} {
		_, _ = d.Call(context.Background(), Call{Tool: call.tool, Client: "tester 1", Arguments: json.RawMessage(call.arguments)})
	}
	d.Env.Close(false)
	var got []string
	for _, l := range audited(t, path) {
		if l.Time.IsZero() || l.PID != os.Getpid() || l.Surface != "cli" || l.Client != "tester 1" || len(l.ArgumentsSHA256) != 64 || (l.ResultSHA256 == "") != (l.Code != "ok") {
			t.Errorf("%+v", l)
		}
		got = append(got, strings.TrimSpace(fmt.Sprint(l.Tool, "|", l.Via, "|", l.Class, "|", l.DryRun, "|", l.Decision, "|", l.Code, "|", l.Required, "|", strings.Join(l.Inside, ","))))
	}
	want := []string{
		"node add||mutating|true|allowed|ok||",
		"node add|tool call|mutating|false|allowed|ok||",
		"node get||read_only|false|allowed|RESOURCE_NOT_FOUND|node_path|",
		"node get||read_only|false|refused|VALIDATION_ERROR|secret-argument|",
		"plugin list||read_only|false|denied_by_policy|PRECONDITION_FAILED|policy|",
		"node delete||destructive|false|denied_by_approval|APPROVAL_DENIED|human_approval|",
		"batch run||destructive|false|approved|ok||node add,node delete",
		"tool call||runtime|false|refused|VALIDATION_ERROR|secret-argument|",
		`no such tool\u000a|||false|refused|VALIDATION_ERROR|tool|`,
		"tool classes||read_only|false|allowed|ok||",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("noted\n%s\nwant\n%s", a, b)
	}
	text, _ := os.ReadFile(path)
	if bytes.Contains(text, []byte("secret-result")) || bytes.Contains(text, []byte("secret-error")) {
		t.Errorf("noted what was said: %s", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// The hash is that of the complete arguments, so that who approved by it finds the line.
func TestHashOfTheArgumentsIsTheApproversToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	asked := ""
	d := gate(t, bridgetest.New(t), func(_ context.Context, a Approval) error {
		asked = a.RequestID + a.ArgumentsSHA256
		return Denied(a, "no")
	})
	d.Env.Audit = &Audit{Path: path}
	_, _ = d.Call(context.Background(), Call{Tool: "node delete", Arguments: json.RawMessage(`{ "confirm": true, "node_path": "A" }`)})
	d.Env.Close(false)
	if l := audited(t, path)[0]; asked == "" || l.RequestID+l.ArgumentsSHA256 != asked {
		t.Errorf("noted %+v, asked with %s", l, asked)
	}
}

// Where calls cannot be noted, none are made.
func TestALogThatCannotBeWrittenStopsCalls(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, link} {
		d := gate(t, bridgetest.New(t), nil)
		d.Env.Audit = &Audit{Path: path}
		_, err := d.Call(context.Background(), Call{Tool: "node add"})
		if err == nil || !strings.Contains(err.Error(), "[required=audit_log]") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A full queue is counted and not waited for, and the next line tells.
func TestWhatIsDroppedIsCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a := &Audit{Path: path, queue: make(chan auditLine, 2), written: make(chan struct{})}
	for range 5 { // nobody writes yet
		a.note(auditLine{Tool: "node add"})
	}
	go a.write(&auditFile{path: path})
	a.Close()
	lines := audited(t, path)
	if len(lines) != 2 || lines[0].Dropped != 3 || lines[1].Dropped != 0 {
		t.Errorf("%+v", lines)
	}
	a.note(auditLine{}) // after the end: nothing
}

// The file is set aside when it is full, and lines of several processes stay whole.
func TestTheFileIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, bytes.Repeat([]byte("{}\n"), maxAudit/3), 0o644); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			a := &Audit{Path: path}
			if err := a.check(); err != nil {
				t.Error(err)
			}
			for range 100 {
				a.note(auditLine{Tool: "node add"})
			}
			a.Close()
		})
	}
	writers.Wait()
	older, err := os.Stat(path + ".1")
	if err != nil {
		t.Fatal(err)
	}
	late := int((older.Size() - maxAudit/3*3) / int64(len(mustLine(t))))
	if n := len(audited(t, path)); n+late != 400 || n == 0 {
		t.Errorf("%d lines in the new file and %d in the older one, 400 were noted", n, late)
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o077 != 0 || older.Mode().Perm()&0o077 != 0 {
		t.Errorf("modes %v and %v", info.Mode(), older.Mode())
	}
}

func mustLine(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(auditLine{Tool: "node add"})
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}
