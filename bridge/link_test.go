package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestF20_ClientStartedBeforeTheEditor(t *testing.T) {
	dir := project(t, t.TempDir())
	c := &bridge.Client{Find: finder(bridge.Query{Dir: dir, Registry: "/nowhere"})}
	defer func() { _ = c.Close() }()
	_, err := call(c, "scene.tree", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "godot-mcp editor start --project "+dir)

	first := bridgetest.New(t, bridgetest.Project(dir))
	first.Reply("scene.tree", `1`)
	if got, err := call(c, "scene.tree", `{}`); err != nil || got != "1" {
		t.Fatalf("after the start: %s, %v", got, err)
	}

	first.Close()
	_, err = call(c, "scene.tree", `{}`)
	if e := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected"); e.Sent {
		// The end of the old link may be noticed only by writing to it.
		_, err = call(c, "scene.tree", `{}`)
		wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "godot-mcp editor start")
	}

	second := bridgetest.New(t, bridgetest.Project(dir))
	second.Reply("scene.tree", `2`)
	if first.Info().Port == second.Info().Port {
		t.Fatal("the fake editor came back on the same port")
	}
	if got, err := call(c, "scene.tree", `{}`); err != nil || got != "2" {
		t.Errorf("after the return: %s, %v", got, err)
	}
}

func TestF20_KilledEditorEndsCallsInFlight(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Silent())
	c := newClient(t, e)
	p := c.Start(context.Background(), bridge.Request{Command: "node.add"})
	e.WaitCalls(1)
	e.Crash()
	_, err := p.Wait(context.Background())
	if got := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "node.add", "had been sent", "unknown"); !got.Sent {
		t.Errorf("got %+v", got)
	}
	_, err = call(c, "node.add", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "nobody listens", "godot-mcp editor start")
}

func TestF20_WaitingForASilentPortIsBounded(t *testing.T) {
	// A port that takes connections, by the system's queue, and never speaks.
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ed := bridge.Editor{Port: l.Addr().(*net.TCPAddr).Port, Token: bridge.NewToken(strings.Repeat("a", 64)), PID: os.Getpid(), ProjectPath: "/p"}
	c := &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return ed, nil }, DialTimeout: 50 * time.Millisecond}
	defer func() { _ = c.Close() }()
	_, err = call(c, "node.get", `{}`)
	got := wantError(t, err, bridge.PreconditionFailed, "editor_ready", fmt.Sprint("process ", os.Getpid()), "lives", "nothing was sent", "godot-mcp editor wait")
	if got.Sent || !errors.Is(got, context.DeadlineExceeded) {
		t.Errorf("got %+v", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	c.DialTimeout = 0
	_, err = c.Call(ctx, bridge.Request{Command: "node.get"})
	wantError(t, err, bridge.PreconditionFailed, "editor_ready", "has not answered", "nothing was sent")
}

func TestF20_WaitingForHelloIsBounded(t *testing.T) {
	e := bridgetest.New(t, bridgetest.SilentHello())
	c := newClient(t, e)
	c.DialTimeout = 50 * time.Millisecond
	_, err := call(c, "node.get", `{}`)
	if got := wantError(t, err, bridge.Timeout, "editor_ready", "hello", "godot-mcp editor wait"); got.Broken {
		t.Errorf("got %+v", got)
	}
	_, err = c.Connect(context.Background())
	wantError(t, err, bridge.Timeout, "editor_ready", "hello")
	e = bridgetest.New(t, bridgetest.SilentHello(), bridgetest.Contract(2, 1)) // not pipelined
	c = newClient(t, e)
	c.DialTimeout = 50 * time.Millisecond
	_, err = call(c, "node.get", `{}`)
	wantError(t, err, bridge.Timeout, "editor_ready", "hello")
}

// One caller that gives up must not spoil the connection for the others.
func TestConnectingIsSharedAndOutlivesItsFirstCaller(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	reached, release := make(chan struct{}), make(chan struct{})
	c := newClient(t, e)
	c.Find = func(ctx context.Context) (bridge.Editor, error) {
		close(reached)
		<-release
		return e.Info(), ctx.Err()
	}
	ctx, cancel := context.WithCancel(context.Background())
	first, second := make(chan error), make(chan error)
	go func() {
		_, err := c.Call(ctx, bridge.Request{Command: "node.get"})
		first <- err
	}()
	<-reached
	go func() {
		_, err := call(c, "node.get", `{}`)
		second <- err
	}()
	cancel()
	wantError(t, <-first, bridge.Timeout, "", "cancelled")
	close(release)
	if err := <-second; err != nil {
		t.Errorf("the second caller: %v", err)
	}
	if n := len(e.Hellos()); n != 1 {
		t.Errorf("%d sockets were opened", n)
	}
}

func TestLinkThatBreaksTellsWhetherTheRequestWasSent(t *testing.T) {
	e := bridgetest.New(t, bridgetest.DropAfter(1))
	e.Reply("node.get", `{}`)
	c := newClient(t, e)
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	_, err := call(c, "node.get", `{}`)
	if got := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "end of stream", "unknown"); !got.Sent || !got.Broken {
		t.Errorf("got %+v", got)
	}
	// The next call makes a new link.
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
}

func TestCloseCodeOfTheEditorIsTold(t *testing.T) {
	e := bridgetest.New(t, bridgetest.CloseAfter(0, 1001, "editor closes"))
	_, err := call(newClient(t, e), "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "close code 1001", "editor closes")
}

func TestNinthClientIsToldThatThereAreEight(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	var clients []*bridge.Client
	for range bridge.MaxClients {
		c := newClient(t, e)
		if _, err := c.Connect(context.Background()); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	ninth := newClient(t, e)
	_, err := call(ninth, "node.get", `{}`)
	if got := wantError(t, err, bridge.PreconditionFailed, "bridge_connected", "8 clients"); got.Sent {
		t.Errorf("got %+v", got)
	}
	_ = clients[0].Close()
	e.WaitSockets(bridge.MaxClients - 1)
	if _, err := call(ninth, "node.get", `{}`); err != nil {
		t.Errorf("after one had left: %v", err)
	}
}

// The editor does not read and the socket's buffers are full: callers still
// get free in time, and what was not begun is said not to be sent.
func TestStuckSocketDoesNotHoldCallers(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Deaf())
	c := newClient(t, e)
	if _, err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	large := bridge.Request{Command: "script.write", Params: []byte(text(15 << 20))}
	begun := c.Start(ctx, large)
	next := c.Start(ctx, large)
	for !begun.Sent() {
		runtime.Gosched()
	}
	cancel()
	_, err := begun.Wait(ctx)
	if got := wantError(t, err, bridge.Timeout, "", "unknown"); !got.Sent {
		t.Errorf("got %+v", got)
	}
	_, err = next.Wait(ctx)
	if got := wantError(t, err, bridge.Timeout, "", "had not been sent"); got.Sent {
		t.Errorf("got %+v", got)
	}
}

func TestIdleLinkGivesItsPlaceBack(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	c := &bridge.Client{Find: e.Find, IdleTimeout: 20 * time.Millisecond}
	t.Cleanup(func() { _ = c.Close() })
	for round := 1; round <= 3; round++ {
		if _, err := call(c, "node.get", `{}`); err != nil {
			t.Fatal(err)
		}
		e.WaitSockets(0)
		if n := len(e.Hellos()); n != round {
			t.Errorf("after %d rounds there were %d links", round, n)
		}
	}
}

// What is in flight is never cut off.
func TestIdleLinkWaitsForWhatIsInFlight(t *testing.T) {
	e := bridgetest.New(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	e.Park("node.get", func(context.Context, *bridgetest.Parked) (any, error) {
		close(begun)
		<-goOn
		return map[string]any{}, nil
	})
	e.Reply("scene.save", `{}`)
	c := &bridge.Client{Find: e.Find, IdleTimeout: time.Millisecond}
	t.Cleanup(func() { _ = c.Close() })
	long := c.Start(t.Context(), bridge.Request{Command: "node.get"})
	<-begun
	// Longer than the link may idle.
	time.AfterFunc(50*time.Millisecond, func() { close(goOn) })
	if _, err := long.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	// Each comes about when the link is given up.
	for range 200 {
		if _, err := call(c, "scene.save", `{}`); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}
