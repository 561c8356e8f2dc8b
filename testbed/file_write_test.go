package testbed

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestFileWrite(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		made := changeFiles(t, e, s, "file write", args{"path": f + "/deep/a b.json", "content": "{}\n"}, map[string]string{
			"created": "true", "would_overwrite": "false", "bytes": "3", "persisted": "true", "undoable": "true"})
		if made.text("path") != f+"/deep/a b.json" || read(t, e, f+"/deep/a b.json") != "{}\n" {
			t.Errorf("%s: %q", made.raw, read(t, e, f+"/deep/a b.json"))
		}
		// The file's own line ends and mark.
		path := put(t, e, f+"/old.txt", "\ufeffone\r\ntwo\r\n")
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte("\ufeffone\r\ntwo\r\n")))
		changeFiles(t, e, s, "file write", args{"path": path, "content": "three\nfour\n", "expect_sha256": strings.ToUpper(sum)}, map[string]string{
			"created": "false", "would_overwrite": "true", "bytes": "16"})
		if got := read(t, e, path); got != "\ufeffthree\r\nfour\r\n" {
			t.Errorf("the file holds %q", got)
		}
		for _, dry := range []bool{true, false} {
			s.call(t, "file write", args{"path": path, "content": "x", "expect_sha256": sum, "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "expect_sha256", "file read")
			s.call(t, "file write", args{"path": f + "/none.txt", "content": "x", "expect_sha256": sum, "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "expect_sha256")
		}
		s.call(t, "file write", args{"path": path, "content": "three\nfour\n"}).ok(t).has(t, map[string]string{"undoable": "false"})
		s.call(t, "file write", args{"path": put(t, e, f+"/bin.dat", "a\x00"), "content": "x"}).fails(t, "VALIDATION_ERROR", "path")
		s.call(t, "file write", args{"path": f + "/deep", "content": "x"}).fails(t, "VALIDATION_ERROR", "path", "folder")
		s.call(t, "file write", args{"path": f + "/a.res", "content": "x"}).fails(t, "VALIDATION_ERROR", "path")
		s.call(t, "file write", args{"path": path + "/below.txt", "content": "x"}).fails(t, "VALIDATION_ERROR", "path")
	})
}

// TestFileWriteIsSeen: what the editor has of a file takes the new text over, and a new one is known by its uid.
func TestFileWriteIsSeen(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		class := "Written" + strings.ToUpper(folderOf(t)[len(folderOf(t))-3:])
		s.call(t, "file write", args{"path": f + "/w.gd", "content": "class_name " + class + "\nextends Node\n\n@export var size: int = 4\n"}).ok(t)
		rescan(t, s)
		if described := s.call(t, "class describe", args{"class_name": class}).ok(t); !strings.Contains(string(described.raw), `"size"`) {
			t.Errorf("the class is %s", described.raw)
		}
		broken := s.call(t, "file write", args{"path": f + "/w.gd", "content": "extends Node\n\nvar = 3\n"}).ok(t)
		if hint := broken.text("hint"); !strings.Contains(hint, "line 3") || !strings.Contains(hint, "script check") && !strings.Contains(hint, "script_check") {
			t.Errorf("a text that does not compile: %s", hint)
		}
		s.call(t, "undo", nil).ok(t)
		s.call(t, "script check", args{"script_path": f + "/w.gd"}).ok(t).has(t, map[string]string{"ok": "true"})

		uid := "uid://b" + strings.NewReplacer("9", "a", "z", "b").Replace(fmt.Sprintf("%x", sha256.Sum256([]byte(f)))[:8])
		theme := "[gd_resource type=\"StyleBoxFlat\" format=3 uid=\"" + uid + "\"]\n\n[resource]\ncorner_radius_top_left = 3\n"
		s.call(t, "file write", args{"path": f + "/box.tres", "content": theme}).ok(t)
		s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, map[string]string{"path": f + "/box.tres"})
		scene := put(t, e, f+"/shows.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"StyleBox\" path=\""+f+"/box.tres\" id=\"1\"]\n\n[node name=\"Shows\" type=\"Panel\"]\ntheme_override_styles/panel = ExtResource(\"1\")\n")
		open(t, e, scene)
		s.call(t, "file write", args{"path": f + "/box.tres", "content": strings.Replace(theme, "= 3\n", "= 8\n", 1)}).ok(t)
		s.call(t, "node get-property", args{"node_path": ".", "property": "theme_override_styles/panel:corner_radius_top_left"}).ok(t).has(t, map[string]string{"value": "8"})
		s.call(t, "undo", nil).ok(t)
		s.call(t, "node get-property", args{"node_path": ".", "property": "theme_override_styles/panel:corner_radius_top_left"}).ok(t).has(t, map[string]string{"value": "3"})
		before := read(t, e, scene)
		for _, dry := range []bool{true, false} {
			s.call(t, "file write", args{"path": scene, "content": "x", "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "path", "scene close")
		}
		if read(t, e, scene) != before {
			t.Error("the file of an open scene was written")
		}
	})
}

func TestFileCreateFolder(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		put(t, e, f+"/file.txt", "x")
		changeFiles(t, e, s, "file create-folder", args{"path": f + "/a/b c/é"}, map[string]string{"created": "true", "path": f + "/a/b c/é"})
		s.call(t, "file create-folder", args{"path": f + "/a"}).ok(t).has(t, map[string]string{"created": "false", "undoable": "false"})
		put(t, e, f+"/a/b c/é/kept.txt", "x")
		s.call(t, "undo", nil).ok(t)
		read(t, e, f+"/a/b c/é/kept.txt")
		for _, path := range []string{f + "/file.txt", f + "/file.txt/x", f + "/a?b", "res://.godot/x", "res://.git/x", "res://addons/godot_mcp_bridge/x"} {
			s.call(t, "file create-folder", args{"path": path}).fails(t, "VALIDATION_ERROR", "path")
		}
	})
}

// TestF11CopiesHaveUIDsOfTheirOwn: a copy never shares a uid with its original, and copies of files that name each
// other name the copies.
func TestF11CopiesHaveUIDsOfTheirOwn(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		writeScript(t, s, f+"/set/a.gd", "extends Node2D\n")
		writeScript(t, s, f+"/set/b.gd", "extends \"a.gd\"\n\nconst A: GDScript = preload(\"a.gd\")\nconst OUT: GDScript = preload(\"../out.gd\")\n")
		writeScript(t, s, f+"/out.gd", "extends Node\n")
		picture(t, e, s, f+"/set/icon.png")
		rescan(t, s)
		icon := s.call(t, "file resolve-uid", args{"value": f + "/set/icon.png"}).ok(t).text("uid")
		a := uidOf(t, e, f+"/set/a.gd")
		s.call(t, "file write", args{"path": f + "/set/s.tscn", "content": "[gd_scene format=3]\n\n[ext_resource type=\"Script\" uid=\"" + a + "\" path=\"" + f + "/set/a.gd\" id=\"1\"]\n[ext_resource type=\"Texture2D\" uid=\"" + icon + "\" path=\"" + f + "/set/icon.png\" id=\"2\"]\n\n[node name=\"S\" type=\"Sprite2D\"]\nscript = ExtResource(\"1\")\ntexture = ExtResource(\"2\")\nmetadata/by = \"" + a + "\"\n"}).ok(t)
		put(t, e, f+"/set/empty/.gdignore", "")
		rescan(t, s)

		one := changeFiles(t, e, s, "file copy", args{"path": f + "/set/s.tscn", "new_path": f + "/far/s2.tscn"}, map[string]string{"copied": "true", "updated_refs": "[]"})
		if uid := one.text("new_uid"); !strings.HasPrefix(uid, "uid://") || !strings.HasPrefix(read(t, e, f+"/far/s2.tscn"), "[gd_scene format=3 uid=\""+uid+"\"]\n") {
			t.Errorf("the copy has %s and holds\n%s", uid, read(t, e, f+"/far/s2.tscn"))
		}
		s.call(t, "file resolve-uid", args{"value": one.text("new_uid")}).ok(t).has(t, map[string]string{"path": f + "/far/s2.tscn"})
		script := changeFiles(t, e, s, "file copy", args{"path": f + "/set/b.gd", "new_path": f + "/far/b.gd"}, map[string]string{
			"updated_refs": `[{"count":2,"file":"` + f + `/far/b.gd"}]`})
		if uid := uidOf(t, e, f+"/far/b.gd"); uid != script.text("new_uid") || uid == uidOf(t, e, f+"/set/b.gd") {
			t.Errorf("the copy's uid is %s, the answer said %s", uid, script.text("new_uid"))
		}
		s.call(t, "script check", args{"script_path": f + "/far/b.gd"}).ok(t)

		whole := changeFiles(t, e, s, "file copy", args{"path": f + "/set", "new_path": f + "/twin"}, map[string]string{"new_uid": "null"})
		if refs := whole.text("updated_refs"); !strings.Contains(refs, `{"count":3,"file":"`+f+`/twin/s.tscn"}`) {
			t.Errorf("updated_refs: %s", refs)
		}
		twin := read(t, e, f+"/twin/s.tscn")
		a2 := uidOf(t, e, f+"/twin/a.gd")
		if a2 == a || strings.Contains(twin, f+"/set/") || strings.Contains(twin, a) || strings.Count(twin, a2) != 2 {
			t.Errorf("the copied scene holds\n%s", twin)
		}
		icon2 := s.call(t, "file resolve-uid", args{"value": f + "/twin/icon.png"}).ok(t).text("uid")
		if icon2 == icon || !strings.Contains(twin, icon2) || !strings.Contains(read(t, e, f+"/twin/icon.png.import"), `source_file="`+f+`/twin/icon.png"`) {
			t.Errorf("the copied picture has %s and\n%s", icon2, read(t, e, f+"/twin/icon.png.import"))
		}
		read(t, e, f+"/twin/empty/.gdignore")
		open(t, e, f+"/twin/s.tscn")
		s.call(t, "node get-property", args{"node_path": ".", "property": "texture"}).ok(t).has(t, map[string]string{"value.$resource": f + "/twin/icon.png"})
		for uid, path := range map[string]string{a: "/set/a.gd", a2: "/twin/a.gd", icon: "/set/icon.png"} {
			s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, map[string]string{"path": f + path})
		}
	})
}

// TestCopyOfAClassName: the engine goes on with the original, also when the copy is taken out.
func TestCopyOfAClassName(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	f := "res://" + folderOf(t)
	writeScript(t, s, f+"/a.gd", "class_name CopiedThing\nextends Node\n")
	rescan(t, s)
	copied := s.call(t, "file copy", args{"path": f + "/a.gd", "new_path": f + "/b.gd"}).ok(t)
	if !strings.Contains(copied.text("hint"), "class_name") {
		t.Errorf("the hint is %q", copied.text("hint"))
	}
	s.call(t, "undo", nil).ok(t)
	rescan(t, s)
	cache := read(t, e, "res://.godot/global_script_class_cache.cfg")
	if !strings.Contains(cache, f+"/a.gd") || strings.Contains(cache, f+"/b.gd") {
		t.Errorf("the classes are\n%s", cache)
	}
}

// TestF27WritesOutsideTheProject: whatever the spelling, no file tool writes, moves, copies or deletes there.
func TestF27WritesOutsideTheProject(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		inside := put(t, e, folderOf(t)+"_inside/a.txt", "a")
		paths := outsidePaths(t, e)
		secret := "res://" + folderOf(t) + "/secret.txt"
		for _, path := range paths {
			for _, c := range []struct {
				tool      string
				args      args
				parameter string
			}{
				{"file write", args{"path": path, "content": "x"}, "path"},
				{"file create-folder", args{"path": path}, "path"},
				{"file move", args{"path": path, "new_path": inside + "2"}, "path"},
				{"file move", args{"path": inside, "new_path": path}, "new_path"},
				{"file copy", args{"path": path, "new_path": inside + "2"}, "path"},
				{"file copy", args{"path": inside, "new_path": path}, "new_path"},
				{"file delete", args{"path": path, "confirm": true}, "path"},
			} {
				s.call(t, c.tool, c.args).fails(t, "VALIDATION_ERROR", c.parameter)
			}
		}
		areGone(t, e, inside+"2", "res://a", "res://secret.txt", "res://.godot/editor/secret.txt")
		if read(t, e, secret) != "secret" || read(t, e, inside) != "a" {
			t.Errorf("%q, %q", read(t, e, secret), read(t, e, inside))
		}
	})
}

// TestDeleteClosesTabs of scenes that are open, in front or behind, and leaves the others where they are.
func TestDeleteClosesTabs(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		f := "res://" + folderOf(t)
		put(t, e, f+"/set/one.tscn", scene2d("One"))
		put(t, e, f+"/set/two.tscn", scene2d("Two"))
		front := put(t, e, f+"/front.tscn", scene2d("Front"))
		rescan(t, s)
		for _, scene := range []string{f + "/set/one.tscn", f + "/set/two.tscn"} {
			s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		}
		open(t, e, front)
		a := args{"path": f + "/set", "confirm": true}
		preview := s.call(t, "file delete", a.with("dry_run", true)).ok(t).has(t, map[string]string{"tab_closed": "true"})
		if _, err := os.Stat(onDisk(e, f+"/set/one.tscn")); err != nil || preview.text("deleted") != "true" {
			t.Errorf("%v %s", err, preview.raw)
		}
		s.call(t, "file delete", a).ok(t).has(t, map[string]string{"tab_closed": "true", "deleted": "true", "persisted": "true", "undoable": "true"})
		areGone(t, e, f+"/set")
		tabs := s.call(t, "scene list-open", nil).ok(t).text("scenes")
		if strings.Contains(tabs, f+"/set") || !strings.Contains(tabs, `"active":true,"dirty":false,"path":"`+front) {
			t.Errorf("the tabs are %s", tabs)
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "file delete"})
		read(t, e, f+"/set/one.tscn")
		s.call(t, "scene open", args{"scene_path": f + "/set/two.tscn"}).ok(t)
		closeTab(t, e, f+"/set/two.tscn")
	})
}
