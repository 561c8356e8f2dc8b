@tool
extends RefCounted
## A question to the running game, parked until it is answered, or until it is clear that it will not be.

const GameRun := preload("game_run.gd")
const Result := preload("result.gd")

## game_link.gd, which makes these.
var _link: EditorDebuggerPlugin
var _run: GameRun
var _id: int
var _command: String
var _payload: PackedByteArray
var _until: int
var _timeout: int
var _sent := false
var _progress: Dictionary = {}


func _init(
	link: EditorDebuggerPlugin,
	id: int,
	command: String,
	payload: PackedByteArray,
	timeout_msec: int
) -> void:
	_link = link
	_run = link.get("run")
	_id = id
	_command = command
	_payload = payload
	_timeout = timeout_msec
	_until = Time.get_ticks_msec() + timeout_msec


func start() -> Dictionary:
	_run.expect(_id)
	_send()
	return Result.park(self)


## A game that is just starting is asked as soon as it has said hello.
func _send() -> void:
	if not _sent and _run.is_connected_now():
		_sent = _link.call("send", "ask", [_id, _command, _payload])


func poll() -> Dictionary:
	if _run.has_answer(_id):
		var answer := _run.answer_to(_id)
		return answer if not answer.is_empty() else _unreadable()
	var told := _run.take_progress(_id)
	if not told.is_empty():
		_progress = told
		_until = Time.get_ticks_msec() + _timeout
	var why := _reason_to_stop()
	if why.is_empty():
		_send()
		return {}
	_drop()
	return why


func _unreadable() -> Dictionary:
	return Result.fail(
		Result.INTERNAL, "the game's answer could not be read: godot-mcp game output"
	)


func _reason_to_stop() -> Dictionary:
	if _run.ended or _link.get("run") != _run:
		return Result.fail(
			Result.PRECONDITION,
			"the game ended before it answered: godot-mcp game output, then godot-mcp game play",
			"play_session"
		)
	if _run.no_probe != "":
		return _link.call("obstacle")
	if not _run.at_break.is_empty():
		return _link.call("obstacle") if not _run.is_placing() else {}
	if Time.get_ticks_msec() < _until:
		return {}
	return (
		Result
		. fail(
			Result.TIMEOUT,
			(
				"the game did not answer within %d ms: it hangs or is busy (godot-mcp game output), or godot-mcp game stop"
				% _timeout
			)
		)
	)


func _drop() -> void:
	_run.forget(_id)
	if _sent:
		_link.call("send", "cancel", [_id])


## For those who asked, once each.
func progress() -> Dictionary:
	var told := _progress
	_progress = {}
	return told


func give_up() -> Dictionary:
	_drop()
	return Result.fail(Result.TIMEOUT, "cancelled")
