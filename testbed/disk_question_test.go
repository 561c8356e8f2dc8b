package testbed

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// age makes files as old as ones of another day: the editor compares times in whole seconds.
func age(t *testing.T, e *Editor, paths ...string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for _, path := range paths {
		if err := os.Chtimes(onDisk(e, path), old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// questions has the person come back to the editor's window, which asks then about what other programs changed.
func questions(t *testing.T, e *Editor) string {
	t.Helper()
	seen := user(t, e, "focus", "")
	asked := cli(e).call(t, "editor status", nil).ok(t).text("dialogs")
	if len(seen.Script.Dialogs) > 0 {
		asked += strings.Join(seen.Script.Dialogs, ", ")
	}
	if asked != "[]" {
		user(t, e, "turn away", "")
	}
	return asked
}

// asksNothing looks after each of an edit, undo and redo.
func asksNothing(t *testing.T, e *Editor, when string) {
	t.Helper()
	if asked := questions(t, e); asked != "[]" {
		t.Errorf("%s the editor asks about %s", when, asked)
	}
}

// unasked carries a call out, takes it back and does it again, with the person coming back each time.
func unasked(t *testing.T, e *Editor, s surface, tool string, a args) {
	t.Helper()
	asksNothing(t, e, "before "+tool)
	s.call(t, tool, a).ok(t)
	asksNothing(t, e, "after "+tool)
	for _, way := range []string{"undo", "redo"} {
		s.call(t, way, nil).ok(t).has(t, map[string]string{"last_action": tool})
		asksNothing(t, e, "after "+way+" of "+tool)
	}
}

// scripted is a scene whose root has a script and a text with its path.
func scripted(script string) string {
	return "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"" + script + "\" id=\"1\"]\n\n" +
		"[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nmetadata/from = \"" + script + "\"\n"
}

// TestEditorAsksNothingAboutOwnChanges: what tools write into the files of open scenes, and undo and redo of
// that, is no change by another program; edits made since stay, and so does what the tab can undo.
func TestEditorAsksNothingAboutOwnChanges(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) { ownChanges(t, e, s) })
}

// TestEditorWithAWindowAsksNothingAboutOwnChanges is the same where the question is a window of its own, which
// would hold up every edit.
func TestEditorWithAWindowAsksNothingAboutOwnChanges(t *testing.T) {
	e := windowedEditor(t, "platformer2d")
	ownChanges(t, e, cli(e))
}

func ownChanges(t *testing.T, e *Editor, s surface) {
	f := "res://" + folderOf(t)
	writeScript(t, s, f+"/a.gd", "extends Node2D\n")
	behind := put(t, e, f+"/behind.tscn", scripted(f+"/a.gd"))
	front := put(t, e, f+"/front.tscn", scripted(f+"/a.gd"))
	rescan(t, s)
	age(t, e, behind, front)
	open(t, e, behind)
	open(t, e, front)
	unasked(t, e, s, "file move", args{"path": f + "/a.gd", "new_path": f + "/deep/b.gd"})

	s.call(t, "node set-property", set(".", "rotation", 1)).ok(t)
	asksNothing(t, e, "with unsaved edits")
	s.call(t, "node get-property", args{"node_path": ".", "property": "rotation"}).ok(t).has(t, map[string]string{"value": "1.0", "changed_on_disk": "null"})
	s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"undone": "2", "last_action": "file move"})
	asksNothing(t, e, "after undo of both")
	s.call(t, "redo", args{"count": 2}).ok(t).has(t, map[string]string{"redone": "2"})

	outside(t, e, behind, "Root", "Other")
	if asked := questions(t, e); !strings.Contains(asked, "modified outside") {
		t.Errorf("of a change by another program the editor asks %s", asked)
	}
	outside(t, e, behind, "Other", "Root")
	asksNothing(t, e, "when the other program has taken its change back")
	s.call(t, "scene save", args{"scene_path": front}).ok(t)
	if got := read(t, e, front); !strings.Contains(got, f+"/deep/b.gd") || strings.Contains(got, f+"/a.gd") || !strings.Contains(got, "rotation = 1.0") {
		t.Errorf("the saved scene holds\n%s", got)
	}
	age(t, e, front)
	unasked(t, e, s, "file move", args{"path": f + "/deep", "new_path": f + "/shallow"})
}

// TestFilesOfOpenScenesThatMove: the tab is the same scene at another place, with other paths in its text.
func TestFilesOfOpenScenesThatMove(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		inner := put(t, e, f+"/a/inner.tscn", scene2d("Inner"))
		outer := put(t, e, f+"/a/outer.tscn", instanceOf(inner))
		rescan(t, s)
		age(t, e, inner, outer)
		for _, scene := range []string{inner, outer} {
			s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		}
		t.Cleanup(func() {
			closeTab(t, e, f+"/core.tscn")
			closeTab(t, e, f+"/b/shell.tscn")
		})
		for _, move := range []args{
			{"path": f + "/a", "new_path": f + "/b"},
			{"path": f + "/b/inner.tscn", "new_path": f + "/core.tscn"},
			{"path": f + "/b/outer.tscn", "new_path": f + "/b/shell.tscn"},
		} {
			unasked(t, e, s, "file move", move)
		}
		for _, scene := range []string{f + "/core.tscn", f + "/b/shell.tscn"} {
			s.call(t, "node set-property", set(".", "rotation", 1).with("scene_path", scene)).ok(t).has(t, map[string]string{"changed_on_disk": "null"})
			s.call(t, "scene save", args{"scene_path": scene}).ok(t)
		}
		if got := read(t, e, f+"/b/shell.tscn"); !strings.Contains(got, "path=\""+f+"/core.tscn\"") || !strings.Contains(got, "rotation = 1.0") {
			t.Errorf("it holds\n%s", got)
		}
	})
}

// TestMoveKeepsChangesOfAnotherProgram: a file that another program changed under its tab gets the new path and
// keeps the change, and no save of the tab writes over it.
func TestMoveKeepsChangesOfAnotherProgram(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/a.gd", "extends Node2D\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", scripted(f+"/a.gd"))
		outside(t, e, scene, "\"Root\"", "\"Theirs\"")
		s.call(t, "file move", args{"path": f + "/a.gd", "new_path": f + "/b.gd"}).ok(t)
		if got := read(t, e, scene); !strings.Contains(got, "\"Theirs\"") || !strings.Contains(got, f+"/b.gd") {
			t.Errorf("it holds\n%s", got)
		}
		s.call(t, "node set-property", set(".", "rotation", 1)).ok(t).has(t, map[string]string{"changed_on_disk": "true"})
		s.call(t, "scene save", nil).fails(t, bridge.PreconditionFailed, "scene_saved", "scene reload")
		s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"undone": "2"})
		s.call(t, "node get-property", args{"node_path": ".", "property": "rotation"}).ok(t).has(t, map[string]string{"changed_on_disk": "true"})
	})
}

// TestUndoOfAFileShowsInTheTabOpenedSince: a tab without unsaved changes follows its file; one with them keeps
// them, and the call on it tells.
func TestUndoOfAFileShowsInTheTabOpenedSince(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		for i, change := range []struct {
			tool string
			args func(scene string) args
		}{
			{"file write", func(scene string) args {
				return args{"path": scene, "content": strings.Replace(scene2d("Undone"), "\"Undone\" type=\"Node2D\"]", "\"Undone\" type=\"Node2D\"]\nrotation = 2.0", 1)}
			}},
			{"batch set-property-in-scenes", func(scene string) args {
				return args{"scenes": []string{scene}, "node_type": "Node2D", "property": "rotation", "value": 2}
			}},
		} {
			scene := put(t, e, fmt.Sprintf("%s/%d.tscn", f, i), scene2d("Undone"))
			rotation := func(want string, fields map[string]string) {
				t.Helper()
				got := s.call(t, "node get-property", args{"node_path": ".", "property": "rotation"}).ok(t)
				if got.has(t, fields); got.text("value") != want {
					t.Errorf("%s: the tab has %s, want %s", change.tool, got.text("value"), want)
				}
			}
			rescan(t, s)
			s.call(t, change.tool, change.args(scene)).ok(t)
			open(t, e, scene)
			rotation("2.0", nil)
			s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": change.tool})
			rotation("0.0", map[string]string{"changed_on_disk": "null"})
			s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": change.tool})
			rotation("2.0", map[string]string{"changed_on_disk": "null"})
			asksNothing(t, e, "after undo and redo of "+change.tool)
		}
	})
}

// TestEditorAsksNothingAboutOpenTexts: the same for scripts, shaders and other texts that are open, where the
// editor does not read them again by itself.
func TestEditorAsksNothingAboutOpenTexts(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		user(t, e, "reload by itself", "false")
		t.Cleanup(func() { user(t, e, "reload by itself", "true") })
		writeScript(t, s, f+"/a.gd", "extends Node2D\n")
		writeScript(t, s, f+"/user.gd", "extends Node\n\nconst A: GDScript = preload(\""+f+"/a.gd\")\n")
		s.call(t, "file write", args{"path": f + "/part.gdshaderinc", "content": "float half(float x) { return x * 0.5; }\n"}).ok(t)
		s.call(t, "file write", args{"path": f + "/look.gdshader", "content": "shader_type canvas_item;\n#include \"" + f + "/part.gdshaderinc\"\n"}).ok(t)
		s.call(t, "file write", args{"path": f + "/data.json", "content": "{}\n"}).ok(t)
		rescan(t, s)
		for _, path := range []string{"/a.gd", "/user.gd", "/part.gdshaderinc", "/look.gdshader", "/data.json"} {
			age(t, e, f+path)
			user(t, e, "edit", f+path)
		}
		unasked(t, e, s, "file move", args{"path": f + "/a.gd", "new_path": f + "/deep/b.gd"})
		unasked(t, e, s, "file move", args{"path": f + "/part.gdshaderinc", "new_path": f + "/deep/half.gdshaderinc"})
		unasked(t, e, s, "file move", args{"path": f + "/look.gdshader", "new_path": f + "/deep/look.gdshader"})
		unasked(t, e, s, "file write", args{"path": f + "/data.json", "content": "[1]\n"})
		unasked(t, e, s, "file write", args{"path": f + "/user.gd", "content": "extends Node2D\n"})
		unasked(t, e, s, "file move", args{"path": f + "/data.json", "new_path": f + "/deep/data.json"})
		unasked(t, e, s, "file move", args{"path": f, "new_path": f + "2"})

		// The tabs show what the files hold.
		for _, path := range []string{"2/deep/half.gdshaderinc", "2/deep/look.gdshader", "2/deep/data.json"} {
			user(t, e, "edit", f+path)
			shown := user(t, e, "look at shader", "")
			what, text := "type in shader", shown.Shader
			if strings.HasSuffix(path, ".json") {
				what, text = "type", shown.Script.Text
			}
			if want := read(t, e, f+path); text != want {
				t.Errorf("the tab of %s shows %q, want %q", path, text, want)
			}
			user(t, e, what, "// mine\n")
			before := contents(t, e)
			for _, call := range []struct {
				tool string
				args args
			}{
				{"file write", args{"path": f + path, "content": "{}\n"}},
				{"file delete", args{"path": f + path, "confirm": true}},
			} {
				s.call(t, call.tool, call.args).fails(t, bridge.PreconditionFailed, "path", f+path, "not saved")
			}
			same(t, "refused calls", before, contents(t, e))
			user(t, e, "take all back", "")
		}
	})
}
