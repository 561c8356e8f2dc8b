package testbed

import "testing"

// proveScaffold makes a game beside the shared project's own files.
func proveScaffold(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	t.Run("project_scaffold", func(t *testing.T) {
		const tool = "project scaffold"
		a := args{"template": "visual_novel", "main_scene": "proof_novel", "confirm": true}
		before, whole := read(t, e, projectFile), contents(t, e)
		previewed(t, e, s, tool, a).has(t, map[string]string{"created": "true", "persisted": "true", "undoable": "true"})
		after := read(t, e, projectFile)
		diff := checkDiff(t, tool, before, after)
		s.call(t, "scene open", args{"scene_path": "res://proof_novel.tscn"}).ok(t).has(t, map[string]string{"opened": "true", "missing": "[]"})
		s.call(t, "scene close", args{"scene_path": "res://proof_novel.tscn", "confirm": true}).ok(t)
		takesBack(t, e, s, tool, before, after)
		s.call(t, "undo", nil).ok(t)
		same(t, "undo", whole, contents(t, e))
		seen(t, record{tool: tool, diff: diff, undone: true, redone: true, reopened: true}, a)
	})
}
