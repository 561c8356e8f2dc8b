package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

// wire is a server spoken to in plain lines, as a client that makes mistakes would.
type wire struct {
	t      *testing.T
	server *Server
	in     *io.PipeWriter
	out    *bufio.Scanner
	done   chan error
	// reader is the end that out reads.
	reader *io.PipeReader
}

type reply struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
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

// envFor has the starter set and calls the editor of the query.
func envFor(t testing.TB, query bridge.Query) *commands.Env {
	t.Helper()
	env := &commands.Env{
		Query: query, Version: "2026.01.02", Contract: commands.ThisContract, Transport: "stdio",
		Table: commands.All(), Listed: []string{"starter"}, Artifacts: &artifact.Store{Dir: t.TempDir()},
		Bridge: &bridge.Client{
			Name: "test", Version: "2026.01.02",
			Find: func(context.Context) (bridge.Editor, error) { return bridge.Find(query) },
		},
	}
	t.Cleanup(func() { _ = env.Bridge.Close() })
	return env
}

// plug starts a server that nothing was said to yet.
func plug(t *testing.T, query bridge.Query) *wire {
	t.Helper()
	env := envFor(t, query)
	log := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return plugServer(t, NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, log))
}

func plugServer(t *testing.T, server *Server) *wire {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	w := &wire{t: t, server: server, in: inWrite, reader: outRead, out: bufio.NewScanner(outRead), done: make(chan error, 1)}
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

// Upstream issue 1209.
func TestABadLineDoesNotEndTheSession(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	for _, line := range []string{`{`, `hello`, "{\"a\":\"\xff\"}", `[1,2`} {
		w.send(line)
		w.refused(-32700, nil)
	}
	for _, line := range []string{`{"x":1}`, `7`, `[]`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`} {
		w.send(line)
		w.refused(-32600, nil)
	}
	w.send(`{"jsonrpc":"2.0","id":5}`)
	w.refused(-32600, 5.0)
	w.send("")
	w.send("\ufeff")
	w.answered(2)
}

// An id is given back as the number it was, or the request is refused: never another number.
func TestAnAnswerBearsTheNumberOfItsRequest(t *testing.T) {
	w := speak(t, bridge.Query{})
	for id, want := range map[string]any{
		"0": 0.0, "-7": -7.0, "9007199254740991": 9007199254740991.0, "1e2": 100.0, "3.0": 3.0, `"1.5"`: "1.5",
		"1.5": nil, "1e-3": nil, "9007199254740993": nil, "9223372036854775807": nil, "99999999999999999999999999": nil,
		"-99999999999999999999999999": nil, "1e400": nil,
	} {
		w.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if r := w.next(); r.ID != want || (r.Error != nil) != (want == nil) {
			t.Errorf("the request %s was answered as %v, error %v", id, r.ID, r.Error)
		}
	}
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

// Upstream issue 958: a panic ended the process.
func TestAPanicIsAnErrorOfItsCall(t *testing.T) {
	s := panicking(t)
	for range 2 {
		_, _, err := s.carryOut(context.Background(), commands.Call{Tool: "core panic"})
		if e := bridge.AsError(err); e.Code != bridge.InternalError || !strings.Contains(e.Hint, "on purpose") {
			t.Errorf("got %v", err)
		}
	}
}

func TestAPanicOutsideACallIsAnErrorOfItsRequest(t *testing.T) {
	next := panicking(t).recovered(func(context.Context, string, sdk.Request) (sdk.Result, error) { panic("on purpose") })
	var coded *jsonrpc.Error
	if _, err := next(context.Background(), "tools/list", nil); !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInternalError {
		t.Errorf("got %v", err)
	}
}

func panicking(t *testing.T) *Server {
	table := commands.NewTable([]*commands.Tool{commands.New(commands.Spec[struct{}, struct{}]{
		Name: "core panic", Class: commands.ReadOnly, Starter: true, Summary: "Panic, for a test of what comes after.",
		Run: func(context.Context, *commands.Env, struct{}) (struct{}, error) { panic("on purpose") },
	})})
	env := &commands.Env{Contract: commands.ThisContract, Table: table, Listed: []string{"all"}}
	log := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return NewServer(&commands.Dispatcher{Table: table, Env: env}, log)
}

// F18: log lines, a panic and what no client should send leave nothing but messages on the output.
func TestF18_EveryLineIsAMessage(t *testing.T) {
	w := plugServer(t, panicking(t))
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_core_panic","arguments":{}}}`,
		`no message`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":5,"method":"no/such"}`,
	} {
		w.send(line)
		w.next()
	}
}

// A client that is gone without having closed the pipe ends the server: nobody reads what it writes.
func TestAServerWhoseOutputIsGoneEnds(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	_ = w.reader.Close()
	w.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if err := <-w.done; !errors.Is(err, ErrOutput) {
		t.Errorf("the server ended with %v", err)
	}
}

// F19: the notice may come when the answer is on its way, or for a request that was never there.
func TestF19_ANoticeAfterTheAnswerDoesNothing(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	w.answered(2)
	for _, id := range []string{"2", "1", `"x"`, "null", "[]"} {
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	w.answered(2)
}

// Progress of a request stops when it is cancelled or answered, and grows.
func TestProgressGrowsAndStops(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(ctx context.Context, call *bridgetest.Parked) (any, error) {
		for _, n := range []float64{1, 2, 2, 1, 3} {
			call.Progress(n, 3, "step")
		}
		<-release
		call.Progress(4, 4, "late")
		return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
	})
	w := speak(t, editor.Query())
	w.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{},"_meta":{"progressToken":"p"}}}`)
	for _, want := range []string{`"progress":1`, `"progress":2`, `"progress":3`} {
		if r := w.next(); r.Method != "notifications/progress" || !strings.Contains(string(r.Params), want) {
			t.Errorf("got %s %s, want %s", r.Method, r.Params, want)
		}
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	editor.WaitCancels(1)
	close(release)
	w.answered(8)
}
