package testbed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestF19_AWriteThatWasGivenUpIsToldAsItIs: a client that cancels a write is not told whether it was carried
// out. The next read, the disk and the undo history are, and they agree: it was as a whole, with its undo step,
// or not at all.
func TestF19_AWriteThatWasGivenUpIsToldAsItIs(t *testing.T) {
	e := sharedEditor(t)
	s := mcpSession(t, e)
	t.Run("of_a_file", func(t *testing.T) {
		for i := range 12 {
			path := fmt.Sprintf("res://cancelled/s%d.gd", i)
			text := fmt.Sprintf("extends Node\n\n\nfunc number() -> int:\n\treturn %d\n%s", i, strings.Repeat("# more\n", 2000))
			giveUp(t, s, "godot_script_write", args{"script_path": path, "content": text}, i)
			found := s.call(t, "script read", args{"script_path": path})
			_, err := os.Stat(onDisk(e, path))
			if (found.err == nil) != (err == nil) {
				t.Fatalf("read says %v, the disk %v", found.err, err)
			}
			if found.err == nil {
				found.has(t, map[string]string{"content": text})
				s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "script write", "history": "global"})
			}
			s.call(t, "script read", args{"script_path": path}).fails(t, "RESOURCE_NOT_FOUND", "script_path")
			for _, file := range []string{path, path + ".uid"} {
				if _, err := os.Stat(onDisk(e, file)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is there after all was taken back: %v", file, err)
				}
			}
		}
	})
	t.Run("of_a_node", func(t *testing.T) {
		scene := openScene(t, e, "cancelled/scene.tscn", scene2d("Cancelled"))
		at := args{"node_path": ".", "property": "rotation"}
		before := s.call(t, "node get-property", at).ok(t).text("value")
		for i := range 12 {
			want := fmt.Sprintf("%d.0", i+1)
			giveUp(t, s, "godot_node_set_property", args{"node_path": ".", "property": "rotation", "value": i + 1}, i)
			switch got := s.call(t, "node get-property", at).ok(t).text("value"); got {
			case want:
				s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "node set-property", "history": scene})
			case before:
			default:
				t.Fatalf("the value is %s, it was %s and %s was sent", got, before, want)
			}
			s.call(t, "node get-property", at).ok(t).has(t, map[string]string{"value": before})
		}
		closeTab(t, e, scene)
	})
}

// giveUp sends a write and cancels it, some at once, some later.
func giveUp(t *testing.T, s session, tool string, a args, later int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(later)*time.Millisecond)
	defer cancel()
	out, err := s.client.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: map[string]any(a)})
	if err != nil && ctx.Err() == nil || err == nil && out.IsError {
		t.Fatalf("%s: %v, %+v", tool, err, out)
	}
}
