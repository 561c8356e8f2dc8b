package testbed

import (
	"strconv"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// inputEvents are events of every kind as they are given, with what is then told of them.
var inputEvents = []struct {
	given args
	told  string
	text  string
}{
	{args{"type": "key", "key": "Space"}, `{"device":-1,"key":"Space","modifiers":[],"physical":true,"type":"key"}`, `"keycode":0,"physical_keycode":32`},
	{args{"type": "key", "key": "KEY_PAGE_UP", "physical": false, "modifiers": []string{"ctrl", "shift"}, "device": 1},
		`{"device":1,"key":"PageUp","modifiers":["ctrl","shift"],"physical":false,"type":"key"}`, `"shift_pressed":true,"ctrl_pressed":true,"meta_pressed":false,"pressed":false,"keycode":4194323,"physical_keycode":0`},
	{args{"type": "key", "key": "ö", "label": true}, `{"device":-1,"key":"Ö","label":true,"modifiers":[],"physical":false,"type":"key"}`, `"key_label":214`},
	{args{"type": "key", "key": "Shift", "location": "right"}, `{"device":-1,"key":"Shift","location":"right","modifiers":[],"physical":true,"type":"key"}`, `"location":2`},
	{args{"type": "key", "key": 65, "modifiers": []string{"command_or_control", "alt"}},
		`{"device":-1,"key":"A","modifiers":["alt","command_or_control"],"physical":true,"type":"key"}`, `"command_or_control_autoremap":true`},
	{args{"type": "mouse_button", "button": "wheel_up", "modifiers": []string{"meta"}}, `{"button":"wheel_up","device":-1,"modifiers":["meta"],"type":"mouse_button"}`, `"button_index":4`},
	{args{"type": "mouse_button", "button": 1}, `{"button":"left","device":-1,"modifiers":[],"type":"mouse_button"}`, `"button_index":1`},
	{args{"type": "joypad_button", "button": "a", "device": 0}, `{"button":"a","device":0,"type":"joypad_button"}`, `"device":0,"button_index":0`},
	{args{"type": "joypad_button", "button": 40}, `{"button":40,"device":-1,"type":"joypad_button"}`, `"button_index":40`},
	{args{"type": "joypad_motion", "axis": "left_y", "axis_value": -1}, `{"axis":"left_y","axis_value":-1.0,"device":-1,"type":"joypad_motion"}`, `"axis":1,"axis_value":-1.0`},
	{args{"type": "joypad_motion", "axis": 7, "axis_value": 0.25}, `{"axis":7,"axis_value":0.25,"device":-1,"type":"joypad_motion"}`, `"axis":7,"axis_value":0.25`},
}

// TestInputEventsComeBackAsTheyWereGiven, from the file after a restart too, and what is told can be given again.
func TestInputEventsComeBackAsTheyWereGiven(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	var all string
	both(t, e, func(t *testing.T, s surface) {
		whole := read(t, e, projectFile)
		previewed(t, e, s, "input-map add-action", args{"action": "jump", "deadzone": 0.2}).has(t, map[string]string{"created": "true", "persisted": "true", "undoable": "true"})
		for i, event := range inputEvents {
			answer := previewed(t, e, s, "input-map add-event", args{"action": "jump", "event": event.given})
			answer.has(t, map[string]string{"added": "true", "index": strconv.Itoa(i)})
			if got := asJSON(answer.value("event")); got != event.told {
				t.Errorf("%s is told as %s, want %s", asJSON(event.given), got, event.told)
			}
			if text := read(t, e, projectFile); !strings.Contains(text, event.text) {
				t.Errorf("%s: the file lacks %s:\n%s", asJSON(event.given), event.text, lineDiff(whole, text))
			}
		}
		for _, event := range inputEvents {
			previewed(t, e, s, "input-map add-event", args{"action": "jump", "event": event.given}).has(t, map[string]string{"added": "false", "undoable": "false"})
		}
		list := s.call(t, "input-map list-events", args{"action": "jump"}).ok(t)
		list.has(t, map[string]string{"deadzone": "0.2"})
		all = list.text("events")
		s.call(t, "input-map add-action", args{"action": "again", "deadzone": 0.2}).ok(t)
		for _, event := range list.value("events").([]any) {
			s.call(t, "input-map add-event", args{"action": "again", "event": event}).ok(t).has(t, map[string]string{"added": "true"})
		}
		if got := s.call(t, "input-map list-events", args{"action": "again"}).ok(t).text("events"); got != all {
			t.Errorf("given again they are\n%s\nwant\n%s", got, all)
		}
		s.call(t, "undo", args{"count": 2 + 2*len(inputEvents)}).ok(t)
		if got := read(t, e, projectFile); got != whole {
			t.Errorf("undo left\n%s", lineDiff(whole, got))
		}
		s.call(t, "redo", args{"count": 1 + len(inputEvents)}).ok(t)
		if got := s.call(t, "input-map list-events", args{"action": "jump"}).ok(t).text("events"); got != all {
			t.Errorf("redo gave\n%s", got)
		}
		s.call(t, "undo", args{"count": 1 + len(inputEvents)}).ok(t)
	})
	s := cli(e)
	s.call(t, "redo", args{"count": 1 + len(inputEvents)}).ok(t)
	user(t, e, "save settings", "")
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if got := s.call(t, "input-map list-events", args{"action": "jump"}).ok(t).text("events"); got != all {
		t.Errorf("after a restart they are\n%s\nwant\n%s", got, all)
	}
}

// TestInputActions: removing and clearing, and the engine's own actions, which can be changed and not removed.
func TestInputActions(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	both(t, e, func(t *testing.T, s surface) {
		whole := read(t, e, projectFile)
		names := func(a args) string {
			var out []string
			for _, action := range s.call(t, "input-map list", a).ok(t).value("actions").([]any) {
				out = append(out, action.(map[string]any)["name"].(string))
			}
			return strings.Join(out, " ")
		}
		if got := names(nil); got != "" {
			t.Errorf("there are actions: %s", got)
		}
		if got := names(args{"include_builtin": true}); !strings.Contains(got, "ui_accept") {
			t.Errorf("the engine's are %s", got)
		}
		changesBy(t, e, s, "input-map add-action", args{"action": "fire", "deadzone": 0.5}, "+ \n+ [input]\n+ \n+ fire={\n+ \"deadzone\": 0.5,\n+ \"events\": []\n+ }\n")
		s.call(t, "input-map add-event", args{"action": "fire", "event": args{"type": "key", "key": "F"}}).ok(t)
		s.call(t, "input-map add-event", args{"action": "fire", "event": args{"type": "key", "key": "G"}}).ok(t)
		gone := previewed(t, e, s, "input-map remove-event", args{"action": "fire", "index": 0})
		gone.has(t, map[string]string{"removed": "true", "event.key": "F"})
		previewed(t, e, s, "input-map clear-events", args{"action": "fire", "confirm": true}).has(t, map[string]string{"cleared": "1"})
		previewed(t, e, s, "input-map clear-events", args{"action": "fire", "confirm": true}).has(t, map[string]string{"cleared": "0", "undoable": "false"})
		previewed(t, e, s, "input-map remove-action", args{"action": "fire", "confirm": true}).has(t, map[string]string{"removed": "true"})
		if got := read(t, e, projectFile); got != whole || names(nil) != "" {
			t.Errorf("removing left %s\n%s", names(nil), lineDiff(whole, got))
		}
		s.call(t, "undo", nil).ok(t)
		if got := names(nil); got != "fire" {
			t.Errorf("undo of the removal gave %q", got)
		}
		s.call(t, "redo", nil).ok(t)

		s.call(t, "input-map add-event", args{"action": "ui_accept", "event": args{"type": "key", "key": "F"}}).ok(t)
		if got := names(nil); got != "ui_accept" {
			t.Errorf("changed actions are %q", got)
		}
		s.call(t, "input-map remove-action", args{"action": "ui_accept", "confirm": true}).fails(t, bridge.ValidationError, "action", "project reset-setting", "input/ui_accept")
		s.call(t, "project reset-setting", args{"name": "input/ui_accept"}).ok(t)
		if got := read(t, e, projectFile); got != whole || names(nil) != "" {
			t.Errorf("resetting left %s\n%s", names(nil), lineDiff(whole, got))
		}
		s.call(t, "undo", args{"count": 8}).ok(t)
	})
}

func TestInputMapRefusesWhatIsWrong(t *testing.T) {
	e := handWrittenEditor(t, asWritten)
	event := func(event args) args { return args{"action": "ui_accept", "event": event} }
	const tool, wrong = "input-map add-event", bridge.ValidationError
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, call := range []badCall{
			{"no such action", tool, args{"action": "ui_acept", "event": args{"type": "key", "key": "A"}}, bridge.ResourceNotFound, "action", []string{"ui_accept"}},
			{"no type", tool, event(args{"key": "A"}), wrong, "event", []string{"joypad_motion"}},
			{"key nearly right", tool, event(args{"type": "key", "key": "Spce"}), wrong, "event", []string{"Space"}},
			{"several keys", tool, event(args{"type": "key", "key": "Ctrl+S"}), wrong, "event", []string{"modifiers"}},
			{"no key", tool, event(args{"type": "key"}), wrong, "event", nil},
			{"field of another kind", tool, event(args{"type": "key", "key": "A", "button": 1}), wrong, "event", []string{"button"}},
			{"no such modifier", tool, event(args{"type": "key", "key": "A", "modifiers": []string{"hyper"}}), wrong, "event", []string{"shift"}},
			{"no such button", tool, event(args{"type": "mouse_button", "button": "lefft"}), wrong, "event", []string{"left"}},
			{"button 0", tool, event(args{"type": "mouse_button", "button": 0}), wrong, "event", nil},
			{"no such axis", tool, event(args{"type": "joypad_motion", "axis": "up", "axis_value": 1}), wrong, "event", []string{"left_x"}},
			{"no way of the axis", tool, event(args{"type": "joypad_motion", "axis": 0}), wrong, "event", []string{"axis_value"}},
			{"too far", tool, event(args{"type": "joypad_motion", "axis": 0, "axis_value": 2}), wrong, "event", nil},
			{"half a device", tool, event(args{"type": "key", "key": "A", "device": 0.5}), wrong, "event", []string{"device"}},
			{"there already", "input-map add-action", args{"action": "ui_accept"}, wrong, "action", []string{"there"}},
			{"no name", "input-map add-action", args{"action": "a/b"}, wrong, "action", nil},
			{"deadzone", "input-map add-action", args{"action": "x", "deadzone": 2}, wrong, "deadzone", nil},
			{"index", "input-map remove-event", args{"action": "ui_accept", "index": 99}, wrong, "index", []string{"list-events ui_accept"}},
			{"index below", "input-map remove-event", args{"action": "ui_accept", "index": -1}, wrong, "index", nil},
			{"nothing to remove", "input-map remove-action", args{"action": "x", "confirm": true}, bridge.ResourceNotFound, "action", nil},
			{"nothing to clear", "input-map clear-events", args{"action": "x", "confirm": true}, bridge.ResourceNotFound, "action", nil},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, call.tool, call.args.with("dry_run", dry)).fails(t, call.code, call.required, call.words...)
			}
		}
		s.call(t, "input-map list-events", args{"action": "x"}).fails(t, bridge.ResourceNotFound, "action")
		same(t, "refused input", before, state(t, e))
	})
}
