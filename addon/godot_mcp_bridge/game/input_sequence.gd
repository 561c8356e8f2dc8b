@tool
extends RefCounted
## The events of `input play-sequence` as steps, each with the frame it is due in. A frame is a physics frame
## in which the game is not paused; milliseconds are turned into frames.

const Codec := preload("input_codec.gd")
const Decode := preload("../values_decode.gd")
const Names := preload("../names.gd")

const TIMES: Array[String] = ["at_frame", "at_ms", "wait_frames", "wait_ms"]
const HOLDS: Array[String] = ["hold_frames", "hold_ms"]
const CONTROLS: Array[String] = ["wait", "pause", "resume"]
## Frames of a sequence, five hours of them.
const MAX_FRAME := 1080000

var steps: Array[Dictionary] = []
## What is wrong with the events, as the codec tells it; empty when nothing is.
var problem: Dictionary = {}

var _window: Window
var _cursor := 0


func _init(events: Array, delay_ms: int, window: Window) -> void:
	_window = window
	for i in events.size():
		if not events[i] is Dictionary:
			problem = Codec.problem("an event is an object", "events")
		else:
			if i > 0:
				_cursor += _frames(delay_ms)
			_add((events[i] as Dictionary).duplicate())
		if not problem.is_empty():
			problem["problem"] = "event %d: %s" % [i, problem["problem"]]
			problem["field"] = "events"
			return
	_sort()


## Events of one frame stay in their order.
func _sort() -> void:
	for i in steps.size():
		steps[i]["index"] = i
	steps.sort_custom(
		func(a: Dictionary, b: Dictionary) -> bool:
			return a["index"] < b["index"] if a["at"] == b["at"] else a["at"] < b["at"]
	)


static func _frames(msec: float) -> int:
	return roundi(msec * Engine.physics_ticks_per_second / 1000.0)


func _add(given: Dictionary) -> void:
	var type := str(given.get("type", ""))
	given.erase("type")
	_make_plain(given)
	if not Codec.FIELDS.has(type) and not type in CONTROLS:
		var types := PackedStringArray(Codec.FIELDS.keys() + CONTROLS)
		var near := Names.nearest(type, types)
		var words := ", did you mean %s?" % near if near != "" else ""
		problem = Codec.problem("type is one of %s%s" % [", ".join(types), words], "events")
		return
	var due := _due(given)
	var hold := _hold(given)
	if not problem.is_empty():
		return
	if type in CONTROLS:
		if hold >= 0 or not given.is_empty():
			problem = Codec.problem("%s has only a time" % type, "events")
			return
		steps.append({"at": due, "what": type})
		_cursor = due
		return
	var made := Codec.decode(type, given, _window)
	if made.has("problem"):
		problem = made
		return
	_append(made["events"] as Array[InputEvent], due, hold)


## A number that the engine's parser would read inexactly has come with its bits.
static func _make_plain(given: Dictionary) -> void:
	for field: String in given:
		if given[field] is Dictionary:
			var read := Decode.simple(given[field], TYPE_FLOAT)
			given[field] = read.get(Decode.VALUE, given[field])


func _append(events: Array[InputEvent], due: int, hold: int) -> void:
	for event in events:
		steps.append({"at": due, "event": event})
	_cursor = due
	if hold < 0:
		return
	var first := events[0]
	if events.size() > 1 or Codec.held_by(first) == "" or not Codec.is_down(first):
		problem = Codec.problem("only what is pressed can be held", "events")
		return
	_cursor = due + hold
	steps.append({"at": _cursor, "event": Codec.released(first)})


## The frame of an event, whose times are taken out of it.
func _due(given: Dictionary) -> int:
	var due := _cursor
	for name in TIMES:
		if not given.has(name):
			continue
		var frames := _number(given, name)
		due = frames if name.begins_with("at_") else due + frames
	return due


## Frames from press to release, -1 for an event that is not held.
func _hold(given: Dictionary) -> int:
	var hold := -1
	for name in HOLDS:
		if given.has(name):
			hold = maxi(hold, _number(given, name))
	return hold


func _number(given: Dictionary, name: String) -> int:
	var value: Variant = given[name]
	given.erase(name)
	if not (value is float or value is int) or value < 0:
		problem = Codec.problem("%s is a number from 0 on" % name, "events")
		return 0
	var frames := _frames(value as float) if name.ends_with("_ms") else roundi(value as float)
	if frames > MAX_FRAME:
		problem = Codec.problem("%s is too far away" % name, "events")
	return mini(frames, MAX_FRAME)
