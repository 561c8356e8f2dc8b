package testbed

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestF5SavesLeaveScriptsAlone: a script that is open in the script editor and attached keeps what was written,
// by the tool or by another program, over a save of its scene and a play that saves first.
func TestF5SavesLeaveScriptsAlone(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		path := "res://" + folderOf(t) + "/kept.gd"
		writeScript(t, s, path, "extends Node\n@export var a: int = 1\n")
		scene := openScene(t, e, folderOf(t)+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+path+"\" id=\"1\"]\n\n"+
			"[node name=\"Top\" type=\"Node\"]\nscript = ExtResource(\"1\")\na = 3\n")
		user(t, e, "edit script", path)
		kept := func(what, want string) {
			t.Helper()
			before := files(t, e)
			s.call(t, "node set-property", set(".", "editor_description", what)).ok(t)
			s.call(t, "scene save", nil).ok(t)
			s.call(t, "node set-property", set(".", "editor_description", what+", played")).ok(t)
			user(t, e, "play", scene)
			await(t, "the game", func() bool { return s.call(t, "editor status", nil).ok(t).text("playing") == "true" })
			user(t, e, "stop", "")
			if got := read(t, e, path); got != want {
				t.Errorf("%s, the script is\n%s", what, got)
			}
			after := files(t, e)
			for file, digest := range before {
				if filepath.Ext(file) == ".gd" && after[file] != digest {
					t.Errorf("%s, saving wrote %s", what, file)
				}
			}
		}
		marked := "extends Node\n@export var a: int = 1\n# marker\n"
		writeScript(t, s, path, marked)
		kept("written by the tool", marked)
		broken := "extends Node\n@export var a: int = (1\n# marker\n"
		writeScript(t, s, path, broken)
		kept("written and broken", broken)
		writeScript(t, s, path, marked)
		elsewhere := "extends Node\n@export var a: int = 1\n# from elsewhere\n"
		write(t, e, strings.TrimPrefix(path, "res://"), elsewhere)
		kept("written by another program", elsewhere)
	})
}

// TestF22CheckKnowsTheProject: autoloads and class names are known, a real error has its line, and no error is
// left of a class name that has gone.
func TestF22CheckKnowsTheProject(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	write(t, e, "game.gd", "extends Node\nvar x: int = 1\n")
	outside(t, e, "res://project.godot", "[debug]", "[autoload]\n\nGame=\"*res://game.gd\"\n\n[debug]")
	write(t, e, "uses.gd", "extends Node\nfunc f() -> int:\n\treturn Game.x\n")
	write(t, e, "wrong.gd", "extends Node\nfunc f() -> int:\n\tvar own: int = Game.x\n\treturn nothing(own)\n")
	// Each needs the other's class, and its own from the other.
	write(t, e, "one.gd", "class_name One\nextends Node\nvar other: Two\nfunc own() -> One:\n\treturn other.maker()\n")
	write(t, e, "two.gd", "class_name Two\nextends Node\nvar other: One = One.new()\nfunc maker() -> One:\n\treturn other.own()\n")
	write(t, e, "at_work.gd", "@tool\nextends Node\nstatic var begun: int = begin()\nstatic func begin() -> int:\n\tprint(\"project code ran\")\n\treturn 1\n")
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	both(t, e, func(t *testing.T, s surface) {
		check := func(a args) answer { return s.call(t, "script check", a) }
		for _, file := range []string{"uses.gd", "one.gd", "two.gd", "player.gd", "enemy.gd", "at_work.gd"} {
			check(args{"script_path": "res://" + file}).ok(t).has(t, map[string]string{"ok": "true", "errors": "[]", "rescan_pending": "false"})
		}
		wrong := check(args{"script_path": "res://wrong.gd"}).has(t, map[string]string{
			"ok": "false", "errors.0.line": "4", "errors.0.source": "res://wrong.gd", "errors.0.severity": "error", "errors.0.column": "null"})
		if wrong.exit > 0 && wrong.exit != 10 {
			t.Errorf("exit code %d", wrong.exit)
		}
		all := check(nil).has(t, map[string]string{"ok": "false", "script_path": "", "errors.0.source": "res://wrong.gd", "errors.0.line": "4"})
		if strings.Contains(string(all.raw), "hides a global") || strings.Contains(string(all.raw), "one.gd") {
			t.Errorf("the whole project: %s", all.raw)
		}
		if log := s.call(t, "editor log", args{"limit": 0}).ok(t); strings.Contains(string(log.raw), "project code ran") || strings.Contains(string(log.raw), "wrong.gd") {
			t.Errorf("a check ran code of the project, or filled the log: %s", log.raw)
		}
		check(args{"content": "extends Node\nfunc f() -> int:\n\treturn Game.x\n"}).ok(t).has(t, map[string]string{"ok": "true"})
		check(args{"content": "class_name One\nextends Node\nfunc f() -> void:\n\tnothing()\n"}).
			has(t, map[string]string{"ok": "false", "errors.0.line": "4", "errors.0.source": "res://one.gd"})
		check(args{"script_path": "res://two.gd", "content": "class_name Two\nextends Node\nfunc maker() -> One:\n\treturn null\n"}).ok(t)
		check(args{"script_path": "res://new.gd", "content": "class_name Two\nextends Node\n"}).
			has(t, map[string]string{"ok": "false", "errors.0.source": "res://new.gd"})
		check(args{"script_path": "res://lost.gd"}).fails(t, "RESOURCE_NOT_FOUND", "script_path", "script list")
		check(args{"script_path": "res://main.tscn"}).fails(t, "VALIDATION_ERROR", "script_path", "no script")
		cs := write(t, e, "Sharp.cs", "public partial class Sharp : Godot.Node {}\n")
		check(args{"script_path": cs}).fails(t, "VALIDATION_ERROR", "script_path", "C#")
	})
}

// TestF22NoPhantomOfAClass: a class whose file another program moved, or took the name out of, is no reason to
// call its new file broken. Two files with one name are.
func TestF22NoPhantomOfAClass(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := "Moved" + filepath.Base(t.Name())
		text := "class_name " + name + "\nextends Node\n"
		from, to := "res://"+folderOf(t)+"/from.gd", folderOf(t)+"/to.gd"
		writeScript(t, s, from, text)
		await(t, "the class", func() bool {
			return strings.Contains(cli(e).call(t, "class list", args{"base": "Node", "limit": 0}).ok(t).text("classes"), name)
		})
		write(t, e, to, text)
		s.call(t, "script check", args{"script_path": "res://" + to}).has(t, map[string]string{"ok": "false", "errors.0.line": "1"})
		write(t, e, strings.TrimPrefix(from, "res://"), "extends Node\n")
		s.call(t, "script check", args{"script_path": "res://" + to}).ok(t).has(t, map[string]string{"ok": "true", "errors": "[]"})
	})
}

// TestF22AddonsFollowTheProjectsExclusion: warnings that the project takes for errors do not count where it
// leaves addons out.
func TestF22AddonsFollowTheProjectsExclusion(t *testing.T) {
	for excluded, ok := range map[string]string{"true": "true", "false": "false"} {
		e := ownWorkspace(t, "platformer2d")
		outside(t, e, "res://project.godot", "gdscript/warnings/exclude_addons=false", "gdscript/warnings/exclude_addons="+excluded)
		if excluded == "true" {
			outside(t, e, "res://project.godot", "gdscript/warnings/directory_rules={}\n", "")
		}
		loose := write(t, e, "addons/loose/loose.gd", "extends Node\nfunc f():\n\tpass\n")
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		s := cli(e)
		s.call(t, "script check", args{"script_path": loose}).has(t, map[string]string{"ok": ok})
		s.call(t, "script check", nil).has(t, map[string]string{"ok": ok})
		s.call(t, "script check", args{"script_path": "res://x.gd", "content": "extends Node\nfunc f():\n\tpass\n"}).has(t, map[string]string{"ok": "false"})
	}
}

// TestF31SharpScriptsThatCannotBe: what keeps a C# script from being attached is told apart, and nothing is
// changed. The engine here is the plain one; a missing build or SDK can only be met in the .NET one.
func TestF31SharpScriptsThatCannotBe(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		right := write(t, e, folder+"/Right.cs", "using Godot;\npublic partial class Right : Node2D\n{\n\t[Export] public int Figure = 3;\n}\n")
		other := write(t, e, folder+"/Other.cs", "using Godot;\npublic partial class Another : Node2D {}\n")
		scene := openScene(t, e, folder+"/scene.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1\"]\n\n"+
			"[node name=\"Top\" type=\"CharacterBody2D\"]\nscript = ExtResource(\"1\")\nspeed = 7.0\n")
		s.call(t, "scene save", nil).ok(t)
		before := read(t, e, scene)
		for _, dry := range []bool{true, false} {
			s.call(t, "node attach-script", args{"node_path": ".", "script_path": right, "dry_run": dry}).
				fails(t, "PRECONDITION_FAILED", "godot_binary", ".NET", right)
			s.call(t, "node attach-script", args{"node_path": ".", "script_path": other, "dry_run": dry}).
				fails(t, "VALIDATION_ERROR", "script_path", "Another", "named as its file")
			s.call(t, "node set-property", set(".", "script", right).with("dry_run", dry)).
				fails(t, "PRECONDITION_FAILED", "value", ".NET", right)
			s.call(t, "node set-property", set(".", "script", other).with("dry_run", dry)).
				fails(t, "VALIDATION_ERROR", "value", "Another", "named as its file")
			s.call(t, "node add", args{"properties": map[string]any{"script": right}, "dry_run": dry}).
				fails(t, "PRECONDITION_FAILED", "properties", ".NET", right)
		}
		s.call(t, "node get-property", args{"node_path": ".", "property": "speed"}).ok(t).has(t, map[string]string{"value": "7.0"})
		s.call(t, "scene save", nil).ok(t)
		if diff := lineDiff(before, read(t, e, scene)); diff != "" {
			t.Errorf("the scene changed by\n%s", diff)
		}
		written := writeScript(t, s, right, "using Godot;\npublic partial class Right : Node2D {}\n")
		written.has(t, map[string]string{"errors": "[]", "created": "false"})
		if !strings.Contains(written.text("hint"), "build the project") {
			t.Errorf("the hint is %q", written.text("hint"))
		}
	})
}
