package mcp

import (
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

func TestHintsSpeakOfArguments(t *testing.T) {
	for hint, want := range map[string]string{
		"node delete is destructive: look with --dry-run, then run it with --confirm":           "node delete is destructive: look with dry_run=true, then run it with confirm=true",
		"unsaved work in res://a.tscn: godot-mcp editor stop --save, or --confirm to lose it":   "unsaved work in res://a.tscn: godot_editor_stop save=true, or confirm=true to lose it",
		"look with godot-mcp scene tree or godot-mcp undo --dry-run before you try again":       "look with godot_scene_tree or godot_undo dry_run=true before you try again",
		"not open: godot-mcp scene open res://b.tscn":                                           "not open: godot_scene_open res://b.tscn",
		"no editor runs for /p; first godot-mcp addon install --project /p then godot-mcp help": "no editor runs for /p; first godot-mcp addon install --project /p then godot-mcp help",
		"then godot-mcp editor start --project /p":                                              "then godot-mcp editor start --project /p",
		"godot-mcp scene reload res://a.tscn --confirm to take the file":                        "godot_scene_reload res://a.tscn confirm=true to take the file",
		"godot-mcp node get --help":                                                             "godot-mcp node get --help",
	} {
		if got := asCall(commands.All(), hint); got != want {
			t.Errorf("%q became\n%q, want\n%q", hint, got, want)
		}
	}
}
