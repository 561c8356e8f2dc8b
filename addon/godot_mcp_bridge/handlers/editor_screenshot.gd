@tool
extends RefCounted
## What the editor draws, as a picture.

const Context := preload("../context.gd")
const Editor := preload("editor.gd")
const Picture := preload("../picture.gd")
const Readiness := preload("../readiness.gd")
const Result := preload("../result.gd")

const HOW_TO_DRAW := (
	"the editor runs headless and draws nothing: godot-mcp editor stop --save, "
	+ "then godot-mcp editor start --display virtual"
)

## The main screens by target.
const SCREENS: Dictionary[String, String] = {"2d": "2D", "3d": "3D"}

var _context: Context
## The main screen that is in front, by the name that the engine takes; "" until it was changed once.
var _main_screen := ""


## A picture that waits for the editor to draw. The engine draws only where something changed, so that is seen
## to in each frame.
class Shot:
	extends RefCounted

	## The first frame still settles what the last command changed.
	const FRAMES := 2

	var target := "editor"
	var max_size := 0
	var until := 0
	## The main screen that comes back to the front, "" for none.
	var back_to := ""
	var _drawn := 0

	func start() -> Dictionary:
		if SCREENS.has(target):
			EditorInterface.set_main_screen_editor(SCREENS[target])
		RenderingServer.frame_post_draw.connect(_on_drawn)
		_ask()
		return Result.park(self)

	func poll() -> Dictionary:
		if _drawn >= FRAMES:
			var picture := _picture()
			_end()
			return Picture.answer(picture, max_size)
		if Time.get_ticks_msec() < until:
			_ask()
			return {}
		var minimised := DisplayServer.window_get_mode() == DisplayServer.WINDOW_MODE_MINIMIZED
		_end()
		return Result.fail(
			Result.TIMEOUT,
			(
				(
					"the editor's window is minimised and nothing is drawn: bring it back"
					if minimised
					else "the editor drew no frame in time: raise timeout_ms"
				)
				+ ", then godot-mcp editor screenshot"
			)
		)

	func give_up() -> Dictionary:
		_end()
		return Result.fail(Result.TIMEOUT, "cancelled")

	func _ask() -> void:
		EditorInterface.get_base_control().queue_redraw()

	func _on_drawn() -> void:
		_drawn += 1

	func _end() -> void:
		RenderingServer.frame_post_draw.disconnect(_on_drawn)
		if back_to != "":
			EditorInterface.set_main_screen_editor(back_to)

	func _picture() -> Image:
		match target:
			"2d":
				return EditorInterface.get_editor_viewport_2d().get_texture().get_image()
			"3d":
				return EditorInterface.get_editor_viewport_3d(0).get_texture().get_image()
		return _all_windows()

	## The editor's window with the dialogs and menus that lie over it as windows of their own.
	func _all_windows() -> Image:
		var main := EditorInterface.get_base_control().get_window()
		var image := main.get_texture().get_image()
		if image == null:
			return null
		for window in Readiness.open_windows():
			if not window.visible or window.is_embedded():
				continue
			var over := window.get_texture().get_image()
			if over == null:
				continue
			image.convert(Image.FORMAT_RGBA8)
			over.convert(Image.FORMAT_RGBA8)
			var all := Rect2i(Vector2i.ZERO, over.get_size())
			image.blend_rect(over, all, window.position - main.position)
		return image


func _init(context: Context) -> void:
	_context = context
	context.plugin.main_screen_changed.connect(_on_main_screen_changed)


func commands() -> Dictionary[String, Callable]:
	return {"editor.screenshot": screenshot}


func screenshot(params: Dictionary) -> Dictionary:
	if DisplayServer.get_name() == "headless":
		return Result.fail(Result.PRECONDITION, HOW_TO_DRAW, "display")
	var shot := Shot.new()
	shot.target = str(params.get("target", "editor"))
	shot.max_size = int(params.get("max_size", 0))
	shot.until = Time.get_ticks_msec() + int(params.get("timeout_ms", 3000))
	var wanted: String = SCREENS.get(shot.target, "")
	var front := _main_screen if _main_screen != "" else Editor.main_screen()
	if wanted != "" and front != wanted:
		shot.back_to = front
	return shot.start()


func _on_main_screen_changed(screen_name: String) -> void:
	_main_screen = screen_name
