package testbed

import (
	"strings"
	"testing"
)

// TestComposeNode: script before its own properties, names that clash, and nothing left of one that fails.
func TestComposeNode(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		batchScene(t, e, "Top")
		write(t, e, "batch/coin.gd.uid", "uid://b1m2qy8w4coin\n")
		script := write(t, e, "batch/coin.gd", "extends Area2D\n\n@export var worth := 1\n@export var target: Node\n")
		a := args{"parent_path": "Tail", "node_type": "Area2D", "node_name": "Coin", "script_path": script,
			"properties": map[string]any{"worth": 5}, "children": []args{{"node_type": "Node2D", "node_name": "X"}, {"node_type": "Node2D", "node_name": "X"}}}
		previewed(t, e, s, "batch compose-node", a).has(t, map[string]string{
			"node_path": "Tail/Coin", "created": "true", "children": `["Tail/Coin/X","Tail/Coin/X2"]`,
			"script_attached": "true", "properties_set": `["worth"]`, "saved": "false", "persisted": "true", "undoable": "true"})
		s.call(t, "node get-property", args{"node_path": "Tail/Coin", "property": "worth"}).ok(t).has(t, map[string]string{"value": "5"})
		if got := undoSteps(t, e); got != "batch compose-node" {
			t.Errorf("undo would take %s", got)
		}
		before := state(t, e)
		deep := []args{{"node_type": "Node2D"}, {"node_type": "Node2D", "children": []args{{"node_type": "Nod2D"}}}}
		for _, c := range []struct {
			a        args
			required string
			words    []string
		}{
			{a.with("children", deep), "children", []string{"children[1].children[0]", "Node2D"}},
			{a.with("children", []args{{"node_tipe": "Node"}}), "children", []string{"children[0]", "node_tipe"}},
			{a.with("properties", map[string]any{"wort": 1}), "properties", []string{"worth"}},
			{a.with("node_type", "Node2D"), "script_path", []string{"extends Area2D"}},
			{a.with("parent_path", "Nobody"), "node_exists", nil},
		} {
			for _, dry := range []bool{true, false} {
				if got := s.call(t, "batch compose-node", c.a.with("dry_run", dry)); got.err == nil || got.err.Required != c.required {
					t.Errorf("%s gave %s, %v", asJSON(c.a), got.raw, got.err)
				} else {
					got.fails(t, got.err.Code, c.required, c.words...)
				}
			}
		}
		same(t, "what was refused", before, state(t, e))
	})
}

// TestBatchSaves: with save the file holds it, and undo still takes it back.
func TestBatchSaves(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := batchScene(t, e, "Top")
		a := args{"parent_path": ".", "node_type": "Node2D", "names": []string{"One", "Two"}, "save": true}
		previewed(t, e, s, "batch add-nodes", a).has(t, map[string]string{"created": `["One","Two"]`, "count": "2", "saved": "true", "undoable": "true"})
		if text := read(t, e, scene); !strings.Contains(text, `name="Two"`) {
			t.Errorf("the file holds\n%s", text)
		}
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"unsaved": "null"})
		s.call(t, "batch apply-edits", args{"save": true, "edits": []args{{"node_path": "One", "properties": map[string]any{"position": []int{4, 5}}}}}).ok(t).
			has(t, map[string]string{"saved": "true", "edited.0.properties.position": `{"x":4.0,"y":5.0}`})
		if text := read(t, e, scene); !strings.Contains(text, "Vector2(4, 5)") {
			t.Errorf("the file holds\n%s", text)
		}
		s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"actions": `["batch apply-edits","batch add-nodes"]`})
		write(t, e, strings.TrimPrefix(scene, "res://"), scene2d("Elsewhere"))
		before := nodes(t, e, "")
		s.call(t, "batch add-nodes", a).fails(t, "PRECONDITION_FAILED", "scene_saved", "scene reload")
		if got := nodes(t, e, ""); got != before {
			t.Errorf("what could not be saved was made:\n%s", got)
		}
	})
}

// TestEditsThatDoNotFitAreSkipped: each node has all of its values or none, and the rest is not held up.
func TestEditsThatDoNotFitAreSkipped(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		batchScene(t, e, "Top")
		edit := func(path string, properties map[string]any) args {
			return args{"node_path": path, "properties": properties}
		}
		previewed(t, e, s, "batch apply-edits", args{"edits": []args{
			edit("Player", map[string]any{"position": []int{9, 9}, "visible": false}),
			edit("Tail", map[string]any{"position": []int{1, 1}, "nothing": 1}),
			edit("Nobody", map[string]any{"visible": false}),
			edit("Player/Label", map[string]any{"text": "Boss"}),
		}}).has(t, map[string]string{
			"count": "2", "edited.0.node_path": "Player", "edited.1.properties": `{"text":"Boss"}`, "edited.2": "null",
			"skipped.0.node_path": "Tail", "skipped.0.error": "VALIDATION_ERROR", "skipped.1.error": "RESOURCE_NOT_FOUND",
			"persistence.1.persisted": "true", "persistence.2": "null", "persisted": "true", "undoable": "true"})
		s.call(t, "node get-property", args{"node_path": "Tail", "property": "position"}).ok(t).has(t, map[string]string{"value": `{"x":0.0,"y":0.0}`})
		before := state(t, e)
		s.call(t, "batch apply-edits", args{"edits": []args{edit("Nobody", map[string]any{"visible": false})}}).fails(t, "RESOURCE_NOT_FOUND", "edits", "Nobody")
		s.call(t, "batch apply-edits", args{"edits": []any{args{"node": "Player"}}}).fails(t, "VALIDATION_ERROR", "edits", "edits[0]")
		same(t, "edits that do not fit", before, state(t, e))
	})
}

// TestBatchSetProperty by paths and by class; of the class only what a save keeps.
func TestBatchSetProperty(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	base := write(t, e, "batch/set_base.tscn", proofBase)
	openScene(t, e, "batch/set.tscn", strings.ReplaceAll(proofHolds, "BASE", base)+"\n[node name=\"Face\" type=\"Sprite2D\" parent=\"Own\"]\n")
	previewed(t, e, s, "batch set-property", args{"property": "flip_h", "value": true, "node_type": "Sprite2D"}).has(t, map[string]string{
		"applied": `["Own/Face"]`, "count": "1", "skipped.0.node_path": "Inst/Hat", "skipped.1.node_path": "Inst/Hat/Feather",
		"persistence.0.node_path": "Own/Face", "persisted": "true", "undoable": "true"})
	s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "batch set-property"})
	previewed(t, e, s, "batch set-property", args{"property": "visible", "value": false, "node_paths": []string{"Own", "Inst/Hat", "Nobody"}}).has(t, map[string]string{
		"applied": `["Own","Inst/Hat"]`, "skipped.0.node_path": "Nobody", "persisted": "false", "reason": "instanced_child_not_editable",
		"persistence.0.persisted": "true", "persistence.1.persisted": "false"})
	before := state(t, e)
	s.call(t, "batch set-property", args{"property": "visible", "value": false}).fails(t, "VALIDATION_ERROR", "node_paths")
	s.call(t, "batch set-property", args{"property": "visible", "value": false, "node_type": "Sprit2D"}).fails(t, "VALIDATION_ERROR", "node_type", "Sprite2D")
	s.call(t, "batch set-property", args{"property": "visible", "value": false, "node_type": "Node", "node_paths": []string{"Own"}}).fails(t, "VALIDATION_ERROR", "node_paths")
	same(t, "what was refused", before, state(t, e))

	behind := openScene(t, e, "batch/behind.tscn", scene2d("Behind"))
	openScene(t, e, "batch/front.tscn", scene2d("Front"))
	a := args{"property": "visible", "value": false, "node_type": "Node2D", "scene_path": behind}
	previewed(t, e, s, "batch set-property", a).has(t, map[string]string{"count": "3", "activated": "true", "scene_path": behind})
}

// TestBatchToolAliases: the older names with the older shapes.
func TestBatchToolAliases(t *testing.T) {
	e := sharedEditor(t)
	batchScene(t, e, "Top")
	s := mcpSession(t, e)
	olderCall(t, s, "godot_composite_compose_node", args{"parent_path": ".", "node_type": "Node2D", "node_name": "A", "children": []args{{"node_type": "Node2D"}}}).
		has(t, map[string]string{"node_path": "A", "children": `["A/Node2D"]`, "script_attached": "false"})
	olderCall(t, s, "godot_composite_batch_create_nodes", args{"parent_path": "A", "node_type": "Node2D", "names": []string{"B"}}).
		has(t, map[string]string{"created": `["A/B"]`, "count": "1"})
	olderCall(t, s, "godot_composite_apply_node_edits", args{"edits": []args{{"node_path": "A/B", "properties": args{"visible": false}}}}).
		has(t, map[string]string{"edited": `["A/B"]`, "persistence.0.reason": "null"})
	olderCall(t, s, "godot_batch_set_property", args{"property": "visible", "value": true, "node_paths": []string{"A/B"}}).
		has(t, map[string]string{"applied": `["A/B"]`, "undoable": "true"})
}
