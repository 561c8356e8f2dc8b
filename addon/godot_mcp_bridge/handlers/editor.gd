@tool
extends RefCounted
## The editor itself: what it is doing, waiting for it, ending it.

const Context := preload("../context.gd")
const Contract := preload("../contract.gd")
const Discovery := preload("../discovery.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")

## The editor opens scenes of its own some frames after the first scan.
const QUIET_FRAMES := 3

## Time for the answer to leave before the editor goes.
const QUIT_DELAY_SEC := 0.05

## Main screens by the class of the control that shows them.
const MAIN_SCREENS: Dictionary[String, String] = {
	"CanvasItemEditor": "2D",
	"Node3DEditor": "3D",
	"WindowWrapper": "Script",
	"ScriptEditor": "Script",
	"GameView": "Game",
	"EditorAssetLibrary": "AssetLib",
}

var _context: Context


## A wait for the editor to have nothing under way.
class Waiting:
	extends RefCounted
	var context: Context
	var mode := "idle"
	var begun := Time.get_ticks_msec()
	var until := 0
	## Frames in a row without anything under way.
	var quiet := 0

	func poll() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		var scanning := files.is_scanning()
		var importing := context.importing
		var ready: bool = not importing if mode == "imported" else not scanning
		if mode == "idle":
			ready = not scanning and not importing
		# Before its first scan the editor is not scanning either, and has not opened its scenes.
		ready = ready and Scenes.is_scanned()
		quiet = quiet + 1 if ready else 0
		if quiet <= QUIET_FRAMES and Time.get_ticks_msec() < until:
			return {}
		return {
			"ready": ready,
			"waited_ms": Time.get_ticks_msec() - begun,
			"scanning": scanning,
			"importing": importing,
		}


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"editor.status": status,
		"editor.wait": wait,
		"editor.stop": stop,
	}


func status(_params: Dictionary) -> Dictionary:
	var files := EditorInterface.get_resource_filesystem()
	return {
		"focused": DisplayServer.window_is_focused(),
		"headless": DisplayServer.get_name() == "headless",
		"scanning": files.is_scanning(),
		"importing": _context.importing,
		"playing": EditorInterface.is_playing_scene(),
		"main_screen": _main_screen(),
		"open_scenes": _context.scenes.open_scenes(),
		"godot_version": Discovery.godot_version(),
		"addon_version": Contract.ADDON_VERSION,
		"uptime_ms": Time.get_ticks_msec(),
	}


func wait(params: Dictionary) -> Dictionary:
	var waiting := Waiting.new()
	waiting.context = _context
	waiting.mode = str(params.get("for", "idle"))
	waiting.until = waiting.begun + int(params.get("timeout_ms", 30000))
	return Result.park(waiting)


func stop(params: Dictionary) -> Dictionary:
	var save := bool(params.get("save", false))
	var confirmed := bool(params.get("confirm", false))
	var unsaved := _context.scenes.unsaved()
	var problem := _context.scenes.save_problem_of(unsaved, false) if save else {}
	if not problem.is_empty() and not confirmed:
		return problem
	if save and problem.is_empty():
		Scenes.make_folders(unsaved)
		EditorInterface.save_all_scenes()
		unsaved = _still_unsaved(unsaved)
		_context.resources.save()
	unsaved.append_array(_context.resources.unsaved())
	if not confirmed and not unsaved.is_empty():
		return Result.fail(
			Result.PRECONDITION,
			(
				"unsaved work in %s: godot-mcp editor stop --save, or --confirm to lose it"
				% ", ".join(unsaved)
			),
			"confirm",
			{"unsaved": unsaved}
		)
	var tree := _context.plugin.get_tree()
	tree.create_timer(QUIT_DELAY_SEC).timeout.connect(tree.quit)
	return {"stopped": true, "pid": OS.get_process_id(), "unsaved": unsaved}


## After a save the tab's mark is drawn a frame later, so the files' own record decides here.
func _still_unsaved(before: PackedStringArray) -> PackedStringArray:
	var out: PackedStringArray = []
	for path in before:
		if not path.begins_with("res://") or _context.history.is_ahead_of_file(path):
			out.append(path)
	return out


static func _main_screen() -> String:
	for child in EditorInterface.get_editor_main_screen().get_children():
		var control := child as Control
		if control != null and control.visible:
			return MAIN_SCREENS.get(control.get_class(), control.get_class())
	return ""
