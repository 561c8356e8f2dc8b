package testbed

import (
	"strings"
	"testing"
)

// proveSettings are the tools whose change is a line of project.godot.
func proveSettings(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	jump := []step{
		{"input-map add-action", args{"action": "jump"}},
		{"input-map add-event", args{"action": "jump", "event": args{"type": "key", "key": "Space"}}},
	}
	for _, p := range []struct {
		tool   string
		args   args
		before []step
	}{
		{tool: "project set-setting", args: args{"name": "application/run/max_fps", "value": 60}},
		{tool: "project reset-setting", args: args{"name": "application/run/max_fps"},
			before: []step{{"project set-setting", args{"name": "application/run/max_fps", "value": 60}}}},
		{tool: "autoload add", args: args{"name": "Proof", "path": "res://main.gd"}},
		{tool: "autoload remove", args: args{"name": "Proof"}, before: []step{{"autoload add", args{"name": "Proof", "path": "res://main.gd"}}}},
		{tool: "input-map add-action", args: args{"action": "jump"}},
		{tool: "input-map add-event", args: args{"action": "jump", "event": args{"type": "key", "key": "Space"}}, before: jump[:1]},
		{tool: "input-map remove-event", args: args{"action": "jump", "index": 0}, before: jump},
		{tool: "input-map clear-events", args: args{"action": "jump", "confirm": true}, before: jump},
		{tool: "input-map remove-action", args: args{"action": "jump", "confirm": true}, before: jump},
	} {
		t.Run(strings.ReplaceAll(p.tool, " ", "_"), func(t *testing.T) {
			for _, b := range p.before {
				s.call(t, b.tool, b.args).ok(t)
			}
			before := read(t, e, projectFile)
			previewed(t, e, s, p.tool, p.args).has(t, map[string]string{"persisted": "true", "undoable": "true"})
			after := read(t, e, projectFile)
			diff := checkDiff(t, p.tool, before, after)
			takesBack(t, e, s, p.tool, before, after)
			s.call(t, "undo", args{"count": 1 + len(p.before)}).ok(t)
			seen(t, record{tool: p.tool, diff: diff, undone: true, redone: true}, p.args)
		})
	}
}
