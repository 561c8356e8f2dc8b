package testbed

import (
	"os"
	"strings"
	"testing"
)

// proofLocal holds an instance with an override, whose scene has a connection, a unique name and a built-in
// resource of its own.
const proofLocal = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Proof" type="Node2D"]

[node name="Inst" parent="." instance=ExtResource("1")]
position = Vector2(2, 3)
`

const proofLocalBase = `[gd_scene format=3]

[sub_resource type="CircleShape2D" id="inner"]
radius = 5.0

[node name="Base" type="Node2D" groups=["bases"]]

[node name="Hat" type="Sprite2D" parent="." groups=["hats"]]
unique_name_in_owner = true

[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("inner")

[connection signal="visibility_changed" from="Hat" to="." method="queue_redraw"]
`

// proofTyped has a node with children, groups, connections both ways and a unique name.
const proofTyped = `[gd_scene format=3]

[node name="Proof" type="Node2D"]

[node name="Hat" type="Sprite2D" parent="." groups=["hats"]]
unique_name_in_owner = true
position = Vector2(4, 5)
flip_h = true
metadata/kept = 3

[node name="Feather" type="Node2D" parent="Hat"]

[node name="Own" type="Node2D" parent="."]

[connection signal="visibility_changed" from="Hat" to="Own" method="queue_redraw"]
[connection signal="visibility_changed" from="Own" to="Hat" method="queue_redraw" flags=3]
`

func instanceProofs() []proof {
	return []proof{
		{tool: "node instance", scene: proofHolds, base: proofBase,
			args: args{"source_scene": "res://enemy.tscn", "parent_path": "Own", "node_name": "Foe"},
			drop: args{"source_scene": "res://enemy.tscn", "parent_path": "Inst/Hat"}, reason: "instanced_child_not_editable"},
		{tool: "node make-local", scene: proofLocal, base: proofLocalBase,
			args: args{"node_path": "Inst"}},
		{tool: "node set-editable-children", scene: proofHolds, base: proofBase,
			args: args{"node_path": "Inst"}},
		{tool: "node change-type", scene: proofTyped,
			args:      args{"node_path": "Hat", "node_type": "Node2D"},
			dropScene: proofInherits, base: proofBase,
			drop: args{"node_path": "Hat", "node_type": "Node2D"}, reason: "node_from_base_scene"},
		{tool: "node set-unique-name", scene: proofHolds, base: proofBase,
			args: args{"node_path": "Own"},
			drop: args{"node_path": "Inst/Hat"}, reason: "instanced_child_not_editable"},
	}
}

// proveNodeTools are those of the sets scene and node whose change is not of the scene alone.
func proveNodeTools(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	t.Run("node_select", func(t *testing.T) {
		openScene(t, e, "proof/select.tscn", proofScene)
		a := args{"node_paths": []string{"Camp", "Player"}}
		previewed(t, e, s, "node select", a).has(t, map[string]string{"count": "2", "selected": `["Camp","Player"]`, "persisted": "null", "undoable": "false"})
		seen(t, record{tool: "node select", note: "no file changes"}, a)
	})
	t.Run("scene_extract", func(t *testing.T) {
		scene := openScene(t, e, "proof/extract.tscn", proofScene)
		s.call(t, "scene save", nil).ok(t)
		start, text := nodes(t, e, ""), read(t, e, scene)
		const made = "res://proof/parts/hero.tscn"
		a := args{"node_path": "Player", "new_scene_path": made, "replace_with_instance": true}
		previewed(t, e, s, "scene extract", a).has(t, map[string]string{
			"extracted": "true", "replaced": "true", "instance_path": "Player", "saved": "false", "node_count": "2",
			"persisted": "true", "undoable": "true", "scene_path": scene})
		part := read(t, e, made)
		diff := checkDiff(t, "scene extract", "", part)
		done := nodes(t, e, "")
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": scene, "last_action": "scene extract"})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		if _, err := os.Stat(onDisk(e, "res://proof/parts")); !os.IsNotExist(err) {
			t.Errorf("after undo the folder is there: %v", err)
		}
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); masked(got) != masked(text) {
			t.Errorf("after undo the scene differs from what it was:\n%s", lineDiff(text, got))
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": "scene extract"})
		if got := read(t, e, made); got != part {
			t.Errorf("redo brought back\n%s\nwant\n%s", got, part)
		}
		if got := nodes(t, e, ""); got != done {
			t.Errorf("redo gave\n%s\nwant\n%s", got, done)
		}
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); !strings.Contains(got, "name=\"Player\" parent=\".\"") || strings.Contains(got, "Label") {
			t.Errorf("the scene holds\n%s", got)
		}
		closeTab(t, e, scene)
		open(t, e, scene)
		if got := nodes(t, e, ""); got != done {
			t.Errorf("the reopened file holds\n%s\nwant\n%s", got, done)
		}
		seen(t, record{tool: "scene extract", diff: diff, undone: true, redone: true, reopened: true}, a)
	})
}
