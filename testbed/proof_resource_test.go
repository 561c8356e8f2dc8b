package testbed

import (
	"os"
	"testing"
)

// proveResources are the tools that write resource files.
func proveResources(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	const path, twin = "res://proof/made_resources/gold.tres", "res://proof/made_resources/twin.tres"
	prove := func(name, tool, file string, a args, fields map[string]string) {
		t.Run(name, func(t *testing.T) {
			before := ""
			if _, err := os.Stat(onDisk(e, file)); err == nil {
				before = read(t, e, file)
			}
			fields["persisted"], fields["undoable"] = "true", "true"
			previewed(t, e, s, tool, a).has(t, fields)
			after := read(t, e, file)
			diff := checkDiff(t, tool, before, after)
			s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": tool})
			if text, err := os.ReadFile(onDisk(e, file)); before == "" && !os.IsNotExist(err) || before != string(text) {
				t.Errorf("after undo the file holds %q (%v), want %q", text, err, before)
			}
			s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": tool})
			if got := read(t, e, file); got != after {
				t.Errorf("redo gave %q, want %q", got, after)
			}
			seen(t, record{tool: tool, diff: diff, undone: true, redone: true, reopened: true}, a)
		})
	}
	prove("resource_create", "resource create", path, args{"resource_type": "StandardMaterial3D", "resource_path": path,
		"properties": map[string]any{"metallic": 0.5}}, map[string]string{"created": "true"})
	prove("resource_set-property", "resource set-property", path, args{"resource_path": path, "property": "roughness", "value": 0.25},
		map[string]string{"value": "0.25", "previous": "1.0", "used_by": "[]"})
	prove("resource_duplicate", "resource duplicate", twin, args{"resource_path": path, "new_path": twin},
		map[string]string{"shared_resources": "[]"})
}
