@tool
extends RefCounted
## The start of a game, parked until its first frame has begun, or until it is clear that it will not.

const GameLink := preload("game_link.gd")
const GameStop := preload("game_stop.gd")
const Result := preload("result.gd")

const START_MSEC := 20000
const MAX_ERRORS := 50
## The engine would save every open scene before a run.
const SAVE_BEFORE := "run/auto_save/save_before_running"

var saved: PackedStringArray = []
var hint := ""

var _link: GameLink
var _scene: String
var _params: Dictionary
## The end of the game that was running before, null when there was none.
var _stopping: GameStop = null
var _restarted := false
var _until := 0


func _init(link: GameLink, scene: String, params: Dictionary) -> void:
	_link = link
	_scene = scene
	_params = params


func start() -> Dictionary:
	_restarted = EditorInterface.is_playing_scene()
	if _restarted or _link.is_ending():
		_stopping = GameStop.new(_link)
		_stopping.start()
	var answer := poll()
	return answer if not answer.is_empty() else Result.park(self)


func poll() -> Dictionary:
	if _stopping != null:
		var stopped := _stopping.poll()
		if stopped.is_empty() or Result.is_error(stopped):
			return stopped
		_stopping = null
	if _until == 0:
		if not _begin():
			return Result.fail(
				Result.INTERNAL, "the editor did not start the game: godot-mcp editor log"
			)
		if not bool(_params.get("wait", true)):
			return _answer()
	var run := _link.run
	if not run.ended and not run.ready and run.no_probe == "" and run.at_break.is_empty():
		if Time.get_ticks_msec() < _until:
			return {}
		hint = (
			"the first frame has not begun after %d s: godot-mcp game output, or godot-mcp game stop"
			% (START_MSEC / 1000)
		)
	return {} if run.is_placing() else _answer()


## The run goes on whether somebody waits or not.
func give_up() -> Dictionary:
	return Result.fail(Result.TIMEOUT, "cancelled; the game may have begun: godot-mcp game status")


func _begin() -> bool:
	var before := _link.run
	_until = Time.get_ticks_msec() + START_MSEC
	var settings := EditorInterface.get_editor_settings()
	var saves: Variant = settings.get_setting(SAVE_BEFORE)
	settings.set_setting(SAVE_BEFORE, false)
	_link.wanted = _params
	EditorInterface.play_custom_scene(_scene)
	_link.wanted = {}
	settings.set_setting(SAVE_BEFORE, saves)
	return _link.run != before and EditorInterface.is_playing_scene()


func _answer() -> Dictionary:
	var run := _link.run
	var answer := {
		"playing": EditorInterface.is_playing_scene() and not run.ended,
		"scene": _scene,
		"connected": run.is_connected_now(),
		"saved": saved,
		"errors": _link.log.errors(MAX_ERRORS),
		"restarted": _restarted,
		"breaked": null if run.at_break.is_empty() else run.break_fields(),
	}
	if not run.at_break.is_empty():
		hint = "the game stands at %s: godot-mcp game stop" % run.words_of_break()
	elif run.no_probe != "":
		hint = run.no_probe
	elif run.ended and not run.ready:
		hint = "the game ended before its first frame: godot-mcp game output"
	if hint != "":
		answer["hint"] = hint
	return answer
