package testbed

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestBatchThatEditsNothingFails: with some nodes edited the others are told as skipped; with none there is
// nothing to be glad of.
func TestBatchThatEditsNothingFails(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openScene(t, e, "batch/none.tscn", scene2d("None"))
		before := state(t, e)
		edit := func(path string) args {
			return args{"node_path": path, "properties": map[string]any{"visible": false}}
		}
		for _, dry := range []bool{true, false} {
			s.call(t, "batch apply-edits", args{"edits": []args{edit("Nobody"), edit("Nowhere")}, "dry_run": dry}).fails(t,
				bridge.ResourceNotFound, "edits", "no node was edited", "Nobody")
			s.call(t, "batch set-property", args{"property": "visible", "value": false, "node_paths": []string{"Nobody"}, "dry_run": dry}).fails(t,
				bridge.ResourceNotFound, "node_paths", "no node was edited", "Nobody")
			s.call(t, "batch set-property", args{"property": "no_such", "value": 1, "node_paths": []string{"Tail"}, "dry_run": dry}).fails(t,
				bridge.ValidationError, "node_paths", "no_such")
		}
		s.call(t, "batch set-property", args{"property": "no_such", "value": 1, "node_type": "Label"}).fails(t, bridge.ValidationError, "node_type", "no_such")
		same(t, "batches that edit nothing", before, state(t, e))
		s.call(t, "batch apply-edits", args{"edits": []args{edit("Nobody"), edit("Tail")}}).ok(t).has(t,
			map[string]string{"count": "1", "skipped.0.node_path": "Nobody"})
		s.call(t, "undo", nil).ok(t)
		if got := state(t, e)["tree"]; got != before["tree"] {
			t.Errorf("undo gave\n%s", got)
		}
		closeTab(t, e, "res://batch/none.tscn")
	})
}

// TestScriptWriteSaysWhatToDoAboutErrors names the first one and the command that looks again.
func TestScriptWriteSaysWhatToDoAboutErrors(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		a := args{"script_path": "res://hinted.gd", "content": "extends Node\n\nvar x: int = \"a\"\n"}
		made := previewed(t, e, s, "script write", a)
		for _, part := range []string{"res://hinted.gd:3", "script_check", "res://hinted.gd"} {
			if !strings.Contains(strings.ReplaceAll(made.text("hint"), "script check", "script_check"), part) {
				t.Errorf("the hint %q lacks %s", made.text("hint"), part)
			}
		}
		s.call(t, "undo", nil).ok(t)
	})
}
