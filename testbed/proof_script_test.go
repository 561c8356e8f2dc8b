package testbed

import (
	"os"
	"testing"
)

// A scene in which a node has a script with a value of its own.
const scriptedHolds = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]
[ext_resource type="Script" path="res://player.gd" id="2"]

[node name="Proof" type="Node2D"]

[node name="Inst" parent="." instance=ExtResource("1")]

[node name="Own" type="CharacterBody2D" parent="."]
script = ExtResource("2")
speed = 7.0
`

const scriptedBase = `[gd_scene format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Base" type="Node2D"]

[node name="Hat" type="Sprite2D" parent="."]
script = ExtResource("1")
`

func scriptProofs() []proof {
	return []proof{
		{tool: "node attach-script", scene: scriptedHolds + "\n[node name=\"Other\" type=\"CharacterBody2D\" parent=\".\"]\n", base: proofBase,
			args: args{"node_path": "Other", "script_path": "res://player.gd"},
			drop: args{"node_path": "Inst/Hat", "script_path": "res://main.gd"}, reason: "instanced_child_not_editable"},
		{tool: "node detach-script", scene: scriptedHolds, base: scriptedBase,
			args:      args{"node_path": "Own"},
			dropScene: proofHolds,
			drop:      args{"node_path": "Inst/Hat"}, reason: "instanced_child_not_editable"},
	}
}

// proveScripts are the tools that write script files.
func proveScripts(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	const path = "res://proof/scripts/made.gd"
	first := "extends Node\n\n\nfunc greet() -> String:\n\treturn \"hello\"\n"
	t.Run("script_write", func(t *testing.T) {
		a := args{"script_path": path, "content": first}
		previewed(t, e, s, "script write", a).has(t, map[string]string{
			"created": "true", "would_overwrite": "false", "errors": "[]", "persisted": "true", "undoable": "true"})
		diff := checkDiff(t, "script write", "", read(t, e, path))
		await(t, "the script's uid", func() bool { _, err := os.Stat(onDisk(e, path+".uid")); return err == nil })
		uid := read(t, e, path+".uid")
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": "script write"})
		for _, file := range []string{path, path + ".uid", "res://proof/scripts"} {
			if _, err := os.Stat(onDisk(e, file)); !os.IsNotExist(err) {
				t.Errorf("after undo %s is there: %v", file, err)
			}
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global"})
		if read(t, e, path) != first || read(t, e, path+".uid") != uid {
			t.Errorf("redo brought back %q with %q", read(t, e, path), read(t, e, path+".uid"))
		}
		seen(t, record{tool: "script write", diff: diff, undone: true, redone: true, reopened: true}, a)
	})
	t.Run("script_patch", func(t *testing.T) {
		a := args{"script_path": path, "find": "\"hello\"", "replace": "\"good day\""}
		previewed(t, e, s, "script patch", a).has(t, map[string]string{
			"replacements": "1", "errors": "[]", "persisted": "true", "undoable": "true"})
		patched := read(t, e, path)
		diff := checkDiff(t, "script patch", first, patched)
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": "script patch"})
		if got := read(t, e, path); got != first {
			t.Errorf("undo left %q", got)
		}
		s.call(t, "redo", nil).ok(t)
		if got := read(t, e, path); got != patched {
			t.Errorf("redo gave %q", got)
		}
		seen(t, record{tool: "script patch", diff: diff, undone: true, redone: true, reopened: true}, a)
	})
}
