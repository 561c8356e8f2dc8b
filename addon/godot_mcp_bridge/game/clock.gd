@tool
extends RefCounted
## The time of the running game: pause, resume, frames one by one, and how fast it passes.
##
## All of it happens at one place of a frame, before any node is processed, so that a step is N rounds of
## process and physics wherever it begins.

const Result := preload("../result.gd")

var _link: RefCounted
var _tree: SceneTree
## The step under way. What else changes the time waits for its end.
var _at_work: Step = null


## Sets the pause of the tree when no step is under way.
class Switch:
	extends RefCounted

	var clock: RefCounted
	var wanted := false

	func poll() -> Dictionary:
		if clock.get("_at_work") != null:
			return {}
		var tree: SceneTree = clock.get("_tree")
		tree.paused = wanted
		return {"paused": tree.paused, "frame": Engine.get_process_frames()}


class Step:
	extends RefCounted

	var clock: RefCounted
	var frames := 1
	var _begun := -1
	## What a frame of the window waits for besides.
	var _vsync := DisplayServer.VSYNC_DISABLED

	func poll() -> Dictionary:
		var frame := Engine.get_process_frames()
		if _begun < 0:
			if clock.get("_at_work") == null:
				_begin(frame)
			return {}
		if frame < _begun + frames:
			return {}
		_end()
		return {"paused": (clock.get("_tree") as SceneTree).paused, "frame": frame}

	func progress() -> Dictionary:
		var done := Engine.get_process_frames() - _begun if _begun >= 0 else 0
		return {"progress": done, "total": frames}

	func give_up() -> void:
		if _begun >= 0:
			_end()

	func _begin(frame: int) -> void:
		clock.set("_at_work", self)
		_begun = frame
		_vsync = DisplayServer.window_get_vsync_mode()
		# The frames have their length whatever time they take.
		if int((clock.get("_link") as RefCounted).get("fixed_fps")) > 0:
			_set_vsync(DisplayServer.VSYNC_DISABLED)
		(clock.get("_tree") as SceneTree).paused = false

	func _end() -> void:
		(clock.get("_tree") as SceneTree).paused = true
		_set_vsync(_vsync)
		clock.set("_at_work", null)

	static func _set_vsync(mode: DisplayServer.VSyncMode) -> void:
		if DisplayServer.window_get_vsync_mode() != mode:
			DisplayServer.window_set_vsync_mode(mode)


func _init(link: RefCounted) -> void:
	_link = link
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {
		"game.pause": _switch.bind(true),
		"game.resume": _switch.bind(false),
		"game.step": step,
		"game.time-scale": time_scale,
	}


func _switch(_params: Dictionary, paused: bool) -> Dictionary:
	var waiting := Switch.new()
	waiting.clock = self
	waiting.wanted = paused
	return Result.park(waiting)


func step(params: Dictionary) -> Dictionary:
	var waiting := Step.new()
	waiting.clock = self
	waiting.frames = int(params.get("frames", 1))
	if waiting.frames < 1:
		return Result.fail(
			Result.VALIDATION, "frames must be at least 1, was given %d" % waiting.frames, "frames"
		)
	return Result.park(waiting)


func time_scale(params: Dictionary) -> Dictionary:
	var scale := float(params.get("scale", 1.0))
	if not is_finite(scale) or scale < 0:
		return Result.fail(
			Result.VALIDATION, "scale must be 0 or more, was given %s" % scale, "scale"
		)
	Engine.time_scale = scale
	return {"time_scale": Engine.time_scale}
