package testbed

import (
	"os"
	"strings"
	"testing"
)

const instInner = `[gd_scene format=3]

[node name="Inner" type="Node2D"]

[node name="Deep" type="Sprite2D" parent="."]
`

const instMid = `[gd_scene format=3]

[ext_resource type="PackedScene" path="INNER" id="1"]

[sub_resource type="CircleShape2D" id="c"]
radius = 5.0

[node name="Mid" type="Node2D"]

[node name="Hat" type="CollisionShape2D" parent="."]
unique_name_in_owner = true
shape = SubResource("c")

[node name="In" parent="." instance=ExtResource("1")]

[connection signal="visibility_changed" from="Hat" to="." method="queue_redraw"]
`

const instTop = `[gd_scene format=3]

[ext_resource type="PackedScene" path="MID" id="1"]

[node name="Top" type="Node2D"]

[node name="Hat" type="Node2D" parent="."]
unique_name_in_owner = true

[node name="M" parent="." instance=ExtResource("1")]
position = Vector2(9, 9)
`

// openInstances opens a scene with an instance of one that has an instance itself.
func openInstances(t *testing.T, e *Editor) (top, mid, inner string) {
	t.Helper()
	folder := folderOf(t)
	inner = write(t, e, folder+"/inner.tscn", instInner)
	mid = write(t, e, folder+"/mid.tscn", strings.ReplaceAll(instMid, "INNER", inner))
	top = openScene(t, e, folder+"/top.tscn", strings.ReplaceAll(instTop, "MID", mid))
	cli(e).call(t, "scene save", nil).ok(t)
	return top, mid, inner
}

// TestInstanceIsRefused: what would hold itself, what is not there, what lacks files, what is no scene; a
// refusal changes nothing.
func TestInstanceIsRefused(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		top, mid, inner := openInstances(t, e)
		lacking := write(t, e, folderOf(t)+"/lacking.tscn", instanceOf("res://lost/part.tscn"))
		before := state(t, e)
		for _, dry := range []bool{true, false} {
			from := func(source string) args { return args{"source_scene": source, "dry_run": dry} }
			s.call(t, "node instance", from(top)).fails(t, "VALIDATION_ERROR", "source_scene", "hold itself")
			s.call(t, "node instance", from("res://lost.tscn")).fails(t, "RESOURCE_NOT_FOUND", "source_scene", "scene list")
			s.call(t, "node instance", from("res://player.gd")).fails(t, "VALIDATION_ERROR", "source_scene", "no scene")
			s.call(t, "node instance", from(lacking)).fails(t, "PRECONDITION_FAILED", "dependencies", "res://lost/part.tscn")
			s.call(t, "node instance", from(mid).with("parent_path", "Lost")).fails(t, "RESOURCE_NOT_FOUND", "node_exists")
		}
		same(t, "a refused node instance", before, state(t, e))
		open(t, e, inner)
		for _, source := range []string{mid, top} {
			s.call(t, "node instance", args{"source_scene": source}).fails(t, "VALIDATION_ERROR", "source_scene", "uses "+inner)
		}
		open(t, e, top)
		s.call(t, "node instance", args{"source_scene": inner, "parent_path": "M", "node_name": "In"}).ok(t).
			has(t, map[string]string{"node_path": "M/In2", "persisted": "true"})
		s.call(t, "node instance", args{"source_scene": inner, "parent_path": "M/In"}).ok(t).
			has(t, map[string]string{"persisted": "false", "reason": "instanced_child_not_editable"})
	})
}

// TestMakeLocalKeepsAll: nodes, connections and built-in resources are the scene's own then; an instance
// inside stays one; undo leads back to the instance.
func TestMakeLocalKeepsAll(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		top, mid, inner := openInstances(t, e)
		s.call(t, "node set-editable-children", args{"node_path": "M"}).ok(t)
		s.call(t, "node set-property", set("M/Hat", "position", []int{1, 1})).ok(t)
		s.call(t, "scene save", nil).ok(t)
		text, start := read(t, e, top), nodes(t, e, "")
		previewed(t, e, s, "node make-local", args{"node_path": "M"}).has(t, map[string]string{
			"made_local": "true", "source_scene": mid, "lost_unique_names": `["Hat"]`, "persisted": "true", "undoable": "true"})
		s.call(t, "node set-property", set("M/Hat", "shape:radius", 7)).ok(t).has(t, map[string]string{"persisted": "true"})
		s.call(t, "scene save", nil).ok(t)
		got := read(t, e, top)
		for _, want := range []string{
			`name="M" type="Node2D" parent="."`, `name="Hat" type="CollisionShape2D" parent="M"`, "radius = 7.0",
			`name="In" parent="M"`, inner, `from="M/Hat" to="M" method="queue_redraw"`,
		} {
			if !strings.Contains(masked(got), want) {
				t.Errorf("the file lacks %s:\n%s", want, got)
			}
		}
		if strings.Contains(got, mid) || strings.Contains(read(t, e, mid), "radius = 7.0") {
			t.Errorf("the scene is still linked to %s:\n%s", mid, got)
		}
		s.call(t, "undo", args{"count": 2}).ok(t)
		if now := nodes(t, e, ""); now != start {
			t.Errorf("undo gave\n%s\nwant\n%s", now, start)
		}
		s.call(t, "scene save", nil).ok(t)
		if now := read(t, e, top); masked(now) != masked(text) {
			t.Errorf("after undo the file differs:\n%s", lineDiff(text, now))
		}
		s.call(t, "node make-local", args{"node_path": "Hat"}).fails(t, "VALIDATION_ERROR", "node_path", "no instance")
		s.call(t, "node make-local", args{"node_path": "."}).fails(t, "VALIDATION_ERROR", "node_path", "root")
		s.call(t, "node make-local", args{"node_path": "M/In"}).ok(t).has(t, map[string]string{"persisted": "false", "reason": "node_from_base_scene"})
	})
}

// TestEditableChildrenAreNotShutOnChanges: what the scene says of the inside of an instance would be lost, so
// shutting it is refused with the way back, two levels deep too.
func TestEditableChildrenAreNotShutOnChanges(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openInstances(t, e)
		shut := func(path string) args { return args{"node_path": path, "editable": false} }
		s.call(t, "node set-editable-children", args{"node_path": "M/In"}).ok(t).has(t, map[string]string{
			"persisted": "false", "reason": "instanced_child_not_editable"})
		s.call(t, "undo", nil).ok(t)
		previewed(t, e, s, "node set-editable-children", args{"node_path": "M"}).has(t, map[string]string{"editable": "true", "persisted": "true"})
		previewed(t, e, s, "node set-editable-children", args{"node_path": "M/In"}).has(t, map[string]string{"editable": "true", "persisted": "true"})
		s.call(t, "node set-editable-children", args{"node_path": "M/In"}).ok(t).has(t, map[string]string{"undoable": "false"})
		s.call(t, "node set-editable-children", shut("M")).fails(t, "VALIDATION_ERROR", "editable", "editable children of M/In")
		steps := []step{
			{"node set-property", set("M/In/Deep", "flip_h", true)},
			{"node add-to-group", grouped("M/In/Deep", "more")},
			{"node add", args{"node_type": "Node2D", "node_name": "New", "parent_path": "M/In/Deep"}},
			{"signal connect", between("M/In/Deep", "visibility_changed", ".", "queue_redraw")},
		}
		words := []string{"flip_h of M/In/Deep", "the group more of M/In/Deep", "the node M/In/Deep/New", "the connection of M/In/Deep to ."}
		for i, step := range steps {
			s.call(t, step.tool, step.args).ok(t)
			before := state(t, e)
			for _, dry := range []bool{true, false} {
				s.call(t, "node set-editable-children", shut("M/In").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "editable", words[i])
				s.call(t, "node set-editable-children", shut("M").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "editable", words[i])
			}
			same(t, "a refused node set-editable-children", before, state(t, e))
			s.call(t, "undo", nil).ok(t)
		}
		// Nodes directly below the instance are kept without.
		s.call(t, "node add", args{"node_type": "Node2D", "node_name": "Kept", "parent_path": "M"}).ok(t)
		previewed(t, e, s, "node set-editable-children", shut("M/In")).has(t, map[string]string{"editable": "false", "persisted": "true"})
		previewed(t, e, s, "node set-editable-children", shut("M")).has(t, map[string]string{"editable": "false", "persisted": "true"})
		s.call(t, "node set-editable-children", args{"node_path": "Hat"}).fails(t, "VALIDATION_ERROR", "node_path", "no instance")
	})
}

const changeScene = `[gd_scene format=3]

[ext_resource type="Script" path="SCRIPT" id="1"]

[node name="Top" type="Node2D" node_paths=PackedStringArray("friend", "friends")]
position = Vector2(3, 4)
script = ExtResource("1")
friend = NodePath("Pic")
friends = [NodePath("Pic"), NodePath("Pic/Below")]
way = NodePath("Pic/Below")

[node name="Pic" type="Sprite2D" parent="." groups=["pics"]]
unique_name_in_owner = true
position = Vector2(1, 2)
flip_h = true

[node name="Below" type="Node2D" parent="Pic"]

[connection signal="visibility_changed" from="Pic" to="." method="queue_redraw" flags=3]
[connection signal="frame_changed" from="Pic" to="." method="queue_redraw"]
[connection signal="visibility_changed" from="." to="Pic" method="queue_redraw"]
`

const changeScript = `extends Node2D
@export var friend: Node2D
@export var friends: Array[Node2D]
@export var way: NodePath
`

// TestChangeTypeKeepsWhatFits: children, groups, connections with their flags, the unique name, exported
// nodes and values that both classes have; what does not fit is listed. The root too.
func TestChangeTypeKeepsWhatFits(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		script := write(t, e, folderOf(t)+"/top.gd", changeScript)
		scene := openScene(t, e, folderOf(t)+"/top.tscn", strings.ReplaceAll(changeScene, "SCRIPT", script))
		s.call(t, "scene save", nil).ok(t)
		start := nodes(t, e, "")
		retype := func(path, to string) args { return args{"node_path": path, "node_type": to} }
		changed := previewed(t, e, s, "node change-type", retype("Pic", "Marker2D"))
		changed.has(t, map[string]string{"old_type": "Sprite2D", "node_type": "Marker2D", "dropped_properties": `["flip_h"]`, "persisted": "true", "undoable": "true"})
		if hint := changed.text("hint"); !strings.Contains(hint, "frame_changed of Pic") || strings.Contains(hint, "visibility_changed") {
			t.Errorf("the hint is %s", hint)
		}
		s.call(t, "node get", args{"node_path": ".", "include": []string{"friend", "friends", "way"}}).ok(t).has(t, map[string]string{
			"properties": `{"friend":{"$node":"Pic"},"friends":[{"$node":"Pic"},{"$node":"Pic/Below"}],"way":"Pic/Below"}`})
		s.call(t, "scene save", nil).ok(t)
		text := masked(read(t, e, scene))
		for _, want := range []string{
			"[node name=\"Pic\" type=\"Marker2D\" parent=\".\" groups=[\"pics\"]]\nunique_name_in_owner = true\nposition = Vector2(1, 2)\n",
			`parent="Pic"`, `from="Pic" to="." method="queue_redraw" flags=3]`, `from="." to="Pic" method="queue_redraw"]`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the file lacks %s:\n%s", want, text)
			}
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "node change-type"})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		previewed(t, e, s, "node change-type", retype("Pic", "Timer")).has(t, map[string]string{"dropped_properties": `["position","flip_h"]`})
		s.call(t, "node get-property", args{"node_path": ".", "property": "friend"}).ok(t).has(t, map[string]string{"value": "null"})
		s.call(t, "undo", nil).ok(t)

		previewed(t, e, s, "node change-type", retype(".", "Area2D")).has(t, map[string]string{"dropped_properties": "[]", "node_path": ".", "persisted": "true"})
		s.call(t, "node set-property", set("Pic/Below", "rotation", 1)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"undone": "2"})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		s.call(t, "redo", nil).ok(t)
		s.call(t, "scene save", nil).ok(t)
		closeTab(t, e, scene)
		open(t, e, scene)
		s.call(t, "node get", args{"node_path": ".", "include": []string{"friend", "position"}}).ok(t).has(t, map[string]string{
			"type": "Area2D", "script": script, "properties": `{"friend":{"$node":"Pic"},"position":{"x":3.0,"y":4.0}}`})
		previewed(t, e, s, "node change-type", retype(".", "Area2D")).has(t, map[string]string{"undoable": "false"})
		s.call(t, "node change-type", retype("Pic", "Sprite2")).fails(t, "VALIDATION_ERROR", "node_type", "Sprite2D")
		s.call(t, "node change-type", retype("Pic", "Shape2D")).fails(t, "VALIDATION_ERROR", "node_type", "no Node")
	})
}

// TestChangeTypeOfWhatASceneSays is refused: the class of an instance or of an inherited root is in another
// file.
func TestChangeTypeOfWhatASceneSays(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		_, mid, _ := openInstances(t, e)
		s.call(t, "node change-type", args{"node_path": "M", "node_type": "Area2D"}).fails(t, "VALIDATION_ERROR", "node_path", mid, "local")
		heir := "res://" + folderOf(t) + "/heir.tscn"
		s.call(t, "scene create", args{"root_type": "Node2D", "scene_path": heir, "base_scene": mid}).ok(t)
		open(t, e, heir)
		s.call(t, "node change-type", args{"node_path": ".", "node_type": "Area2D"}).fails(t, "VALIDATION_ERROR", "node_path", mid)
	})
}

// TestUniqueNames: once in a scene, refused a second time, and paths that use the name are told when it goes.
func TestUniqueNames(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openScene(t, e, folderOf(t)+"/unique.tscn", "[gd_scene format=3]\n\n[node name=\"Top\" type=\"Node2D\"]\n\n"+
			"[node name=\"A\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"B\" type=\"Node2D\" parent=\".\"]\n\n"+
			"[node name=\"A\" type=\"Node2D\" parent=\"B\"]\n\n[node name=\"Moves\" type=\"AnimationPlayer\" parent=\".\"]\n")
		previewed(t, e, s, "node set-unique-name", args{"node_path": "B/A"}).has(t, map[string]string{"node_path": "B/A", "unique": "true", "persisted": "true", "undoable": "true"})
		s.call(t, "node set-unique-name", args{"node_path": "%A"}).ok(t).has(t, map[string]string{"node_path": "B/A", "undoable": "false"})
		s.call(t, "node set-unique-name", args{"node_path": "A"}).fails(t, "VALIDATION_ERROR", "node_path", "B/A", "node rename")
		s.call(t, "node set-unique-name", args{"node_path": "."}).fails(t, "VALIDATION_ERROR", "node_path", "root")
		s.call(t, "node set-property", set("Moves", "root_node", "%A")).ok(t)
		off := previewed(t, e, s, "node set-unique-name", args{"node_path": "B/A", "unique": false})
		if !strings.Contains(off.has(t, map[string]string{"unique": "false"}).text("hint"), "root_node of Moves") {
			t.Errorf("the hint is %s", off.text("hint"))
		}
	})
}

// TestSelection: what is selected is what was asked for, in the scene that was named, which comes to the front.
func TestSelection(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, folderOf(t)+"/a.tscn", proofScene)
		other := openScene(t, e, folderOf(t)+"/b.tscn", proofBase)
		a := args{"node_paths": []string{"Player", "Player/Label", "Player"}, "scene_path": scene}
		previewed(t, e, s, "node select", a).has(t, map[string]string{
			"selected": `["Player","Player/Label"]`, "count": "2", "scene_path": scene, "activated": "true", "persisted": "null", "undoable": "false"})
		s.call(t, "node get-selected", nil).ok(t).has(t, map[string]string{
			"selected.node_path": "Player", "selected.type": "CharacterBody2D", "selected.children": `["Player/Label"]`,
			"selected.properties.position": `{"x":10.0,"y":20.0}`, "node_paths": `["Player","Player/Label"]`, "scene_path": scene})
		before := state(t, e)
		s.call(t, "node select", args{"node_paths": []string{"Camp", "Lost"}}).fails(t, "RESOURCE_NOT_FOUND", "node_exists", "Lost")
		same(t, "a refused node select", before, state(t, e))
		s.call(t, "node get-selected", nil).ok(t).has(t, map[string]string{"node_paths": `["Player","Player/Label"]`})
		s.call(t, "node select", args{"node_paths": []string{}}).ok(t).has(t, map[string]string{"count": "0", "selected": "[]"})
		s.call(t, "node get-selected", nil).ok(t).has(t, map[string]string{"selected": "null", "node_paths": "[]"})
		s.call(t, "node select", args{"node_paths": []string{"."}, "scene_path": other}).ok(t).has(t, map[string]string{"selected": `["."]`, "scene_path": other})
	})
}

const callScript = `@tool
extends Node2D

func add(a: int, b: float = 2.0) -> float:
	return a + b

func fail_inside() -> void:
	var nothing: Node = null
	print(nothing.name)

func complain() -> int:
	push_error("told so")
	return 3

func shift() -> void:
	position += Vector2(1, 1)

func echo(v: Vector2, list: Array[int], any: Variant) -> Array:
	return [v, list, any]
`

// TestCallMethods: arguments by their declared types, the value that came back, errors of the code, and
// whether the scene is another one since.
func TestCallMethods(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		tool := write(t, e, folderOf(t)+"/tool.gd", callScript)
		plain := write(t, e, folderOf(t)+"/plain.gd", strings.TrimPrefix(callScript, "@tool\n"))
		scene := openScene(t, e, folderOf(t)+"/call.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+tool+"\" id=\"1\"]\n"+
			"[ext_resource type=\"Script\" path=\""+plain+"\" id=\"2\"]\n\n[node name=\"Top\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n"+
			"[node name=\"Plain\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"2\")\n")
		call := func(path, method string, given ...any) args {
			return args{"node_path": path, "method": method, "args": append([]any{}, given...)}
		}
		s.call(t, "node call", call(".", "add", 3)).ok(t).has(t, map[string]string{
			"value": "5.0", "errors": "[]", "changed_scene": "false", "node_path": ".", "method": "add", "scene_path": scene})
		s.call(t, "node call", call(".", "echo", map[string]any{"x": 1, "y": 2}, []int{1, 2}, "three")).ok(t).has(t, map[string]string{
			"value": `[{"$type":"Vector2","value":{"x":1.0,"y":2.0}},[1,2],"three"]`})
		s.call(t, "node call", call("Plain", "get_child_count")).ok(t).has(t, map[string]string{"value": "0", "changed_scene": "false"})
		told := s.call(t, "node call", call(".", "complain")).ok(t).has(t, map[string]string{"value": "3"})
		if !strings.Contains(told.text("errors"), "told so") {
			t.Errorf("the errors are %s", told.text("errors"))
		}
		s.call(t, "node call", call(".", "fail_inside")).fails(t, "INTERNAL_ERROR", "method", "fail_inside of . stopped", "tool.gd:9", "editor log")
		dirty(t, s, "false")
		s.call(t, "node call", call(".", "shift")).ok(t).has(t, map[string]string{"value": "null", "changed_scene": "true"})
		await(t, "the scene's mark", func() bool { return s.call(t, "scene get-active", nil).ok(t).text("dirty") == "true" })

		before := nodes(t, e, "")
		s.call(t, "node call", call(".", "ad", 3)).fails(t, "VALIDATION_ERROR", "method", "did you mean add?")
		s.call(t, "node call", call(".", "add")).fails(t, "VALIDATION_ERROR", "args", "1 to 2 values", "a, b")
		s.call(t, "node call", call(".", "add", 1, 2, 3)).fails(t, "VALIDATION_ERROR", "args", "was given 3")
		s.call(t, "node call", call(".", "add", "x")).fails(t, "VALIDATION_ERROR", "args", "wants int")
		s.call(t, "node call", call(".", "echo", []int{1, 2}, []any{1, "x"}, 1)).fails(t, "VALIDATION_ERROR", "args", "list")
		s.call(t, "node call", call("Plain", "add", 1)).fails(t, "PRECONDITION_FAILED", "method", "no @tool script")
		s.call(t, "node call", call(".", "queue_free")).fails(t, "VALIDATION_ERROR", "method", "node delete")
		s.call(t, "node call", call(".", "_physics_process", 1)).fails(t, "VALIDATION_ERROR", "method", "implement")
		if got := nodes(t, e, ""); got != before {
			t.Errorf("refused calls changed\n%s\nto\n%s", before, got)
		}
	})
}

const extractScene = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]
[ext_resource type="Script" path="SCRIPT" id="2"]

[sub_resource type="CircleShape2D" id="both"]
radius = 9.0

[node name="Top" type="Node2D"]

[node name="First" type="CollisionShape2D" parent="."]
shape = SubResource("both")

[node name="Br" type="Node2D" parent="." node_paths=PackedStringArray("friend") groups=["g"]]
unique_name_in_owner = true
position = Vector2(1, 2)
script = ExtResource("2")
friend = NodePath("../First")

[node name="In" type="CollisionShape2D" parent="Br"]
unique_name_in_owner = true
shape = SubResource("both")

[node name="Inst" parent="Br" instance=ExtResource("1")]

[node name="Hat" parent="Br/Inst" index="0"]
flip_h = true

[node name="Last" type="Node2D" parent="." node_paths=PackedStringArray("friend")]
script = ExtResource("2")
friend = NodePath("../Br/In")

[connection signal="visibility_changed" from="Last" to="Br" method="queue_redraw"]
[connection signal="visibility_changed" from="Br" to="Br/In" method="queue_redraw"]
[connection signal="visibility_changed" from="Br/In" to="Last" method="queue_redraw"]

[editable path="Br/Inst"]
`

func openExtract(t *testing.T, e *Editor) string {
	t.Helper()
	base := write(t, e, folderOf(t)+"/base.tscn", proofBase)
	script := write(t, e, folderOf(t)+"/ref.gd", "extends Node2D\n@export var friend: Node\n")
	scene := openScene(t, e, folderOf(t)+"/top.tscn", strings.NewReplacer("BASE", base, "SCRIPT", script).Replace(extractScene))
	cli(e).call(t, "scene save", nil).ok(t)
	return scene
}

// TestExtractKeepsAndTells: the branch with its overrides is in the new file, what leads to it leads to the
// instance, what crosses the border and cannot be kept is told; undo restores the nodes, and takes the file
// out, also when the scene was saved in between.
func TestExtractKeepsAndTells(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openExtract(t, e)
		text, start := read(t, e, scene), nodes(t, e, "")
		made := "res://" + folderOf(t) + "/parts/br.tscn"
		a := args{"node_path": "Br", "new_scene_path": made, "replace_with_instance": true, "save_current": true}
		real := previewed(t, e, s, "scene extract", a).has(t, map[string]string{
			"extracted": "true", "replaced": "true", "saved": "true", "instance_path": "Br", "node_count": "5", "persisted": "true"})
		for _, word := range []string{"friend of Br", "visibility_changed of Br/In to queue_redraw of Last", "unique name %In"} {
			if !strings.Contains(real.text("hint"), word) {
				t.Errorf("the hint lacks %s: %s", word, real.text("hint"))
			}
		}
		part := masked(read(t, e, made))
		for _, want := range []string{
			"radius = 9.0", "groups=[\"g\"]]\nposition = Vector2(1, 2)", "[node name=\"In\" type=\"CollisionShape2D\" parent=\".\"]\nunique_name_in_owner = true",
			"[node name=\"Hat\" parent=\"Inst\" index=\"0\"]\nflip_h = true", `from="." to="In" method="queue_redraw"]`, `[editable path="Inst"]`,
		} {
			if !strings.Contains(part, want) {
				t.Errorf("the new scene lacks %s:\n%s", want, part)
			}
		}
		if !strings.HasPrefix(read(t, e, made), "[gd_scene format=3 uid=\"uid://") {
			t.Errorf("the new scene has no uid: %.80s", part)
		}
		around := masked(read(t, e, scene))
		for _, want := range []string{"friend = NodePath(\"../Br/In\")", `from="Last" to="Br" method="queue_redraw"]`, "radius = 9.0", made} {
			if !strings.Contains(around, want) {
				t.Errorf("the scene lacks %s:\n%s", want, around)
			}
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "scene extract", "history": scene})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		if _, err := os.Stat(onDisk(e, made)); !os.IsNotExist(err) {
			t.Errorf("after undo the file is there: %v", err)
		}
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); masked(got) != masked(text) {
			t.Errorf("after undo the scene differs:\n%s", lineDiff(text, got))
		}
	})
}

// TestExtractIsRefused: an existing file, the root, an instance, what is inside one, what a base scene brings.
func TestExtractIsRefused(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openExtract(t, e)
		before := state(t, e)
		folder := "res://" + folderOf(t)
		for _, dry := range []bool{true, false} {
			to := func(node, file string) args {
				return args{"node_path": node, "new_scene_path": folder + "/" + file, "dry_run": dry}
			}
			s.call(t, "scene extract", to("Br", "base.tscn")).fails(t, "VALIDATION_ERROR", "new_scene_path", "already there")
			s.call(t, "scene extract", to("Br", "x.txt")).fails(t, "VALIDATION_ERROR", "new_scene_path", ".tscn")
			s.call(t, "scene extract", to(".", "x.tscn")).fails(t, "VALIDATION_ERROR", "node_path", "save-as")
			s.call(t, "scene extract", to("Br/Inst", "x.tscn")).fails(t, "VALIDATION_ERROR", "node_path", "base-scene")
			s.call(t, "scene extract", to("Br/Inst/Hat", "x.tscn")).fails(t, "VALIDATION_ERROR", "node_path", "instance")
			s.call(t, "scene extract", to("Lost", "x.tscn")).fails(t, "RESOURCE_NOT_FOUND", "node_exists")
			// F27: a path that leaves the project is refused before anything is made.
			s.call(t, "scene extract", to("Br", "../../../x.tscn")).fails(t, "VALIDATION_ERROR", "new_scene_path")
			s.call(t, "node instance", args{"source_scene": "res://../x.tscn", "dry_run": dry}).fails(t, "VALIDATION_ERROR", "source_scene")
		}
		same(t, "a refused scene extract", before, state(t, e))
		heir := folder + "/heir.tscn"
		s.call(t, "scene create", args{"root_type": "Node2D", "scene_path": heir, "base_scene": folder + "/base.tscn"}).ok(t)
		open(t, e, heir)
		s.call(t, "scene extract", args{"node_path": "Hat", "new_scene_path": folder + "/hat.tscn", "replace_with_instance": true}).
			fails(t, "VALIDATION_ERROR", "node_path", "base scene")
		s.call(t, "scene extract", args{"node_path": "Hat", "new_scene_path": folder + "/hat.tscn"}).ok(t).
			has(t, map[string]string{"extracted": "true", "replaced": "false", "instance_path": "null", "node_count": "2"})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "scene extract", "history": "global"})
		if _, err := os.Stat(onDisk(e, folder+"/hat.tscn")); !os.IsNotExist(err) {
			t.Errorf("after undo the file is there: %v", err)
		}
	})
}

// TestOlderNamesOfNodeTools: calls by the older server's names, with its parameters and results.
func TestOlderNamesOfNodeTools(t *testing.T) {
	e := sharedEditor(t)
	scene := openExtract(t, e)
	s := mcpSession(t, e)
	base := "res://" + folderOf(t) + "/base.tscn"
	olderCall(t, s, "godot_scene_edit_instance_scene", args{"parent_path": ".", "scene_path": base, "name": "More"}).
		has(t, map[string]string{"node_path": "More", "scene_path": base, "edited_scene_path": scene, "instanced": "true"})
	olderCall(t, s, "godot_scene_edit_set_editable_children", args{"node_path": "More"}).has(t, map[string]string{"editable": "true"})
	olderCall(t, s, "godot_scene_edit_select_nodes", args{"node_paths": []string{"More"}}).has(t, map[string]string{"selected": `["More"]`, "scene_path": scene})
	olderCall(t, s, "godot_inspection_get_selected_node", args{}).has(t, map[string]string{"selected.node_path": "More"})
	made := "res://" + folderOf(t) + "/part.tscn"
	olderCall(t, s, "godot_scene_edit_extract_scene", args{"node_path": "Br", "scene_path": made, "replace_with_instance": true}).
		has(t, map[string]string{"scene_path": made, "replaced": "true", "instance_path": "Br"})
}
