package testbed

import (
	"os"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const projectFile = "res://project.godot"

// handWritten is a project file as nobody but a person writes it: comments, explicit defaults, sections out of
// order, one twice, and one that no engine knows, a value over several lines, and lines that end with spaces.
const handWritten = `; our game, see the wiki
config_version=5

[rendering]
; old laptops
renderer/rendering_method="gl_compatibility"   ; not mobile
renderer/rendering_method.mobile="gl_compatibility"

[mygame]

difficulty = { "easy": 1,
	; a note inside
	"hard": [3, ") ]"] }
start=Vector2( 1,2 )

[debug]

file_logging/enable_file_logging=false
gdscript/warnings/exclude_addons=false
gdscript/warnings/directory_rules={}
gdscript/warnings/untyped_declaration=2

[application]

config/name="Platformer 2D"
config/description="Two
lines; [not a section]
"
run/main_scene="res://main.tscn"
config/features=PackedStringArray("4.5", "GL Compatibility")
[mygame]
"höhe [m]"=3

[editor_plugins]

enabled=PackedStringArray("res://addons/user/plugin.cfg", "res://addons/godot_mcp_bridge/plugin.cfg")
`

// handWrittenEditor is an editor on a project whose file is handWritten.
func handWrittenEditor(t *testing.T, change func(text string) string) *Editor {
	t.Helper()
	e := ownWorkspace(t, "platformer2d")
	if err := os.WriteFile(onDisk(e, projectFile), []byte(change(handWritten)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, e)
	return e
}

func asWritten(text string) string { return text }

// changesBy runs a call with its preview, compares the change of project.godot, and takes it back and forth.
func changesBy(t *testing.T, e *Editor, s surface, tool string, a args, want string) {
	t.Helper()
	before := read(t, e, projectFile)
	previewed(t, e, s, tool, a).has(t, map[string]string{"persisted": "true", "undoable": "true"})
	after := read(t, e, projectFile)
	if got := lineDiff(before, after); got != want {
		t.Errorf("%s %s changed\n%s\nwant\n%s", tool, asJSON(a), got, want)
	}
	takesBack(t, e, s, tool, before, after)
}

// takesBack undoes and redoes the last step, which changed project.godot.
func takesBack(t *testing.T, e *Editor, s surface, tool, before, after string) {
	t.Helper()
	s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": tool})
	if got := read(t, e, projectFile); got != before {
		t.Errorf("%s: undo left\n%s", tool, lineDiff(before, got))
	}
	s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": tool})
	if got := read(t, e, projectFile); got != after {
		t.Errorf("%s: redo left\n%s", tool, lineDiff(after, got))
	}
}

func setting(name string, value any) args { return args{"name": name, "value": value} }

// TestF21OneSettingIsOneLine: whatever a person wrote into project.godot stays, byte for byte.
func TestF21OneSettingIsOneLine(t *testing.T) {
	for ends, change := range map[string]func(string) string{
		"LF":            asWritten,
		"CRLF and mark": func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") },
	} {
		t.Run(ends, func(t *testing.T) {
			e := handWrittenEditor(t, change)
			both(t, e, func(t *testing.T, s surface) {
				whole := read(t, e, projectFile)
				set := func(name string, value any, want string) {
					t.Helper()
					if ends != "LF" {
						want = strings.ReplaceAll(want, "\n", "\r\n")
					}
					changesBy(t, e, s, "project set-setting", setting(name, value), want)
				}
				set("rendering/renderer/rendering_method", "mobile",
					"- renderer/rendering_method=\"gl_compatibility\"   ; not mobile\n+ renderer/rendering_method=\"mobile\"   ; not mobile\n")
				set("debug/file_logging/enable_file_logging", true,
					"- file_logging/enable_file_logging=false\n+ file_logging/enable_file_logging=true\n")
				set("application/config/name", "Ünï \"q\"", "- config/name=\"Platformer 2D\"\n+ config/name=\"Ünï \\\"q\\\"\"\n")
				set("mygame/difficulty", map[string]any{"easy": 2},
					"- difficulty = { \"easy\": 1,\n- \t; a note inside\n- \t\"hard\": [3, \") ]\"] }\n+ difficulty = {\n+ \"easy\": 2\n+ }\n")
				set("mygame/höhe [m]", 4, "- \"höhe [m]\"=3\n+ \"höhe [m]\"=4\n")
				set("application/config/description", "one", "- config/description=\"Two\n- lines; [not a section]\n- \"\n+ config/description=\"one\"\n")
				set("application/run/max_fps", 30, "+ run/max_fps=30\n")
				set("display/window/size/viewport_width", 640, "+ \n+ [display]\n+ \n+ window/size/viewport_width=640\n")
				set("display/window/size/viewport_width.web", 320, "+ window/size/viewport_width.web=320\n")
				s.call(t, "undo", args{"count": 9}).ok(t).has(t, map[string]string{"undone": "9"})
				if got := read(t, e, projectFile); got != whole {
					t.Errorf("nine steps back left\n%s", lineDiff(whole, got))
				}
			})
		})
	}
}

// TestSettingsAreInTheEditorToo: the live value is the file's, also after the editor wrote its own project.godot
// and after a restart.
func TestSettingsAreInTheEditorToo(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	s := cli(e)
	kept := map[string]any{
		"application/run/max_fps":                            30,
		"rendering/environment/defaults/default_clear_color": "#102030",
		"physics/2d/default_gravity":                         9.8,
		"mygame/difficulty":                                  map[string]any{"easy": 7},
	}
	want := map[string]string{}
	for _, name := range sortedKeys(kept) {
		previewed(t, e, s, "project set-setting", setting(name, kept[name])).has(t, map[string]string{"set": "true"})
		want[name] = s.call(t, "project get-setting", args{"name": name}).ok(t).text("value")
	}
	look := func(when string) {
		t.Helper()
		for name, value := range want {
			if got := s.call(t, "project get-setting", args{"name": name}).ok(t); got.text("value") != value {
				t.Errorf("%s %s is %s, want %s", when, name, got.raw, value)
			}
		}
	}
	// A person comes back to the editor's window: it does not think that another program changed the file.
	user(t, e, "come back", "")
	if dialogs := s.call(t, "editor status", nil).ok(t).text("dialogs"); dialogs != "[]" && dialogs != "null" {
		t.Errorf("the editor asks about %s", dialogs)
	}
	user(t, e, "save settings", "")
	look("after the editor's own save")
	// Undo on top of the file that the editor wrote: only that setting goes back.
	before := read(t, e, projectFile)
	s.call(t, "undo", nil).ok(t)
	if got := lineDiff(before, read(t, e, projectFile)); !strings.HasPrefix(got, "- environment/defaults/default_clear_color=") || strings.Count(got, "\n") != 1 {
		t.Errorf("undo changed\n%s", got)
	}
	s.call(t, "redo", nil).ok(t)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	look("after a restart")
}

// TestSettingsOfAnotherProgram stay in the file, are told of, and the editor asks the person about them.
func TestSettingsOfAnotherProgram(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	s := cli(e)
	outside(t, e, projectFile, "start=Vector2( 1,2 )", "start=Vector2( 3,4 )")
	changed := read(t, e, projectFile)
	answer := previewed(t, e, s, "project set-setting", setting("application/run/max_fps", 30))
	if hint := answer.text("hint"); !strings.Contains(hint, "mygame/start") || !strings.Contains(hint, "editor restart") {
		t.Errorf("the hint is %q", hint)
	}
	after := read(t, e, projectFile)
	if got := lineDiff(changed, after); got != "+ run/max_fps=30\n" {
		t.Errorf("it changed\n%s", got)
	}
	takesBack(t, e, s, "project set-setting", changed, after)
	user(t, e, "come back", "")
	if dialogs := s.call(t, "editor status", nil).ok(t).text("dialogs"); !strings.Contains(dialogs, "modified outside") {
		t.Errorf("the editor asks about %s", dialogs)
	}
}

func TestSettingsTellDefaultsAndOverrides(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	write(t, e, "override.cfg", "[application]\n\nconfig/name=\"Demo\"\n\n[display]\n\nwindow/size/viewport_height.editor=99\n")
	both(t, e, func(t *testing.T, s surface) {
		get := func(name string, want map[string]string) {
			t.Helper()
			s.call(t, "project get-setting", args{"name": name}).ok(t).has(t, want)
		}
		get("application/config/name", map[string]string{"value": "Platformer 2D", "effective": "Demo", "exists": "true"})
		get("display/window/size/viewport_height", map[string]string{"value": "648", "effective": "99"})
		get("display/window/size/viewport_width", map[string]string{"value": "1152", "effective": "null"})
		get("mygame/start", map[string]string{"value": `{"$type":"Vector2","value":{"x":1.0,"y":2.0}}`})
		get("mygame/nothing", map[string]string{"value": "null", "exists": "false", "effective": "null"})
		list := s.call(t, "project list-settings", args{"prefix": "mygame"}).ok(t).text("settings")
		for _, name := range []string{"mygame/difficulty", "mygame/start", "mygame/höhe [m]"} {
			if !strings.Contains(list, name) {
				t.Errorf("%s is not in %s", name, list)
			}
		}
		if logging := s.call(t, "project list-settings", args{"prefix": "debug/file_logging"}).ok(t).text("settings"); logging != "[]" {
			t.Errorf("an explicit default is told as a change: %s", logging)
		}
		all := s.call(t, "project list-settings", args{"prefix": "debug/file_logging", "changed_only": false}).ok(t).text("settings")
		if !strings.Contains(all, `"name":"debug/file_logging/enable_file_logging"`) || !strings.Contains(all, `"type":"bool"`) {
			t.Errorf("all settings are %s", all)
		}

		changesBy(t, e, s, "project reset-setting", args{"name": "debug/file_logging/enable_file_logging"}, "- file_logging/enable_file_logging=false\n")
		changesBy(t, e, s, "project reset-setting", args{"name": "mygame/start"}, "- start=Vector2( 1,2 )\n")
		get("mygame/start", map[string]string{"exists": "false"})
		s.call(t, "project reset-setting", args{"name": "mygame/start"}).fails(t, bridge.ValidationError, "name")
		s.call(t, "undo", args{"count": 2}).ok(t)
		get("mygame/start", map[string]string{"exists": "true"})
		previewed(t, e, s, "project reset-setting", args{"name": "display/window/size/viewport_width"}).has(t, map[string]string{
			"undoable": "false", "value": "1152", "previous": "1152"})
		restart := previewed(t, e, s, "project set-setting", setting("rendering/renderer/rendering_method", "mobile"))
		if !strings.Contains(restart.text("hint"), "editor restart") {
			t.Errorf("nothing is said of the restart: %s", restart.raw)
		}
		s.call(t, "undo", nil).ok(t)
	})
}

func TestSettingsRefuseWhatIsWrong(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	set := func(name string, value any) args { return setting(name, value) }
	const tool = "project set-setting"
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, call := range []badCall{
			{"nearly right", tool, set("display/window/size/viewport_widht", 3), bridge.ValidationError, "name", []string{"display/window/size/viewport_width", "create"}},
			{"no section", tool, set("speed", 3).with("create", true), bridge.ValidationError, "name", []string{"section"}},
			{"a bracket", tool, set("a]b/c", 3).with("create", true), bridge.ValidationError, "name", nil},
			{"a line break", tool, set("a/c\nd", 3).with("create", true), bridge.ValidationError, "name", nil},
			{"text for a number", tool, set("display/window/size/viewport_width", "wide"), bridge.ValidationError, "value", []string{"int", "wide"}},
			{"half a number", tool, set("display/window/size/viewport_width", 1.5), bridge.ValidationError, "value", nil},
			{"text for a tagged number", tool, set("display/window/size/viewport_width.web", "wide"), bridge.ValidationError, "value", nil},
			{"none of the options", tool, set("rendering/renderer/rendering_method", "vulkan"), bridge.ValidationError, "value", []string{"forward_plus"}},
			{"no such number", tool, set("display/window/size/mode", 77), bridge.ValidationError, "value", nil},
			{"an autoload", tool, set("autoload/Game", "*res://main.gd"), bridge.ValidationError, "name", []string{"autoload list"}},
			{"an input action", tool, set("input/jump", map[string]any{}).with("create", true), bridge.ValidationError, "name", []string{"input-map list"}},
			{"the plugins", tool, set("editor_plugins/enabled", []string{}), bridge.ValidationError, "name", []string{"plugin list"}},
			{"the file's version", tool, set("config_version", 4), bridge.ValidationError, "name", nil},
			{"reset of the plugins", "project reset-setting", args{"name": "editor_plugins/enabled"}, bridge.ValidationError, "name", nil},
			{"reset of nothing", "project reset-setting", args{"name": "mygame/x"}, bridge.ValidationError, "name", nil},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, call.tool, call.args.with("dry_run", dry)).fails(t, call.code, call.required, call.words...)
			}
		}
		same(t, "refused settings", before, state(t, e))
	})
	write(t, e, "project.godot", "[application\nconfig/name=")
	s := cli(e)
	s.call(t, tool, set("application/config/name", "X")).fails(t, bridge.PreconditionFailed, "", "parse")
	write(t, e, "project.godot", handWritten)
	if err := os.Chmod(onDisk(e, projectFile), 0o444); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		s.call(t, tool, set("application/config/name", "X")).fails(t, bridge.PreconditionFailed, "", "written")
	}
}

// TestNewSettings: one that nothing knows is made on demand, and is gone with its section when taken back.
func TestNewSettings(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	both(t, e, func(t *testing.T, s surface) {
		whole := read(t, e, projectFile)
		changesBy(t, e, s, "project set-setting", setting("game/lives", 3).with("create", true), "+ \n+ [game]\n+ \n+ lives=3\n")
		s.call(t, "project set-setting", setting("game/lives", 4)).ok(t).has(t, map[string]string{"value": "4"})
		s.call(t, "project reset-setting", args{"name": "game/lives"}).ok(t).has(t, map[string]string{"value": "null", "previous": "4"})
		if got := read(t, e, projectFile); got != whole {
			t.Errorf("making and resetting left\n%s", lineDiff(whole, got))
		}
		s.call(t, "project get-setting", args{"name": "game/lives"}).ok(t).has(t, map[string]string{"exists": "false"})
		s.call(t, "undo", args{"count": 3}).ok(t)
	})
}

// TestSettingsInABatch are one step together, and leave the file as it was when one of them fails.
func TestSettingsInABatch(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	command := func(tool string, a args) args { return args{"command": tool, "params": a} }
	good := []args{
		command("project set-setting", setting("application/run/max_fps", 30)),
		command("project set-setting", setting("application/run/max_fps", 60)),
		command("input-map add-action", args{"action": "jump"}),
		command("input-map add-event", args{"action": "jump", "event": args{"type": "key", "key": "Space"}}),
		command("autoload add", args{"name": "Game", "path": "res://main.gd"}),
	}
	both(t, e, func(t *testing.T, s surface) {
		whole := read(t, e, projectFile)
		for at := range len(good) + 1 {
			list := append(append(append([]args{}, good[:at]...), command("project set-setting", setting("no/such", 1))), good[at:]...)
			s.call(t, "batch run", args{"commands": list, "atomic": true})
			if got := read(t, e, projectFile); got != whole {
				t.Fatalf("a batch that failed at %d left\n%s", at, lineDiff(whole, got))
			}
			s.call(t, "project get-setting", args{"name": "application/run/max_fps"}).ok(t).has(t, map[string]string{"value": "0"})
			s.call(t, "autoload list", nil).ok(t).has(t, map[string]string{"autoloads": "[]"})
			s.call(t, "input-map list", nil).ok(t).has(t, map[string]string{"actions": "[]"})
		}
		s.call(t, "batch run", args{"commands": good, "atomic": true}).ok(t)
		after := read(t, e, projectFile)
		takesBack(t, e, s, "batch run", whole, after)
		s.call(t, "undo", nil).ok(t)
		s.call(t, "batch run", args{"commands": []args{command("plugin enable", args{"name": "user"})}, "atomic": true}).fails(t, bridge.ValidationError, "atomic")
	})
}
