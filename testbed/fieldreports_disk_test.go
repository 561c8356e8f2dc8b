package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outside changes a file as a program beside the editor does.
func outside(t *testing.T, e *Editor, res, before, after string) {
	t.Helper()
	text := read(t, e, res)
	if !strings.Contains(text, before) {
		t.Fatalf("%s lacks %s:\n%s", res, before, text)
	}
	if err := os.WriteFile(onDisk(e, res), []byte(strings.Replace(text, before, after, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// instanceOf is a scene with an instance of another one.
func instanceOf(base string) string {
	return "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"" + base + "\" id=\"1\"]\n\n" +
		"[node name=\"Outer\" type=\"Node2D\"]\n\n[node name=\"Inst\" parent=\".\" instance=ExtResource(\"1\")]\n"
}

// outsidePair opens a scene A and a scene B that has an instance of it, both as the engine writes them.
func outsidePair(t *testing.T, e *Editor) (a, b string) {
	t.Helper()
	name := "outside/" + strings.ReplaceAll(t.Name(), "/", "_")
	a = write(t, e, name+"_a.tscn", scene2d("A"))
	b = openScene(t, e, name+"_b.tscn", instanceOf(a))
	cli(e).call(t, "scene save", nil).ok(t)
	open(t, e, a)
	cli(e).call(t, "scene save", nil).ok(t)
	return a, b
}

// TestF6OutsideChangeIsReportedAndKept: a change of an open scene's file by another program is told by every
// call on the scene, even when it comes within the second of a save; no save writes over it, and reload takes
// it.
func TestF6OutsideChangeIsReportedAndKept(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		a, b := outsidePair(t, e)
		on := func(scene string) args { return args{"scene_path": scene} }
		s.call(t, "scene tree", on(a)).ok(t).has(t, map[string]string{"changed_on_disk": "null"})
		outside(t, e, a, "position = Vector2(3, 4)", "position = Vector2(7, 7)")
		text := read(t, e, a)

		s.call(t, "node get-property", args{"node_path": "Player", "property": "position"}).ok(t).
			has(t, map[string]string{"value": `{"x":3.0,"y":4.0}`, "changed_on_disk": "true"})
		previewed(t, e, s, "node set-property", set("Tail", "rotation", 1)).has(t, map[string]string{"changed_on_disk": "true", "scene_path": a})
		s.call(t, "scene tree", on(b)).ok(t).has(t, map[string]string{"changed_on_disk": "null"})
		s.call(t, "node set-property", set(".", "rotation", 1).with("scene_path", b)).ok(t).has(t, map[string]string{"scene_path": b, "changed_on_disk": "null"})
		s.call(t, "scene save", on(b)).ok(t)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save", on(a).with("dry_run", dry)).fails(t, "PRECONDITION_FAILED", "scene_saved", a, "scene reload", "--confirm", "save-as")
			s.call(t, "scene save-all", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "scene_saved", a)
		}
		if got := read(t, e, a); got != text {
			t.Errorf("a refused save changed the file:\n%s", lineDiff(text, got))
		}
		s.call(t, "scene reload", on(a)).fails(t, "PRECONDITION_FAILED", "confirm")
		s.call(t, "node get-property", args{"scene_path": a, "node_path": "Tail", "property": "rotation"}).ok(t).has(t, map[string]string{"value": "1.0"})

		previewed(t, e, s, "scene reload", on(a).with("confirm", true)).has(t, map[string]string{"reloaded": "true"})
		s.call(t, "node get-property", args{"scene_path": a, "node_path": "Player", "property": "position"}).ok(t).
			has(t, map[string]string{"value": `{"x":7.0,"y":7.0}`, "changed_on_disk": "null"})
		s.call(t, "scene save", on(a)).ok(t)
		if diff := lineDiff(text, read(t, e, a)); diff != "" {
			t.Errorf("reload and save changed the file:\n%s", diff)
		}
	})
}

// TestF6InstancesTakeWhatReloadRead: scenes that are open too and have instances of the reloaded one show the
// new value and do not save the old one as an override. Unsaved changes of theirs are not lost: they have to
// be saved first.
func TestF6InstancesTakeWhatReloadRead(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		a, b := outsidePair(t, e)
		c := openScene(t, e, strings.Replace(strings.TrimPrefix(b, "res://"), "_b.", "_c.", 1), instanceOf(b))
		s.call(t, "scene save", nil).ok(t)
		for round, front := range []string{a, b, c} {
			x := fmt.Sprint(10 + round)
			s.call(t, "node add", args{"scene_path": b, "node_name": "New" + x}).ok(t)
			user(t, e, "tab", front)
			outside(t, e, a, "[node name=\"Player\"", "[node name=\"Added"+x+"\" type=\"Node\" parent=\".\"]\n\n[node name=\"Player\"")
			outside(t, e, a, "position = Vector2(", "position = Vector2(1")
			reload := args{"scene_path": a, "confirm": true}
			s.call(t, "scene reload", reload).fails(t, "PRECONDITION_FAILED", "scene_saved", b, "scene save")
			s.call(t, "scene save", args{"scene_path": b}).ok(t)
			user(t, e, "tab", front)
			inB, inC, onDisk := read(t, e, b), read(t, e, c), read(t, e, a)
			previewed(t, e, s, "scene reload", reload).has(t, map[string]string{
				"reloaded": "true", "hint": "read again too, since they have instances of it: " + b + ", " + c})
			if active := user(t, e, "look", "").Active; active != front {
				t.Errorf("%s is in front, want %s", active, front)
			}
			value := s.call(t, "node get-property", args{"scene_path": a, "node_path": "Player", "property": "position"}).ok(t).text("value")
			if !strings.HasPrefix(value, `{"x":1`) {
				t.Errorf("A has %s", value)
			}
			for scene, below := range map[string]string{b: "Inst/", c: "Inst/Inst/"} {
				s.call(t, "node get-property", args{"scene_path": scene, "node_path": below + "Player", "property": "position"}).ok(t).
					has(t, map[string]string{"value": value})
				s.call(t, "node get", args{"scene_path": scene, "node_path": below + "Added" + x}).ok(t)
				s.call(t, "scene save", args{"scene_path": scene}).ok(t).has(t, map[string]string{"scene_path": scene, "changed_on_disk": "null"})
			}
			s.call(t, "scene save", args{"scene_path": a}).ok(t)
			for scene, text := range map[string]string{a: onDisk, b: inB, c: inC} {
				if diff := lineDiff(masked(text), masked(read(t, e, scene))); diff != "" {
					t.Errorf("%s changed by\n%s", scene, diff)
				}
			}
		}
	})
}

// TestF6SaveAllLeavesOtherChangesAlone: saving all writes the scenes that have changes and not one that only
// its file changed of.
func TestF6SaveAllLeavesOtherChangesAlone(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		a, b := outsidePair(t, e)
		s.call(t, "node set-property", set(".", "rotation", 1).with("scene_path", b)).ok(t)
		outside(t, e, a, "position = Vector2(3, 4)", "position = Vector2(7, 7)")
		text := read(t, e, a)
		s.call(t, "scene save-all", nil).ok(t).has(t, map[string]string{"saved": "true"})
		if !strings.Contains(read(t, e, b), "rotation = 1.0") {
			t.Error("save-all did not write B")
		}
		if got := read(t, e, a); got != text {
			t.Errorf("save-all wrote over the outside change of A:\n%s", lineDiff(text, got))
		}
		s.call(t, "scene save", args{"scene_path": a}).fails(t, "PRECONDITION_FAILED", "scene_saved")
		// Another file is the way out that keeps both.
		s.call(t, "scene save-as", args{"scene_path": a, "new_path": strings.Replace(a, "_a.", "_c.", 1)}).ok(t)
		if got := read(t, e, a); got != text {
			t.Errorf("save-as wrote over the outside change of A:\n%s", lineDiff(text, got))
		}
		other := strings.Replace(a, "_a.", "_c.", 1)
		s.call(t, "node add", args{"node_name": "New"}).ok(t).has(t, map[string]string{"scene_path": other, "changed_on_disk": "null"})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": other})
		closeTab(t, e, other)
		if err := os.Remove(onDisk(e, other)); err != nil {
			t.Fatal(err)
		}
		open(t, e, a)
	})
}

// TestF6ATouchIsNoChange: a new time alone, as a checkout leaves it, is no change.
func TestF6ATouchIsNoChange(t *testing.T) {
	e := sharedEditor(t)
	scene := openScene(t, e, "outside/touch.tscn", scene2d("Touch"))
	outside(t, e, scene, "Touch", "Other")
	typed(t, e, "scene", "tree").ok(t).has(t, map[string]string{"changed_on_disk": "true"})
	outside(t, e, scene, "Other", "Touch")
	typed(t, e, "scene", "tree").ok(t).has(t, map[string]string{"changed_on_disk": "null"})
	typed(t, e, "scene", "save").ok(t)
}

// TestF6ReloadRefusesWhatDoesNotLoad: the open scene stays as it is.
func TestF6ReloadRefusesWhatDoesNotLoad(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "outside/broken_"+filepath.Base(t.Name())+".tscn", scene2d("Whole"))
		s.call(t, "node add", args{"node_name": "Unsaved"}).ok(t)
		whole := read(t, e, scene)
		for _, bad := range []struct {
			text, required string
			words          []string
		}{
			{whole + "\n[node name=\n", "scene_path", []string{"does not load", scene}},
			{strings.Replace(whole, "format=3", "format=9", 1), "scene_path", []string{"format 9", "4.6", scene}},
			{strings.Replace(whole, "\n\n", "\n\n[ext_resource type=\"Texture2D\" path=\"res://lost.png\" id=\"1\"]\n\n", 1), "dependencies", []string{"res://lost.png"}},
		} {
			if err := os.WriteFile(onDisk(e, scene), []byte(bad.text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, dry := range []bool{true, false} {
				a := s.call(t, "scene reload", args{"scene_path": scene, "confirm": true, "dry_run": dry})
				if bad.required == "dependencies" {
					a.fails(t, "PRECONDITION_FAILED", bad.required, bad.words...)
				} else {
					a.fails(t, "VALIDATION_ERROR", bad.required, bad.words...)
				}
			}
			s.call(t, "node get", args{"node_path": "Unsaved"}).ok(t)
		}
		if err := os.Remove(onDisk(e, scene)); err != nil {
			t.Fatal(err)
		}
		s.call(t, "scene reload", args{"scene_path": scene, "confirm": true}).fails(t, "RESOURCE_NOT_FOUND", "scene_path", "file is gone")
		write(t, e, strings.TrimPrefix(scene, "res://"), whole)
		s.call(t, "scene save", nil).ok(t)
	})
}

// undoKinds are steps on a node, a built-in resource, an external resource and a file.
type undoKinds struct{ scene, other, material, made string }

// TestUndoLandsInTheRightHistory: with two tabs open, each kind of step is undone where it belongs, is named,
// and takes nothing else along; the bytes of a resource file come back after a save.
func TestUndoLandsInTheRightHistory(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		k := openUndoKinds(t, e)
		s.call(t, "scene save", nil).ok(t)
		text, material := read(t, e, k.scene), read(t, e, k.material)
		steps := []struct {
			tool, history string
			args          args
		}{
			{"node set-property", k.scene, set("A", "rotation", 1).with("scene_path", k.scene)},
			{"node set-property", k.scene, set("B/Shape", "shape:radius", 9).with("scene_path", k.scene)},
			{"node set-property", "global", set("B/Look", "material:light_mode", 1).with("scene_path", k.scene)},
			{"scene create", "global", args{"root_type": "Node", "scene_path": k.made}},
			{"node add-to-group", k.scene, grouped("B", "more").with("scene_path", k.scene)},
		}
		for _, step := range steps {
			s.call(t, step.tool, step.args).ok(t).has(t, map[string]string{"persisted": "true", "undoable": "true"})
		}
		s.call(t, "node add", args{"scene_path": k.other, "node_name": "Elsewhere"}).ok(t)
		s.call(t, "scene save", args{"scene_path": k.scene}).ok(t)
		if read(t, e, k.scene) == text || read(t, e, k.material) == material {
			t.Fatal("the steps are not in the files")
		}
		for i := len(steps) - 1; i >= 0; i-- {
			want := map[string]string{"undone": "1", "last_action": steps[i].tool, "history": steps[i].history, "by": "tool", "has_undo": "true"}
			if i == 0 {
				delete(want, "has_undo")
			} else {
				want["would_undo_next"] = steps[i-1].tool
			}
			previewed(t, e, s, "undo", args{"scene_path": k.scene}).has(t, want)
		}
		if _, err := os.Stat(onDisk(e, k.made)); !os.IsNotExist(err) {
			t.Errorf("undo left %s: %v", k.made, err)
		}
		s.call(t, "scene save", args{"scene_path": k.scene}).ok(t)
		if got := read(t, e, k.scene); got != text {
			t.Errorf("after undo the scene differs by\n%s", lineDiff(text, got))
		}
		if got := read(t, e, k.material); got != material {
			t.Errorf("after undo the material differs by\n%s", lineDiff(material, got))
		}
		s.call(t, "node get", args{"scene_path": k.other, "node_path": "Elsewhere"}).ok(t)
		s.call(t, "undo", args{"scene_path": k.other}).ok(t).has(t, map[string]string{"history": k.other, "last_action": "node add"})
		s.call(t, "redo", args{"scene_path": k.scene, "count": len(steps)}).ok(t).has(t, map[string]string{"redone": "5", "last_action": "node add-to-group"})
		s.call(t, "scene save", args{"scene_path": k.scene}).ok(t)
		if !strings.Contains(read(t, e, k.material), "light_mode = 1") || !strings.Contains(read(t, e, k.scene), "radius = 9.0") {
			t.Error("redo did not bring the steps back into the files")
		}
		read(t, e, k.made)
		s.call(t, "undo", args{"scene_path": k.scene, "count": len(steps)}).ok(t)
	})
}

func openUndoKinds(t *testing.T, e *Editor) undoKinds {
	t.Helper()
	folder := "undo/" + strings.ReplaceAll(t.Name(), "/", "_")
	k := undoKinds{made: "res://" + folder + "/made.tscn"}
	text := matrixScene(t, e, "plain", folder)
	k.material = write(t, e, folder+"/m.tres", "[gd_resource type=\"CanvasItemMaterial\" format=3 uid=\"uid://c"+
		map[string]string{"cli": "lionundo0001", "mcp": "lionundo0002"}[filepath.Base(t.Name())]+"\"]\n\n[resource]\n")
	k.other = openScene(t, e, folder+"/other.tscn", scene2d("Other"))
	k.scene = openScene(t, e, folder+"/scene.tscn", text)
	return k
}

// TestChangedResourceFilesAreKnown: a resource file that a tool changed is unsaved work, though no scene is:
// saving all writes it, and an editor does not stop without asking.
func TestChangedResourceFilesAreKnown(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	s := cli(e)
	scene := write(t, e, "uses_glow.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Material\" path=\"res://glow.tres\" id=\"1\"]\n\n"+
		"[node name=\"Uses\" type=\"Sprite2D\"]\nmaterial = ExtResource(\"1\")\n")
	s.call(t, "scene open", args{"scene_path": scene}).ok(t)
	s.call(t, "scene save", nil).ok(t)
	before := read(t, e, "res://glow.tres")
	change := set(".", "material:light_mode", 1)
	change["scene_path"] = scene
	s.call(t, "node set-property", change).ok(t).has(t, map[string]string{"persisted": "true"})
	s.call(t, "editor stop", nil).fails(t, "PRECONDITION_FAILED", "confirm", "res://glow.tres", "--save")
	s.call(t, "scene save-all", args{"dry_run": true}).ok(t).has(t, map[string]string{"saved": "true"})
	if read(t, e, "res://glow.tres") != before {
		t.Error("the preview of save-all wrote the resource")
	}
	s.call(t, "scene save-all", nil).ok(t).has(t, map[string]string{"saved": "true"})
	if diff := lineDiff(before, read(t, e, "res://glow.tres")); diff != "+ light_mode = 1\n" {
		t.Errorf("save-all changed the resource by\n%s", diff)
	}
	// Undo is a change too, and so is redo.
	s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": "node set-property"})
	s.call(t, "editor stop", nil).fails(t, "PRECONDITION_FAILED", "confirm", "res://glow.tres")
	s.call(t, "scene save-all", nil).ok(t)
	if got := read(t, e, "res://glow.tres"); got != before {
		t.Errorf("undo and save-all left the resource changed by\n%s", lineDiff(before, got))
	}

	// Saving at the end does not write over what another program wrote.
	s.call(t, "redo", nil).ok(t)
	s.call(t, "node set-property", set(".", "rotation", 1)).ok(t)
	outside(t, e, scene, "name=\"Uses\"", "name=\"Outside\"")
	text := read(t, e, scene)
	s.call(t, "editor stop", args{"save": true}).fails(t, "PRECONDITION_FAILED", "scene_saved", scene)
	if got := read(t, e, scene); got != text {
		t.Errorf("editor stop --save wrote over the outside change:\n%s", lineDiff(text, got))
	}
	s.call(t, "scene reload", args{"scene_path": scene, "confirm": true}).ok(t)
	s.call(t, "editor stop", args{"save": true}).ok(t).has(t, map[string]string{"stopped": "true", "unsaved": "[]"})
}
