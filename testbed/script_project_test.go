package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestCheckOfManyScriptsLeavesTheEditorToOthers: a check of the whole project is done in parts, so that another
// client's call is answered before it; no script is left out and nothing stays in memory.
func TestCheckOfManyScriptsLeavesTheEditorToOthers(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	const many = 600
	var body strings.Builder
	for i := range 60 {
		fmt.Fprintf(&body, "\nfunc f%d(n: int) -> int:\n\tvar sum: int = n * %d\n\tprint(sum)\n\treturn sum\n", i, i)
	}
	for i := range many {
		text := "extends Node\n" + body.String()
		if i%100 == 99 {
			text += "\nfunc wrong() -> int:\n\treturn missing\n"
		}
		write(t, e, fmt.Sprintf("many/s%03d.gd", i), text)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	slow, quick := direct(t, e, &bridge.Client{}), direct(t, e, &bridge.Client{})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if _, err := quick.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	all := slow.Start(ctx, bridge.Request{Command: "script.check", Params: json.RawMessage(`{}`)})
	done := make(chan json.RawMessage, 1)
	go func() {
		result, err := all.Wait(ctx)
		if err != nil {
			t.Error(err)
		}
		done <- result
	}()
	for range 3 {
		if _, err := send(t, quick, bridge.Request{Command: "get-server-info", Params: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-done:
		t.Error("the check was done before three short calls of another client")
		return
	default:
	}
	var answer struct {
		OK     bool
		Errors []struct{ Source, Message string }
	}
	if err := json.Unmarshal(<-done, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.OK || len(answer.Errors) != many/100 {
		t.Errorf("the check found %d errors: %+v", len(answer.Errors), answer.Errors)
	}
	for _, found := range answer.Errors {
		if !strings.HasSuffix(found.Source, "99.gd") || !strings.Contains(found.Message, "missing") {
			t.Errorf("an error that is none: %+v", found)
		}
	}
}
