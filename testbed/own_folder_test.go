package testbed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsWrittenIntoTheEnginesOwnFolder: wherever the project's settings put it.
func TestNothingIsWrittenIntoTheEnginesOwnFolder(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	settings := read(t, e, "res://project.godot")
	write(t, e, "project.godot", strings.Replace(settings, "[application]\n", "[application]\n\nconfig/use_hidden_project_data_directory=false\n", 1))
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	c := cli(e)
	c.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	for _, write := range []struct {
		tool, path string
		args       args
	}{
		{"script write", "script_path", args{"script_path": "res://godot/a.gd", "content": "extends Node\n"}},
		{"scene create", "scene_path", args{"scene_path": "res://godot/a.tscn", "root_type": "Node"}},
		{"scene save-as", "new_path", args{"new_path": "res://godot/editor/a.tscn"}},
	} {
		for _, dry := range []bool{true, false} {
			write.args["dry_run"] = dry
			c.call(t, write.tool, write.args).fails(t, "VALIDATION_ERROR", write.path, "engine's own folder")
		}
	}
	for _, file := range []string{"a.gd", "a.tscn", "editor/a.tscn"} {
		if _, err := os.Stat(filepath.Join(e.Project, "godot", file)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", file, err)
		}
	}
	write(t, e, "godot/there.gd", "extends Node\n")
	c.call(t, "script read", args{"script_path": "res://godot/there.gd"}).fails(t, "VALIDATION_ERROR", "script_path", "engine's own folder")
	c.call(t, "script write", args{"script_path": "res://godots/a.gd", "content": "extends Node\n"}).ok(t)
}
