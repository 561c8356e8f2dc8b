package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestF13_BareInfinitiesAndNaNArrive(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{"x":inf,"y":-inf,"z":nan,"w":1e99999,"t":"inf"}}`)
	got, err := call(newClient(t, e), "node.get", `{}`)
	if want := `{"x":"inf","y":"-inf","z":"nan","w":"inf","t":"inf"}`; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestF13_RawControlCharactersArrive(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("script.read", "{\"id\":$id,\"ok\":true,\"result\":{\"content\":\"a\x01\tb\\vc\"}}")
	got, err := call(newClient(t, e), "script.read", `{}`)
	var r struct{ Content string }
	if err != nil || json.Unmarshal([]byte(got), &r) != nil || r.Content != "a\x01\tb\vc" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestF13_BrokenAnswerFailsItsOwnRequestAtOnce(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":<Object#123>}`)
	waiting := make(chan struct{})
	e.Park("game.wait-for", func(context.Context, *bridgetest.Parked) (any, error) { <-waiting; return 1, nil })
	c := newClient(t, e)
	other := c.Start(context.Background(), bridge.Request{Command: "game.wait-for"})
	_, err := call(c, "node.get", `{}`)
	if got := wantError(t, err, bridge.InternalError, "", "node.get", "not JSON", "godot-mcp editor status"); !got.Sent {
		t.Errorf("got %+v", got)
	}
	close(waiting)
	if got, err := other.Wait(context.Background()); err != nil || string(got) != "1" {
		t.Errorf("the other call got %s, %v", got, err)
	}
}

func TestF13_BrokenAnswerWithoutIDIsNeverDropped(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `oops`)
	e.Park("game.wait-for", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c := newClient(t, e)
	_, err := call(c, "node.get", `{}`) // the only one in flight
	wantError(t, err, bridge.InternalError, "", "node.get", "not JSON")
	other := c.Start(context.Background(), bridge.Request{Command: "game.wait-for"})
	_, err = call(c, "node.get", `{}`)
	wantError(t, err, bridge.InternalError, "", "not JSON")
	_, err = other.Wait(context.Background())
	wantError(t, err, bridge.InternalError, "", "not JSON")
}

func TestAnswerWithoutIDBelongsToTheOnlyCall(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `{"id":0,"ok":false,"error":"VALIDATION_ERROR","hint":"cannot read that"}`)
	_, err := call(newClient(t, e), "node.get", `{}`)
	wantError(t, err, bridge.ValidationError, "", "cannot read that")
}

func TestUnknownMessagesAreDroppedAndLogged(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	c := newClient(t, e)
	var log syncBuffer
	c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if _, err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.WaitSockets(1)
	for _, frame := range []string{`{"id":900,"ok":true}`, `{"new":1}`, `{"id":901,"progress":1}`, `{"event":"unasked"}`} {
		e.EmitRaw(frame)
	}
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "unknown id dropped") || !strings.Contains(text, "id=900") || !strings.Contains(text, "without id dropped") {
		t.Errorf("log: %s", text)
	}
	if strings.Contains(log.String(), e.Info().Token.Secret()) {
		t.Error("the token is in the log")
	}
}

func TestProgressComesBeforeTheAnswer(t *testing.T) {
	e := bridgetest.New(t)
	e.Park("export.run", func(_ context.Context, call *bridgetest.Parked) (any, error) {
		call.Progress(1, 0, "")
		call.Progress(2, 4, "half")
		return "done", nil
	})
	c := newClient(t, e)
	var got []bridge.Progress
	result, err := c.Call(context.Background(), bridge.Request{
		Command:    "export.run",
		OnProgress: func(p bridge.Progress) { got = append(got, p) },
	})
	if err != nil || string(result) != `"done"` {
		t.Fatalf("got %s, %v", result, err)
	}
	if len(got) != 2 || got[0] != (bridge.Progress{Progress: 1}) || got[1] != (bridge.Progress{Progress: 2, Total: 4, Message: "half"}) {
		t.Errorf("got %+v", got)
	}
}

func TestEventsArriveInOrder(t *testing.T) {
	e := bridgetest.New(t)
	events := make(chan bridge.Event, 10)
	c := newClient(t, e)
	c.Events = []string{"scene_saved", "dropped"}
	c.OnEvent = func(ev bridge.Event) { events <- ev }
	if _, err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.WaitSockets(1)
	e.Emit("scene_changed", nil) // not asked for
	e.Emit("scene_saved", map[string]any{"scene_path": "res://a.tscn"})
	e.Emit("dropped", map[string]any{"count": 3})
	first, second := <-events, <-events
	if first.Name != "scene_saved" || !strings.Contains(string(first.Data), `"scene_path":"res://a.tscn"`) || second.Name != "dropped" {
		t.Errorf("got %v, %v", first, second)
	}
}

// syncBuffer is a buffer that several goroutines may write to.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
