package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// newClient returns a client of one fake editor, closed with the test.
func newClient(t testing.TB, e *bridgetest.Editor) *bridge.Client {
	t.Helper()
	c := &bridge.Client{Find: e.Find, Name: "test", Version: "v0"}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func call(c *bridge.Client, command, params string) (string, error) {
	result, err := c.Call(context.Background(), bridge.Request{Command: command, Params: json.RawMessage(params)})
	return string(result), err
}

// wantError checks code, required and parts of the hint, and returns the error.
func wantError(t testing.TB, err error, code bridge.Code, required string, parts ...string) *bridge.Error {
	t.Helper()
	var e *bridge.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T) is no *bridge.Error", err, err)
	}
	if e.Code != code || e.Required != required {
		t.Fatalf("got %v; want code %s, required %q", e, code, required)
	}
	for _, part := range parts {
		if !strings.Contains(e.Hint, part) {
			t.Errorf("hint %q lacks %q", e.Hint, part)
		}
	}
	return e
}

func echo(params json.RawMessage) (any, error) { return params, nil }

func TestCallReturnsTheResultAsItCame(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{"a": 1.0,  "b":[ ]}}`)
	got, err := call(newClient(t, e), "node.get", `{"node_path":"A"}`)
	if err != nil || got != `{"a": 1.0,  "b":[ ]}` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestCallSendsAllParts(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.set-property", `{}`)
	c := newClient(t, e)
	_, err := c.Call(context.Background(), bridge.Request{
		Command: "node.set-property",
		Params:  json.RawMessage(`{"value": 3.0}`),
		Raw:     map[string]string{"value": "3.0 <\"é\n>"},
		Key:     "k<1>",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := e.Calls()[0]
	if string(got.Params) != `{"value": 3.0}` || got.Raw["value"] != "3.0 <\"é\n>" || got.Key != "k<1>" || got.ID < 1 {
		t.Errorf("got %+v", got)
	}
	if _, err := c.Call(context.Background(), bridge.Request{Command: "node.set-property"}); err != nil {
		t.Fatal(err)
	}
	got = e.Calls()[1]
	if string(got.Params) != `{}` || got.Raw != nil || got.Key != "" {
		t.Errorf("got %+v", got)
	}
}

func TestCallIntroducesItself(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Versions("2026.02.03", "4.6.1"))
	e.Reply("node.get", `{}`)
	c := newClient(t, e)
	c.Events = []string{"scene_saved"}
	if _, ok := c.Hello(); ok {
		t.Error("there is a hello before the first call")
	}
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	h := e.Hellos()[0]
	if h.Client != "test" || h.Version != "v0" || h.Contract != 1 || len(h.Nonce) < 32 || len(h.Events) != 1 {
		t.Errorf("hello was %+v", h)
	}
	got, ok := c.Hello()
	if !ok || got.AddonVersion != "2026.02.03" || got.GodotVersion != "4.6.1" || got.PID != e.Info().PID || got.ProjectPath != e.Project || got.Server != "godot_mcp_bridge" {
		t.Errorf("got %+v, %v", got, ok)
	}
	if ed, ok := c.Editor(); !ok || ed.Port != e.Info().Port {
		t.Errorf("got %+v, %v", ed, ok)
	}
}

func TestZeroClientFindsTheEditorOfTheWorkingDirectory(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	e.Setenv(t)
	t.Chdir(e.Project)
	var c bridge.Client
	defer func() { _ = c.Close() }()
	if _, err := call(&c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	if h := e.Hellos()[0]; h.Client != "godot-mcp" || h.Version != "dev" {
		t.Errorf("hello was %+v", h)
	}
}

func TestConnectSaysWhoIsThere(t *testing.T) {
	e := bridgetest.New(t)
	c := newClient(t, e)
	h, err := c.Connect(context.Background())
	if err != nil || h.PID != e.Info().PID {
		t.Errorf("got %+v, %v", h, err)
	}
	if len(e.Calls()) != 0 {
		t.Error("Connect sent a command")
	}
}

func TestErrorsOfTheEditorArriveWhole(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.delete", `{"ok":false,"error":"PRECONDITION_FAILED","hint":"say so","required":"confirm","result":{"n":1}}`)
	e.Reply("node.get", `{"ok":false,"error":"BRAND_NEW","hint":"h"}`)
	c := newClient(t, e)
	_, err := call(c, "node.delete", `{}`)
	got := wantError(t, err, bridge.PreconditionFailed, "confirm", "say so")
	if string(got.Result) != `{"n":1}` || got.Sent {
		t.Errorf("got %+v", got)
	}
	_, err = call(c, "node.get", `{}`)
	wantError(t, err, "BRAND_NEW", "", "h")
}

func TestParamsThatAreNotJSONAreNotSent(t *testing.T) {
	e := bridgetest.New(t)
	c := newClient(t, e)
	for _, params := range []string{`{`, ``, `{} {}`, `{"a":inf}`} {
		_, err := c.Call(context.Background(), bridge.Request{Command: "node.get", Params: json.RawMessage(params)})
		wantError(t, err, bridge.ValidationError, "", "node.get", "not valid JSON")
	}
	if len(e.Hellos()) != 0 {
		t.Error("the editor was bothered")
	}
}

func TestConcurrentCallsShareOneSocket(t *testing.T) {
	e := bridgetest.New(t)
	e.On("node.get", echo)
	c := newClient(t, e)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			want := fmt.Sprintf(`{"n":%d}`, i)
			if got, err := call(c, "node.get", want); err != nil || got != want {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
	wg.Wait()
	if n := len(e.Hellos()); n != 1 {
		t.Errorf("%d sockets were opened", n)
	}
}

func TestStartKeepsTheOrder(t *testing.T) {
	e := bridgetest.New(t)
	e.On("node.get", echo)
	c := newClient(t, e)
	const n = 5000
	pending := make([]*bridge.Pending, n)
	for i := range pending {
		pending[i] = c.Start(context.Background(), bridge.Request{Command: "node.get", Params: fmt.Appendf(nil, `%d`, i)})
	}
	for i, p := range pending {
		got, err := p.Wait(context.Background())
		if err != nil || string(got) != fmt.Sprint(i) {
			t.Fatalf("call %d: got %s, %v", i, got, err)
		}
	}
	for i, got := range e.Calls() {
		if string(got.Params) != fmt.Sprint(i) {
			t.Fatalf("command %d was %s", i, got.Params)
		}
	}
}

func TestStartBlocksAtMaxInFlight(t *testing.T) {
	e := bridgetest.New(t)
	release := make(chan struct{})
	e.Park("game.wait-for", func(context.Context, *bridgetest.Parked) (any, error) { <-release; return nil, nil })
	c := newClient(t, e)
	var pending []*bridge.Pending
	for range bridge.MaxInFlight {
		pending = append(pending, c.Start(context.Background(), bridge.Request{Command: "game.wait-for"}))
	}
	e.WaitCalls(bridge.MaxInFlight)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Start(ctx, bridge.Request{Command: "game.wait-for"}).Wait(context.Background())
	if got := wantError(t, err, bridge.Timeout, "", "had not been sent"); got.Sent {
		t.Error("the call over the limit counts as sent")
	}
	close(release)
	for _, p := range pending {
		if _, err := p.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(e.Calls()); n != bridge.MaxInFlight {
		t.Errorf("%d commands came", n)
	}
}

func TestDeadlineAsksTheEditorToGiveUp(t *testing.T) {
	e := bridgetest.New(t)
	given := make(chan struct{})
	e.Park("game.wait-for", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-ctx.Done()
		close(given)
		return nil, ctx.Err()
	})
	e.Reply("node.get", `{}`)
	c := newClient(t, e)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := c.Call(ctx, bridge.Request{Command: "game.wait-for"})
	got := wantError(t, err, bridge.Timeout, "", "game.wait-for", "whether it was carried out is unknown")
	if !got.Sent || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %+v", got)
	}
	<-given
	if ids := e.WaitCancels(1); ids[0] != e.Calls()[0].ID {
		t.Errorf("cancelled %v, called %v", ids, e.Calls())
	}
	// Its late answer is dropped, the link lives on.
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	if len(e.Hellos()) != 1 {
		t.Error("the link was given up")
	}
}

func TestCancelIsRecognisable(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Silent())
	c := newClient(t, e)
	ctx, cancel := context.WithCancel(context.Background())
	p := c.Start(ctx, bridge.Request{Command: "node.get"})
	e.WaitCalls(1)
	cancel()
	_, err := p.Wait(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := wantError(t, err, bridge.Timeout, "", "cancelled"); !got.Sent || !p.Sent() {
		t.Errorf("got %+v", got)
	}
	if _, again := p.Wait(context.Background()); again != err {
		t.Errorf("the second Wait says %v", again)
	}
	e.WaitCancels(1)
}

func TestCallWithAnEndedContextDoesNothing(t *testing.T) {
	e := bridgetest.New(t)
	c := newClient(t, e)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := c.Call(ctx, bridge.Request{Command: "node.get"})
	if got := wantError(t, err, bridge.Timeout, "", "had not been sent"); got.Sent {
		t.Errorf("got %+v", got)
	}
	if len(e.Hellos()) != 0 {
		t.Error("the editor was bothered")
	}
}

// A cancellation reaches the editor although the process ends right behind it.
func TestCloseDoesNotLoseCancellations(t *testing.T) {
	for range 20 {
		e := bridgetest.New(t, bridgetest.Silent())
		c := newClient(t, e)
		ctx, cancel := context.WithCancel(context.Background())
		var pending []*bridge.Pending
		for range 100 {
			pending = append(pending, c.Start(context.Background(), bridge.Request{Command: "node.get"}))
		}
		e.WaitCalls(100)
		cancel()
		for _, p := range pending {
			_, _ = p.Wait(ctx)
		}
		_ = c.Close()
		e.WaitCancels(100)
	}
}

func TestCloseEndsCallsAndClient(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Silent())
	c := newClient(t, e)
	p := c.Start(context.Background(), bridge.Request{Command: "node.get"})
	e.WaitCalls(1)
	_ = c.Close()
	<-p.Done()
	_, err := p.Wait(context.Background())
	if got := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "closed", "unknown"); !got.Sent {
		t.Errorf("got %+v", got)
	}
	_, err = call(c, "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "closed")
	if _, ok := c.Hello(); ok {
		t.Error("a closed client has a hello")
	}
	e.WaitSockets(0)
	_ = c.Close()
	_ = new(bridge.Client).Close()
}

func TestCloseWhileConnecting(t *testing.T) {
	e := bridgetest.New(t)
	started := make(chan struct{})
	c := &bridge.Client{Find: func(ctx context.Context) (bridge.Editor, error) {
		close(started)
		<-ctx.Done()
		return e.Info(), ctx.Err()
	}}
	failed := make(chan error)
	go func() {
		_, err := call(c, "node.get", `{}`)
		failed <- err
	}()
	<-started
	_ = c.Close()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestErrorOfFindIsTold(t *testing.T) {
	own := bridge.Errorf(bridge.PreconditionFailed, "project_dir", "no")
	for want, err := range map[bridge.Code]error{bridge.PreconditionFailed: own, bridge.InternalError: errors.New("disk on fire")} {
		c := &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return bridge.Editor{}, err }}
		_, got := call(c, "node.get", `{}`)
		if e := bridge.AsError(got); e.Code != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}
