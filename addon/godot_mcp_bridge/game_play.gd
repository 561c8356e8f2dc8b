@tool
extends RefCounted
## The start of a game, parked until its first frame has begun, or until it is clear that it will not.

const GameLink := preload("game_link.gd")
const GameRun := preload("game_run.gd")
const GameStop := preload("game_stop.gd")
const Result := preload("result.gd")

const START_MSEC := 20000
const MAX_ERRORS := 50
## The engine would save every open scene before a run.
const SAVE_BEFORE := "run/auto_save/save_before_running"

var saved: PackedStringArray = []
var hint := ""

var _link: GameLink
## The run that this call has begun.
var _run: GameRun = null
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
	if EditorInterface.is_playing_scene() or _link.is_ending():
		_end_the_one_before()
	var answer := poll()
	return answer if not answer.is_empty() else Result.park(self)


func _end_the_one_before() -> void:
	_restarted = _restarted or EditorInterface.is_playing_scene()
	_stopping = GameStop.new(_link)
	_stopping.start()


func poll() -> Dictionary:
	if _stopping != null:
		var stopped := _stopping.poll()
		if stopped.is_empty() or Result.is_error(stopped):
			return stopped
		_stopping = null
		# Another client may have begun one meanwhile: who comes last has the game.
		if EditorInterface.is_playing_scene():
			_end_the_one_before()
			return {}
	if _until == 0:
		if not _begin():
			return Result.fail(
				Result.INTERNAL, "the editor did not start the game: godot-mcp editor log"
			)
		if not bool(_params.get("wait", true)):
			return _answer()
	if _link.run == _run and not _has_begun():
		if Time.get_ticks_msec() < _until:
			return {}
		hint = (
			"the first frame has not begun after %d s: godot-mcp game output, or godot-mcp game stop"
			% (START_MSEC / 1000)
		)
	return {} if _run.is_placing() else _answer()


## Or will not begin any more.
func _has_begun() -> bool:
	return _run.ended or _run.ready or _run.no_probe != "" or not _run.at_break.is_empty()


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
	_run = _link.run
	return _run != before and EditorInterface.is_playing_scene()


func _answer() -> Dictionary:
	# Only the last run can be playing, and the log is its own.
	var is_last := _link.run == _run
	var answer := {
		"playing": is_last and EditorInterface.is_playing_scene() and not _run.ended,
		"scene": _scene,
		"connected": is_last and _run.is_connected_now(),
		"saved": saved,
		"errors": _link.log.errors(MAX_ERRORS) if is_last else [],
		"restarted": _restarted,
		"breaked": null if _run.at_break.is_empty() else _run.break_fields(),
	}
	if not is_last or _run.stopped:
		hint = "another call ended this game or plays one in its place: godot-mcp game status"
	elif not _run.at_break.is_empty():
		hint = "the game stands at %s: godot-mcp game stop" % _run.words_of_break()
	elif _run.no_probe != "":
		hint = _run.no_probe
	elif _run.ended and not _run.ready:
		hint = "the game ended before its first frame: godot-mcp game output"
	if hint != "":
		answer["hint"] = hint
	return answer
