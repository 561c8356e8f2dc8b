package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// gameScript is of a node that says what it is told to, and can be made to fail in every way.
const gameScript = `extends Node2D

@export var speed: float = 3.5
var hits: int = 0
var frames: int = 0
var any: Variant = null
var only_read: int:
	get:
		return 7


func _ready() -> void:
	print("ready ", OS.get_cmdline_user_args(), " ", randi() % 1000000)


func _process(_delta: float) -> void:
	frames += 1


func hit(points: int, who: String = "nobody") -> Dictionary:
	hits += points
	print("hit by ", who)
	push_warning("ouch")
	push_error("dead")
	return {"hits": hits, "at": Vector2(1, 2)}


func fail() -> void:
	var nothing: Node = null
	nothing.name = "x"


func stop_here() -> void:
	breakpoint


func hang() -> void:
	while true:
		pass


func go(path: String) -> void:
	get_tree().change_scene_to_file(path)


func bang() -> void:
	OS.crash("bang")


func leave() -> void:
	get_tree().quit(3)


func later() -> int:
	await get_tree().process_frame
	return 3


func chatter(lines: int) -> void:
	for i in lines:
		print("line ", i)
`

const gameScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://game/node.gd" id="1"]

[node name="Stage" type="Node2D"]
script = ExtResource("1")

[node name="Hero" type="Sprite2D" parent="."]
position = Vector2(4, 5)
`

const otherScene = `[gd_scene format=3]

[node name="Other" type="Node2D"]

[node name="Only" type="Node2D" parent="."]
`

// gameEditor is the shared editor with the scenes of these tests; the game is stopped afterwards.
func gameEditor(t *testing.T) (*Editor, surface) {
	t.Helper()
	e := sharedEditor(t)
	write(t, e, "game/node.gd", gameScript)
	write(t, e, "game/stage.tscn", gameScene)
	write(t, e, "game/other.tscn", otherScene)
	s := mcpSession(t, e)
	t.Cleanup(func() { cli(e).call(t, "game stop", nil).ok(t) })
	return e, s
}

var stage = args{"scene_path": "res://game/stage.tscn", "fixed_fps": 60}

func playStage(t *testing.T, s surface) answer {
	t.Helper()
	return s.call(t, "game play", stage).ok(t).has(t, map[string]string{
		"playing": "true", "scene": "res://game/stage.tscn", "connected": "true", "errors": "[]", "saved": "[]", "breaked": "null",
	})
}

// playForExample starts the game for an example that speaks of a running one.
func playForExample(t *testing.T, s surface, tool string) {
	t.Helper()
	group, _, _ := strings.Cut(tool, " ")
	if !slices.Contains([]string{"game", "input"}, group) || slices.Contains([]string{"game play", "game run-headless"}, tool) {
		return
	}
	if s.call(t, "game status", nil).ok(t).text("connected") != "true" {
		s.call(t, "game play", example(t, "game play")).ok(t)
	}
	switch tool {
	case "game click-ui": // the sample's labels let the mouse through
		s.call(t, "game set-property", args{"node_path": "Hud/Score", "property": "mouse_filter", "value": 0}).ok(t)
		s.call(t, "game resume", nil).ok(t)
	case "input stop-recording":
		s.call(t, "input start-recording", nil).ok(t)
	case "input play-sequence": // its frames do not pass in a game that an example before it paused
		s.call(t, "game resume", nil).ok(t)
	}
}

func TestGamePlayReadSetCallStop(t *testing.T) {
	e, s := gameEditor(t)
	settings := read(t, e, "res://project.godot")
	playStage(t, s)
	s.call(t, "game status", nil).ok(t).has(t, map[string]string{
		"playing": "true", "scene": "res://game/stage.tscn", "connected": "true", "paused": "false", "breaked": "false",
	})
	s.call(t, "game get-property", args{"node_path": "Hero", "property": "position"}).ok(t).has(t, map[string]string{
		"ready": "true", "node_path": "/root/Stage/Hero", "value": `{"x":4.0,"y":5.0}`,
	})
	for _, path := range []string{".", "/root/Stage", "/."} {
		s.call(t, "game get-property", args{"node_path": path, "property": "speed"}).ok(t).has(t, map[string]string{"value": "3.5"})
	}
	s.call(t, "game get-property", args{"node_path": "Hero", "property": "position:y"}).ok(t).has(t, map[string]string{"value": "5.0"})
	none := s.call(t, "game get-property", args{"node_path": "Hero", "property": "positon"})
	none.has(t, map[string]string{"ready": "false", "value": "null"})
	if !strings.Contains(none.text("error"), "did you mean position?") {
		t.Errorf("an unknown property is answered with %s", none.raw)
	}
	s.call(t, "game get-property", args{"node_path": "Gone", "property": "position"}).fails(t, bridge.ResourceNotFound, "node_path", "game tree")

	found := s.call(t, "game query", args{"queries": []args{
		{"node_path": "Hero", "property": "position"}, {"node_path": "Gone", "property": "x"}, {"node_path": ".", "property": "hits"},
	}}).ok(t)
	found.has(t, map[string]string{"values.0.value": `{"x":4.0,"y":5.0}`, "values.1.value": "null", "values.2.value": "0"})
	if found.text("values.1.error") == "null" {
		t.Errorf("the query of no node says no reason: %s", found.raw)
	}

	set := func(node, property string, value any) answer {
		return s.call(t, "game set-property", args{"node_path": node, "property": property, "value": value})
	}
	set("Hero", "position", args{"x": 7, "y": 8}).ok(t).has(t, map[string]string{"previous": `{"x":4.0,"y":5.0}`, "value": `{"x":7.0,"y":8.0}`})
	set("Hero", "position:x", 9.5).ok(t)
	s.call(t, "game get-property", args{"node_path": "Hero", "property": "position"}).ok(t).has(t, map[string]string{"value": `{"x":9.5,"y":8.0}`})
	set(".", "any", args{"$type": "Vector2", "value": args{"x": 1, "y": 2}}).ok(t)
	s.call(t, "game get-property", args{"node_path": ".", "property": "any"}).ok(t).has(t, map[string]string{"value": `{"$type":"Vector2","value":{"x":1.0,"y":2.0}}`})
	set("Hero", "position", "left").fails(t, bridge.ValidationError, "value")
	set(".", "only_read", 5).fails(t, bridge.ValidationError, "value")

	s.call(t, "game call", args{"node_path": ".", "method": "hit", "args": []any{3, "slime"}}).ok(t).has(t, map[string]string{
		"value.hits": "3", "value.at": `{"$type":"Vector2","value":{"x":1.0,"y":2.0}}`,
	})
	s.call(t, "game call", args{"node_path": ".", "method": "hit", "args": []any{"three"}}).fails(t, bridge.ValidationError, "args")
	s.call(t, "game call", args{"node_path": ".", "method": "hitt"}).fails(t, bridge.ValidationError, "method", "did you mean hit?")
	s.call(t, "game call", args{"node_path": ".", "method": "later"}).ok(t).has(t, map[string]string{"value": "null"})

	tree := s.call(t, "game tree", nil).ok(t)
	tree.has(t, map[string]string{"playing": "true", "connected": "true", "tree.path": "/root"})
	if !strings.Contains(string(tree.raw), `"/root/Stage/Hero"`) {
		t.Errorf("the tree is %s", tree.raw)
	}
	s.call(t, "game tree", args{"max_depth": 0}).ok(t).has(t, map[string]string{"tree.children": "null"})

	out := s.call(t, "game output", nil).ok(t)
	for _, want := range []string{`"kind":"stdout"`, "hit by slime", `"kind":"warning"`, "ouch", `"kind":"error"`, "dead"} {
		if !strings.Contains(string(out.raw), want) {
			t.Errorf("the output has no %s: %s", want, out.raw)
		}
	}
	last := entry(t, out, "dead")
	if last["script"] != "res://game/node.gd" || fmt.Sprint(last["line"]) != "24" {
		t.Errorf("push_error is told of as %v", last)
	}
	next, _ := out.number("next_seq")
	s.call(t, "game output", args{"since_seq": next}).ok(t).has(t, map[string]string{"entries": "[]", "dropped": "0"})

	pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "true"})
	if bridge.Alive(pid) {
		t.Errorf("the game %d is still there", pid)
	}
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "false"})
	s.call(t, "game get-property", args{"node_path": "Hero", "property": "position"}).fails(t, bridge.PreconditionFailed, "play_session", "game play")
	s.call(t, "game tree", nil).ok(t).has(t, map[string]string{"playing": "false", "tree": "null"})
	if got := s.call(t, "game output", nil).ok(t); !strings.Contains(string(got.raw), "hit by slime") {
		t.Errorf("the output is gone with the game: %s", got.raw)
	}
	if got := read(t, e, "res://project.godot"); got != settings {
		t.Errorf("project.godot is changed:\n%s", lineDiff(settings, got))
	}
	if left, err := os.ReadDir(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "games")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// entry is the first entry of the output whose text holds the words.
func entry(t *testing.T, a answer, words string) map[string]any {
	t.Helper()
	entries, _ := a.fields["entries"].([]any)
	for _, one := range entries {
		if fields, _ := one.(map[string]any); fields != nil && strings.Contains(fmt.Sprint(fields["text"]), words) {
			return fields
		}
	}
	t.Fatalf("no entry has %q: %s", words, a.raw)
	return nil
}
