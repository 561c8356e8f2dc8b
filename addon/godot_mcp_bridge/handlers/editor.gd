@tool
extends RefCounted
## The editor itself: what it is doing, waiting for it, ending it.

const Context := preload("../context.gd")
const Contract := preload("../contract.gd")
const Discovery := preload("../discovery.gd")
const Readiness := preload("../readiness.gd")
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

	func progress() -> Dictionary:
		var waited := int((Time.get_ticks_msec() - begun) / 1000.0)
		if waited < 1:
			return {}
		var part := EditorInterface.get_resource_filesystem().get_scanning_progress()
		var what := (
			"imports" if context.importing else "scans the project (%d %%)" % int(part * 100)
		)
		return {"progress": waited, "message": "s: the editor " + what}


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"editor.status": status,
		"editor.wait": wait,
		"editor.stop": stop,
		"editor.restart": restart,
		"editor.keep": keep,
	}


func status(_params: Dictionary) -> Dictionary:
	var files := EditorInterface.get_resource_filesystem()
	return {
		"focused": DisplayServer.window_is_focused(),
		"headless": DisplayServer.get_name() == "headless",
		"scanning": files.is_scanning(),
		"importing": _context.importing,
		"playing": EditorInterface.is_playing_scene(),
		"main_screen": main_screen(),
		"open_scenes": _context.scenes.open_scenes(),
		"dialogs": Readiness.dialogs(),
		"godot_version": Discovery.godot_version(),
		"addon_version": Contract.ADDON_VERSION,
		"uptime_ms": Time.get_ticks_msec(),
		"display": Discovery.display(),
	}


func wait(params: Dictionary) -> Dictionary:
	var waiting := Waiting.new()
	waiting.context = _context
	waiting.mode = str(params.get("for", "idle"))
	waiting.until = waiting.begun + int(params.get("timeout_ms", 30000))
	return Result.park(waiting)


func stop(params: Dictionary) -> Dictionary:
	var confirmed := bool(params.get("confirm", false))
	var save := bool(params.get("save", false))
	var problem := _save_problem() if save else {}
	if not problem.is_empty() and not confirmed:
		return problem
	var lost := _leftover(save and problem.is_empty())
	if not confirmed and not lost.is_empty():
		return _refuse_to_lose(
			lost, "godot-mcp editor stop --save, or --confirm to lose it", "confirm"
		)
	_leave()
	return {"stopped": true, "pid": OS.get_process_id(), "unsaved": lost}


## The engine's own restart forgets that the editor was headless, so the arguments are put together here.
func restart(params: Dictionary) -> Dictionary:
	var save := bool(params.get("save", true))
	var problem := _save_problem() if save else {}
	if not problem.is_empty():
		return problem
	var lost := _leftover(save)
	if not lost.is_empty():
		return _refuse_to_lose(
			lost,
			(
				"godot-mcp editor restart --save, godot-mcp scene save-as for a scene without a file, "
				+ "or godot-mcp editor stop --confirm to lose it"
			),
			"scene_saved"
		)
	var arguments: PackedStringArray = [
		"--editor", "--path", ProjectSettings.globalize_path("res://")
	]
	if DisplayServer.get_name() == "headless":
		arguments.append("--headless")
	else:
		arguments.append("--rendering-driver")
		arguments.append(RenderingServer.get_current_rendering_driver_name())
	OS.set_restart_on_exit(true, arguments)
	_leave()
	return {"restarted": true, "pid": OS.get_process_id()}


## For an editor that a client started by itself and that now somebody has asked for.
func keep(_params: Dictionary) -> Dictionary:
	_context.kept.emit()
	return {"kept": true}


func _save_problem() -> Dictionary:
	return _context.scenes.save_problem_of(_context.scenes.unsaved(), false)


## What is unsaved, after saving where that is wanted.
func _leftover(save: bool) -> PackedStringArray:
	var unsaved := _context.scenes.unsaved()
	if save:
		Scenes.make_folders(unsaved)
		EditorInterface.save_all_scenes()
		unsaved = _still_unsaved(unsaved)
		_context.resources.save()
	unsaved.append_array(_context.resources.unsaved())
	return unsaved


static func _refuse_to_lose(
	unsaved: PackedStringArray, way_out: String, required: String
) -> Dictionary:
	return Result.fail(
		Result.PRECONDITION,
		"unsaved work in %s: %s" % [", ".join(unsaved), way_out],
		required,
		{"unsaved": unsaved}
	)


func _leave() -> void:
	var tree := _context.plugin.get_tree()
	tree.create_timer(QUIT_DELAY_SEC).timeout.connect(tree.quit)


## After a save the tab's mark is drawn a frame later, so the files' own record decides here.
func _still_unsaved(before: PackedStringArray) -> PackedStringArray:
	var out: PackedStringArray = []
	for path in before:
		if not path.begins_with("res://") or _context.history.is_ahead_of_file(path):
			out.append(path)
	return out


static func main_screen() -> String:
	for child in EditorInterface.get_editor_main_screen().get_children():
		var control := child as Control
		if control != null and control.visible:
			return MAIN_SCREENS.get(control.get_class(), control.get_class())
	return ""
