package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
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

func TestCallReturnsResultAsItCame(t *testing.T) {
	e := bridgetest.New(t)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{"a": 1.0,  "b":[ ]}}`)
	got, err := call(newClient(t, e), "node.get", `{"node_path":"A"}`)
	if err != nil || got != `{"a": 1.0,  "b":[ ]}` {
		t.Fatalf("got %s, %v", got, err)
	}
}

var _ = fmt.Sprint
var _ = io.EOF
var _ = slog.Default
var _ sync.Mutex
var _ time.Duration
