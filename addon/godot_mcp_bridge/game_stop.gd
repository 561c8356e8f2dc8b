@tool
extends RefCounted
## The end of a game, parked until its process is gone.

const GameLink := preload("game_link.gd")
const GameRun := preload("game_run.gd")
const Result := preload("result.gd")

## The engine's debugger hears of the end a little later, and would end the next game for it.
const QUIET_FRAMES := 3
const KILL_MSEC := 1000
const LONGEST_MSEC := 10000

var _link: GameLink
## The game that is to end.
var _run: GameRun = null
var _was_playing := false
var _begun := 0
var _pid := 0
## Frames in a row in which nothing of the game was left.
var _quiet := 0


func _init(link: GameLink) -> void:
	_link = link


func start() -> Dictionary:
	_begun = Time.get_ticks_msec()
	_was_playing = EditorInterface.is_playing_scene()
	_run = _link.run
	_pid = _run.pid if _run != null else 0
	if _was_playing:
		if _run != null:
			_run.stopped = true
		# The engine ends the process at once, whatever it does.
		EditorInterface.stop_playing_scene()
	var answer := poll()
	return answer if not answer.is_empty() else Result.park(self)


func poll() -> Dictionary:
	# The engine begins no run beside another: this one is gone.
	if _link.run != _run:
		return {"playing": EditorInterface.is_playing_scene(), "stopped": _was_playing}
	var is_alive := _is_alive()
	if not EditorInterface.is_playing_scene() and not is_alive and not _link.has_session():
		_quiet += 1
		if _quiet <= QUIET_FRAMES:
			return {}
		if _link.run != null and not _link.run.ended:
			_link.end_run()
		_link.forget_process(_pid)
		return {"playing": false, "stopped": _was_playing}
	var waited := Time.get_ticks_msec() - _begun
	if waited > LONGEST_MSEC:
		return Result.fail(
			Result.INTERNAL, "the game %d does not end: godot-mcp game status" % _pid
		)
	if is_alive and waited > KILL_MSEC:
		OS.kill(_pid)
	return {}


## Elsewhere the engine itself has waited for the end, and complains of a process that it does not have.
func _is_alive() -> bool:
	return _pid > 0 and OS.get_name() == "Windows" and OS.is_process_running(_pid)


## The game ends whether somebody waits or not.
func give_up() -> Dictionary:
	return Result.fail(Result.TIMEOUT, "cancelled; the game ends all the same")
