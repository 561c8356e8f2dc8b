package testbed

import (
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// addPlugin puts an editor plugin into the project: its script, or an empty one that works.
func addPlugin(t *testing.T, e *Editor, folder, script string) {
	t.Helper()
	if script == "" {
		script = "@tool\nextends EditorPlugin\n"
	}
	write(t, e, "addons/"+folder+"/plugin.cfg", "[plugin]\n\nname=\"The "+folder+"\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1.2\"\nscript=\"plugin.gd\"\n")
	write(t, e, "addons/"+folder+"/plugin.gd", script)
}

// TestF21PluginsAreSwitchedByOneLine, and what a plugin itself sets is kept with it; the engine's own save of
// the file, a moment later, does not come.
func TestF21PluginsAreSwitchedByOneLine(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	addPlugin(t, e, "tidy", "@tool\nextends EditorPlugin\n\n\nfunc _enable_plugin() -> void:\n\tadd_autoload_singleton(\"Tidy\", \"res://main.tscn\")\n\n\n"+
		"func _disable_plugin() -> void:\n\tremove_autoload_singleton(\"Tidy\")\n")
	const own = `"res://addons/user/plugin.cfg", "res://addons/godot_mcp_bridge/plugin.cfg"`
	both(t, e, func(t *testing.T, s surface) {
		whole := read(t, e, projectFile)
		listed := func() string { return s.call(t, "plugin list", nil).ok(t).text("plugins") }
		told := func(on string) string {
			return `{"enabled":` + on + `,"name":"The tidy","path":"res://addons/tidy/plugin.cfg","version":"1.2"}`
		}
		if got := listed(); !strings.Contains(got, told("false")) {
			t.Errorf("the plugins are %s", got)
		}
		previewed(t, e, s, "plugin enable", args{"name": "tidy"}).has(t, map[string]string{"enabled": "true", "persisted": "true", "undoable": "false"})
		after := read(t, e, projectFile)
		diff := lineDiff(whole, after)
		for _, line := range []string{"- enabled=PackedStringArray(" + own + ")\n", "+ enabled=PackedStringArray(" + own + ", \"res://addons/tidy/plugin.cfg\")\n", "+ [autoload]\n", "+ Tidy="} {
			if !strings.Contains(diff, line) {
				t.Errorf("the change lacks %s:\n%s", line, diff)
			}
		}
		if n := strings.Count(diff, "\n"); n != 6 {
			t.Errorf("%d lines were changed:\n%s", n, diff)
		}
		if got := listed(); !strings.Contains(got, told("true")) {
			t.Errorf("the plugins are %s", got)
		}
		// The engine saves one and a half seconds after such a switch.
		for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
			if got := read(t, e, projectFile); got != after {
				t.Fatalf("the file was written again:\n%s", lineDiff(after, got))
			}
		}
		previewed(t, e, s, "plugin enable", args{"name": "The tidy"}).has(t, map[string]string{"enabled": "true", "undoable": "false"})
		previewed(t, e, s, "plugin disable", args{"name": "res://addons/tidy/plugin.cfg"}).has(t, map[string]string{"enabled": "false", "persisted": "true"})
		if got := read(t, e, projectFile); got != whole {
			t.Errorf("switching on and off left\n%s", lineDiff(whole, got))
		}
		if got := listed(); !strings.Contains(got, told("false")) {
			t.Errorf("the plugins are %s", got)
		}
	})
	s := cli(e)
	s.call(t, "plugin enable", args{"name": "tidy"}).ok(t)
	after := read(t, e, projectFile)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, e, projectFile); got != after {
		t.Errorf("a restart changed\n%s", lineDiff(after, got))
	}
	if got := s.call(t, "plugin list", nil).ok(t).text("plugins"); strings.Count(got, `"enabled":true`) != 3 {
		t.Errorf("after a restart the plugins are %s", got)
	}
}

func TestPluginsRefuseWhatIsWrong(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	addPlugin(t, e, "broken", "@tool\nextends EditorPlugin\nfunc _enter_tree() -> void:\n\tnothing()\n")
	addPlugin(t, e, "node", "@tool\nextends Node\n")
	addPlugin(t, e, "plain", "extends EditorPlugin\n")
	write(t, e, "addons/empty/plugin.cfg", "[plugin]\n\nname=\"Empty\"\n")
	write(t, e, "addons/gone/plugin.cfg", "[plugin]\n\nname=\"Gone\"\nscript=\"gone.gd\"\n")
	const on, off = "plugin enable", "plugin disable"
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, call := range []badCall{
			{"does not compile", on, args{"name": "broken"}, bridge.PreconditionFailed, "name", []string{"nothing", "script check"}},
			{"no plugin's script", on, args{"name": "node"}, bridge.PreconditionFailed, "name", []string{"EditorPlugin"}},
			{"no tool", on, args{"name": "plain"}, bridge.PreconditionFailed, "name", []string{"@tool"}},
			{"no script", on, args{"name": "Empty"}, bridge.PreconditionFailed, "name", []string{"names no script"}},
			{"script not there", on, args{"name": "gone"}, bridge.PreconditionFailed, "name", []string{"gone.gd"}},
			{"nearly right", on, args{"name": "brokn"}, bridge.ResourceNotFound, "name", []string{"broken"}},
			{"none", off, args{"name": "zzz"}, bridge.ResourceNotFound, "name", []string{"plugin list"}},
			{"our own", off, args{"name": "godot_mcp_bridge"}, bridge.ValidationError, "name", []string{"addon uninstall"}},
			{"our own by path", off, args{"name": "res://addons/godot_mcp_bridge/plugin.cfg"}, bridge.ValidationError, "name", nil},
			{"our own by name", off, args{"name": "Godot MCP Bridge"}, bridge.ValidationError, "name", nil},
			{"our own by a longer path", off, args{"name": "res://addons/godot_mcp_bridge/"}, bridge.ValidationError, "name", nil},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, call.tool, call.args.with("dry_run", dry)).fails(t, call.code, call.required, call.words...)
			}
		}
		same(t, "refused plugins", before, state(t, e))
	})
}

// provePlugins switches one on and off: no undo step, the other tool takes it back.
func provePlugins(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	addPlugin(t, e, "proof", "")
	// Its uid would come while another test watches the files.
	known(t, e, "res://addons/proof/plugin.gd")
	for i, tool := range []string{"plugin enable", "plugin disable"} {
		t.Run(strings.ReplaceAll(tool, " ", "_"), func(t *testing.T) {
			before := read(t, e, projectFile)
			on := []string{"true", "false"}[i]
			previewed(t, e, s, tool, args{"name": "proof"}).has(t, map[string]string{"enabled": on, "persisted": "true", "undoable": "false"})
			seen(t, record{tool: tool, diff: checkDiff(t, tool, before, read(t, e, projectFile))}, args{"name": "proof"})
		})
	}
}
