@tool
extends RefCounted
## What the running game draws, as a picture.

const Picture := preload("../picture.gd")
const Result := preload("../result.gd")

const HOW_TO_DRAW := (
	"the game runs headless and draws nothing: godot-mcp editor stop --save, "
	+ "then godot-mcp editor start --display virtual, then godot-mcp game play"
)

var _tree: SceneTree


## A picture of a frame that was begun after it was asked for, so that it has what was done before.
class Shot:
	extends RefCounted

	## The first frame still makes a change of the scene.
	const FRAMES := 2

	var tree: SceneTree
	var max_size := 0
	var until := 0
	var _image: Image = null
	var _drawn := 0
	var _is_listening := false
	var _was_thrifty := false

	func poll() -> Dictionary:
		if not _is_listening:
			_listen()
			return {}
		if _image != null:
			_end()
			return Picture.answer(_image, max_size)
		if Time.get_ticks_msec() < until:
			return {}
		_end()
		return Result.fail(
			Result.TIMEOUT,
			(
				"the game drew no frame in time, its window may be minimised: "
				+ "raise timeout_ms: godot-mcp game screenshot"
			)
		)

	func give_up() -> void:
		if _is_listening:
			_end()

	## A game in low processor mode draws only what changes.
	func _listen() -> void:
		_is_listening = true
		_was_thrifty = OS.low_processor_usage_mode
		OS.low_processor_usage_mode = false
		RenderingServer.frame_post_draw.connect(_on_drawn)

	func _on_drawn() -> void:
		_drawn += 1
		if _drawn == FRAMES:
			_image = tree.root.get_texture().get_image()

	func _end() -> void:
		RenderingServer.frame_post_draw.disconnect(_on_drawn)
		OS.low_processor_usage_mode = _was_thrifty


func _init(link: RefCounted) -> void:
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {"game.screenshot": screenshot}


func screenshot(params: Dictionary) -> Dictionary:
	if DisplayServer.get_name() == "headless":
		return Result.fail(Result.PRECONDITION, HOW_TO_DRAW, "display")
	var shot := Shot.new()
	shot.tree = _tree
	shot.max_size = int(params.get("max_size", 0))
	shot.until = Time.get_ticks_msec() + int(params.get("timeout_ms", 3000))
	return Result.park(shot)
