package testbed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// driveScript is of a body that moves by actions, and notes what it is told and when.
const driveScript = `extends CharacterBody2D

var seen: PackedStringArray = []
var presses: PackedStringArray = []
var unhandled: int = 0
var ticks: int = 0
var drawn: int = 0
var held: int = 0
var turned: float = 0.0


func _ready() -> void:
	process_mode = PROCESS_MODE_PAUSABLE


func _input(event: InputEvent) -> void:
	var text := event.as_text()
	if event is InputEventKey:
		text = "%s %s %s" % [event.as_text_physical_keycode(), (event as InputEventKey).unicode, event.is_pressed()]
	elif event is InputEventMouseMotion:
		text = "move %s by %s" % [(event as InputEventMouse).position, (event as InputEventMouseMotion).relative]
	elif event is InputEventMouseButton:
		text = "button %d at %s %s" % [(event as InputEventMouseButton).button_index, (event as InputEventMouse).position, event.is_pressed()]
	elif event is InputEventScreenTouch:
		text = "touch %d at %s %s" % [(event as InputEventScreenTouch).index, (event as InputEventScreenTouch).position, event.is_pressed()]
	elif event is InputEventJoypadButton:
		text = "pad %d button %d %s" % [event.device, (event as InputEventJoypadButton).button_index, event.is_pressed()]
	elif event is InputEventJoypadMotion:
		text = "pad %d axis %d %.2f" % [event.device, (event as InputEventJoypadMotion).axis, (event as InputEventJoypadMotion).axis_value]
	elif event is InputEventAction:
		text = "%s %s" % [(event as InputEventAction).action, event.is_pressed()]
	seen.append(text)


func _unhandled_input(_event: InputEvent) -> void:
	unhandled += 1


func _physics_process(_delta: float) -> void:
	ticks += 1
	for action: String in ["ui_accept", "ui_right"]:
		if Input.is_action_just_pressed(action):
			presses.append("%s p%d" % [action, ticks])
	if Input.is_action_pressed("ui_right"):
		held += 1
	if Input.is_action_just_pressed("ui_accept"):
		velocity.y = -310.7
	velocity.y += 9.81
	velocity.x = move_toward(velocity.x, Input.get_axis("ui_left", "ui_right") * 211.3, 17.9 + randf())
	move_and_slide()


func _process(delta: float) -> void:
	drawn += 1
	if Input.is_action_just_pressed("ui_accept"):
		presses.append("ui_accept d%d" % drawn)
	turned = turned * 0.97 + Input.get_action_strength("ui_right") * delta * randf()
`

const driveScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://drive/body.gd" id="1"]

[node name="Drive" type="Node2D"]

[node name="Body" type="CharacterBody2D" parent="."]
script = ExtResource("1")

[node name="Name" type="LineEdit" parent="."]
offset_right = 60.0
offset_bottom = 20.0
`

var drive = args{"scene_path": "res://drive/main.tscn", "fixed_fps": 60, "seed": 11}

func driveEditor(t *testing.T) surface {
	t.Helper()
	e := sharedEditor(t)
	write(t, e, "game/node.gd", gameScript)
	write(t, e, "game/stage.tscn", gameScene)
	write(t, e, "drive/body.gd", driveScript)
	write(t, e, "drive/main.tscn", driveScene)
	write(t, e, "drive/menu.gd", menuScript)
	write(t, e, "drive/menu.tscn", menuScene)
	s := mcpSession(t, e)
	t.Cleanup(func() { cli(e).call(t, "game stop", nil).ok(t) })
	return s
}

// ofBody is a property of the body in the running game.
func ofBody(t *testing.T, s surface, property string) string {
	t.Helper()
	return s.call(t, "game get-property", args{"node_path": "Body", "property": property}).ok(t).text("value")
}

func TestInputReachesTheGame(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "input stats", nil).ok(t).has(t, map[string]string{"playing": "false", "connected": "false", "injected": "0"})
	s.call(t, "input key", args{"key": "A"}).fails(t, bridge.PreconditionFailed, "play_session", "game play")
	s.call(t, "game play", drive).ok(t)

	sent := func(tool string, a args, kind string, count int) {
		t.Helper()
		got := s.call(t, tool, a).ok(t).has(t, map[string]string{"sent": "true", "kind": kind, "count": fmt.Sprint(count), "paused": "false"})
		if got.text("frame") == "0" {
			t.Errorf("%s came in no frame: %s", tool, got.raw)
		}
	}
	sent("input key", args{"key": "A", "shift": true}, "key", 1)
	sent("input key", args{"key": "A", "shift": true, "pressed": false}, "key", 1)
	sent("input key", args{"key": "Page_Up", "physical": false}, "key", 1)
	sent("input mouse", args{"x": 30, "y": 40}, "mouse_motion", 1)
	sent("input mouse", args{"x": 32, "y": 44}, "mouse_motion", 1)
	sent("input mouse", args{"x": 32, "y": 44, "relative_x": 5, "relative_y": -1.5}, "mouse_motion", 1)
	sent("input mouse", args{"x": 32, "y": 44, "button": "right"}, "mouse_button", 1)
	sent("input mouse", args{"x": 32, "y": 44, "button": "right", "pressed": false}, "mouse_button", 1)
	sent("input mouse", args{"x": 32, "y": 44, "button": "wheel_down"}, "mouse_button", 2)
	sent("input action", args{"action": "ui_accept"}, "action", 1)
	sent("input action", args{"action": "ui_accept", "pressed": false}, "action", 1)
	sent("input joypad", args{"device": 1, "button": 3}, "joypad_button", 1)
	sent("input joypad", args{"device": 1, "button": 3, "pressed": false}, "joypad_button", 1)
	sent("input joypad", args{"axis": 0, "value": -0.75}, "joypad_motion", 1)
	sent("input joypad", args{"axis": 0, "value": 0}, "joypad_motion", 1)
	sent("input touch", args{"index": 1, "x": 10, "y": 50}, "touch", 1)
	sent("input touch", args{"index": 1, "x": 10, "y": 50, "pressed": false}, "touch", 1)

	want := []string{
		"A 65 true", "A 0 false", "PageUp 0 true",
		"move (30.0, 40.0) by ", "move (32.0, 44.0) by (2.0, 4.0)", "move (32.0, 44.0) by (5.0, -1.5)",
		"button 2 at (32.0, 44.0) true", "button 2 at (32.0, 44.0) false", "button 5 at (32.0, 44.0) true", "button 5 at (32.0, 44.0) false",
		"ui_accept true", "ui_accept false", "pad 1 button 3 true", "pad 1 button 3 false", "pad 0 axis 0 -0.75", "pad 0 axis 0 0.00",
		// The engine makes a mouse of the first finger.
		"button 1 at (10.0, 50.0) true", "touch 1 at (10.0, 50.0) true", "button 1 at (10.0, 50.0) false", "touch 1 at (10.0, 50.0) false",
	}
	got := s.call(t, "game get-property", args{"node_path": "Body", "property": "seen"}).ok(t).fields["value"].([]any)
	if len(got) != len(want) {
		t.Fatalf("the game has seen %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(strings.ReplaceAll(got[i].(string), "Shift+", ""), want[i]) {
			t.Errorf("event %d is %q, want %q", i, got[i], want[i])
		}
	}
	if ofBody(t, s, "unhandled") == "0" {
		t.Error("nothing has come to _unhandled_input")
	}
	presses := ofBody(t, s, "presses")
	if strings.Count(presses, "ui_accept p") != 1 || strings.Count(presses, "ui_accept d") != 1 {
		t.Errorf("just pressed once each in both kinds of frames: %s", presses)
	}
	s.call(t, "input stats", nil).ok(t).has(t, map[string]string{"playing": "true", "connected": "true", "injected": fmt.Sprint(len(want) - 2)})
}

func TestInputRefusesWhatThereIsNot(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive).ok(t)
	for _, c := range []struct {
		tool     string
		given    args
		code     bridge.Code
		required string
		words    string
	}{
		{"input key", args{"key": "Spacebar"}, bridge.ValidationError, "key", "did you mean Space?"},
		{"input action", args{"action": "ui_rihgt"}, bridge.ResourceNotFound, "action", "did you mean ui_right?"},
		{"input action", args{"action": "ui_right", "strength": 1.5}, bridge.ValidationError, "strength", "0 to 1"},
		{"input mouse", args{"x": 1, "y": 1, "button": "lefft"}, bridge.ValidationError, "button", "left, right"},
		{"input joypad", args{"button": 1, "axis": 1}, bridge.ValidationError, "button", "a button or an axis"},
		{"input joypad", args{}, bridge.ValidationError, "button", "a button or an axis"},
		{"input joypad", args{"button": 128}, bridge.ValidationError, "button", "127"},
		{"input joypad", args{"axis": 10, "value": 1}, bridge.ValidationError, "axis", "9"},
		{"input joypad", args{"axis": 1, "value": -1.5}, bridge.ValidationError, "value", "-1 to 1"},
		{"input joypad", args{"device": 16, "button": 1}, bridge.ValidationError, "device", "15"},
		{"input touch", args{"index": -1, "x": 1, "y": 1}, bridge.ValidationError, "index", "31"},
		{"input text", args{"text": ""}, bridge.ValidationError, "text", "nothing to type"},
		{"input text", args{"text": "a\u0007"}, bridge.ValidationError, "text", "character 2"},
		{"input play-sequence", args{"events": []args{{"type": "keyy", "key": "A"}}}, bridge.ValidationError, "events", "did you mean key?"},
		{"input play-sequence", args{"events": []args{{"type": "wait"}, {"type": "key", "key": "A", "presed": true}}}, bridge.ValidationError, "events", "event 1: key has no presed, did you mean pressed?"},
		{"input play-sequence", args{"events": []args{{"type": "text", "text": "ab", "hold_frames": 3}}}, bridge.ValidationError, "events", "can be held"},
		{"input play-sequence", args{"events": []args{{"type": "key", "key": "A", "at_frame": -1}}}, bridge.ValidationError, "events", "at_frame"},
		{"input stop-recording", nil, bridge.PreconditionFailed, "", "start-recording"},
	} {
		s.call(t, c.tool, c.given).fails(t, c.code, c.required, c.words)
	}
	s.call(t, "input stats", nil).ok(t).has(t, map[string]string{"injected": "0"})
}

func TestInputTypesIntoTheControlWithTheFocus(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive).ok(t)
	s.call(t, "input text", args{"text": "x"}).ok(t).has(t, map[string]string{"focus": "null", "count": "2"})
	s.call(t, "game call", args{"node_path": "Name", "method": "grab_focus"}).ok(t)
	s.call(t, "input text", args{"text": "Grüße, 世界! x-1"}).ok(t).has(t, map[string]string{"sent": "true", "focus": "/root/Drive/Name"})
	s.call(t, "input key", args{"key": "1", "shift": true}).ok(t)
	s.call(t, "game get-property", args{"node_path": "Name", "property": "text"}).ok(t).has(t, map[string]string{"value": "Grüße, 世界! x-1!"})
}

func TestSequenceIsExactToTheFrame(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive.with("paused", true)).ok(t)
	s.call(t, "input play-sequence", args{"events": []args{
		{"type": "resume"},
		{"type": "action", "action": "ui_right", "at_frame": 3, "hold_frames": 7},
		{"type": "key", "key": "Enter", "at_ms": 100, "hold_ms": 50},
		{"type": "pause", "at_frame": 20},
	}}).ok(t).has(t, map[string]string{"sent": "true", "kind": "sequence", "count": "4", "frames": "20", "late": "0", "held": "[]", "paused": "true"})
	for property, want := range map[string]string{"ticks": "20", "drawn": "20", "held": "7", "presses": `["ui_right p4","ui_accept p7","ui_accept d7"]`} {
		if got := ofBody(t, s, property); got != want {
			t.Errorf("%s is %s, want %s", property, got, want)
		}
	}
	// What is left pressed is told.
	s.call(t, "input play-sequence", args{"events": []args{{"type": "action", "action": "ui_left"}}}).ok(t).has(t, map[string]string{"held": `["action ui_left"]`, "paused": "true"})
}

// A recording holds what came in its frames, and played again from the same start it ends in the same place,
// to the last bit.
func TestRecordingPlaysAgainExactly(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive.with("paused", true)).ok(t)
	s.call(t, "input start-recording", nil).ok(t).has(t, map[string]string{"recording": "true", "dropped": "0"})
	given := []args{
		{"type": "resume"},
		{"type": "action", "action": "ui_right", "strength": 0.7, "hold_frames": 31},
		{"type": "key", "key": "Enter", "at_frame": 9, "hold_frames": 4},
		{"type": "joypad", "axis": 0, "value": -0.6, "at_frame": 40, "hold_frames": 12},
		{"type": "text", "text": "hi", "at_frame": 55},
		{"type": "mouse", "x": 12.250000000000001776, "y": 7.5, "button": "left", "at_frame": 60, "hold_frames": 2},
		{"type": "pause", "at_frame": 90},
	}
	s.call(t, "input play-sequence", args{"events": given}).ok(t)
	record := s.call(t, "input stop-recording", nil).ok(t).has(t, map[string]string{
		"ready": "true", "connected": "true", "frames": "90", "left_out": "0",
		"events.0.type": "resume", "events.1.action": "ui_right", "events.1.at_frame": "0", "events.2.key": "Enter", "events.2.at_frame": "9",
	})
	ends := func() (all []string) {
		for _, property := range []string{"position", "velocity", "turned", "seen", "presses", "ticks"} {
			all = append(all, ofBody(t, s, property))
		}
		return all
	}
	first := ends()
	if first[0] == `{"x":0.0,"y":0.0}` || first[2] == "0.0" {
		t.Fatalf("the body has not moved: %q", first)
	}
	s.call(t, "game play", drive.with("paused", true)).ok(t)
	s.call(t, "input play-sequence", args{"events": record.fields["events"]}).ok(t).has(t, map[string]string{"late": "0"})
	if second := ends(); !slices.Equal(first, second) {
		t.Errorf("it ends otherwise:\n%q\n%q", first, second)
	}
}

func TestSequenceGivenUpLetsGo(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive.with("fixed_fps", 0)).ok(t)
	e := sharedEditor(t)
	typed(t, e, "--timeout", "1s", "input", "play-sequence", `[{"type":"action","action":"ui_right","hold_frames":100000}]`).fails(t, bridge.Timeout, "", "")
	s.call(t, "input play-sequence", args{"events": []args{{"type": "wait", "wait_frames": 3}}}).ok(t)
	before := ofBody(t, s, "held")
	if before == "0" {
		t.Error("the action was never pressed")
	}
	s.call(t, "input play-sequence", args{"events": []args{{"type": "wait", "wait_frames": 5}}}).ok(t)
	if after := ofBody(t, s, "held"); after != before {
		t.Errorf("the action is still pressed: %s frames, then %s", before, after)
	}
}

// A game in the debugger has got nothing, and in a pause only what goes on in it.
func TestInputIsNotToldAsSentToAGameThatStands(t *testing.T) {
	s := driveEditor(t)
	s.call(t, "game play", drive.with("paused", true)).ok(t)
	paused := s.call(t, "input key", args{"key": "A"}).ok(t).has(t, map[string]string{"sent": "true", "paused": "true"})
	if !strings.Contains(paused.text("hint"), "paused") || ofBody(t, s, "seen") != "[]" {
		t.Errorf("a paused game: %s, seen %s", paused.raw, ofBody(t, s, "seen"))
	}
	s.call(t, "game play", args{"scene_path": "res://game/stage.tscn"}).ok(t)
	s.call(t, "game call", args{"node_path": ".", "method": "stop_here"}).fails(t, bridge.PreconditionFailed, "game_not_breaked")
	for tool, given := range map[string]args{"input key": {"key": "A"}, "input start-recording": nil, "game find-ui": nil, "input play-sequence": {"events": []args{{"type": "wait"}}}} {
		s.call(t, tool, given).fails(t, bridge.PreconditionFailed, "game_not_breaked")
	}
}
