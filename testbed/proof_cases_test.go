package testbed

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// A branch with a node path that leads into it, and a node of its own to move it to.
const proofScene = `[gd_scene format=3]

[node name="Proof" type="Node2D"]

[node name="Player" type="CharacterBody2D" parent="." groups=["heroes"]]
position = Vector2(10, 20)

[node name="Label" type="Label" parent="Player"]
text = "Hero"

[node name="Moves" type="AnimationPlayer" parent="."]
root_node = NodePath("../Player")

[node name="Camp" type="Node2D" parent="."]
position = Vector2(100, 0)
`

// A scene that another one inherits from or holds an instance of.
const proofBase = `[gd_scene format=3]

[node name="Base" type="Node2D"]

[node name="Hat" type="Sprite2D" parent="." groups=["hats"]]
position = Vector2(0, -8)

[node name="Feather" type="Sprite2D" parent="Hat"]
`

const proofInherits = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Base" instance=ExtResource("1")]

[node name="Own" type="Node2D" parent="." index="1"]
position = Vector2(3, 4)
`

const proofHolds = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Proof" type="Node2D"]

[node name="Inst" parent="." instance=ExtResource("1")]

[node name="Own" type="Node2D" parent="." groups=["own"]]
position = Vector2(3, 4)
`

func proofs() []proof {
	return slices.Concat(nodeProofs(), instanceProofs(), signalProofs(), scriptProofs(), batchProofs())
}

func nodeProofs() []proof {
	return []proof{
		{tool: "node add", scene: proofHolds, base: proofBase,
			args: args{"node_type": "Sprite2D", "node_name": "New", "parent_path": "Own", "properties": map[string]any{"flip_h": true}},
			drop: args{"node_type": "Sprite2D", "node_name": "New", "parent_path": "Inst/Hat"}, reason: "instanced_child_not_editable"},
		{tool: "node set-property", scene: proofHolds, base: proofBase,
			args: args{"node_path": "Own", "property": "rotation", "value": 0.5},
			drop: args{"node_path": "Inst/Hat", "property": "flip_h", "value": true}, reason: "instanced_child_not_editable"},
		{tool: "node reset-property", scene: proofHolds, base: proofBase,
			before: []step{{"node set-property", args{"node_path": "Inst", "property": "position", "value": []int{9, 9}}}},
			args:   args{"node_path": "Inst", "property": "position"},
			drop:   args{"node_path": "Inst/Hat", "property": "position"}, reason: "instanced_child_not_editable"},
		{tool: "node delete", scene: proofInherits, base: proofBase,
			args: args{"node_path": "Own", "confirm": true},
			drop: args{"node_path": "Hat", "confirm": true}, reason: "node_from_base_scene"},
		{tool: "node rename", scene: proofScene,
			args:      args{"node_path": "Player", "new_name": "Hero"},
			dropScene: proofInherits, base: proofBase,
			drop: args{"node_path": "Hat", "new_name": "Cap"}, reason: "node_from_base_scene"},
		{tool: "node move", scene: proofScene,
			args:      args{"node_path": "Player", "new_parent_path": "Camp"},
			dropScene: proofInherits, base: proofBase,
			drop: args{"node_path": "Hat/Feather", "new_parent_path": "Own"}, reason: "node_from_base_scene"},
		{tool: "node duplicate", scene: proofHolds, base: proofBase,
			args: args{"node_path": "Inst", "node_name": "Twin"},
			drop: args{"node_path": "Inst/Hat/Feather", "node_name": "Twin"}, reason: "instanced_child_not_editable"},
		{tool: "node add-to-group", scene: proofHolds, base: proofBase,
			args: args{"node_path": "Own", "group": "camp"},
			drop: args{"node_path": "Inst/Hat", "group": "camp"}, reason: "instanced_child_not_editable"},
		{tool: "node remove-from-group", scene: proofInherits + "\n[node name=\"Grouped\" type=\"Node2D\" parent=\".\" groups=[\"own\"]]\n", base: proofBase,
			args: args{"node_path": "Grouped", "group": "own"},
			drop: args{"node_path": "Hat", "group": "hats"}, reason: "group_from_base_scene"},
	}
}

// proveFiles are the tools whose change is a file or a tab: no undo of the scene, another kind of proof each.
func proveFiles(t *testing.T, e *Editor) {
	s := cli(e)
	seen := func(t *testing.T, r record, a args) {
		if !t.Failed() {
			r.call = commands.ShellLine(r.tool, []byte(asJSON(a)))
			r.pure = true
			records[r.tool] = r
		}
	}
	t.Run("scene_create", func(t *testing.T) {
		a := args{"root_type": "Node2D", "scene_path": "res://proof/made/new.tscn"}
		previewed(t, e, s, "scene create", a).has(t, map[string]string{"persisted": "true", "undoable": "true"})
		made := read(t, e, "res://proof/made/new.tscn")
		diff := checkDiff(t, "scene create", "", made)
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": "scene create"})
		if _, err := os.Stat(onDisk(e, "res://proof/made/new.tscn")); !os.IsNotExist(err) {
			t.Errorf("after undo the file is there: %v", err)
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global"})
		if got := read(t, e, "res://proof/made/new.tscn"); got != made {
			t.Errorf("redo brought back\n%s\nwant\n%s", got, made)
		}
		open(t, e, "res://proof/made/new.tscn")
		seen(t, record{tool: "scene create", diff: diff, undone: true, redone: true, reopened: true}, a)
	})
	proveScripts(t, e, s, seen)
	proveNodeTools(t, e, s, seen)
	proveClosedScenes(t, e, s, seen)
	proveResources(t, e, s, seen)
	proveSettings(t, e, s, seen)
	proveScaffold(t, e, s, seen)
	provePlugins(t, e, s, seen)
	proveFileTools(t, e, s, seen)
	t.Run("scene_tabs", func(t *testing.T) { proveTabs(t, e, s, seen) })
	t.Run("undo_and_redo", func(t *testing.T) {
		openScene(t, e, "proof/steps.tscn", proofScene)
		start := nodes(t, e, "")
		s.call(t, "node set-property", args{"node_path": "Camp", "property": "visible", "value": false}).ok(t)
		done := nodes(t, e, "")
		for i, tool := range []string{"undo", "redo"} {
			previewed(t, e, s, tool, args{}).has(t, map[string]string{"persisted": "null", "undoable": "true"})
			if got := nodes(t, e, ""); got != []string{start, done}[i] {
				t.Errorf("%s gave\n%s", tool, got)
			}
			seen(t, record{tool: tool, undone: tool == "undo", redone: tool == "redo", note: "as the step that it takes"}, args{})
		}
	})
}

func proveTabs(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	scene := write(t, e, "proof/tabs.tscn", proofScene)
	isOpen := func(path string) bool {
		return strings.Contains(s.call(t, "scene list-open", nil).ok(t).text("scenes"), `"`+path+`"`)
	}
	a := args{"scene_path": scene}
	previewed(t, e, s, "scene open", a).has(t, map[string]string{"opened": "true", "persisted": "null"})
	if !isOpen(scene) {
		t.Errorf("%s is not open", scene)
	}
	seen(t, record{tool: "scene open", note: "no file changes"}, a)

	s.call(t, "node set-property", args{"node_path": "Camp", "property": "visible", "value": false}).ok(t)
	before := read(t, e, scene)
	previewed(t, e, s, "scene save", args{}).has(t, map[string]string{"saved": "true", "persisted": "true"})
	seen(t, record{tool: "scene save", diff: checkDiff(t, "scene save", before, read(t, e, scene)), reopened: true}, args{})

	s.call(t, "node set-property", args{"node_path": "Camp", "property": "visible", "value": true}).ok(t)
	before = read(t, e, scene)
	previewed(t, e, s, "scene save-all", args{}).has(t, map[string]string{"saved": "true", "count": "1"})
	seen(t, record{tool: "scene save-all", diff: checkDiff(t, "scene save-all", before, read(t, e, scene)), reopened: true}, args{})

	clean := nodes(t, e, "")
	s.call(t, "node set-property", args{"node_path": "Camp", "property": "visible", "value": false}).ok(t)
	reload := args{"scene_path": scene, "confirm": true}
	previewed(t, e, s, "scene reload", reload).has(t, map[string]string{"reloaded": "true"})
	if got := nodes(t, e, ""); got != clean {
		t.Errorf("after the reload the scene holds\n%s\nits file\n%s", got, clean)
	}
	seen(t, record{tool: "scene reload", reopened: true, note: "no file changes"}, reload)

	as := args{"new_path": "res://proof/tabs_copy.tscn"}
	previewed(t, e, s, "scene save-as", as).has(t, map[string]string{"saved": "true", "scene_path": "res://proof/tabs_copy.tscn"})
	seen(t, record{tool: "scene save-as", diff: checkDiff(t, "scene save-as", "", read(t, e, "res://proof/tabs_copy.tscn")), reopened: true}, as)

	closing := args{"scene_path": "res://proof/tabs_copy.tscn", "confirm": true}
	previewed(t, e, s, "scene close", closing).has(t, map[string]string{"closed": "true"})
	if isOpen("res://proof/tabs_copy.tscn") {
		t.Error("the scene is still open")
	}
	seen(t, record{tool: "scene close", note: "no file changes"}, closing)
}
