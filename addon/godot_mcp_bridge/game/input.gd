@tool
extends RefCounted
## Drives the game: keys, text, mouse, joypad, touch, actions, sequences of them, and recording.

const Codec := preload("input_codec.gd")
const Feed := preload("input_feed.gd")
const GameTree := preload("tree.gd")
const InputRun := preload("input_run.gd")
const Result := preload("../result.gd")
const Sequence := preload("input_sequence.gd")
const Start := preload("input_start.gd")

var _tree: SceneTree
var _feed: Feed


func _init(link: RefCounted) -> void:
	_tree = link.get("tree")
	_feed = link.get("feed")


func commands() -> Dictionary[String, Callable]:
	return {
		"input.key": _put.bind("key"),
		"input.text": text,
		"input.mouse": _put.bind("mouse"),
		"input.action": _put.bind("action"),
		"input.joypad": _put.bind("joypad"),
		"input.touch": _put.bind("touch"),
		"input.play-sequence": play_sequence,
		"input.stats": stats,
		"input.start-recording": start_recording,
		"input.stop-recording": stop_recording,
	}


func _put(params: Dictionary, type: String) -> Dictionary:
	var made := Codec.decode(type, params, _tree.root)
	if made.has("problem"):
		return _refused(made)
	var steps: Array[Dictionary] = []
	for event: InputEvent in made["events"] as Array[InputEvent]:
		steps.append({"at": 0, "event": event})
	return _run(steps, {"kind": made["kind"]})


func _run(steps: Array[Dictionary], answer: Dictionary) -> Dictionary:
	return Result.park(InputRun.new(_tree, _feed, steps, answer))


static func _refused(made: Dictionary) -> Dictionary:
	var next := (
		"godot-mcp input-map list" if made["field"] == "action" else "godot-mcp input --help"
	)
	return Result.fail(
		made["code"] as String, "%s: %s" % [made["problem"], next], made["field"] as String
	)


func text(params: Dictionary) -> Dictionary:
	var made := Codec.decode("text", params, _tree.root)
	if made.has("problem"):
		return _refused(made)
	var steps: Array[Dictionary] = []
	for event: InputEvent in made["events"] as Array[InputEvent]:
		steps.append({"at": 0, "event": event})
	var focused := _focused()
	return _run(steps, {"focus": GameTree.path_of(focused) if focused != null else null})


## The control that gets the keys.
func _focused() -> Control:
	var windows := _tree.root.get_embedded_subwindows()
	for window in windows:
		if window.has_focus():
			return window.gui_get_focus_owner()
	return _tree.root.gui_get_focus_owner()


func play_sequence(params: Dictionary) -> Dictionary:
	var sequence := Sequence.new(
		params.get("events", []) as Array, int(params.get("delay_ms", 0)), _tree.root
	)
	if not sequence.problem.is_empty():
		return _refused(sequence.problem)
	var last := int(sequence.steps[-1]["at"]) if not sequence.steps.is_empty() else 0
	return _run(sequence.steps, {"kind": "sequence", "frames": last})


func stats(_params: Dictionary) -> Dictionary:
	return {"playing": true, "connected": true, "injected": _feed.injected}


func start_recording(params: Dictionary) -> Dictionary:
	return Result.park(Start.new(_feed, bool(params.get("include_motion", false))))


func stop_recording(_params: Dictionary) -> Dictionary:
	if not _feed.is_recording:
		return Result.fail(
			Result.PRECONDITION,
			"nothing is being recorded in this run: godot-mcp input start-recording"
		)
	var answer := _feed.stop_recording()
	answer["ready"] = true
	answer["connected"] = true
	return answer
