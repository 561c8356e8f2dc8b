package mcp

import (
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

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
		"node add has no parameter nam: godot-mcp node add --help":                              "node add has no parameter nam: godot_tool_describe godot_node_add",
		"there is no tool \"xyzzy\": godot-mcp --help":                                          "there is no tool \"xyzzy\": godot_tool_search",
		"there is no tool \"node xyzzy\": godot-mcp node --help":                                "there is no tool \"node xyzzy\": godot_tool_search node",
		"godot-mcp doctor --help":                                                               "godot-mcp doctor --help",
		"a.tscn is unsaved: godot-mcp scene save --scene-path res://a.tscn":                     "a.tscn is unsaved: godot_scene_save scene_path=res://a.tscn",
		"change it by hand: godot-mcp file search --content 'a b' --limit 5, then save":         "change it by hand: godot_file_search content='a b' limit=5, then save",
		"godot-mcp node set-editable-children A/B --editable=false":                             "godot_node_set_editable_children A/B editable=false",
		"needs template: godot-mcp project scaffold visual_novel --main-scene=novel --confirm":  "needs template: godot_project_scaffold visual_novel main_scene=novel confirm=true",
		"not 2: find more of it, or say --expect-count 3":                                       "not 2: find more of it, or say expect_count=3",
		"it is a scene: --base-scene of godot-mcp scene create makes one":                       "it is a scene: base_scene of godot_scene_create makes one",
		"two steps: godot-mcp undo --count 2, or undo --count 1 for the last":                   "two steps: godot_undo count=2, or undo count=1 for the last",
	} {
		if got := asCall(commands.All(), hint); got != want {
			t.Errorf("%q became\n%q, want\n%q", hint, got, want)
		}
	}
}

func TestUnknownToolsLeadOn(t *testing.T) {
	const search = " godot_tool_search finds a tool by what is to be done"
	for name, want := range map[string]string{
		"godot_node_ad": "unknown tool godot_node_ad, did you mean godot_node_add?" + search,
		"xyzzy":         "unknown tool xyzzy;" + search,
		"":              "unknown tool ;" + search,
	} {
		var e *jsonrpc.Error
		if err := unknownTool(commands.All(), name); !errors.As(err, &e) || e.Code != jsonrpc.CodeInvalidParams || e.Message != want {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}
