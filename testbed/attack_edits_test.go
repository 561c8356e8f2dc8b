package testbed

import (
	"strings"
	"sync"
	"testing"
)

const followersScript = `extends Node2D
@export var paths: Array[NodePath] = []
@export var by_name: Dictionary = {}
@export var spawn: NodePath
`

const followersScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://edits/followers.gd" id="1"]
[ext_resource type="AnimationLibrary" path="res://edits/outside.tres" id="2"]

[sub_resource type="Animation" id="walk"]
length = 1.0
tracks/0/type = "value"
tracks/0/imported = false
tracks/0/enabled = true
tracks/0/path = NodePath("Plain:position:x")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0),
"transitions": PackedFloat32Array(1),
"update": 0,
"values": [0.0]
}

[sub_resource type="AnimationLibrary" id="lib"]
_data = {
&"walk": SubResource("walk")
}

[node name="Followers" type="Node2D"]
script = ExtResource("1")
paths = Array[NodePath]([NodePath("Plain"), NodePath("Plain/Arm:position"), NodePath("Spawn")])
by_name = {
"deep": [NodePath("Plain/Arm")],
"other": NodePath("Spawn")
}

[node name="Plain" type="Node2D" parent="."]
script = ExtResource("1")
spawn = NodePath("../Spawn")

[node name="Arm" type="RemoteTransform2D" parent="Plain"]
remote_path = NodePath("../../Spawn")

[node name="Spawn" type="Node2D" parent="."]

[node name="Camp" type="Node2D" parent="."]

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("lib"),
&"out": ExtResource("2")
}
`

const outsideLibrary = `[gd_resource type="AnimationLibrary" format=3]

[sub_resource type="Animation" id="run"]
resource_name = "run"
tracks/0/type = "value"
tracks/0/imported = false
tracks/0/enabled = true
tracks/0/path = NodePath("Plain:rotation")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0),
"transitions": PackedFloat32Array(1),
"update": 0,
"values": [0.0]
}

[resource]
_data = {
&"run": SubResource("run")
}
`

// TestPathsFollow: what leads to a node that is renamed or moved, and out of a branch that moves, leads
// there still, in lists, dictionaries and animations too.
func TestPathsFollow(t *testing.T) {
	e := sharedEditor(t)
	write(t, e, "edits/followers.gd", followersScript)
	library := write(t, e, "edits/outside.tres", outsideLibrary)
	for _, c := range []struct {
		tool string
		args args
		want []string
		lost []string
		tell []string
	}{
		{"node rename", args{"node_path": "Plain", "new_name": "Hero"},
			[]string{
				`paths = Array[NodePath]([NodePath("Hero"), NodePath("Hero/Arm:position"), NodePath("Spawn")])`,
				`"deep": [NodePath("Hero/Arm")]`, `"other": NodePath("Spawn")`,
				`tracks/0/path = NodePath("Hero:position:x")`,
				`spawn = NodePath("../Spawn")`, `remote_path = NodePath("../../Spawn")`,
			},
			[]string{`"Plain`},
			[]string{
				`{"node_path":".","property":"paths"}`, `{"node_path":".","property":"by_name"}`,
				`{"node_path":"Player","property":"walk:tracks/0/path"}`,
			}},
		{"node move", args{"node_path": "Plain", "new_parent_path": "Camp"},
			[]string{
				`paths = Array[NodePath]([NodePath("Camp/Plain"), NodePath("Camp/Plain/Arm:position"), NodePath("Spawn")])`,
				`"deep": [NodePath("Camp/Plain/Arm")]`,
				`tracks/0/path = NodePath("Camp/Plain:position:x")`,
				`spawn = NodePath("../../Spawn")`, `remote_path = NodePath("../../../Spawn")`,
			}, nil,
			[]string{
				`{"node_path":"Camp/Plain","property":"spawn"}`, `{"node_path":"Camp/Plain/Arm","property":"remote_path"}`,
				`{"node_path":"Player","property":"walk:tracks/0/path"}`,
			}},
	} {
		t.Run(c.tool, func(t *testing.T) {
			s := cli(e)
			scene := openScene(t, e, "edits/"+strings.ReplaceAll(c.tool, " ", "_")+".tscn", followersScene)
			before := nodes(t, e, "")
			done := previewed(t, e, s, c.tool, c.args)
			for _, entry := range c.tell {
				if !strings.Contains(done.text("updated_paths"), entry) {
					t.Errorf("updated_paths lacks %s: %s", entry, done.text("updated_paths"))
				}
			}
			if !strings.Contains(done.text("hint"), library) {
				t.Errorf("the hint does not tell of the animation in %s: %s", library, done.text("hint"))
			}
			s.call(t, "scene save", args{}).ok(t)
			text := read(t, e, scene)
			for _, line := range c.want {
				if !strings.Contains(text, line) {
					t.Errorf("the file lacks %s:\n%s", line, text)
				}
			}
			for _, line := range c.lost {
				if strings.Contains(text, line) {
					t.Errorf("the file still has %s:\n%s", line, text)
				}
			}
			if text := read(t, e, library); !strings.Contains(text, `tracks/0/path = NodePath("Plain:rotation")`) {
				t.Errorf("the outside animation was changed:\n%s", text)
			}
			s.call(t, "undo", args{}).ok(t).has(t, map[string]string{"undone": "1", "last_action": c.tool})
			if got := nodes(t, e, ""); got != before {
				t.Errorf("undo gave\n%s\nbefore it was\n%s", got, before)
			}
			s.call(t, "scene save", args{}).ok(t)
			if text := read(t, e, scene); !strings.Contains(text, `tracks/0/path = NodePath("Plain:position:x")`) {
				t.Errorf("undo left the track changed:\n%s", text)
			}
		})
	}
}

const uniqueScene = `[gd_scene format=3]

[node name="Unique" type="Node2D"]

[node name="Box" type="Node2D" parent="."]
unique_name_in_owner = true

[node name="Lid" type="Node2D" parent="Box"]
unique_name_in_owner = true

[node name="Remote" type="RemoteTransform2D" parent="."]
remote_path = NodePath("%Box/Lid")

[node name="Camp" type="Node2D" parent="."]
`

// TestPathsByUniqueName: a path that begins with a unique name is right wherever that node is, until it is
// renamed.
func TestPathsByUniqueName(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	openScene(t, e, "edits/unique.tscn", uniqueScene)
	path := func(want string) {
		t.Helper()
		s.call(t, "node get-property", args{"node_path": "Remote", "property": "remote_path"}).ok(t).has(t, map[string]string{"value": want})
	}
	previewed(t, e, s, "node move", args{"node_path": "Box", "new_parent_path": "Camp"}).has(t, map[string]string{"updated_paths": "[]"})
	path("%Box/Lid")
	previewed(t, e, s, "node rename", args{"node_path": "%Box", "new_name": "Chest"})
	path("%Chest/Lid")
	previewed(t, e, s, "node duplicate", args{"node_path": "%Chest"}).has(t, map[string]string{"lost_unique_names": `["Lid"]`})
	s.call(t, "node get", args{"node_path": "%Chest2"}).ok(t)
}

// TestMoveIndex: a place that is not there is refused, and moving to where a node is makes no step.
func TestMoveIndex(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "edits/index.tscn", scene2d("Index"))
		for _, index := range []int{99, -5, 2} {
			s.call(t, "node move", args{"node_path": "Tail", "new_parent_path": ".", "index": index}).fails(t, "VALIDATION_ERROR", "index", "0 to 1")
		}
		before := s.call(t, "history list", nil).ok(t).text("version")
		for _, index := range []int{1, -1} {
			previewed(t, e, s, "node move", args{"node_path": "Tail", "new_parent_path": ".", "index": index}).
				has(t, map[string]string{"moved": "false", "undoable": "false", "node_path": "Tail", "scene_path": scene})
		}
		if after := s.call(t, "history list", nil).ok(t).text("version"); after != before {
			t.Errorf("moving to where it is made a step: %s, %s", before, after)
		}
		previewed(t, e, s, "node move", args{"node_path": "Tail", "new_parent_path": ".", "index": 0}).has(t, map[string]string{"moved": "true"})
	})
}

// TestResetOfWhatHasNoBase: what scenes do not keep has no value to go back to, and a part of a property
// neither.
func TestResetOfWhatHasNoBase(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openScene(t, e, "edits/reset.tscn", scene2d("Reset"))
		before := nodes(t, e, "")
		for _, property := range []string{
			"name", "owner", "scene_file_path", "global_position", "global_transform", "multiplayer", "position:x", "no_such",
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, "node reset-property", args{"node_path": "Player", "property": property, "dry_run": dry}).
					fails(t, "VALIDATION_ERROR", "property", strings.Split(property, ":")[0])
			}
		}
		if after := nodes(t, e, ""); after != before {
			t.Errorf("refused resets changed the scene:\n%s\n%s", before, after)
		}
		previewed(t, e, s, "node reset-property", args{"node_path": "Player", "property": "position"}).
			has(t, map[string]string{"value": `{"x":0.0,"y":0.0}`})
		previewed(t, e, s, "node reset-property", args{"node_path": "Player/Label", "property": "text"}).has(t, map[string]string{"value": ""})
		previewed(t, e, s, "node reset-property", args{"node_path": "Player", "property": "script"}).has(t, map[string]string{"value": "null"})
	})
}

// TestValuesSentAsText: clients that send every value as text mean what it says where the property is none.
func TestValuesSentAsText(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		openScene(t, e, "edits/text.tscn", scene2d("Text"))
		set := func(path, property string, value any, want string) {
			t.Helper()
			previewed(t, e, s, "node set-property", args{"node_path": path, "property": property, "value": value}).has(t, map[string]string{"value": want})
		}
		set("Player", "position", `{"x":64,"y":32}`, `{"x":64.0,"y":32.0}`)
		set("Player", "position", ` [1.5, 2]`, `{"x":1.5,"y":2.0}`)
		set("Player", "modulate", `{"r":1,"g":0,"b":0,"a":1}`, `{"a":1.0,"b":0.0,"g":0.0,"r":1.0}`)
		set("Player/Label", "text", `{"x":1}`, `{"x":1}`)
		s.call(t, "node set-property", args{"node_path": "Player", "property": "position", "value": `{"x":1`}).fails(t, "VALIDATION_ERROR", "value")
	})
}

// TestManyCallsSideBySide: more calls than the editor serves clients all get their answer.
func TestManyCallsSideBySide(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "edits/many.tscn", scene2d("Many"))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if out := e.Run("node", "get-property", "Player", "position"); out.Exit != 0 {
				t.Errorf("exit code %d: %s", out.Exit, out.Stderr)
			}
		})
	}
	group.Wait()
}

// TestHintsAboutClasses: what is offered instead is another class, and one that can be made.
func TestHintsAboutClasses(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	openScene(t, e, "edits/classes.tscn", scene2d("Classes"))
	abstract := s.call(t, "node add", args{"node_type": "CollisionObject2D"}).fails(t, "VALIDATION_ERROR", "node_type", "is abstract")
	if strings.Contains(abstract.err.Hint, "did you mean CollisionObject2D") {
		t.Errorf("the class itself is offered: %s", abstract.err.Hint)
	}
	s.call(t, "class describe", args{"class_name": "nope"}).fails(t, "RESOURCE_NOT_FOUND", "class_name", "no class nope: godot-mcp class list")
	s.call(t, "class describe", args{"class_name": "Sprite2"}).fails(t, "RESOURCE_NOT_FOUND", "class_name", "did you mean Sprite2D? godot-mcp class list")
}
