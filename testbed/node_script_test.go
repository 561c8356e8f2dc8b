package testbed

import (
	"strings"
	"testing"
)

// TestAttachScriptKeepsValues: what both scripts have keeps its value, what is lost is told, and undo brings
// all back.
func TestAttachScriptKeepsValues(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := "res://" + folderOf(t)
		next := folder + "/next.gd"
		writeScript(t, s, next, "extends Node2D\n@export var speed: float = 1.0\n@export var more: int = 2\n")
		writeScript(t, s, folder+"/area.gd", "extends Area2D\n")
		writeScript(t, s, folder+"/abstract.gd", "@abstract\nextends Node2D\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1\"]\n\n"+
			"[node name=\"Top\" type=\"CharacterBody2D\"]\nscript = ExtResource(\"1\")\nspeed = 7.0\ninventory = Array[String]([\"rope\"])\n\n[node name=\"Bare\" type=\"Node2D\" parent=\".\"]\n")
		start := nodes(t, e, "")
		attach := func(node, script string) args { return args{"node_path": node, "script_path": script} }
		changed := previewed(t, e, s, "node attach-script", attach(".", next))
		changed.has(t, map[string]string{"attached": "true", "class_found": "true", "persisted": "true", "undoable": "true", "scene_path": scene})
		if hint := changed.text("hint"); !strings.Contains(hint, "inventory") || strings.Contains(hint, "speed") {
			t.Errorf("the hint is %q", hint)
		}
		s.call(t, "node get", args{"node_path": ".", "include": []string{"speed", "more"}}).ok(t).
			has(t, map[string]string{"properties": `{"more":2,"speed":7.0}`})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "node attach-script", "history": scene})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		previewed(t, e, s, "node attach-script", attach(".", "res://player.gd")).has(t, map[string]string{"attached": "true", "undoable": "false"})
		for _, dry := range []bool{true, false} {
			s.call(t, "node attach-script", attach(".", folder+"/area.gd").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "script_path", "Area2D", "CharacterBody2D")
			s.call(t, "node attach-script", attach(".", folder+"/abstract.gd").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "script_path", "abstract")
			s.call(t, "node attach-script", attach(".", folder+"/lost.gd").with("dry_run", dry)).fails(t, "RESOURCE_NOT_FOUND", "script_path", "script list")
			s.call(t, "node attach-script", attach(".", "res://main.tscn").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "script_path")
			s.call(t, "node attach-script", attach("Lost", next).with("dry_run", dry)).fails(t, "RESOURCE_NOT_FOUND", "node_exists")
		}
		previewed(t, e, s, "node detach-script", args{"node_path": "Bare"}).has(t, map[string]string{"detached": "false", "script_path": "null", "undoable": "false"})
		gone := previewed(t, e, s, "node detach-script", args{"node_path": "."})
		gone.has(t, map[string]string{"detached": "true", "script_path": "res://player.gd", "undoable": "true"})
		if !strings.Contains(gone.text("hint"), "speed, inventory") {
			t.Errorf("the hint is %q", gone.text("hint"))
		}
		s.call(t, "undo", nil).ok(t)
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
	})
}

// TestAttachScriptThatDoesNotCompile: it is attached, as the engine does, and the answer says what is missing.
func TestAttachScriptThatDoesNotCompile(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := "res://" + folderOf(t) + "/broken.gd"
		writeScript(t, s, path, "extends Node2D\nvar a: int = (1\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", scene2d("Broken"))
		attached := previewed(t, e, s, "node attach-script", args{"node_path": "Player", "script_path": path})
		attached.has(t, map[string]string{"attached": "true", "class_found": "false", "persisted": "true"})
		if hint := attached.text("hint"); !strings.Contains(hint, "does not compile") || !strings.Contains(hint, "line 2") {
			t.Errorf("the hint is %q", hint)
		}
		writeScript(t, s, path, "extends Node2D\n@export var a: int = 4\n")
		s.call(t, "node get-property", args{"node_path": "Player", "property": "a"}).ok(t).has(t, map[string]string{"value": "4"})
		s.call(t, "scene save", nil).ok(t)
		if text := read(t, e, scene); !strings.Contains(text, path) || strings.Contains(text, "null") {
			t.Errorf("the scene is\n%s", text)
		}
	})
}
