package testbed

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const attackedScene = `[gd_scene format=3]

[node name="Attacked" type="Node2D"]

[node name="Plain" type="Node2D" parent="."]
position = Vector2(3, 4)

[node name="Child" type="Node2D" parent="Plain"]

[node name="Timer" type="Timer" parent="."]

[node name="Box" type="VBoxContainer" parent="."]

[node name="Held" type="Label" parent="Box"]

[node name="Free" type="Label" parent="."]
offset_left = 5.0
offset_top = 6.0
offset_right = 70.0
offset_bottom = 40.0
`

// What the engine would make something else of is refused, by the preview too, and nothing is left behind.
func TestAValueThatTheEngineCutsIsRefused(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	openScene(t, e, "attack/cut.tscn", attackedScene)
	before, wouldUndo := nodes(t, e, ""), string(s.call(t, "undo", args{"dry_run": true}).ok(t).raw)
	for _, c := range []struct {
		property string
		value    any
	}{
		{"process_priority", int64(9223372036854775807)}, {"process_priority", int64(2147483648)},
		{"process_mode", 9}, {"light_mask", int64(1) << 40}, {"z_index", 999999},
		{"position", []float64{1e39, 0}}, {"scale:x", 1e39},
	} {
		for _, dry := range []bool{true, false} {
			a := set("Plain", c.property, c.value).with("dry_run", dry)
			s.call(t, "node set-property", a).fails(t, bridge.ValidationError, "value", strings.Split(c.property, ":")[0])
		}
	}
	if after := nodes(t, e, ""); after != before {
		t.Errorf("the scene changed from\n%s\nto\n%s", before, after)
	}
	if left := string(s.call(t, "undo", args{"dry_run": true}).ok(t).raw); left != wouldUndo {
		t.Errorf("undo would take back %s, before %s", left, wouldUndo)
	}
}

// What a node is to its scene is not a value to be set.
func TestStructureIsNotSetAsAProperty(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	scene := openScene(t, e, "attack/structure.tscn", attackedScene)
	for path, value := range map[string]any{"owner": nil, "scene_file_path": "res://main.tscn"} {
		for _, node := range []string{".", "Plain"} {
			s.call(t, "node set-property", set(node, path, value)).fails(t, bridge.ValidationError, "property", path)
		}
		s.call(t, "node add", args{"properties": map[string]any{path: value}}).fails(t, bridge.ValidationError, "properties", path)
	}
	s.call(t, "node add", args{"node_type": "Node2D", "parent_path": "Plain", "properties": map[string]any{"global_position": []int{1, 2}}}).
		fails(t, bridge.ValidationError, "properties", "global_position")
	for _, index := range []int{-2, 5, 99} {
		s.call(t, "node add", args{"index": index}).fails(t, bridge.ValidationError, "index", "from 0 to 4")
	}
	s.call(t, "scene get-active", nil).ok(t).has(t, map[string]string{"dirty": "false", "scene_path": scene})
}

// A property that the engine does not write, or that a container decides, is not said to be persisted.
func TestAPropertyThatIsNotStoredIsNotPersisted(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	openScene(t, e, "attack/stored.tscn", attackedScene)
	for _, c := range []struct {
		node, property string
		value          any
		persisted      string
	}{
		{"Timer", "paused", true, "false"}, {"Timer", "wait_time", 3, "true"},
		{"Box/Held", "offset_left", 9, "false"}, {"Free", "offset_left", 9, "true"},
		{"Plain", "global_position", []int{50, 60}, "true"}, {"Plain", "rotation_degrees", 45, "true"},
		{"Free", "theme_override_font_sizes/font_size", 20, "true"},
	} {
		real := previewed(t, e, s, "node set-property", set(c.node, c.property, c.value)).has(t, map[string]string{"persisted": c.persisted})
		if c.persisted == "false" {
			real.has(t, map[string]string{"reason": "property_not_stored"})
		}
	}
}

// What changes along with a property comes back with it.
func TestUndoTakesBackWhatASetterChangedBesides(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	openScene(t, e, "attack/besides.tscn", attackedScene)
	s.call(t, "node add", args{"node_type": "Player", "node_name": "Hero", "properties": map[string]any{"speed": 321}}).ok(t)
	for _, c := range []struct {
		node, property string
		value          any
	}{{"Free", "anchors_preset", 15}, {"Hero", "script", nil}} {
		before := nodes(t, e, "")
		s.call(t, "node set-property", set(c.node, c.property, c.value)).ok(t)
		if nodes(t, e, "") == before {
			t.Errorf("%s of %s changed nothing", c.property, c.node)
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"undone": "1"})
		if after := nodes(t, e, ""); after != before {
			t.Errorf("after undo of %s the scene is\n%s\nand was\n%s", c.property, after, before)
		}
	}
}

// A node by a path is one of the scene.
func TestAnExportedNodeIsOneOfTheScene(t *testing.T) {
	e := ownEditor(t, "values")
	s := cli(e)
	s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	for _, path := range []string{"../..", "/root", ".."} {
		s.call(t, "node set-property", set(".", "a_node", path)).fails(t, bridge.ResourceNotFound, "value", path)
		s.call(t, "node set-property", set(".", "a_node", map[string]any{"$node": path})).fails(t, bridge.ResourceNotFound, "value", path)
	}
}
