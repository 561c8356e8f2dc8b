package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// wire is a server spoken to in plain lines, as a client that makes mistakes would.
type wire struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	done chan error
}

type reply struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func speak(t *testing.T, query bridge.Query) *wire {
	t.Helper()
	w := plug(t, query)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if r := w.next(); r.Error != nil {
		t.Fatalf("initialize: %v", r.Error)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// plug starts a server that nothing was said to yet.
func plug(t *testing.T, query bridge.Query) *wire {
	t.Helper()
	env := &commands.Env{
		Query: query, Version: "2026.01.02", Contract: commands.ThisContract, Transport: "stdio",
		Table: commands.All(), Listed: []string{"starter"},
		Bridge: &bridge.Client{
			Name: "test", Version: "2026.01.02",
			Find: func(context.Context) (bridge.Editor, error) { return bridge.Find(query) },
		},
	}
	t.Cleanup(func() { _ = env.Bridge.Close() })
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	server := NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, log)
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	w := &wire{t: t, in: inWrite, out: bufio.NewScanner(outRead), done: make(chan error, 1)}
	w.out.Buffer(nil, 1<<24)
	go func() {
		w.done <- server.ServeStdio(context.Background(), inRead, outWrite)
		_ = outWrite.Close()
	}()
	t.Cleanup(func() { _ = inWrite.Close() })
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// next is the next message; every line must be one (F18).
func (w *wire) next() reply {
	w.t.Helper()
	if !w.out.Scan() {
		w.t.Fatalf("the output ended: %v", w.out.Err())
	}
	var r reply
	if err := json.Unmarshal(w.out.Bytes(), &r); err != nil {
		w.t.Fatalf("F18: %q is no message: %v", w.out.Text(), err)
	}
	return r
}

func (w *wire) refused(code int, id any) {
	w.t.Helper()
	r := w.next()
	if r.Error == nil || r.Error.Code != code || r.ID != id {
		w.t.Errorf("got %+v %+v, want error %d for id %v", r, r.Error, code, id)
	}
}

// answered checks that the session is alive.
func (w *wire) answered(id float64) {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":` + asText(id) + `,"method":"ping"}`)
	if r := w.next(); r.ID != id || r.Error != nil {
		w.t.Errorf("ping %v got %+v", id, r)
	}
}

func asText(n float64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestABadLineDoesNotEndTheSession(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	for _, line := range []string{`{`, `hello`, "{\"a\":\"\xff\"}", `[1,2`} {
		w.send(line)
		w.refused(-32700, nil)
	}
	for _, line := range []string{`{"x":1}`, `7`, `[]`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`} {
		w.send(line)
		w.refused(-32600, nil)
	}
	w.send("")
	w.send("\ufeff")
	w.answered(2)
}

func TestALineOverTheLimitIsOneError(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	w.send(strings.Repeat("x", bridge.MaxMessage+10))
	r := w.next()
	if r.Error == nil || !strings.Contains(r.Error.Message, "16777216") {
		t.Errorf("got %+v", r)
	}
	w.answered(2)
}

func TestARepeatedIDIsAnswered(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-release
		return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
	})
	w := speak(t, editor.Query())
	w.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}`)
	editor.WaitCalls(1)
	w.send(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
	w.refused(-32600, 5.0)
	close(release)
	if r := w.next(); r.ID != 5.0 || r.Result == nil {
		t.Errorf("the first one got %+v", r)
	}
}

func TestF19_NothingIsSentForACancelledRequest(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Park("scene.list", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	editor.Reply("scene.tree", `{"tree":null,"truncated":false,"total":0,"scene_path":""}`)
	w := speak(t, editor.Query())
	w.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}`)
	editor.WaitCalls(1)
	for range 2 {
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	editor.WaitCancels(1)
	w.send(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"godot_scene_tree","arguments":{}}}`)
	if r := w.next(); r.ID != 8.0 {
		t.Errorf("got %+v, the answer to 8 should be the only one", r)
	}
	w.answered(9)
}

func TestEndOfInputLetsCallsInFlightFinish(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(context.Context, *bridgetest.Parked) (any, error) {
		<-release
		return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
	})
	w := speak(t, editor.Query())
	for _, id := range []string{"11", "12", "13"} {
		w.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}`)
	}
	editor.WaitCalls(3)
	_ = w.in.Close()
	close(release)
	seen := map[any]bool{}
	for range 3 {
		r := w.next()
		seen[r.ID] = r.Result != nil
	}
	if !seen[11.0] || !seen[12.0] || !seen[13.0] {
		t.Errorf("answered: %v", seen)
	}
	if err := <-w.done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestAPanicIsAnErrorOfItsCall(t *testing.T) {
	table := commands.NewTable([]*commands.Tool{commands.New(commands.Spec[struct{}, struct{}]{
		Name: "core panic", Class: commands.ReadOnly, Starter: true, Summary: "Panic, for a test of what comes after.",
		Run: func(context.Context, *commands.Env, struct{}) (struct{}, error) { panic("on purpose") },
	})})
	env := &commands.Env{Contract: commands.ThisContract, Table: table, Listed: []string{"all"}}
	s := NewServer(&commands.Dispatcher{Table: table, Env: env}, slog.New(slog.DiscardHandler))
	for range 2 {
		_, err := s.carryOut(context.Background(), commands.Call{Tool: "core panic"})
		if e := bridge.AsError(err); e.Code != bridge.InternalError || !strings.Contains(e.Hint, "on purpose") {
			t.Errorf("got %v", err)
		}
	}
}
