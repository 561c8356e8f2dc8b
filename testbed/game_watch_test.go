package testbed

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const clockScript = `extends Node2D

signal ticked

var frames: int = 0
var ticks: int = 0
var speed: float = 100.0
var label: String = "start"
var bag: Array = [1, "two", Vector2(3, 4)]
var scores: Dictionary = {"alice": 1}
var target: Node = null
var any: Variant = null
var dice: int = 0
var stats: Stats = Stats.new()
var handler: Callable = _process
var identity: RID = get_canvas_item()


class Stats:
	extends RefCounted

	var health: int = 10
	var owner: Node = null


func _init() -> void:
	Performance.add_custom_monitor("clock/frames", func() -> int: return frames)


func _exit_tree() -> void:
	Performance.remove_custom_monitor("clock/frames")


func _ready() -> void:
	target = get_node("Hero")
	stats.owner = target


func _process(delta: float) -> void:
	frames += 1
	dice = randi()
	(get_node("Hero") as Node2D).position.x += speed * delta


func _physics_process(_delta: float) -> void:
	ticks += 1


func hurt(points: int) -> void:
	stats.health -= points


func drop() -> void:
	get_node("Hero").free()


func leave_at(frame: int) -> void:
	while frames < frame:
		await get_tree().process_frame
	var nothing: Node = null
	nothing.name = "x"
`

const alwaysScript = `extends Node

var frames: int = 0


func _process(_delta: float) -> void:
	frames += 1
`

const clockScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://watch/clock.gd" id="1"]
[ext_resource type="Script" path="res://watch/always.gd" id="2"]

[sub_resource type="RectangleShape2D" id="Shape"]
size = Vector2(20, 30)

[node name="Clock" type="Node2D"]
script = ExtResource("1")

[node name="Hero" type="Sprite2D" parent="."]

[node name="Shape" type="CollisionShape2D" parent="Hero"]
shape = SubResource("Shape")

[node name="Always" type="Node" parent="."]
process_mode = 3
script = ExtResource("2")

[node name="Label" type="Label" parent="."]
text = "hello"
`

// watched plays the clock, paused before its first frame.
func watched(t *testing.T) surface {
	t.Helper()
	e, s := gameEditor(t)
	write(t, e, "watch/clock.gd", clockScript)
	write(t, e, "watch/always.gd", alwaysScript)
	write(t, e, "watch/clock.tscn", clockScene)
	playClock(t, s, 7)
	return s
}

func playClock(t *testing.T, s surface, seed int) {
	t.Helper()
	s.call(t, "game play", args{"scene_path": "res://watch/clock.tscn", "paused": true, "fixed_fps": 60, "seed": seed}).ok(t).has(t, map[string]string{
		"playing": "true", "connected": "true", "errors": "[]",
	})
}

func gameValue(t *testing.T, s surface, node, property string) string {
	t.Helper()
	return s.call(t, "game get-property", args{"node_path": node, "property": property}).ok(t).text("value")
}

func setInGame(t *testing.T, s surface, node, property string, value any) {
	t.Helper()
	s.call(t, "game set-property", args{"node_path": node, "property": property, "value": value}).ok(t)
}

// A step is exactly so many rounds of process and physics; a node that always processes goes on in the pause.
func TestGameStepPauseResume(t *testing.T) {
	s := watched(t)
	frames, ticks := func() string { return gameValue(t, s, ".", "frames") }, func() string { return gameValue(t, s, ".", "ticks") }
	want := func(n int) {
		t.Helper()
		if a, b := frames(), ticks(); a != fmt.Sprint(n) || b != fmt.Sprint(n) {
			t.Errorf("%s frames and %s ticks, want %d", a, b, n)
		}
		s.call(t, "game status", nil).ok(t).has(t, map[string]string{"paused": "true"})
	}
	want(0)
	s.call(t, "game step", nil).ok(t).has(t, map[string]string{"paused": "true"})
	want(1)
	before, _ := s.call(t, "game pause", nil).ok(t).number("frame")
	after, _ := s.call(t, "game step", args{"frames": 600}).ok(t).has(t, map[string]string{"paused": "true"}).number("frame")
	want(601)
	if after-before < 600 {
		t.Errorf("600 frames from %d to %d", before, after)
	}
	if x := gameValue(t, s, "Hero", "position:x"); !strings.HasPrefix(x, "1001.6") {
		t.Errorf("601 frames of 1/60 s at 100 a second led to %s", x)
	}
	always := func() int {
		n, _ := s.call(t, "game get-property", args{"node_path": "Always", "property": "frames"}).ok(t).number("value")
		return n
	}
	paused := always()
	await(t, "the node that always processes", func() bool { return always() > paused })
	want(601)

	s.call(t, "game resume", nil).ok(t).has(t, map[string]string{"paused": "false"})
	s.call(t, "game status", nil).ok(t).has(t, map[string]string{"paused": "false"})
	s.call(t, "game wait-for", args{"node_path": ".", "property": "frames", "op": ">", "expected": 605}).ok(t)
	// From the run, a step counts as well.
	s.call(t, "game step", args{"frames": 3}).ok(t).has(t, map[string]string{"paused": "true"})
	stood := frames()
	s.call(t, "game pause", nil).ok(t).has(t, map[string]string{"paused": "true"})
	if now := frames(); now != stood {
		t.Errorf("the paused game went from %s to %s", stood, now)
	}
	s.call(t, "game step", args{"frames": 0}).fails(t, bridge.ValidationError, "frames")
}

// Two programs that step at once get both what they asked for, and a step that is given up leaves the game paused.
func TestGameStepsOfTwoAndOneGivenUp(t *testing.T) {
	e, s := gameEditor(t)
	_ = watched(t)
	done := make(chan answer)
	go func() { done <- commandLine{e}.run(t, "game step", "", "game", "step", "200") }()
	s.call(t, "game step", args{"frames": 300}).ok(t)
	(<-done).ok(t)
	if n := gameValue(t, s, ".", "frames"); n != "500" {
		t.Errorf("steps of 200 and 300 were %s frames", n)
	}
	commandLine{e}.run(t, "game step", "", "game", "step", "100000000", "--timeout", "300ms").fails(t, bridge.Timeout, "")
	await(t, "the pause", func() bool { return s.call(t, "game status", nil).ok(t).text("paused") == "true" })
	s.call(t, "game step", args{"frames": 2}).ok(t)
	// A stop in the debugger ends it too.
	playClock(t, s, 1)
	n := gameValue(t, s, ".", "frames")
	s.call(t, "game call", args{"node_path": ".", "method": "leave_at", "args": []any{20}}).ok(t)
	s.call(t, "game step", args{"frames": 1000}).fails(t, bridge.PreconditionFailed, "game_not_breaked", "clock.gd")
	if n != "0" {
		t.Errorf("a paused start has processed %s frames", n)
	}
}

func stateHash(t *testing.T, s surface, include ...string) string {
	t.Helper()
	return s.call(t, "game state-hash", args{"include": include}).ok(t).text("hash")
}

// The same seed and the same frames give the same hash in another process; one value that differs, another.
func TestGameStateHash(t *testing.T) {
	s := watched(t)
	s.call(t, "game step", args{"frames": 50}).ok(t)
	// The node that always processes counts the frames of the pause, which nobody does.
	setInGame(t, s, "Always", "process_mode", 4)
	setInGame(t, s, "Always", "frames", 0)
	first := s.call(t, "game state-hash", nil).ok(t).has(t, map[string]string{"nodes": "5"}).text("hash")
	parts := map[string]string{}
	for _, part := range []string{"Hero", "Hero:position", ":visible", ".:dice", "%Nothing"} {
		if part == "%Nothing" {
			s.call(t, "game state-hash", args{"include": []string{part}}).fails(t, bridge.ResourceNotFound, "include", "game tree")
			continue
		}
		parts[part] = stateHash(t, s, part)
	}
	if len(first) != 64 || stateHash(t, s) != first {
		t.Errorf("the hash of the paused game is %s, then %s", first, stateHash(t, s))
	}
	for _, wrong := range []string{":no_such_thing", "Hero:no_such_thing", ":"} {
		s.call(t, "game state-hash", args{"include": []string{wrong}}).fails(t, bridge.ValidationError, "include")
	}

	again := func(seed int) string {
		t.Helper()
		playClock(t, s, seed)
		s.call(t, "game step", args{"frames": 50}).ok(t)
		setInGame(t, s, "Always", "process_mode", 4)
		setInGame(t, s, "Always", "frames", 0)
		return stateHash(t, s)
	}
	if other := again(8); other == first {
		t.Error("another seed has the same hash")
	}
	if second := again(7); second != first {
		t.Errorf("the same game twice: %s and %s", first, second)
	}
	for part, hash := range parts {
		if now := stateHash(t, s, part); now != hash {
			t.Errorf("%s twice: %s and %s", part, hash, now)
		}
	}

	// Each value counts, and its old value gives the old hash.
	for _, c := range []struct {
		node, property string
		value          any
	}{
		{"Hero", "position:y", 0.5}, {".", "label", "x"}, {".", "scores", args{"alice": 2}}, {"Hero/Shape", "shape:size", args{"x": 20, "y": 31}},
		{"Label", "text", "bye"}, {".", "target", args{"$node": "Label"}}, {"Hero", "visible", false}, {".", "any", "x"},
	} {
		old := s.call(t, "game get-property", args{"node_path": c.node, "property": c.property}).ok(t).fields["value"]
		setInGame(t, s, c.node, c.property, c.value)
		if stateHash(t, s) == first {
			t.Errorf("%s %s makes no difference", c.node, c.property)
		}
		setInGame(t, s, c.node, c.property, old)
		if stateHash(t, s) != first {
			t.Errorf("%s %s back again gives another hash", c.node, c.property)
		}
	}
	s.call(t, "game call", args{"node_path": ".", "method": "hurt", "args": []any{1}}).ok(t)
	if stateHash(t, s) == first {
		t.Error("what an object in a variable holds makes no difference")
	}
	if stateHash(t, s, "Hero") != parts["Hero"] {
		t.Error("what is outside the included branch makes a difference")
	}
}

func TestGameWaitFor(t *testing.T) {
	e, s := gameEditor(t)
	_ = watched(t)
	wait := func(node, property, op string, expected any) answer {
		return s.call(t, "game wait-for", args{"node_path": node, "property": property, "op": op, "expected": expected, "timeout_ms": 20})
	}
	passes := func(want bool, node, property, op string, expected any) answer {
		t.Helper()
		return wait(node, property, op, expected).has(t, map[string]string{"passed": fmt.Sprint(want)})
	}
	passes(true, ".", "frames", "==", 0).has(t, map[string]string{"actual": "0"})
	passes(true, ".", "speed", "==", 100)
	passes(true, ".", "label", "==", "start")
	passes(true, ".", "label", "!=", "end")
	passes(true, ".", "label", "<", "stop")
	passes(true, ".", "label", "contains", "tar")
	passes(false, ".", "label", "contains", "x")
	passes(true, ".", "bag", "contains", "two")
	passes(true, ".", "bag", "contains", 1)
	passes(true, ".", "bag", "contains", args{"x": 3, "y": 4})
	passes(false, ".", "bag", "contains", 2)
	passes(true, ".", "scores", "contains", "alice")
	passes(true, ".", "scores:alice", ">=", 1)
	passes(true, ".", "frames", "<", 0.5)
	passes(true, "Hero", "position", "==", args{"x": 0, "y": 0})
	passes(true, "Hero", "position", "!=", []any{1, 0})
	passes(true, ".", "target", "==", args{"$node": "Hero"})
	passes(true, ".", "any", "==", nil)
	passes(true, "Hero", "position", "exists", true)
	passes(true, "Villain", "position", "exists", false).has(t, map[string]string{"actual": "null"})
	gone := passes(false, "Villain", "position", "!=", 3)
	if !strings.Contains(gone.text("hint"), "no node Villain") {
		t.Errorf("a node that is not there: %s", gone.raw)
	}
	late := passes(false, ".", "frames", ">", 5).has(t, map[string]string{"actual": "0"})
	if ms, _ := late.number("waited_ms"); ms < 20 || !strings.Contains(late.text("hint"), "paused") {
		t.Errorf("waited in vain: %s", late.raw)
	}
	wait("Hero", "position", "<", args{"x": 1, "y": 1}).fails(t, bridge.ValidationError, "op", "position:x")
	wait("Hero", "position", "==", "left").fails(t, bridge.ValidationError, "expected")
	wait(".", "frames", "contains", 1).fails(t, bridge.ValidationError, "op")
	wait(".", "frames", "exists", 1).fails(t, bridge.ValidationError, "expected")
	wait(".", "frames", "~", 1).fails(t, bridge.ValidationError, "op")

	s.call(t, "game resume", nil).ok(t)
	met := s.call(t, "game wait-for", args{"node_path": "Hero", "property": "position:x", "op": ">=", "expected": 30}).ok(t)
	if x := met.text("actual"); x == "null" || met.text("passed") != "true" {
		t.Errorf("the hero: %s", met.raw)
	}
	// Over the command line the answer is an exit code too.
	if out := e.Run("game", "wait-for", ".", "label", "end", "--timeout-ms", "10"); out.Exit != 10 {
		t.Errorf("in vain: exit %d, %s %s", out.Exit, out.Stdout, out.Stderr)
	}
	s.call(t, "game call", args{"node_path": ".", "method": "drop"})
}

func TestGameMonitor(t *testing.T) {
	s := watched(t)
	s.call(t, "game read-monitor", nil).ok(t).has(t, map[string]string{"ready": "false", "connected": "true", "samples": "[]"})
	start := args{"node_path": "Hero", "property": "position:x", "samples": 5}
	s.call(t, "game start-monitor", start).ok(t).has(t, map[string]string{
		"monitoring": "true", "node_path": "/root/Clock/Hero", "property": "position:x", "samples": "5",
	})
	s.call(t, "game step", args{"frames": 3}).ok(t)
	samples := func(a answer) (frames []int, values []float64) {
		t.Helper()
		var read struct {
			Samples []struct {
				Frame int
				Value float64
			}
		}
		if err := json.Unmarshal(a.raw, &read); err != nil {
			t.Fatal(err)
		}
		for _, one := range read.Samples {
			frames, values = append(frames, one.Frame), append(values, one.Value)
		}
		return frames, values
	}
	half := s.call(t, "game read-monitor", nil).ok(t).has(t, map[string]string{"ready": "false", "error": "null"})
	if frames, values := samples(half); len(frames) != 3 || frames[2] != frames[0]+2 || values[0] < 1.66 || values[0] > 1.67 || values[2] < 4.99 || values[2] > 5.01 {
		t.Errorf("after three frames: %s", half.raw)
	}
	s.call(t, "game step", args{"frames": 10}).ok(t)
	full := s.call(t, "game read-monitor", nil).ok(t).has(t, map[string]string{"ready": "true", "error": "null"})
	if frames, _ := samples(full); len(frames) != 5 {
		t.Errorf("five were asked for: %s", full.raw)
	}

	// Only what changes by more than epsilon: 100/60 a frame, so each third frame.
	changes := start.with("on_change_only", true).with("epsilon", 4.0)
	s.call(t, "game start-monitor", changes).ok(t)
	s.call(t, "game step", args{"frames": 7}).ok(t)
	if frames, _ := samples(s.call(t, "game read-monitor", nil).ok(t)); len(frames) != 3 || frames[1] != frames[0]+3 || frames[2] != frames[1]+3 {
		t.Errorf("each third frame: %v", frames)
	}

	s.call(t, "game start-monitor", start.with("samples", 100)).ok(t)
	s.call(t, "game step", nil).ok(t)
	setInGame(t, s, ".", "process_mode", 4)
	s.call(t, "game call", args{"node_path": ".", "method": "drop"}).ok(t)
	s.call(t, "game step", nil).ok(t)
	ended := s.call(t, "game read-monitor", nil).ok(t).has(t, map[string]string{"ready": "true"})
	if frames, _ := samples(ended); len(frames) != 1 || !strings.Contains(ended.text("error"), "no longer") {
		t.Errorf("the node has gone: %s", ended.raw)
	}
	s.call(t, "game start-monitor", start.with("node_path", "Nobody")).fails(t, bridge.ResourceNotFound, "node_path")
	s.call(t, "game start-monitor", args{"node_path": ".", "property": "framez"}).fails(t, bridge.ValidationError, "property", "did you mean frames?")
	s.call(t, "game start-monitor", args{"node_path": ".", "property": "frames", "samples": 0}).fails(t, bridge.ValidationError, "samples")
	s.call(t, "game stop", nil).ok(t)
	s.call(t, "game read-monitor", nil).ok(t).has(t, map[string]string{"ready": "false", "connected": "false", "samples": "[]"})
}

func TestGamePerformanceAndTimeScale(t *testing.T) {
	s := watched(t)
	s.call(t, "game step", args{"frames": 4}).ok(t)
	found := s.call(t, "game performance", nil).ok(t).has(t, map[string]string{"playing": "true", "connected": "true", "ready": "true"})
	monitors, _ := found.fields["monitors"].(map[string]any)
	if fmt.Sprint(monitors["clock/frames"]) != "4.0" || monitors["OBJECT_NODE_COUNT"] == nil || monitors["MONITOR_MAX"] != nil {
		t.Errorf("the counters are %v", monitors)
	}
	for _, name := range []string{"TIME_FPS", "TIME_PROCESS", "MEMORY_STATIC", "RENDER_TOTAL_DRAW_CALLS_IN_FRAME", "PHYSICS_2D_ACTIVE_OBJECTS"} {
		if monitors[name] == nil {
			t.Errorf("%s is missing in %v", name, monitors)
		}
	}
	x := gameValue(t, s, "Hero", "position:x")
	s.call(t, "game time-scale", args{"scale": 0.5}).ok(t).has(t, map[string]string{"time_scale": "0.5"})
	s.call(t, "game step", args{"frames": 12}).ok(t)
	if now := gameValue(t, s, "Hero", "position:x"); !strings.HasPrefix(now, "16.6") {
		t.Errorf("four frames and twelve halves led from %s to %s", x, now)
	}
	s.call(t, "game time-scale", args{"scale": -1}).fails(t, bridge.ValidationError, "scale")
	s.call(t, "game stop", nil).ok(t)
	s.call(t, "game performance", nil).ok(t).has(t, map[string]string{"playing": "false", "ready": "false", "monitors": "{}"})
	for _, tool := range []string{"game pause", "game step", "game state-hash"} {
		s.call(t, tool, nil).fails(t, bridge.PreconditionFailed, "play_session", "game play")
	}
}
