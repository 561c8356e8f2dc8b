@tool
extends RefCounted
## Input events under way: parked until all were put in at their frames and the game has had a frame with the
## last one. Given up, it lets go of what it holds down.

const Codec := preload("input_codec.gd")
const Feed := preload("input_feed.gd")

## Frames drawn without a physics frame after which it is no longer waited for.
const PATIENCE := 60

var _tree: SceneTree
var _feed: Feed
## {at, event} or {at, what}, in order; `at` counts frames of the feed's clock from the beginning.
var _steps: Array[Dictionary] = []
var _answer: Dictionary
var _next := 0
## The clock when it began, -1 before.
var _base := -1
var _late := 0
var _held: Dictionary[String, InputEvent] = {}
var _sent: Array[InputEvent] = []
var _over := false
var _physics := 0
var _drawn := 0


## `answer` is completed with what has become of the events.
func _init(tree: SceneTree, feed: Feed, steps: Array[Dictionary], answer: Dictionary) -> void:
	_tree = tree
	_feed = feed
	_steps = steps
	_answer = answer


## Called when a frame begins, before the nodes have it.
func poll() -> Dictionary:
	if _next < _steps.size():
		_feed.at_end_of_frame(_advance)
		return {}
	_drawn += 1
	var had_physics := Engine.get_physics_frames() > _physics
	if _drawn == 1 or not had_physics and not _tree.paused and _drawn < PATIENCE:
		return {}
	return _tell()


func _advance() -> void:
	if _over:
		return
	if _base < 0:
		_base = _feed.clock
	while _next < _steps.size() and int(_steps[_next]["at"]) <= _feed.clock - _base:
		_late = maxi(_late, _feed.clock - _base - int(_steps[_next]["at"]))
		_carry_out(_steps[_next])
		_next += 1
	_physics = Engine.get_physics_frames()


func _carry_out(step: Dictionary) -> void:
	if step.has("event"):
		_put(step["event"] as InputEvent)
	elif step.get("what") in ["pause", "resume"]:
		_tree.paused = step["what"] == "pause"


func _put(event: InputEvent) -> void:
	var held := Codec.held_by(event)
	if held != "":
		if Codec.is_down(event):
			_held[held] = event
		else:
			_held.erase(held)
	_feed.put(event)
	_sent.append(event)


func _tell() -> Dictionary:
	var missing := 0
	for event in _sent:
		if _feed.is_awaited(event):
			_feed.forget(event)
			missing += 1
	_answer["sent"] = missing == 0
	_answer["count"] = _sent.size() - missing
	_answer["frame"] = _feed.frame if not _sent.is_empty() else Engine.get_process_frames()
	_answer["paused"] = _tree.paused
	_answer["late"] = _late
	_answer["held"] = _held.keys()
	if missing > 0:
		_answer["hint"] = "%d events did not reach the game's window" % missing
	elif _tree.paused:
		_answer["hint"] = "the game is paused: only what goes on in the pause has got it"
	return _answer


func give_up() -> void:
	_over = true
	for event: InputEvent in _held.values():
		_feed.put(Codec.released(event))
