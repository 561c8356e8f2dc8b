package testbed

import (
	"strings"
	"testing"
)

// TestEditorAsksNothingAboutFilesBesideTheTab: tools that make, copy, fill or take out files beside open scenes.
func TestEditorAsksNothingAboutFilesBesideTheTab(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		inner := put(t, e, f+"/inner.tscn", scene2d("Inner"))
		outer := put(t, e, f+"/outer.tscn", instanceOf(inner))
		rescan(t, s)
		age(t, e, inner, outer)
		open(t, e, inner)
		open(t, e, outer)
		unasked(t, e, s, "file copy", args{"path": f + "/inner.tscn", "new_path": f + "/twin.tscn"})
		unasked(t, e, s, "file delete", args{"path": f + "/twin.tscn", "confirm": true})
		s.call(t, "scene extract", args{"node_path": "Player", "new_scene_path": f + "/part.tscn", "scene_path": inner}).ok(t)
		asksNothing(t, e, "after scene extract")
		s.call(t, "node set-property", set("Tail", "rotation", 1).with("scene_path", inner)).ok(t)
		s.call(t, "scene save", args{"scene_path": inner}).ok(t)
		asksNothing(t, e, "after a save of an instanced scene")
		s.call(t, "node get-property", args{"scene_path": outer, "node_path": "Inst/Tail", "property": "rotation"}).ok(t)
		s.call(t, "undo", args{"scene_path": inner}).ok(t)
		s.call(t, "scene save", args{"scene_path": inner}).ok(t)
		asksNothing(t, e, "after its undo and save")
	})
}

// TestMoveOfAClassThatOthersUse: by its name in types, as a base, in a scene; after each way all of them compile
// and the scene has what it had.
func TestMoveOfAClassThatOthersUse(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		name := "Walker" + strings.ToUpper(folderOf(t)[len(folderOf(t))-3:])
		writeScript(t, s, f+"/base.gd", "@tool\nclass_name "+name+"\nextends Node2D\n\n@export var speed: int = 1\n")
		writeScript(t, s, f+"/heir.gd", "@tool\nclass_name "+name+"Heir\nextends "+name+"\n\n@export var friend: "+name+"\n")
		writeScript(t, s, f+"/user.gd", "extends Node\n\n\nfunc of(it: Node) -> "+name+"Heir:\n\treturn it as "+name+"Heir\n")
		rescan(t, s)
		scene := put(t, e, f+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+f+"/heir.gd\" id=\"1\"]\n[ext_resource type=\"Script\" path=\""+f+"/base.gd\" id=\"2\"]\n\n"+
			"[node name=\"Root\" type=\"Node2D\" node_paths=PackedStringArray(\"friend\")]\nscript = ExtResource(\"1\")\nfriend = NodePath(\"Other\")\nspeed = 7\n\n[node name=\"Other\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"2\")\nspeed = 9\n")
		rescan(t, s)
		age(t, e, scene)
		open(t, e, scene)
		look := func(when string) {
			t.Helper()
			for _, script := range s.call(t, "script list", args{"directory": f}).ok(t).value("scripts").([]any) {
				path := script.(map[string]any)["path"].(string)
				if got := s.call(t, "script check", args{"script_path": path}); got.text("ok") != "true" {
					t.Errorf("%s: %s: %s", when, path, got.raw)
				}
			}
			for node, want := range map[string]string{".": "7", "Other": "9"} {
				if got := s.call(t, "node get-property", args{"node_path": node, "property": "speed"}).ok(t).text("value"); got != want {
					t.Errorf("%s: the speed of %s is %s", when, node, got)
				}
			}
			s.call(t, "scene save", nil).ok(t)
			if got := read(t, e, scene); !strings.Contains(got, "friend = NodePath(\"Other\")") || !strings.Contains(got, "speed = 7") || !strings.Contains(got, "speed = 9") {
				t.Errorf("%s it was saved as\n%s", when, got)
			}
			asksNothing(t, e, when)
		}
		look("at first")
		for _, move := range []args{
			{"path": f + "/base.gd", "new_path": f + "/deep/base.gd"},
			{"path": f + "/heir.gd", "new_path": f + "/deep/heir.gd"},
			{"path": f + "/deep", "new_path": f + "/code"},
		} {
			s.call(t, "file move", move).ok(t)
			rescan(t, s)
			look("after the move to " + move["new_path"].(string))
			for _, way := range []string{"undo", "redo"} {
				s.call(t, way, nil).ok(t).has(t, map[string]string{"last_action": "file move"})
				// Undo does not wait for the engine to list the classes anew.
				rescan(t, s)
				look("after " + way + " of it")
			}
		}
	})
}

// TestEditorAsksNothingAboutSettings of tools of each kind, and of their undo.
func TestEditorAsksNothingAboutSettings(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	f := "res://" + folderOf(t)
	put(t, e, f+"/first.tscn", scene2d("First"))
	writeScript(t, s, f+"/a.gd", "extends Node\n")
	rescan(t, s)
	unasked(t, e, s, "project set-setting", args{"name": "tests/asked", "value": 1, "create": true})
	unasked(t, e, s, "autoload add", args{"name": "AskedAuto", "path": f + "/a.gd"})
	unasked(t, e, s, "file move", args{"path": f + "/a.gd", "new_path": f + "/b.gd"})
	unasked(t, e, s, "file delete", args{"path": f + "/first.tscn", "confirm": true})
	s.call(t, "undo", args{"count": 4}).ok(t).has(t, map[string]string{"undone": "4"})
	asksNothing(t, e, "after undo of all")
}
