package testbed

import "testing"

// TestF27AUidIsNoPlaceForANewFile: a uid that no file has, or that is none, makes nothing, not even what the
// engine puts beside a file while it writes.
func TestF27AUidIsNoPlaceForANewFile(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "uids/here.tscn", scene2d("Here"))
	kept := put(t, e, "res://uids/kept.txt", "kept")
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, uid := range []string{"uid://bf27nobody", "uid://bf27nobody.tscn", "uid://../../bf27"} {
			for _, c := range []struct {
				tool, parameter string
				args            args
			}{
				{"scene create", "scene_path", args{"root_type": "Node"}},
				{"scene save-as", "new_path", nil},
				{"scene extract", "new_scene_path", args{"node_path": "Player"}},
				{"resource create", "resource_path", args{"resource_type": "Gradient"}},
				{"resource duplicate", "new_path", args{"resource_path": "res://glow.tres"}},
				{"script write", "script_path", args{"content": "extends Node\n"}},
				{"file write", "path", args{"content": "x"}},
				{"file create-folder", "path", nil},
				{"file move", "new_path", args{"path": kept}},
				{"file copy", "new_path", args{"path": kept}},
			} {
				for _, dry := range []bool{true, false} {
					s.call(t, c.tool, c.args.with(c.parameter, uid).with("dry_run", dry)).fails(t, "VALIDATION_ERROR", c.parameter)
				}
			}
		}
		same(t, "what was refused", before, state(t, e))
		areGone(t, e, "res://uid:")
	})
}
