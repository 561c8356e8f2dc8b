@tool
extends RefCounted
## Puts input events into the game between two frames, where those of a keyboard come too: what is put in at the
## end of a frame the engine itself hands out at the beginning of the next one, before its physics frames.
## Sees what reaches the game, records it, and counts the frames that sequences and recordings are timed in.

const Codec := preload("input_codec.gd")

## Physics frames so far in which the tree was not paused.
var clock := 0
## Events of the editor that were handed out to the game.
var injected := 0
## The frame of the last of them.
var frame := 0
## Whether a recording is under way.
var is_recording := false

var _tree: SceneTree
var _awaited: Array[InputEvent] = []
var _last: InputEvent = null
var _last_frame := -1
## The recording: what came, the clock at its start, whether it began in a paused game and is still there.
var _record: Array[Dictionary] = []
var _record_base := 0
var _with_motion := false
var _began_paused := false
var _left_out := 0


func _init(tree: SceneTree) -> void:
	_tree = tree
	tree.physics_frame.connect(_tick)
	tree.root.window_input.connect(_take)


func _tick() -> void:
	if not _tree.paused:
		_note_resume()
		clock += 1


## Calls this when all nodes are done with the frame that has just begun.
func at_end_of_frame(what: Callable) -> void:
	_tree.create_timer(0.0, true, false, true).timeout.connect(what)


## The engine keeps the event until the next frame only while it accumulates; the game may have switched that
## off. A motion behind another one joins it.
func put(event: InputEvent) -> void:
	var joins := (
		event is InputEventMouseMotion
		and _last is InputEventMouseMotion
		and _last_frame == Engine.get_process_frames()
	)
	_last = event
	_last_frame = Engine.get_process_frames()
	if not joins:
		_awaited.append(event)
	var accumulates := Input.use_accumulated_input
	Input.use_accumulated_input = true
	Input.parse_input_event(event)
	Input.use_accumulated_input = accumulates


## Whether the event was not handed out yet.
func is_awaited(event: InputEvent) -> bool:
	return _awaited.has(event)


func forget(event: InputEvent) -> void:
	_awaited.erase(event)


func _take(event: InputEvent) -> void:
	if _awaited.has(event):
		_awaited.erase(event)
		injected += 1
		frame = Engine.get_process_frames()
	if is_recording:
		_note(event)


## Returns how many events of a former recording that was not stopped are lost.
func start_recording(with_motion: bool) -> int:
	var lost := _record.size() if is_recording else 0
	_record = []
	_record_base = clock
	_with_motion = with_motion
	_began_paused = _tree.paused
	_left_out = 0
	is_recording = true
	return lost


## {events, frames, left_out}
func stop_recording() -> Dictionary:
	is_recording = false
	var frames := clock - _record_base
	if _tree.paused and not _began_paused:
		_record.append({"type": "pause", "at_frame": frames})
	return {"events": _record, "frames": frames, "left_out": _left_out}


func _note(event: InputEvent) -> void:
	# What the engine makes of a touch or of the mouse it will make again.
	if event.device == InputEvent.DEVICE_ID_EMULATION:
		return
	if not _tree.paused:
		_note_resume()
	var is_motion := event is InputEventMouseMotion or event is InputEventScreenDrag
	if is_motion and not _with_motion:
		return
	var told := Codec.encode(event, _tree.root)
	if told.is_empty():
		_left_out += 1
		return
	told["at_frame"] = clock - _record_base
	_record.append(told)


## A game that was paused when the recording began and that no input of it has set going.
func _note_resume() -> void:
	if is_recording and _began_paused:
		_began_paused = false
		if _record.is_empty():
			_record.append({"type": "resume", "at_frame": 0})
