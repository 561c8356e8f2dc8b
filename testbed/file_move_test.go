package testbed

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"regexp"
	"strings"
	"testing"
)

// changeFiles previews and makes a change of files, looks at the answer, and takes it back and does it again.
func changeFiles(t *testing.T, e *Editor, s surface, tool string, a args, fields map[string]string) answer {
	t.Helper()
	before := contents(t, e)
	got := previewed(t, e, s, tool, a).has(t, fields)
	rescan(t, s)
	backAndForth(t, e, s, tool, before)
	return got
}

func areGone(t *testing.T, e *Editor, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(onDisk(e, path)); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
}

// uidOf is the uid that a script's sidecar holds.
func uidOf(t *testing.T, e *Editor, script string) string {
	t.Helper()
	return strings.TrimSpace(read(t, e, script+".uid"))
}

// picture puts an image into the project and has it imported.
func picture(t *testing.T, e *Editor, s surface, path string) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 3, 5))
	img.Set(1, 1, color.RGBA{R: 200, A: 255})
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	put(t, e, path, out.String())
	rescan(t, s)
	if _, err := os.Stat(onDisk(e, path+".import")); err != nil {
		t.Fatal(err)
	}
}

// TestF12MoveUpdatesAllThatNamesAScript: the uid goes along, and scenes, resources, scripts and settings name the
// new path; nothing else in them changes.
func TestF12MoveUpdatesAllThatNamesAScript(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		name := "Mover" + strings.ToUpper(folderOf(t)[len(folderOf(t))-3:])
		writeScript(t, s, f+"/a.gd", "class_name "+name+"\nextends Node2D\n\n@export var speed: int = 1\n")
		writeScript(t, s, f+"/data.gd", "extends Resource\n\n@export_file var next: String = \"\"\n")
		rescan(t, s)
		uid := uidOf(t, e, f+"/a.gd")
		put(t, e, f+"/user.tscn", "[gd_scene format=3]\r\n\r\n; a comment\r\n[ext_resource type=\"Script\" uid=\""+uid+"\" path=\""+f+"/a.gd\" id=\"1\" mark=\"x\"]\r\n\r\n[node name=\"User\" type=\"Node2D\"]\r\nscript = ExtResource(\"1\")\r\nspeed = 7\r\nmetadata/next = \""+f+"/a.gd\"\r\n")
		put(t, e, f+"/data.tres", "[gd_resource type=\"Resource\" script_class=\"\" format=3]\n\n[ext_resource type=\"Script\" path=\""+f+"/data.gd\" id=\"1\"]\n\n[resource]\nscript = ExtResource(\"1\")\nnext = \""+f+"/a.gd\"\n")
		put(t, e, f+"/names.gd", "extends Node\n\nconst A: GDScript = preload(\""+f+"/a.gd\")\nconst NEAR: GDScript = preload('a.gd')\nconst LONGER: String = \""+f+"/a.gdx\"\n# "+f+"/a.gd\n")
		put(t, e, f+"/heir.gd", "\ufeffextends \"a.gd\"\n")
		put(t, e, f+"/notes.json", "{\"script\": \""+f+"/a.gd\"}\n")
		rescan(t, s)
		s.call(t, "autoload add", args{"name": "Auto" + name, "path": f + "/a.gd"}).ok(t)
		s.call(t, "project set-setting", args{"name": "tests/" + strings.ToLower(name), "value": []string{f + "/a.gd"}, "create": true}).ok(t)
		t.Cleanup(func() { s.call(t, "undo", args{"count": 3}).ok(t) })
		scene, names := read(t, e, f+"/user.tscn"), read(t, e, f+"/names.gd")
		moved := changeFiles(t, e, s, "file move", args{"path": f + "/a.gd", "new_path": f + "/new folder/é b.gd"}, map[string]string{
			"moved": "true", "old_path": f + "/a.gd", "new_path": f + "/new folder/é b.gd", "undoable": "true", "persisted": "true",
			"not_updated": `["` + f + `/notes.json"]`})
		counts := map[string]string{}
		for _, ref := range moved.value("updated_refs").([]any) {
			entry := ref.(map[string]any)
			counts[entry["file"].(string)] = asJSON(entry["count"])
		}
		for file, want := range map[string]string{"/user.tscn": "2", "/data.tres": "1", "/names.gd": "2", "/heir.gd": "1"} {
			if counts[f+file] != want {
				t.Errorf("%s: %s references, want %s", file, counts[f+file], want)
			}
		}
		if counts["res://project.godot"] != "1" {
			t.Errorf("the settings: %s references; the autoload goes by its uid", counts["res://project.godot"])
		}
		areGone(t, e, f+"/a.gd", f+"/a.gd.uid")
		if got := uidOf(t, e, f+"/new folder/é b.gd"); got != uid {
			t.Errorf("the uid was %s and is %s", uid, got)
		}
		s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, map[string]string{"path": f + "/new folder/é b.gd"})
		if got, want := read(t, e, f+"/user.tscn"), strings.ReplaceAll(scene, f+"/a.gd", f+"/new folder/é b.gd"); got != want {
			t.Errorf("the scene holds\n%q\nwant\n%q", got, want)
		}
		want := strings.Replace(strings.Replace(names, "(\""+f+"/a.gd\")", "(\""+f+"/new folder/é b.gd\")", 1), "'a.gd'", "'new folder/é b.gd'", 1)
		if got := read(t, e, f+"/names.gd"); got != want {
			t.Errorf("the script holds\n%q\nwant\n%q", got, want)
		}
		if got := read(t, e, f+"/heir.gd"); got != "\ufeffextends \"new folder/é b.gd\"\n" {
			t.Errorf("the heir holds %q", got)
		}
		for _, script := range []string{"/names.gd", "/heir.gd", "/new folder/é b.gd"} {
			s.call(t, "script check", args{"script_path": f + script}).ok(t).has(t, map[string]string{"ok": "true"})
		}
		list := s.call(t, "script list", args{"directory": f}).ok(t)
		if !strings.Contains(string(list.raw), `"class_name":"`+name+`"`) {
			t.Errorf("the class is gone: %s", list.raw)
		}
		described := s.call(t, "class describe", args{"class_name": name}).ok(t)
		if !strings.Contains(string(described.raw), "speed") {
			t.Errorf("the class is unknown: %s", described.raw)
		}
		open(t, e, f+"/user.tscn")
		s.call(t, "node get-property", args{"node_path": ".", "property": "speed"}).ok(t).has(t, map[string]string{"value": "7"})
	})
}

// TestF12MoveTakesImportsAlong: a picture is imported at its new place, the scene shows it, and undo needs no
// new import.
func TestF12MoveTakesImportsAlong(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		picture(t, e, s, f+"/icon.png")
		uid := s.call(t, "file resolve-uid", args{"value": f + "/icon.png"}).ok(t).text("uid")
		scene := put(t, e, f+"/shows.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" uid=\""+uid+"\" path=\""+f+"/icon.png\" id=\"1\"]\n\n[node name=\"Shows\" type=\"Sprite2D\"]\ntexture = ExtResource(\"1\")\n")
		open(t, e, scene)
		moved := changeFiles(t, e, s, "file move", args{"path": f + "/icon.png", "new_path": f + "/art/logo.png"}, map[string]string{"moved": "true"})
		if refs := moved.text("updated_refs"); !strings.Contains(refs, f+"/shows.tscn") || !strings.Contains(refs, f+"/art/logo.png.import") {
			t.Errorf("updated_refs: %s", refs)
		}
		areGone(t, e, f+"/icon.png", f+"/icon.png.import")
		imported := read(t, e, f+"/art/logo.png.import")
		if !strings.Contains(imported, `source_file="`+f+`/art/logo.png"`) || !strings.Contains(imported, uid) {
			t.Errorf("the import reads\n%s", imported)
		}
		for _, found := range regexp.MustCompile(`dest_files=\["(res://[^"]+)"`).FindAllStringSubmatch(imported, -1) {
			if _, err := os.Stat(onDisk(e, found[1])); err != nil {
				t.Error(err)
			}
		}
		s.call(t, "node get-property", args{"node_path": ".", "property": "texture"}).ok(t).has(t, map[string]string{"value.$resource": f + "/art/logo.png"})
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); !strings.Contains(got, f+"/art/logo.png") || strings.Contains(got, f+"/icon.png") {
			t.Errorf("the saved scene holds\n%s", got)
		}
		deleted := changeFiles(t, e, s, "file delete", args{"path": f + "/art/logo.png", "confirm": true}, map[string]string{"deleted": "true", "had_uid": "true"})
		if !strings.Contains(deleted.text("hint"), scene) {
			t.Errorf("the hint does not name the user: %s", deleted.text("hint"))
		}
		areGone(t, e, f+"/art/logo.png", f+"/art/logo.png.import")
		s.call(t, "undo", nil).ok(t)
		rescan(t, s)
		s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, map[string]string{"path": f + "/art/logo.png"})
	})
}

// TestMoveOfOpenScenes: the tab goes along with the file, unsaved edits and all; so do scenes that inherit from it
// or have instances of it.
func TestMoveOfOpenScenes(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		base := put(t, e, f+"/base.tscn", scene2d("Base"))
		heir := put(t, e, f+"/heir.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\""+base+"\" id=\"1\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n\n[node name=\"Again\" parent=\".\" instance=ExtResource(\"1\")]\n")
		rescan(t, s)
		open(t, e, heir)
		s.call(t, "scene open", args{"scene_path": base}).ok(t)
		s.call(t, "node set-property", args{"node_path": "Tail", "property": "position", "value": []int{8, 9}}).ok(t)
		previewed(t, e, s, "file move", args{"path": base, "new_path": f + "/deep/ground.tscn"}).has(t, map[string]string{
			"updated_refs": `[{"count":1,"file":"` + heir + `"}]`})
		ground := f + "/deep/ground.tscn"
		t.Cleanup(func() { closeTab(t, e, ground) })
		for _, tab := range []string{`"path":"` + heir + `","dirty":false`, `"path":"` + ground + `","dirty":true`} {
			if list := s.call(t, "scene list-open", nil).ok(t); strings.Count(string(list.raw), tab) != 1 {
				t.Errorf("the tabs are %s, want one with %s", list.raw, tab)
			}
		}
		s.call(t, "scene save", args{"scene_path": ground}).ok(t).has(t, map[string]string{"scene_path": ground})
		areGone(t, e, base)
		if got := read(t, e, ground); !strings.Contains(got, "position = Vector2(8, 9)") {
			t.Errorf("the unsaved edit is gone:\n%s", got)
		}
		s.call(t, "node set-property", args{"scene_path": heir, "node_path": "Again", "property": "visible", "value": false}).ok(t)
		s.call(t, "scene save", args{"scene_path": heir}).ok(t)
		if got := read(t, e, heir); strings.Contains(got, base) || strings.Count(got, ground) != 1 || !strings.Contains(got, "instance=ExtResource") {
			t.Errorf("the heir was saved as\n%s", got)
		}
		rescan(t, s)
		s.call(t, "scene reload", args{"scene_path": heir, "confirm": true}).ok(t)
		s.call(t, "node get-property", args{"scene_path": heir, "node_path": "Again/Player", "property": "position"}).ok(t).has(t, map[string]string{"value": `{"x":3.0,"y":4.0}`})
	})
}

// TestMoveKeepsUnsavedWork: where the text of a file is to change that the editor holds unsaved, nothing moves.
func TestMoveKeepsUnsavedWork(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/a.gd", "extends Node2D\n")
		known(t, e, f+"/a.gd")
		scene := put(t, e, f+"/user.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+f+"/a.gd\" id=\"1\"]\n\n[node name=\"User\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n")
		open(t, e, scene)
		s.call(t, "node set-property", args{"node_path": ".", "property": "rotation", "value": 1}).ok(t)
		before := state(t, e)
		for _, dry := range []bool{true, false} {
			s.call(t, "file move", args{"path": f + "/a.gd", "new_path": f + "/b.gd", "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "scene_saved", scene, "scene save")
			s.call(t, "file delete", args{"path": scene, "confirm": true, "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "scene_saved", scene)
		}
		same(t, "a refused move", before, state(t, e))
		s.call(t, "scene save", nil).ok(t)
		s.call(t, "file move", args{"path": f + "/a.gd", "new_path": f + "/b.gd"}).ok(t)
		s.call(t, "node set-property", args{"node_path": ".", "property": "rotation", "value": 2}).ok(t)
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); !strings.Contains(got, f+"/b.gd") || strings.Contains(got, f+"/a.gd") {
			t.Errorf("the scene was saved as\n%s", got)
		}
	})
}

// TestMoveOfFolders: what is in them goes along, and whoever names it, from inside and outside.
func TestMoveOfFolders(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/set/deep/a.gd", "extends Node\n")
		writeScript(t, s, f+"/set/b.gd", "extends \"deep/a.gd\"\n\nconst A: GDScript = preload(\""+f+"/set/deep/a.gd\")\n")
		writeScript(t, s, f+"/c.gd", "extends Node\n\nconst B: GDScript = preload(\"set/b.gd\")\nconst ALL: String = \""+f+"/set\"\nconst OTHER: String = \""+f+"/set2/x\"\n")
		put(t, e, f+"/set/.hidden", "kept")
		rescan(t, s)
		uid := uidOf(t, e, f+"/set/deep/a.gd")
		changeFiles(t, e, s, "file move", args{"path": f + "/set", "new_path": f + "/other/Sét 1"}, map[string]string{
			"updated_refs": `[{"count":2,"file":"` + f + `/c.gd"},{"count":1,"file":"` + f + `/other/Sét 1/b.gd"}]`})
		areGone(t, e, f+"/set")
		if got := read(t, e, f+"/c.gd"); got != "extends Node\n\nconst B: GDScript = preload(\"other/Sét 1/b.gd\")\nconst ALL: String = \""+f+"/other/Sét 1\"\nconst OTHER: String = \""+f+"/set2/x\"\n" {
			t.Errorf("c.gd holds %q", got)
		}
		if got := read(t, e, f+"/other/Sét 1/b.gd"); !strings.HasPrefix(got, "extends \"deep/a.gd\"\n") {
			t.Errorf("b.gd holds %q", got)
		}
		read(t, e, f+"/other/Sét 1/.hidden")
		s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, map[string]string{"path": f + "/other/Sét 1/deep/a.gd"})
		for _, script := range []string{"/c.gd", "/other/Sét 1/b.gd"} {
			s.call(t, "script check", args{"script_path": f + script}).ok(t).has(t, map[string]string{"ok": "true"})
		}
		changeFiles(t, e, s, "file delete", args{"path": f + "/other", "confirm": true}, map[string]string{"had_uid": "true"})
		areGone(t, e, f+"/other")
	})
}

// TestMoveRefusals: what cannot be moved so says why, and nothing is changed.
func TestMoveRefusals(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/set/a.gd", "extends Node\n")
		writeScript(t, s, f+"/b.gd", "extends Node\n")
		put(t, e, f+"/repo/.git/HEAD", "ref: refs/heads/main\n")
		put(t, e, f+"/notes.txt", "n")
		rescan(t, s)
		before := state(t, e)
		for _, tool := range []string{"file move", "file copy"} {
			for _, c := range []struct{ path, to, required, word string }{
				{f + "/b.gd", f + "/set/a.gd", "new_path", "already there"},
				{f + "/b.gd", f + "/b.gd", "new_path", "already"},
				{f + "/b.gd", f + "/set", "new_path", f + "/set/b.gd"},
				{f + "/set", f + "/set", "new_path", "already"},
				{f + "/set", f + "/set/inner", "new_path", "itself"},
				{f + "/set", f + "/b.gd/inner", "new_path", "is a file"},
				{f + "/b.gd", f + "/b.txt", "new_path", ".gd"},
				{f + "/b.gd", f + "/.b.gd", "new_path", "dot"},
				{f + "/b.gd", f + "/b?.gd", "new_path", "name"},
				{f + "/b.gd", "res://project.godot", "new_path", "protected"},
				{f + "/b.gd", "res://addons/godot_mcp_bridge/b.gd", "new_path", "protected"},
				{f + "/b.gd", "res://.godot/b.gd", "new_path", "engine's own folder"},
				{"res://project.godot", f + "/p.godot", "path", "protected"},
				{"res://addons", f + "/addons", "path", "protected"},
				{"res://addons/godot_mcp_bridge/plugin.gd", f + "/plugin.gd", "path", "protected"},
				{"res://", f + "/all", "path", ""},
				{f + "/repo", f + "/repo2", "path", ".git"},
				{f + "/b.gd.uid", f + "/c.gd.uid", "path", f + "/b.gd"},
			} {
				for _, dry := range []bool{true, false} {
					s.call(t, tool, args{"path": c.path, "new_path": c.to, "dry_run": dry}).fails(t, "VALIDATION_ERROR", c.required, c.word)
				}
			}
			s.call(t, tool, args{"path": f + "/none.gd", "new_path": f + "/c.gd"}).fails(t, "RESOURCE_NOT_FOUND", "path", "file search")
		}
		for _, path := range []string{"res://addons", "res://project.godot", "res://", f + "/repo", f + "/repo/.git/HEAD", f + "/b.gd.uid"} {
			s.call(t, "file delete", args{"path": path, "confirm": true}).fails(t, "VALIDATION_ERROR", "path")
		}
		s.call(t, "file delete", args{"path": f + "/b.gd"}).fails(t, "PRECONDITION_FAILED", "confirm")
		s.call(t, "file delete", args{"path": f + "/none.gd", "confirm": true}).fails(t, "RESOURCE_NOT_FOUND", "path")
		same(t, "refused calls", before, state(t, e))
		// Only the case of letters.
		s.call(t, "file move", args{"path": f + "/b.gd", "new_path": f + "/B.gd"}).ok(t).has(t, map[string]string{"moved": "true"})
		areGone(t, e, f+"/b.gd", f+"/b.gd.uid")
		read(t, e, f+"/B.gd.uid")
	})
}

// TestUndoOfAMoveLosesNothing: what others wrote since stays, with the paths in it changed back, and a file in the
// way stops the undo.
func TestUndoOfAMoveLosesNothing(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	f := "res://" + folderOf(t)
	writeScript(t, s, f+"/a.gd", "extends Node\n")
	writeScript(t, s, f+"/b.gd", "extends Node\n\nconst A: GDScript = preload(\""+f+"/a.gd\")\n")
	s.call(t, "file move", args{"path": f + "/a.gd", "new_path": f + "/c.gd"}).ok(t)
	put(t, e, f+"/b.gd", read(t, e, f+"/b.gd")+"# more\n")
	put(t, e, f+"/c.gd", "extends Node2D\n")
	s.call(t, "undo", nil).ok(t)
	if got := read(t, e, f+"/b.gd"); got != "extends Node\n\nconst A: GDScript = preload(\""+f+"/a.gd\")\n# more\n" {
		t.Errorf("b.gd holds %q", got)
	}
	if got := read(t, e, f+"/a.gd"); got != "extends Node2D\n" {
		t.Errorf("a.gd holds %q", got)
	}
	s.call(t, "redo", nil).ok(t)
	put(t, e, f+"/a.gd", "extends Control\n")
	// The engine gives it a uid when a scan finds it.
	rescan(t, s)
	before := contents(t, e)
	if hint := s.call(t, "undo", nil).ok(t).text("hint"); !strings.Contains(hint, f+"/a.gd is there by now") {
		t.Errorf("an undo that was not done says %q", hint)
	}
	same(t, "an undo that cannot be done", before, contents(t, e))
}

// TestMoveOfScriptsThatNeedEachOther: the files are right, and what the editor reads only when it starts is told.
func TestMoveOfScriptsThatNeedEachOther(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	f := "res://" + folderOf(t)
	writeScript(t, s, f+"/a.gd", "extends Node\n")
	writeScript(t, s, f+"/b.gd", "extends Node\n\nconst A: GDScript = preload(\"a.gd\")\n")
	writeScript(t, s, f+"/a.gd", "extends Node\n\nconst B: GDScript = preload(\""+f+"/b.gd\")\n")
	moved := s.call(t, "file move", args{"path": f, "new_path": f + "2"}).ok(t)
	if got := read(t, e, f+"2/a.gd"); got != "extends Node\n\nconst B: GDScript = preload(\""+f+"2/b.gd\")\n" {
		t.Errorf("a.gd holds %q", got)
	}
	ok := s.call(t, "script check", args{"script_path": f + "2/a.gd", "content": read(t, e, f+"2/a.gd")}).text("ok")
	if told := strings.Contains(moved.text("hint"), "editor restart"); told == (ok == "true") {
		t.Errorf("the check says ok=%s, and the hint of the move was %q", ok, moved.text("hint"))
	}
	s.call(t, "undo", nil).ok(t)
	rescan(t, s)
	s.call(t, "script check", args{"script_path": f + "/a.gd"}).ok(t)
}

// TestMoveOfTheMainScene: the setting follows, in its line alone.
func TestMoveOfTheMainScene(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		put(t, e, f+"/first.tscn", scene2d("First"))
		rescan(t, s)
		s.call(t, "project set-setting", args{"name": "application/run/main_scene", "value": f + "/first.tscn"}).ok(t)
		t.Cleanup(func() { s.call(t, "undo", args{"count": 2}).ok(t) })
		settings := read(t, e, projectFile)
		changeFiles(t, e, s, "file move", args{"path": f + "/first.tscn", "new_path": f + "/last.tscn"}, map[string]string{
			"updated_refs": `[{"count":1,"file":"res://project.godot"}]`})
		if got := read(t, e, projectFile); got != strings.ReplaceAll(settings, f+"/first.tscn", f+"/last.tscn") {
			t.Errorf("the settings hold\n%s", lineDiff(settings, got))
		}
		s.call(t, "project get-setting", args{"name": "application/run/main_scene"}).ok(t).has(t, map[string]string{"value": f + "/last.tscn"})
	})
}
