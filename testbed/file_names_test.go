package testbed

import (
	"os"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestNewNamesAreGoodOnEverySystem: what one system takes and another does not is refused by all that make files;
// what is there already with such a name can be edited.
func TestNewNamesAreGoodOnEverySystem(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	f := "res://" + folderOf(t)
	for _, dry := range []bool{true, false} {
		for _, name := range []string{"a?b", "a:b", "a|b/x", "tail./x", " lead", "nul", "Con.x"} {
			path := f + "/" + name
			for tool, a := range map[string]args{
				"file write":      {"path": path + ".txt", "content": "x"},
				"script write":    {"script_path": path + ".gd", "content": "extends Node\n"},
				"scene create":    {"scene_path": path + ".tscn", "root_type": "Node"},
				"resource create": {"resource_path": path + ".tres", "resource_type": "Gradient"},
			} {
				required := map[string]string{"file write": "path", "script write": "script_path", "scene create": "scene_path", "resource create": "resource_path"}[tool]
				s.call(t, tool, a.with("dry_run", dry)).fails(t, bridge.ValidationError, required, "no name for a file on every system")
			}
		}
	}
	if _, err := os.Stat(onDisk(e, f)); !os.IsNotExist(err) {
		t.Errorf("%s was made: %v", f, err)
	}
	s.call(t, "file write", args{"path": f + "/.gdignore", "content": ""}).ok(t)
	s.call(t, "undo", nil).ok(t)
	path := put(t, e, f+"/old.", "one\n")
	s.call(t, "file write", args{"path": path, "content": "two\n"}).ok(t)
	if got := read(t, e, path); got != "two\n" {
		t.Errorf("the file holds %q", got)
	}
}

// TestLeftoverUIDStays: the uid file of a script that is gone is not overwritten by one that comes to its place,
// and a preview says so too.
func TestLeftoverUIDStays(t *testing.T) {
	const leftover = "uid://bleftover0001\n"
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/from.gd", "extends Node\n")
		rescan(t, s)
		uidOf(t, e, f+"/from.gd")
		put(t, e, f+"/to.gd.uid", leftover)
		for _, tool := range []string{"file move", "file copy"} {
			for _, dry := range []bool{true, false} {
				s.call(t, tool, args{"path": f + "/from.gd", "new_path": f + "/to.gd", "dry_run": dry}).fails(t, bridge.ValidationError, "new_path", f+"/to.gd.uid")
			}
		}
		if got := read(t, e, f+"/to.gd.uid"); got != leftover {
			t.Errorf("the uid file holds %q", got)
		}
		s.call(t, "file delete", args{"path": f + "/to.gd.uid", "confirm": true}).ok(t)
		s.call(t, "file move", args{"path": f + "/from.gd", "new_path": f + "/to.gd"}).ok(t)
	})
}
