package testbed

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestAutoloads: one line comes and goes, and scripts know the name at once (F22).
func TestAutoloads(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	write(t, e, "uses.gd", "extends Node\nfunc f() -> int:\n\treturn Game.get_child_count()\n")
	both(t, e, func(t *testing.T, s surface) {
		isKnown := func(want bool) {
			t.Helper()
			got := s.call(t, "script check", args{"script_path": "res://uses.gd"})
			if got.err != nil || got.text("ok") != map[bool]string{true: "true", false: "false"}[want] {
				t.Errorf("want ok %t, got %s %v", want, got.raw, got.err)
			}
		}
		isKnown(false)
		whole := read(t, e, projectFile)
		uid := strings.TrimSpace(read(t, e, "res://main.gd.uid"))
		changesBy(t, e, s, "autoload add", args{"name": "Game", "path": "res://main.gd"}, "+ \n+ [autoload]\n+ \n+ Game=\"*"+uid+"\"\n")
		isKnown(true)
		s.call(t, "autoload list", nil).ok(t).has(t, map[string]string{
			"autoloads": `[{"enabled":true,"name":"Game","path":"res://main.gd","uid":"` + uid + `"}]`})
		previewed(t, e, s, "autoload add", args{"name": "Game", "path": uid}).has(t, map[string]string{"undoable": "false", "path": "res://main.gd"})
		s.call(t, "autoload add", args{"name": "Level", "path": "res://main.tscn"}).ok(t).has(t, map[string]string{"registered": "true"})
		s.call(t, "undo", nil).ok(t)
		s.call(t, "project info", nil).ok(t).has(t, map[string]string{"autoloads.0.name": "Game"})
		previewed(t, e, s, "autoload remove", args{"name": "Game"}).has(t, map[string]string{"unregistered": "true", "undoable": "true"})
		isKnown(false)
		if got := read(t, e, projectFile); got != whole {
			t.Errorf("adding and removing left\n%s", lineDiff(whole, got))
		}
		s.call(t, "undo", args{"count": 2}).ok(t)
		s.call(t, "autoload list", nil).ok(t).has(t, map[string]string{"autoloads": "[]"})
	})
}

// TestAutoloadsThatArePlain: paths without a uid, and autoloads without a name of their own, are told as they are.
func TestAutoloadsThatArePlain(t *testing.T) {
	e := handWrittenEditor(t, func(text string) string {
		return text + "\n[autoload]\n\nQuiet=\"res://main.gd\"\nLoud=\"*res://main.tscn\"\n"
	})
	s := cli(e)
	s.call(t, "autoload list", nil).ok(t).has(t, map[string]string{
		"autoloads": `[{"enabled":false,"name":"Quiet","path":"res://main.gd"},{"enabled":true,"name":"Loud","path":"res://main.tscn"}]`})
	changesBy(t, e, s, "autoload remove", args{"name": "Quiet"}, "- Quiet=\"res://main.gd\"\n")
	s.call(t, "autoload list", nil).ok(t).has(t, map[string]string{"autoloads": `[{"enabled":true,"name":"Loud","path":"res://main.tscn"}]`})
}

func TestAutoloadsRefuseWhatIsWrong(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	write(t, e, "data.json", "{}\n")
	add := func(name, path string) args { return args{"name": name, "path": path} }
	const tool, script = "autoload add", "res://main.gd"
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, call := range []badCall{
			{"class of the engine", tool, add("Node", script), bridge.ValidationError, "name", []string{"class"}},
			{"class of the project", tool, add("Player", script), bridge.ValidationError, "name", []string{"res://player.gd"}},
			{"type", tool, add("Vector2", script), bridge.ValidationError, "name", []string{"type"}},
			{"word", tool, add("while", script), bridge.ValidationError, "name", []string{"word"}},
			{"constant", tool, add("KEY_A", script), bridge.ValidationError, "name", []string{"constant"}},
			{"no identifier", tool, add("my game", script), bridge.ValidationError, "name", []string{"identifier"}},
			{"no file", tool, add("Game", "res://nothing.gd"), bridge.ResourceNotFound, "path", nil},
			{"no node", tool, add("Game", "res://enemy_stats.gd"), bridge.ValidationError, "path", []string{"Resource"}},
			{"no script", tool, add("Game", "res://data.json"), bridge.ValidationError, "path", []string{"script"}},
			{"outside", tool, add("Game", "res://../x.gd"), bridge.ValidationError, "path", nil},
			{"own addon", tool, add("Game", "res://addons/godot_mcp_bridge/plugin.gd"), bridge.ValidationError, "path", nil},
			{"none of that name", "autoload remove", args{"name": "Game"}, bridge.ResourceNotFound, "name", []string{"autoload list"}},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, call.tool, call.args.with("dry_run", dry)).fails(t, call.code, call.required, call.words...)
			}
		}
		same(t, "refused autoloads", before, state(t, e))
		s.call(t, tool, add("Game", script)).ok(t)
		s.call(t, tool, add("Game", "res://main.tscn")).fails(t, bridge.ValidationError, "name", "autoload remove")
		s.call(t, "undo", nil).ok(t)
	})
}
