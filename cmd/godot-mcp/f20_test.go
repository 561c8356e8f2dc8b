package main

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// The editor goes and comes back on another port within one run of call: no restart is needed.
func TestF20_EditorRestartsDuringCall(t *testing.T) {
	for name, end := range map[string]func(*bridgetest.Editor){
		"closed":  (*bridgetest.Editor).Close,
		"crashed": (*bridgetest.Editor).Crash,
	} {
		t.Run(name, func(t *testing.T) {
			first := bridgetest.New(t)
			alone(t, first)
			ask := converse(t, "call", "-", "--project", first.Project)
			first.Reply("scene.save", `{"saved":true}`)
			want(t, ask(`{"id":1,"tool":"scene save"}`), `{"id":1,"tool":"scene save","ok":true`)

			end(first)
			want(t, ask(`{"id":2,"tool":"scene save"}`), `{"id":2,"tool":"scene save","ok":false,"error":"BRIDGE_DISCONNECTED"`)

			second := bridgetest.New(t, bridgetest.Project(first.Project), bridgetest.Runtime(first.Runtime))
			second.Reply("scene.save", `{"saved":true}`)
			want(t, ask(`{"id":3,"tool":"scene save"}`), `{"id":3,"tool":"scene save","ok":true`)
			if len(first.Calls()) != 1 || len(second.Calls()) != 1 {
				t.Errorf("the first editor got %d calls, the second %d", len(first.Calls()), len(second.Calls()))
			}
		})
	}
}

// The other way round: call is begun before there is an editor.
func TestF20_EditorStartsAfterCall(t *testing.T) {
	ghost := bridgetest.New(t)
	alone(t, ghost)
	ghost.Close()
	ask := converse(t, "call", "-", "--project", ghost.Project)
	want(t, ask(`{"id":1,"tool":"scene save"}`), `"error":"BRIDGE_DISCONNECTED"`)
	ed := bridgetest.New(t, bridgetest.Project(ghost.Project), bridgetest.Runtime(ghost.Runtime))
	ed.Reply("scene.save", `{"saved":true}`)
	want(t, ask(`{"id":2,"tool":"scene save"}`), `"ok":true`)
}

// converse runs the command in this process; ask writes a line and returns the answer to it.
func converse(t *testing.T, args ...string) (ask func(line string) string) {
	t.Helper()
	in, toIn := io.Pipe()
	fromOut, out := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		code := run(args, streams{in: in, out: out, err: &stderr})
		_ = out.Close()
		ended <- code
	}()
	t.Cleanup(func() {
		_ = toIn.Close()
		if code := <-ended; code != 0 || stderr.Len() > 0 {
			t.Errorf("exit status %d, stderr %s", code, stderr.String())
		}
	})
	answers := bufio.NewReader(fromOut)
	return func(line string) string {
		t.Helper()
		if _, err := io.WriteString(toIn, line+"\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func want(t *testing.T, got, part string) {
	t.Helper()
	if !strings.Contains(got, part) {
		t.Errorf("got %s, want in it %s", got, part)
	}
}
