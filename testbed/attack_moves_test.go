package testbed

import (
	"regexp"
	"strings"
	"testing"
)

// heirOf is a scene that inherits from another one and changes a node of it.
func heirOf(base, name, change string) string {
	return "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"" + base + "\" id=\"1\"]\n\n" +
		"[node name=\"" + name + "\" instance=ExtResource(\"1\")]\n\n[node name=\"Player\" parent=\".\" index=\"0\"]\n" + change + "\n"
}

// TestMoveOfTheBaseOfABase: scenes that inherit twice stay what they are, whichever of them is open, and are saved
// with nothing of the scenes below them.
func TestMoveOfTheBaseOfABase(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		for _, tabs := range []string{"top", "mid top", "base mid top", "base top"} {
			t.Run(tabs, func(t *testing.T) {
				f := "res://" + folderOf(t)
				base := put(t, e, f+"/base.tscn", scene2d("Base"))
				mid := put(t, e, f+"/mid.tscn", heirOf(base, "Mid", "rotation = 1.0"))
				top := put(t, e, f+"/top.tscn", heirOf(mid, "Top", "visible = false"))
				rescan(t, s)
				for _, name := range strings.Fields(tabs) {
					s.call(t, "scene open", args{"scene_path": f + "/" + name + ".tscn"}).ok(t)
				}
				t.Cleanup(func() {
					for _, open := range user(t, e, "look", "").Open {
						if strings.HasPrefix(open, f+"/") {
							closeTab(t, e, open)
						}
					}
				})
				for _, way := range []string{"file move", "undo", "redo", "node set-property"} {
					switch way {
					case "file move":
						s.call(t, way, args{"path": base, "new_path": f + "/ground/base.tscn"}).ok(t)
					case "node set-property":
						s.call(t, way, set("Tail", "visible", false).with("scene_path", top)).ok(t)
					default:
						s.call(t, way, nil).ok(t).has(t, map[string]string{"last_action": "file move"})
					}
					s.call(t, "scene save", args{"scene_path": top}).ok(t)
					got := read(t, e, top)
					for _, want := range []string{"instance=ExtResource", "path=\"" + mid + "\"", "visible = false"} {
						if !strings.Contains(got, want) {
							t.Errorf("after %s it lacks %s:\n%s", way, want, got)
						}
					}
					if strings.Contains(got, "rotation") || strings.Contains(got, "type=\"Node2D\"") || strings.Contains(got, "position") {
						t.Errorf("after %s it holds what is its bases':\n%s", way, got)
					}
					s.call(t, "node get-property", args{"scene_path": top, "node_path": "Player", "property": "rotation"}).ok(t).has(t, map[string]string{"value": "1.0"})
				}
			})
		}
	})
}

// TestMoveOfWhatIsNamedByUidOnly: nothing is written, and whoever asks by uid finds it.
func TestMoveOfWhatIsNamedByUidOnly(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/a.gd", "extends Node2D\n\n@export var speed: int = 1\n")
		rescan(t, s)
		uid := uidOf(t, e, f+"/a.gd")
		stale := put(t, e, f+"/stale.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" uid=\""+uid+"\" path=\"res://long/gone.gd\" id=\"1\"]\n\n[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nspeed = 7\n")
		writeScript(t, s, f+"/by_uid.gd", "extends Node\n\nconst A: GDScript = preload(\""+uid+"\")\n")
		rescan(t, s)
		before, script := read(t, e, stale), read(t, e, f+"/by_uid.gd")
		open(t, e, stale)
		changeFiles(t, e, s, "file move", args{"path": f + "/a.gd", "new_path": f + "/deep/b.gd"}, map[string]string{"updated_refs": "[]"})
		if read(t, e, stale) != before || read(t, e, f+"/by_uid.gd") != script {
			t.Errorf("a file was changed that names it by its uid")
		}
		s.call(t, "script check", args{"script_path": f + "/by_uid.gd"}).ok(t).has(t, map[string]string{"ok": "true"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "speed"}).ok(t).has(t, map[string]string{"value": "7"})
		s.call(t, "scene reload", args{"scene_path": stale, "confirm": true}).ok(t)
		s.call(t, "node get-property", args{"node_path": ".", "property": "script"}).ok(t).has(t, map[string]string{"value.$resource": f + "/deep/b.gd"})
		s.call(t, "node set-property", set(".", "speed", 8)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, stale); !strings.Contains(got, uid) || !strings.Contains(got, f+"/deep/b.gd") || !strings.Contains(got, "speed = 8") {
			t.Errorf("it was saved as\n%s", got)
		}
	})
}

// TestUndoOfAMoveAfterEditsOfTheScene: steps of the tab and of the move go back in turn, saves between them or not,
// and the file is the one of the beginning.
func TestUndoOfAMoveAfterEditsOfTheScene(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/a.gd", "extends Node2D\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", scripted(f+"/a.gd"))
		s.call(t, "node set-property", set(".", "rotation", 3)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		begin := read(t, e, scene)
		s.call(t, "file move", args{"path": f + "/a.gd", "new_path": f + "/b.gd"}).ok(t)
		moved := read(t, e, scene)
		s.call(t, "node set-property", set(".", "rotation", 1)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		edited := read(t, e, scene)
		// The edit goes back in the tab, the move in the file.
		s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"undone": "2", "last_action": "file move"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "rotation"}).ok(t).has(t, map[string]string{"value": "3.0", "changed_on_disk": "null"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "script"}).ok(t).has(t, map[string]string{"value.$resource": f + "/a.gd"})
		if got := read(t, e, scene); got != strings.ReplaceAll(edited, f+"/b.gd", f+"/a.gd") {
			t.Errorf("after the undo it holds\n%s", got)
		}
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); got != begin {
			t.Errorf("saved after the undo it differs\n%s", lineDiff(begin, got))
		}
		s.call(t, "redo", args{"count": 2}).ok(t).has(t, map[string]string{"redone": "2"})
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); got != edited {
			t.Errorf("saved after the redo it differs\n%s", lineDiff(edited, got))
		}
		s.call(t, "undo", args{"count": 2}).ok(t)
		s.call(t, "scene save", nil).ok(t)
		// What the tab did before the move is still there to be undone.
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "node set-property"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "rotation"}).ok(t).has(t, map[string]string{"value": "0.0"})
		if moved == begin {
			t.Error("the move changed nothing in the scene")
		}
	})
}

// TestMoveOfACustomResource: its script moves, then itself, while a scene shows it and one of its own inner ones.
func TestMoveOfACustomResource(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		name := "Stats" + strings.ToUpper(folderOf(t)[len(folderOf(t))-3:])
		writeScript(t, s, f+"/stats.gd", "class_name "+name+"\nextends Resource\n\n@export var health: int = 1\n@export var curve: Curve\n")
		writeScript(t, s, f+"/holder.gd", "extends Node2D\n\n@export var stats: "+name+"\n@export var curve: Curve\n")
		data := put(t, e, f+"/data.tres", "[gd_resource type=\"Resource\" script_class=\""+name+"\" format=3]\n\n[ext_resource type=\"Script\" path=\""+f+"/stats.gd\" id=\"1\"]\n\n[sub_resource type=\"Curve\" id=\"Curve_a\"]\nmin_value = -2.0\n\n[resource]\nscript = ExtResource(\"1\")\nhealth = 7\ncurve = SubResource(\"Curve_a\")\n")
		scene := put(t, e, f+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+f+"/holder.gd\" id=\"1\"]\n[ext_resource type=\"Resource\" path=\""+data+"\" id=\"2\"]\n\n[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nstats = ExtResource(\"2\")\n")
		rescan(t, s)
		open(t, e, scene)
		for _, move := range []args{
			{"path": f + "/stats.gd", "new_path": f + "/code/stats.gd"},
			{"path": data, "new_path": f + "/data/one.tres"},
			{"path": f + "/data", "new_path": f + "/values"},
			{"path": f + "/holder.gd", "new_path": f + "/code/holder.gd"},
		} {
			changeFiles(t, e, s, "file move", move, map[string]string{"moved": "true"})
		}
		one := f + "/values/one.tres"
		s.call(t, "node get-property", args{"node_path": ".", "property": "stats:health"}).ok(t).has(t, map[string]string{"value": "7"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "stats"}).ok(t).has(t, map[string]string{"value.$resource": one})
		s.call(t, "resource set-property", args{"resource_path": one, "property": "health", "value": 9}).ok(t)
		s.call(t, "node get-property", args{"node_path": ".", "property": "stats:health"}).ok(t).has(t, map[string]string{"value": "9"})
		s.call(t, "node set-property", set(".", "rotation", 1)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		for path, wants := range map[string][]string{
			scene: {one, f + "/code/holder.gd", "rotation = 1.0", "stats = ExtResource"},
			one:   {f + "/code/stats.gd", "health = 9", "-2.0", "script_class=\"" + name + "\""},
		} {
			got := read(t, e, path)
			for _, want := range wants {
				if !strings.Contains(got, want) {
					t.Errorf("%s lacks %s:\n%s", path, want, got)
				}
			}
			if regexp.MustCompile(regexp.QuoteMeta(f) + `/(data|stats\.gd|holder\.gd)`).MatchString(got) {
				t.Errorf("%s names an old place:\n%s", path, got)
			}
		}
		described := s.call(t, "class describe", args{"class_name": name}).ok(t)
		if !strings.Contains(string(described.raw), "health") {
			t.Errorf("the class is unknown: %s", described.raw)
		}
	})
}
