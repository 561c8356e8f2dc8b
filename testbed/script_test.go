package testbed

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folderOf is a folder of the test's own in the project, one for each surface.
func folderOf(t *testing.T) string {
	return strings.ToLower(strings.NewReplacer("/", "_").Replace(t.Name()))
}

// writeScript is a script of the test's own, made by the tool, so that the editor knows it.
func writeScript(t *testing.T, s surface, path, content string) answer {
	t.Helper()
	return s.call(t, "script write", args{"script_path": path, "content": content}).ok(t)
}

// known waits until the editor has seen a script that the test wrote.
func known(t *testing.T, e *Editor, path string) string {
	t.Helper()
	// The engine does not take a scan up while another is under way, which may have passed the file by.
	awaitEvery(t, 200*time.Millisecond, "the uid of "+path, func() bool {
		if _, err := os.Stat(onDisk(e, path+".uid")); err == nil {
			return true
		}
		user(t, e, "scan", "")
		return false
	})
	return path
}

func TestScriptReadGivesLinesAndTheDigestOfTheFile(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		text := "extends Node\r\nvar a: int = 1\r\n# last"
		path := write(t, e, folderOf(t)+"/lines.gd", "\ufeff"+text)
		digest := fmt.Sprintf("%x", sha256.Sum256([]byte("\ufeff"+text)))
		read := func(first, last int) answer {
			return s.call(t, "script read", args{"script_path": path, "start_line": first, "end_line": last})
		}
		read(1, 0).ok(t).has(t, map[string]string{"content": text, "lines": "3", "sha256": digest, "script_path": path})
		read(2, 2).ok(t).has(t, map[string]string{"content": "var a: int = 1\r\n", "lines": "3", "sha256": digest})
		read(3, 9).ok(t).has(t, map[string]string{"content": "# last"})
		read(4, 0).fails(t, "VALIDATION_ERROR", "start_line", "1 to 3")
		read(0, 0).fails(t, "VALIDATION_ERROR", "start_line")
		read(3, 2).fails(t, "VALIDATION_ERROR", "end_line")
		s.call(t, "script read", args{"script_path": "res://lost.gd"}).fails(t, "RESOURCE_NOT_FOUND", "script_path", "script list")
		s.call(t, "script read", args{"script_path": "res://main.tscn"}).fails(t, "VALIDATION_ERROR", "script_path", "no script")
		empty := write(t, e, folderOf(t)+"/empty.gd", "")
		s.call(t, "script read", args{"script_path": empty}).ok(t).has(t, map[string]string{"content": "", "lines": "0"})
		latin := write(t, e, folderOf(t)+"/latin.gd", "# caf\xe9\n")
		s.call(t, "script read", args{"script_path": latin}).fails(t, "VALIDATION_ERROR", "script_path", "UTF-8")
	})
}

func TestScriptListKnowsClassesBasesAndPages(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := "res://" + folderOf(t)
		for name, text := range map[string]string{
			"a.gd":          "class_name ListedA" + filepath.Base(t.Name()) + "\nextends Sprite2D\n",
			"b.gd":          "extends \"a.gd\"\n",
			"c.gd":          "var x: int = 1\n",
			"d.cs":          "[GlobalClass]\npublic partial class d : Node\n{\n}\n",
			"deep/e.gd":     "extends Node\n",
			"out/f.gd":      "extends Node\n",
			"out/.gdignore": "",
			"notes.txt":     "",
		} {
			write(t, e, folderOf(t)+"/"+name, text)
		}
		list := func(a args) answer {
			return s.call(t, "script list", a.with("directory", folder)).ok(t)
		}
		list(nil).has(t, map[string]string{
			"total": "5", "truncated": "false", "next_offset": "null",
			"scripts": `[{"base":"Sprite2D","class_name":"ListedA` + filepath.Base(t.Name()) + `","path":"` + folder + `/a.gd"},` +
				`{"base":"a.gd","path":"` + folder + `/b.gd"},{"base":"RefCounted","path":"` + folder + `/c.gd"},` +
				`{"base":"Node","class_name":"d","path":"` + folder + `/d.cs"},{"base":"Node","path":"` + folder + `/deep/e.gd"}]`})
		list(args{"limit": 2, "offset": 1}).has(t, map[string]string{"total": "5", "truncated": "true", "next_offset": "3", "scripts.1.path": folder + "/c.gd"})
		list(args{"language": "C#"}).has(t, map[string]string{"total": "1", "scripts.0.path": folder + "/d.cs"})
		list(args{"language": "gd"}).has(t, map[string]string{"total": "4"})
		s.call(t, "script list", args{"language": "lua"}).fails(t, "VALIDATION_ERROR", "language", "gd", "cs")
		s.call(t, "script list", args{"directory": "res://no_such_folder"}).fails(t, "RESOURCE_NOT_FOUND", "directory")
	})
}

func TestScriptForNodeReadsFilesAndBuiltInScripts(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		path := write(t, e, folder+"/own.gd", "extends Node2D\n")
		scene := openScene(t, e, folder+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+path+"\" id=\"1\"]\n\n"+
			"[sub_resource type=\"GDScript\" id=\"inside\"]\nscript/source = \"extends Node2D\n# inside\n\"\n\n"+
			"[node name=\"Top\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n[node name=\"In\" type=\"Node2D\" parent=\".\"]\nscript = SubResource(\"inside\")\n\n"+
			"[node name=\"Bare\" type=\"Node2D\" parent=\".\"]\n")
		s.call(t, "script for-node", nil).ok(t).has(t, map[string]string{
			"node_path": ".", "script_path": path, "content": "extends Node2D\n", "scene_path": scene})
		inside := s.call(t, "script for-node", args{"node_path": "In"}).ok(t).has(t, map[string]string{
			"script_path": scene + "::inside", "content": "extends Node2D\n# inside\n"})
		s.call(t, "script read", args{"script_path": inside.text("script_path")}).ok(t).has(t, map[string]string{"lines": "2"})
		s.call(t, "script check", args{"script_path": inside.text("script_path")}).ok(t).has(t, map[string]string{"ok": "true"})
		s.call(t, "script write", args{"script_path": inside.text("script_path"), "content": ""}).fails(t, "VALIDATION_ERROR", "script_path", "inside its scene")
		s.call(t, "script for-node", args{"node_path": "Bare"}).ok(t).has(t, map[string]string{"script_path": "null", "content": "null"})
		s.call(t, "script for-node", args{"node_path": "Lost"}).fails(t, "RESOURCE_NOT_FOUND", "node_exists")
	})
}

func TestScriptWriteKeepsBytesAndRefusesWhatItShould(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := known(t, e, write(t, e, folderOf(t)+"/marked.gd", "\ufeffextends Node\r\nvar a: int = 1\r\n"))
		put := func(content string, more args) answer {
			for name, value := range map[string]any{"script_path": path, "content": content} {
				more = more.with(name, value)
			}
			return s.call(t, "script write", more)
		}
		sum := s.call(t, "script read", args{"script_path": path}).ok(t).text("sha256")
		for _, dry := range []bool{true, false} {
			put("extends Node2D\n", args{"expect_sha256": strings.Repeat("0", 64), "dry_run": dry}).
				fails(t, "PRECONDITION_FAILED", "expect_sha256", path, "script read")
		}
		put("extends Node2D\nvar b: int = 2\n", args{"expect_sha256": strings.ToUpper(sum)}).ok(t).
			has(t, map[string]string{"created": "false", "would_overwrite": "true", "errors": "[]"})
		if got, want := read(t, e, path), "\ufeffextends Node2D\r\nvar b: int = 2\r\n"; got != want {
			t.Errorf("the file is %q, want %q", got, want)
		}
		again := previewed(t, e, s, "script write", args{"script_path": path, "content": "extends Node2D\nvar b: int = 2\n"})
		again.has(t, map[string]string{"undoable": "false", "would_overwrite": "true"})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "script write"})
		if got, want := read(t, e, path), "\ufeffextends Node\r\nvar a: int = 1\r\n"; got != want {
			t.Errorf("undo left %q, want %q", got, want)
		}
		for bad, words := range map[string]string{
			"res://addons/godot_mcp_bridge/x.gd": "protected", "res://x.txt": ".gd", "res://main.tscn": "no script", "res://player.gd/x.gd": "a file",
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, "script write", args{"script_path": bad, "content": "extends Node\n", "dry_run": dry}).fails(t, "VALIDATION_ERROR", "script_path", words)
			}
		}
		s.call(t, "script write", args{"script_path": "res://lost.gd", "content": "", "expect_sha256": sum}).fails(t, "PRECONDITION_FAILED", "expect_sha256")
	})
}

// TestScriptUndoKeepsWhatOthersWrote: undo brings the bytes before back, and redo those that were there when it
// was undone, whoever wrote them.
func TestScriptUndoKeepsWhatOthersWrote(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := write(t, e, folderOf(t)+"/mine.gd", "extends Node\n")
		writeScript(t, s, path, "extends Node2D\n")
		outside(t, e, path, "Node2D", "Node3D # by hand")
		s.call(t, "undo", nil).ok(t)
		if got := read(t, e, path); got != "extends Node\n" {
			t.Errorf("undo left %q", got)
		}
		s.call(t, "redo", nil).ok(t)
		if got := read(t, e, path); got != "extends Node3D # by hand\n" {
			t.Errorf("redo gave %q", got)
		}
	})
}

func TestScriptPatchCountsAndKeepsTheRest(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		text := "extends Node\r\nvar a: int = 1\r\nvar b: int = 1\r\n# aaa\r\n"
		path := known(t, e, write(t, e, folderOf(t)+"/patched.gd", text))
		patch := func(find, replace string, more args) args {
			for name, value := range map[string]any{"script_path": path, "find": find, "replace": replace} {
				more = more.with(name, value)
			}
			return more
		}
		say := "say --expect-count 2:"
		if _, overMCP := s.(session); overMCP {
			say = "say expect_count=2:"
		}
		for _, dry := range []bool{true, false} {
			d := args{"dry_run": dry}
			s.call(t, "script patch", patch("int = 1", "int = 2", d)).fails(t, "VALIDATION_ERROR", "expect_count", "2 times", "2, 3", say)
			s.call(t, "script patch", patch("float", "int", d)).fails(t, "VALIDATION_ERROR", "expect_count", "does not hold", "script read")
			s.call(t, "script patch", patch("", "x", d)).fails(t, "VALIDATION_ERROR", "find")
			s.call(t, "script patch", patch("a", "x", d.with("expect_count", 0))).fails(t, "VALIDATION_ERROR", "expect_count")
		}
		if got := read(t, e, path); got != text {
			t.Errorf("a refused patch changed the file to %q", got)
		}
		// The text to find may have plain line ends; in aaa there are no two of aa.
		previewed(t, e, s, "script patch", patch("1\nvar b", "3\n\nvar b", nil)).has(t, map[string]string{"replacements": "1", "errors": "[]"})
		previewed(t, e, s, "script patch", patch("aa", "b", nil)).has(t, map[string]string{"replacements": "1"})
		previewed(t, e, s, "script patch", patch("var", "const", args{"expect_count": 2})).has(t, map[string]string{"replacements": "2", "errors": "[]"})
		want := "extends Node\r\nconst a: int = 3\r\n\r\nconst b: int = 1\r\n# ba\r\n"
		if got := read(t, e, path); got != want {
			t.Errorf("the file is %q, want %q", got, want)
		}
		broken := previewed(t, e, s, "script patch", patch("int = 3", "int = \"x\"", nil))
		broken.has(t, map[string]string{"replacements": "1", "errors.0.line": "2", "errors.0.severity": "error", "errors.0.column": "null"})
		s.call(t, "undo", args{"count": 4}).ok(t).has(t, map[string]string{"undone": "4"})
		if got := read(t, e, path); got != text {
			t.Errorf("undo of all left %q", got)
		}
		s.call(t, "script patch", args{"script_path": "res://lost.gd", "find": "a", "replace": "b"}).fails(t, "RESOURCE_NOT_FOUND", "script_path")
	})
}

// TestScriptOfOpenScenes: what a save writes of a node is right whatever was done to its script meanwhile.
func TestScriptOfOpenScenes(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := "res://" + folderOf(t)
		plain, tool, sub := folder+"/plain.gd", folder+"/tool.gd", folder+"/sub.gd"
		writeScript(t, s, plain, "extends Node\n@export var a: int = 1\n@export var list: Array[Node] = []\n")
		writeScript(t, s, tool, "@tool\nextends Node\n@export var a: int = 1\n")
		writeScript(t, s, sub, "@tool\nextends \""+tool+"\"\n@export var z: int = 1\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+plain+"\" id=\"1\"]\n"+
			"[ext_resource type=\"Script\" path=\""+tool+"\" id=\"2\"]\n[ext_resource type=\"Script\" path=\""+sub+"\" id=\"3\"]\n\n"+
			"[node name=\"Top\" type=\"Node\"]\n\n[node name=\"P\" type=\"Node\" parent=\".\" node_paths=PackedStringArray(\"list\")]\nscript = ExtResource(\"1\")\n"+
			"a = 5\nlist = [NodePath(\"../T\")]\n\n[node name=\"T\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"2\")\na = 6\n\n"+
			"[node name=\"S\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"3\")\nz = 7\n")
		s.call(t, "scene save", nil).ok(t)
		before := masked(read(t, e, scene))
		unharmed := func(what string) {
			t.Helper()
			s.call(t, "scene save", nil).ok(t)
			if diff := lineDiff(before, masked(read(t, e, scene))); diff != "" {
				t.Errorf("%s, the save changed the scene by\n%s", what, diff)
			}
		}
		value := func(node, property string) string {
			return s.call(t, "node get-property", args{"node_path": node, "property": property}).ok(t).text("value")
		}
		previewed(t, e, s, "script write", args{"script_path": plain, "content": "extends Node\n@export var b: int = 2\n@export var a: int = 1\n@export var list: Array[Node] = []\n"}).
			has(t, map[string]string{"errors": "[]", "stale": "[]"})
		previewed(t, e, s, "script write", args{"script_path": tool, "content": "@tool\nextends Node\n@export var b: int = 2\n@export var a: int = 1\n"}).
			has(t, map[string]string{"errors": "[]", "stale": "[]"})
		for place, want := range map[[2]string]string{{"P", "b"}: "2", {"P", "a"}: "5", {"T", "b"}: "2", {"T", "a"}: "6", {"S", "b"}: "2", {"S", "z"}: "7"} {
			if got := value(place[0], place[1]); got != want {
				t.Errorf("%s of %s is %s, want %s", place[1], place[0], got, want)
			}
		}
		unharmed("with new exported variables")

		for _, path := range []string{plain, tool} {
			stale := "[]"
			if path == tool {
				stale = `["` + scene + `::T","` + scene + `::S"]`
			}
			previewed(t, e, s, "script patch", args{"script_path": path, "find": "var a: int = 1", "replace": "var a: int = (1"}).
				has(t, map[string]string{"stale": stale, "errors.0.severity": "error"})
		}
		unharmed("with scripts that do not compile")
		s.call(t, "undo", args{"count": 2}).ok(t)
		unharmed("with scripts that compile again")
		if got := value("S", "z"); got != "7" {
			t.Errorf("z of S is %s", got)
		}

		// What is not exported begins with null in a node that was there before: told, and mended by a reload.
		previewed(t, e, s, "script patch", args{"script_path": tool, "find": "@export var b", "replace": "var new: Node = Node.new()\n@export var b"}).
			has(t, map[string]string{"errors": "[]", "stale": `["` + scene + `::T","` + scene + `::S"]`})
		s.call(t, "undo", nil).ok(t)
		unharmed("after all")
	})
}

// TestScriptEditorShowsWhatWasWritten: the script editor has the new text at once and asks nothing; text of the
// person's that was not saved is not written over.
func TestScriptEditorShowsWhatWasWritten(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := "res://" + folderOf(t) + "/shown.gd"
		writeScript(t, s, path, "extends Node\n")
		user(t, e, "edit script", path)
		shows := func(want string, unsaved bool) {
			t.Helper()
			got := user(t, e, "look up", "").Script
			if got.Text != want || got.Unsaved != unsaved || len(got.Dialogs) != 0 {
				t.Errorf("the script editor shows %+v, want %q", got, want)
			}
		}
		for _, text := range []string{"extends Node\n# two\n", "extends Node\nvar a: int = (\n", "extends Node\n# three\n"} {
			writeScript(t, s, path, text)
			shows(text, false)
		}
		s.call(t, "undo", nil).ok(t)
		shows("extends Node\nvar a: int = (\n", false)
		s.call(t, "redo", nil).ok(t)
		shows("extends Node\n# three\n", false)

		user(t, e, "type", "# mine ")
		for _, dry := range []bool{true, false} {
			s.call(t, "script write", args{"script_path": path, "content": "extends Node2D\n", "dry_run": dry}).
				fails(t, "PRECONDITION_FAILED", "script_path", "unsaved", path)
			s.call(t, "script patch", args{"script_path": path, "find": "three", "replace": "four", "dry_run": dry}).
				fails(t, "PRECONDITION_FAILED", "script_path", "unsaved", path)
		}
		if got := read(t, e, path); got != "extends Node\n# three\n" {
			t.Errorf("the file is %q", got)
		}
		if got := user(t, e, "look", "").Script; !strings.Contains(got.Text, "# mine ") || !got.Unsaved {
			t.Errorf("the person's text is gone: %+v", got)
		}
		user(t, e, "take back", "")
		shows("extends Node\n# three\n", false)
	})
}

// TestScriptOpenedWhileBroken: opened later, the script editor shows the file and not the script in memory,
// which is the last one that compiled.
func TestScriptOpenedWhileBroken(t *testing.T) {
	e := sharedEditor(t)
	path := "res://" + folderOf(t) + "/broken.gd"
	s := cli(e)
	writeScript(t, s, path, "extends Node\n")
	openScene(t, e, folderOf(t)+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+path+"\" id=\"1\"]\n\n[node name=\"Top\" type=\"Node\"]\nscript = ExtResource(\"1\")\n")
	broken := "extends Node\nvar a: int = (\n"
	writeScript(t, s, path, broken)
	user(t, e, "edit script", path)
	if got := user(t, e, "look", "").Script; got.Text != broken || got.Unsaved {
		t.Errorf("the script editor shows %+v", got)
	}
	writeScript(t, s, path, "extends Node\n")
	if got, err := os.ReadFile(onDisk(e, path)); err != nil || string(got) != "extends Node\n" {
		t.Errorf("%q, %v", got, err)
	}
}
