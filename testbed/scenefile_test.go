package testbed

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var ownUID = regexp.MustCompile(`^uid://[a-y0-8]+$`)

func TestSceneCreate(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := "res://made/" + filepath.Base(t.Name())
		path := folder + "/deep/first_level.tscn"
		before := files(t, e)
		create := args{"root_type": "Node3D", "scene_path": path}
		previewed(t, e, s, "scene create", create).has(t, map[string]string{
			"scene_path": path, "root_type": "Node3D", "created": "true", "persisted": "true", "undoable": "true"})
		text := read(t, e, path)
		file := readTSCN(text)
		if root := file.nodes["."].attributes; !ownUID.MatchString(file.header["uid"]) || root["type"] != "Node3D" || root["name"] != "FirstLevel" {
			t.Errorf("the new file is %s", text)
		}
		if list := s.call(t, "scene list", nil).ok(t); !strings.Contains(list.text("scenes"), `"path":"`+path+`"`) {
			t.Errorf("scene list lacks %s: %s", path, list.raw)
		}
		made := files(t, e)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene create", create.with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "scene_path", path, "scene open")
		}
		same(t, "a refused scene create", made, files(t, e))

		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "scene create", "history": "global", "by": "tool"})
		same(t, "undo of scene create", before, files(t, e))
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": "scene create", "history": "global"})
		if again := read(t, e, path); again != text {
			t.Errorf("redo wrote\n%s\nnot\n%s", again, text)
		}
		open(t, e, path)
	})
}

func TestSceneCreateInherited(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := "res://made/" + filepath.Base(t.Name()) + "_boss.tscn"
		create := args{"root_type": "Area2D", "scene_path": path, "base_scene": "res://enemy.tscn", "root_name": "Boss"}
		s.call(t, "scene create", create.with("root_type", "Node3D")).fails(t, "VALIDATION_ERROR", "root_type", "Area2D")
		s.call(t, "scene create", create.with("base_scene", "res://nobody.tscn")).fails(t, "RESOURCE_NOT_FOUND", "base_scene", "nobody")
		s.call(t, "scene create", create.with("base_scene", "res://player.gd")).fails(t, "VALIDATION_ERROR", "base_scene", "player.gd")
		previewed(t, e, s, "scene create", create)
		file := readTSCN(read(t, e, path))
		root := file.nodes["."].attributes
		if root["name"] != "Boss" || root["type"] != "" || !strings.HasPrefix(root["instance"], "ExtResource(") || len(file.nodes) != 1 {
			t.Errorf("the file inherits nothing: %v", file.nodes)
		}
		open(t, e, path)
		s.call(t, "scene tree", nil).ok(t).has(t, map[string]string{"tree.name": "Boss", "total": "4", "tree.children.1.path": "Body"})
	})
}

func TestSceneCreateRefuses(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, bad := range []struct {
			name     string
			args     args
			required string
			words    []string
		}{
			{"unknown class", args{"root_type": "Nodde2D", "scene_path": "res://x/a.tscn"}, "root_type", []string{"Node2D"}},
			{"abstract class", args{"root_type": "CanvasItem", "scene_path": "res://x/a.tscn"}, "root_type", []string{"abstract"}},
			{"no node", args{"root_type": "Resource", "scene_path": "res://x/a.tscn"}, "root_type", nil},
			{"no scene file", args{"root_type": "Node", "scene_path": "res://x/a.txt"}, "scene_path", []string{".tscn"}},
			{"outside", args{"root_type": "Node", "scene_path": "res://../a.tscn"}, "scene_path", nil},
			{"below a file", args{"root_type": "Node", "scene_path": "res://main.tscn/a.tscn"}, "scene_path", []string{"main.tscn"}},
			{"bad name", args{"root_type": "Node", "scene_path": "res://x/a.tscn", "root_name": "a/b"}, "root_name", nil},
		} {
			for _, dry := range []bool{true, false} {
				t.Log(bad.name)
				s.call(t, "scene create", bad.args.with("dry_run", dry)).fails(t, "VALIDATION_ERROR", bad.required, bad.words...)
			}
		}
		same(t, "a refused scene create", before, state(t, e))
	})
}

func TestSceneOpen(t *testing.T) {
	e := sharedEditor(t)
	broken := write(t, e, "open/broken.tscn", `[gd_scene format=3]

[ext_resource type="Texture2D" path="res://open/lost.png" id="1"]
[ext_resource type="PackedScene" uid="uid://cx0lost0lost0" path="res://open/lost.tscn" id="2"]
[ext_resource type="Material" uid="uid://byv175x61lgdk" path="res://glow.tres" id="3"]

[node name="Broken" type="Sprite2D"]
texture = ExtResource("1")
material = ExtResource("3")

[node name="Lost" parent="." instance=ExtResource("2")]
`)
	sharp := write(t, e, "open/sharp.tscn", `[gd_scene format=3]

[ext_resource type="Script" path="res://open/Sharp.cs" id="1"]

[node name="Sharp" type="Node"]
script = ExtResource("1")
`)
	write(t, e, "open/Sharp.cs", "using Godot;\npublic partial class Sharp : Node {}\n")
	garbage := write(t, e, "open/garbage.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\n")
	both(t, e, func(t *testing.T, s surface) {
		good := write(t, e, "open/"+filepath.Base(t.Name())+".tscn", scene2d("Good"))
		before := state(t, e)
		for _, dry := range []bool{true, false} {
			missing := s.call(t, "scene open", args{"scene_path": broken, "dry_run": dry})
			missing.has(t, map[string]string{"opened": "false", "already_open": "false",
				"missing": `["res://open/lost.png","res://open/lost.tscn"]`})
			noDotNet := s.call(t, "scene open", args{"scene_path": sharp, "dry_run": dry})
			noDotNet.has(t, map[string]string{"opened": "false", "missing": "[]"})
			if !strings.Contains(noDotNet.text("reason"), ".NET") || !strings.Contains(missing.text("reason"), "lost.png") {
				t.Errorf("reasons: %s, %s", noDotNet.text("reason"), missing.text("reason"))
			}
			if (missing.exit != 10 && missing.exit != -1) || (noDotNet.exit != 10 && noDotNet.exit != -1) {
				t.Errorf("exit codes %d, %d, want 10", missing.exit, noDotNet.exit)
			}
			s.call(t, "scene open", args{"scene_path": "res://open/nobody.tscn", "dry_run": dry}).fails(t, "RESOURCE_NOT_FOUND", "scene_path", "nobody")
			for _, other := range []string{"res://player.gd", "res://glow.tres", "res://project.godot"} {
				s.call(t, "scene open", args{"scene_path": other, "dry_run": dry}).fails(t, "VALIDATION_ERROR", "scene_path", other)
			}
			s.call(t, "scene open", args{"scene_path": garbage, "dry_run": dry}).fails(t, "VALIDATION_ERROR", "scene_path", "garbage")
		}
		same(t, "a refused scene open", before, state(t, e))

		previewed(t, e, s, "scene open", args{"scene_path": good}).has(t, map[string]string{
			"opened": "true", "already_open": "false", "missing": "[]", "warnings": "[]", "persisted": "null", "undoable": "false"})
		s.call(t, "scene list", nil).ok(t).has(t, map[string]string{"main_scene": "res://main.tscn"})
		previewed(t, e, s, "scene open", args{"scene_path": good}).has(t, map[string]string{"opened": "true", "already_open": "true"})
		closeTab(t, e, good)
	})
}

// TestSceneSaveRefusesLostDependencies: the engine would say that it saved and write nothing.
func TestSceneSaveRefusesLostDependencies(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := filepath.Base(t.Name())
		part := write(t, e, "lost/"+name+"_part.tscn", scene2d("Part"))
		scene := openScene(t, e, "lost/"+name+".tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\""+part+
			"\" id=\"1\"]\n\n[node name=\"Top\" type=\"Node2D\"]\n\n[node name=\"Part\" parent=\".\" instance=ExtResource(\"1\")]\n")
		text := read(t, e, part)
		if err := os.Remove(onDisk(e, part)); err != nil {
			t.Fatal(err)
		}
		before := read(t, e, scene)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", part)
		}
		if after := read(t, e, scene); after != before {
			t.Errorf("the refused save wrote %s", after)
		}
		write(t, e, "lost/"+name+"_part.tscn", text)
		s.call(t, "scene save", nil).ok(t)
	})
}
