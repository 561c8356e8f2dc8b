package testbed

import (
	"os"
	"strings"
	"testing"
)

// proveFileTools are the tools that write, move, copy and delete files.
func proveFileTools(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	const folder = "res://proof/file_tools"
	put(t, e, folder+"/a.gd", "extends Node\n")
	put(t, e, folder+"/user.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+folder+"/a.gd\" id=\"1\"]\n\n[node name=\"User\" type=\"Node\"]\nscript = ExtResource(\"1\")\n")
	rescan(t, s)
	text := func(path string) string {
		if path == "" {
			return ""
		}
		text, err := os.ReadFile(onDisk(e, path))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
	// The file whose change is shown.
	prove := func(tool, file string, a args, fields map[string]string) {
		t.Run(strings.ReplaceAll(tool, " ", "_"), func(t *testing.T) {
			before := text(file)
			fields["persisted"], fields["undoable"] = "true", "true"
			all := contents(t, e)
			previewed(t, e, s, tool, a).has(t, fields)
			rescan(t, s)
			r := record{tool: tool, undone: true, redone: true, reopened: true, note: "a folder"}
			if file != "" {
				r.diff, r.note = checkDiff(t, tool, before, text(file)), ""
			}
			backAndForth(t, e, s, tool, all)
			seen(t, r, a)
		})
	}
	prove("file write", folder+"/notes.txt", args{"path": folder + "/notes.txt", "content": "one\ntwo\n"},
		map[string]string{"created": "true", "would_overwrite": "false", "bytes": "8"})
	prove("file create-folder", "", args{"path": folder + "/deep/deeper"}, map[string]string{"created": "true"})
	prove("file move", folder+"/user.tscn", args{"path": folder + "/a.gd", "new_path": folder + "/deep/b.gd"},
		map[string]string{"moved": "true", "updated_refs": `[{"count":1,"file":"` + folder + `/user.tscn"}]`})
	prove("file copy", folder+"/twin.tscn", args{"path": folder + "/user.tscn", "new_path": folder + "/twin.tscn"},
		map[string]string{"copied": "true", "updated_refs": "[]"})
	prove("file delete", folder+"/twin.tscn", args{"path": folder + "/twin.tscn", "confirm": true},
		map[string]string{"deleted": "true", "had_uid": "true", "tab_closed": "false"})
}

// backAndForth takes a call back, after which every byte is as it was before, and does it again.
func backAndForth(t *testing.T, e *Editor, s surface, tool string, before map[string]string) {
	t.Helper()
	after := contents(t, e)
	s.call(t, "undo", nil).ok(t).has(t, map[string]string{"undone": "1", "history": "global", "last_action": tool})
	rescan(t, s)
	same(t, tool+" and undo", before, contents(t, e))
	s.call(t, "redo", nil).ok(t).has(t, map[string]string{"redone": "1", "history": "global", "last_action": tool})
	rescan(t, s)
	same(t, tool+", undo and redo", after, contents(t, e))
}
