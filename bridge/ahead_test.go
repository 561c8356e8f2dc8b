package bridge_test

import (
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestTheSocketOpenedAheadIsUsedOnce(t *testing.T) {
	e := bridgetest.New(t)
	e.On("node.get", echo)
	ahead := bridge.ConnectAhead(e.Query())
	e.WaitOpen(1)
	c := &bridge.Client{Find: e.Find, Ahead: ahead.For(e.Query())}
	defer func() { _ = c.Close() }()
	for range 2 {
		if got, err := call(c, "node.get", `{"a":1}`); err != nil || got != `{"a":1}` {
			t.Fatalf("got %s, %v", got, err)
		}
	}
	if n := len(e.Hellos()); n != 1 {
		t.Errorf("%d sockets said hello", n)
	}
}

func TestTheSocketOpenedAheadIsGivenUp(t *testing.T) {
	for name, giveUp := range map[string]func(*bridge.Ahead, bridge.Query){
		"nobody took it":          func(a *bridge.Ahead, _ bridge.Query) { a.Close() },
		"another editor is meant": func(a *bridge.Ahead, q bridge.Query) { q.PID = 1; a.For(q) },
	} {
		t.Run(name, func(t *testing.T) {
			e := bridgetest.New(t)
			ahead := bridge.ConnectAhead(e.Query())
			e.WaitOpen(1)
			giveUp(ahead, e.Query())
			e.WaitOpen(0)
			if calls := e.Calls(); len(calls) != 0 {
				t.Errorf("it called %v", calls)
			}
		})
	}
}

func TestWithoutASocketAheadTheClientConnectsItself(t *testing.T) {
	e := bridgetest.New(t)
	e.On("node.get", echo)
	q := bridge.Query{Dir: t.TempDir(), Registry: t.TempDir()}
	c := &bridge.Client{Find: e.Find, Ahead: bridge.ConnectAhead(q).For(q)}
	defer func() { _ = c.Close() }()
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
}
