package testbed

import (
	"path/filepath"
	"testing"
)

// undoCase is one scene in front, with three kinds of steps in a known order.
func undoScene(t *testing.T, e *Editor, title string) string {
	return openScene(t, e, "undo/"+filepath.Base(t.Name())+title+".tscn", scene2d(title))
}

// TestUndoLeavesTheUsersStepsAlone: the person's own step is only taken back when asked for.
func TestUndoLeavesTheUsersStepsAlone(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := undoScene(t, e, "One")
		s.call(t, "node add", args{"node_name": "Mine"}).ok(t)
		user(t, e, "step", "moved by hand")
		before := state(t, e)
		for _, dry := range []bool{true, false} {
			s.call(t, "undo", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "include_user", "Move Node", scene)
		}
		same(t, "a refused undo", before, state(t, e))

		previewed(t, e, s, "undo", args{"include_user": true}).has(t, map[string]string{
			"undone": "1", "last_action": "Move Node", "by": "user", "history": scene, "has_undo": "true", "would_undo_next": "node add"})
		if got := user(t, e, "look", "").Description; got != "" {
			t.Errorf("the person's step is still there: %q", got)
		}
		// The editor's own keys go on from there: redo brings the person's step back, undo takes it again.
		if got := user(t, e, "key", "Y").Description; got != "moved by hand" {
			t.Errorf("Ctrl+Shift+Z gave the description %q", got)
		}
		if got := user(t, e, "key", "Z").Description; got != "" {
			t.Errorf("Ctrl+Z gave the description %q", got)
		}
		previewed(t, e, s, "undo", nil).has(t, map[string]string{"undone": "1", "last_action": "node add", "by": "tool", "history": scene})
		s.call(t, "redo", args{"count": 5}).ok(t).has(t, map[string]string{
			"requested": "5", "redone": "2", "actions": `["node add","Move Node"]`, "has_redo": "false"})
		if got := user(t, e, "look", "").Description; got != "moved by hand" {
			t.Errorf("redo gave the description %q", got)
		}
		s.call(t, "undo", args{"count": 5, "include_user": true, "dry_run": true}).ok(t)
		s.call(t, "node add", args{"node_name": "Mine2"}).ok(t)
		// Our step above the person's: the first goes, the second stays.
		previewed(t, e, s, "undo", args{"count": 2}).has(t, map[string]string{"requested": "2", "undone": "1", "actions": `["node add"]`})
		if got := user(t, e, "look", "").Description; got != "moved by hand" {
			t.Errorf("undo of two took the person's step: %q", got)
		}
	})
}

// TestUndoKeepsTheEditorsOrder: steps of a scene and of the global history mixed, by tools and by hand; at
// every point what we say comes next is what Ctrl+Z does.
func TestUndoKeepsTheEditorsOrder(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := undoScene(t, e, "Mixed")
		file := "res://undo/" + filepath.Base(t.Name()) + "_file.tscn"
		s.call(t, "node add", args{"node_name": "First"}).ok(t)
		s.call(t, "scene create", args{"root_type": "Node", "scene_path": file}).ok(t)
		user(t, e, "step", "by hand")
		user(t, e, "global step", "globally")
		s.call(t, "node set-property", args{"node_path": "First", "property": "name", "value": "Second"}).ok(t)

		want := []map[string]string{
			{"last_action": "node set-property", "history": scene, "by": "tool"},
			{"last_action": "Change Setting", "history": "global", "by": "user"},
			{"last_action": "Move Node", "history": scene, "by": "user"},
			{"last_action": "scene create", "history": "global", "by": "tool"},
			{"last_action": "node add", "history": scene, "by": "tool"},
		}
		for _, step := range want {
			previewed(t, e, s, "undo", args{"include_user": true}).has(t, step)
		}
		for i := len(want) - 1; i >= 0; i-- {
			previewed(t, e, s, "redo", nil).has(t, want[i])
		}
		all := `["node set-property","Change Setting","Move Node","scene create","node add"]`
		previewed(t, e, s, "undo", args{"include_user": true, "count": 5}).has(t, map[string]string{"undone": "5", "actions": all})
		s.call(t, "redo", args{"count": 2}).ok(t).has(t, map[string]string{"actions": `["node add","scene create"]`})
		read(t, e, file)

		// The person's keys take the same steps in the same order, and our books follow.
		user(t, e, "key", "Y")
		s.call(t, "undo", args{"dry_run": true, "include_user": true}).ok(t).has(t, want[2])
		user(t, e, "key", "Z")
		s.call(t, "undo", args{"dry_run": true}).ok(t).has(t, want[3])
		user(t, e, "key", "Z")
		s.call(t, "undo", args{"dry_run": true}).ok(t).has(t, want[4])
		user(t, e, "key", "Y")
		s.call(t, "undo", args{"dry_run": true}).ok(t).has(t, want[3])
	})
}

// TestUndoInSeveralTabs: each scene has steps of its own, the global ones belong to all; a redo in another
// order than the steps were made keeps the editor's idea of which is the youngest.
func TestUndoInSeveralTabs(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		one, two := undoScene(t, e, "One"), undoScene(t, e, "Two")
		file := "res://undo/" + filepath.Base(t.Name()) + "_tabs.tscn"
		s.call(t, "node add", args{"scene_path": one, "node_name": "InOne"}).ok(t)
		s.call(t, "node add", args{"scene_path": two, "node_name": "InTwo"}).ok(t)
		s.call(t, "scene create", args{"root_type": "Node", "scene_path": file}).ok(t)

		s.call(t, "undo", args{"scene_path": one, "count": 2}).ok(t).has(t, map[string]string{
			"activated": "true", "actions": `["scene create","node add"]`, "history": one})
		// Two was left alone.
		s.call(t, "scene tree", args{"scene_path": two}).ok(t).has(t, map[string]string{"total": "5"})
		user(t, e, "tab", two)
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": "scene create"})
		s.call(t, "redo", args{"scene_path": one}).ok(t).has(t, map[string]string{"history": one, "last_action": "node add"})
		// The file is the younger step, although it was redone first.
		previewed(t, e, s, "undo", nil).has(t, map[string]string{"history": "global", "last_action": "scene create"})
		previewed(t, e, s, "undo", nil).has(t, map[string]string{"history": one, "last_action": "node add"})
		s.call(t, "undo", args{"scene_path": two}).ok(t).has(t, map[string]string{"history": two, "last_action": "node add"})
		s.call(t, "scene tree", nil).ok(t).has(t, map[string]string{"total": "4", "scene_path": two})
	})
}

// TestUndoOfNothing says so and is no error.
func TestUndoOfNothing(t *testing.T) {
	e := ownEditor(t, "empty")
	both(t, e, func(t *testing.T, s surface) {
		previewed(t, e, s, "undo", nil).has(t, map[string]string{"undone": "0", "nothing_to_undo": "true", "has_undo": "false", "actions": "[]", "persisted": "null"})
		previewed(t, e, s, "redo", nil).has(t, map[string]string{"redone": "0", "nothing_to_redo": "true", "has_redo": "false"})
		s.call(t, "undo", args{"count": 0}).fails(t, "VALIDATION_ERROR", "count")
	})
}
