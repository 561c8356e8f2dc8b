package bridge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// text is a JSON string of n bytes with its quotes.
func text(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }

func TestF14_ExactReadBackUpToTheLimit(t *testing.T) {
	e := bridgetest.New(t)
	e.On("script.write", echo)
	c := newClient(t, e)
	largest := bridge.MaxMessage - len(`{"id":9,"command":"script.write","params":}`)
	for _, n := range []int{8193, 65536, 65537, 1 << 20, 5 << 20, largest} {
		want := text(n)
		got, err := call(c, "script.write", want)
		if err != nil || got != want {
			t.Errorf("%d bytes: got %d bytes, %v", n, len(got), err)
		}
	}
	if len(e.Hellos()) != 1 {
		t.Error("the link did not live through it")
	}
}

func TestF14_MessageOverLimitIsAnErrorBeforeSending(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `{}`)
	e.Reply("script.write", `{}`)
	c := newClient(t, e)
	envelope := len(`{"id":2,"command":"script.write","params":}`)
	for _, over := range []int{1, 1 << 20} {
		_, err := call(c, "script.write", text(bridge.MaxMessage-envelope+over))
		got := wantError(t, err, bridge.ValidationError, "", "16777216 bytes", fmt.Sprint(bridge.MaxMessage+over), "was not sent")
		if got.Sent {
			t.Errorf("got %+v", got)
		}
	}
	if len(e.Hellos()) != 0 {
		t.Error("the editor was bothered")
	}
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Errorf("the next small call: %v", err)
	}
}

// The id's digits count too, and are known only once there is a link.
func TestF14_TheLimitCountsTheWholeMessage(t *testing.T) {
	e := bridgetest.New(t)
	e.On("script.write", func(json.RawMessage) (any, error) { return nil, nil })
	c := newClient(t, e)
	for range 9 {
		if _, err := call(c, "script.write", `1`); err != nil {
			t.Fatal(err)
		}
	}
	fitsOneDigit := text(bridge.MaxMessage - len(`{"id":9,"command":"script.write","params":}`))
	_, err := call(c, "script.write", fitsOneDigit)
	wantError(t, err, bridge.ValidationError, "", "16777217 bytes")
	if _, err := call(c, "script.write", `1`); err != nil {
		t.Errorf("the next small call: %v", err)
	}
}

func TestF14_CloseCode1009IsReportedAsSize(t *testing.T) {
	e := bridgetest.New(t, bridgetest.MaxMessage(8192))
	e.Reply("node.get", `{}`)
	waiting := make(chan struct{})
	defer close(waiting)
	e.Park("game.wait-for", func(context.Context, *bridgetest.Parked) (any, error) { <-waiting; return nil, nil })
	c := newClient(t, e)
	other := c.Start(context.Background(), bridge.Request{Command: "game.wait-for"})
	e.WaitCalls(1)
	for _, n := range []int{8193, 5 << 20} {
		_, err := call(c, "script.write", text(n))
		wantError(t, err, bridge.ValidationError, "", "script.write", "size limit", "1009", "16777216")
		if _, err := call(c, "node.get", `{}`); err != nil {
			t.Errorf("the next small call: %v", err)
		}
	}
	_, err := other.Wait(context.Background())
	if got := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "game.wait-for", "1009"); !got.Sent {
		t.Errorf("got %+v", got)
	}
	if n := len(e.Hellos()); n != 3 {
		t.Errorf("%d links were made, want 3", n)
	}
}

func TestF14_AnswerOverLimitIsReportedAsSize(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("scene.tree", `{"id":$id,"ok":true,"result":`+text(bridge.MaxMessage)+`}`)
	e.Reply("node.get", `{}`)
	c := newClient(t, e)
	_, err := call(c, "scene.tree", `{}`)
	wantError(t, err, bridge.ValidationError, "", "scene.tree", "16777216", "ask for less")
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Errorf("the next small call: %v", err)
	}
}

func TestF14_LargeAnswersArrive(t *testing.T) {
	e := bridgetest.New(t)
	c := newClient(t, e)
	for _, n := range []int{8193, 65536, 1 << 20, 5 << 20, bridge.MaxMessage - 64} {
		command := fmt.Sprintf("scene.tree-%d", n)
		e.ReplyRaw(command, `{"id":$id,"ok":true,"result":`+text(n)+`}`)
		got, err := call(c, command, `{}`)
		if err != nil || got != text(n) {
			t.Errorf("%d bytes: got %d bytes, %v", n, len(got), err)
		}
	}
}

// Each request may be large; not all of them may lie in memory at once, and
// none may be lost.
func TestF14_ManyLargeRequestsGoOutInOrder(t *testing.T) {
	e := bridgetest.New(t)
	e.On("script.write", func(params json.RawMessage) (any, error) { return len(params), nil })
	c := newClient(t, e)
	var pending []*bridge.Pending
	for i := range 20 {
		pending = append(pending, c.Start(context.Background(), bridge.Request{Command: "script.write", Params: []byte(text(1<<20 + i))}))
	}
	for i, p := range pending {
		got, err := p.Wait(context.Background())
		if err != nil || string(got) != fmt.Sprint(1<<20+i) {
			t.Errorf("request %d: got %s, %v", i, got, err)
		}
	}
}
