@tool
extends RefCounted
## One run of the game: what is known of it, and what it has answered.

const GameLog := preload("game_log.gd")
const GameWire := preload("game_wire.gd")

## The stack of a break comes this much later at most.
const PLACE_MSEC := 500
## The engine's reasons for a break that is no error: a mark in the editor, and the keyword.
const BREAKPOINTS: Array[String] = ["Breakpoint", "Breakpoint Statement"]

var id := ""
var scene := ""
var begun_msec := Time.get_ticks_msec()
var begun_frame := Engine.get_process_frames()
## Why the game cannot be asked anything, "" when it can.
var no_probe := ""
## The engine's session, -1 before the game has said hello.
var session := -1
## The session is no longer this game's: the engine gives it to the next one, whoever's that is.
var has_left := false
var pid := 0
var connected_once := false
## The first frame has begun: autoloads and scene are there.
var ready := false
var paused := false
var ended := false
## Somebody asked for its end: it did not end by itself.
var stopped := false
var ended_msec := 0
## {reason, since, stack} while the game stands at a break.
var at_break: Dictionary = {}
## Since when the game is known to be there without having said hello, 0 when it is not.
var silent_msec := 0
## The short way to the game; null after an update of the addon, which cuts it.
var wire: GameWire = null

var _log: GameLog
## Answers that have come, by the question's number; parts of them until all have.
var _answers: Dictionary[int, Dictionary] = {}
var _parts: Dictionary[int, PackedByteArray] = {}
var _asked: Dictionary[int, bool] = {}
## How far the game says that it is with a question: {progress, total}.
var _progress: Dictionary[int, Dictionary] = {}


func _init(log: GameLog) -> void:
	_log = log


func keep() -> Dictionary:
	return {
		"id": id,
		"scene": scene,
		"begun_msec": begun_msec,
		"no_probe": no_probe,
		"session": session,
		"has_left": has_left,
		"pid": pid,
		"connected_once": connected_once,
		"ready": ready,
		"paused": paused,
		"ended": ended,
		"stopped": stopped,
		"ended_msec": ended_msec,
		"at_break": at_break,
	}


func take_back(kept: Dictionary) -> void:
	for name: String in kept:
		set(name, kept[name])


func is_connected_now() -> bool:
	return connected_once and not ended


## Before the game has said hello, every session can be its own.
func is_of(session_id: int) -> bool:
	return not ended and (session < 0 or session == session_id)


func take(what: String, data: Array, session_id: int) -> void:
	if what == "hello" and session < 0 and not ended:
		session = session_id
		pid = int(data[1])
		connected_once = true
		# That it was cut off is a guess.
		no_probe = ""
		return
	# The log of a game that has ended may still be on its way.
	if session_id != session:
		return
	match what:
		"ready":
			ready = true
		"state":
			paused = bool((data[1] as Dictionary).get("paused", false))
		"log":
			_log.take(data[1] as Array, int(data[2]))
		"progress":
			if _asked.has(int(data[1])):
				_progress[int(data[1])] = data[2]
		"answer":
			_take_answer(int(data[1]), int(data[2]), data[3] as PackedByteArray)


## A large answer comes in parts; `left` is how many are still to come.
func _take_answer(question: int, left: int, part: PackedByteArray) -> void:
	if not _asked.has(question):
		return
	var bytes: PackedByteArray = _parts.get(question, PackedByteArray())
	bytes.append_array(part)
	_parts[question] = bytes
	if left > 0:
		return
	_parts.erase(question)
	var answer: Variant = bytes_to_var(bytes)
	_answers[question] = answer if answer is Dictionary else {}


func expect(question: int) -> void:
	_asked[question] = true


func forget(question: int) -> void:
	_asked.erase(question)
	_parts.erase(question)
	_answers.erase(question)
	_progress.erase(question)


## What the game has said since this was asked last, empty when nothing.
func take_progress(question: int) -> Dictionary:
	var told: Dictionary = _progress.get(question, {})
	_progress.erase(question)
	return told


func has_answer(question: int) -> bool:
	return _answers.has(question)


func answer_to(question: int) -> Dictionary:
	var answer := _answers[question]
	forget(question)
	return answer


func begin_break(reason: String) -> void:
	at_break = {"reason": reason, "since": Time.get_ticks_msec(), "stack": []}


## A stack of the engine's debugger: {file, line, function, frame}, the innermost first.
func place_break(stack: Array) -> void:
	if at_break.is_empty() or not (at_break["stack"] as Array).is_empty() or stack.is_empty():
		return
	at_break["stack"] = stack
	# The engine's debugger has taken this error, so that no logger was told.
	if not at_break["reason"] in BREAKPOINTS:
		_log.take_error(
			at_break["reason"] as String,
			place_of_break(),
			stack_of_break(),
			Time.get_ticks_msec() - begun_msec
		)


func end_break() -> void:
	at_break = {}


## Whether the place of the break is still on its way.
func is_placing() -> bool:
	return (
		not at_break.is_empty()
		and (at_break["stack"] as Array).is_empty()
		and Time.get_ticks_msec() < int(at_break["since"]) + PLACE_MSEC
	)


## {file, line}, empty when it is not known.
func place_of_break() -> Dictionary:
	var stack: Array = at_break.get("stack", [])
	return stack[0] if not stack.is_empty() else {}


func stack_of_break() -> PackedStringArray:
	var out: PackedStringArray = []
	for frame: Dictionary in at_break.get("stack", []) as Array:
		if str(frame["file"]).begins_with(GameLog.OWN_FOLDER):
			continue
		out.append("%s:%d in %s" % [frame["file"], frame["line"], frame["function"]])
	return out


func break_fields() -> Dictionary:
	var place := place_of_break()
	return {
		"reason": at_break["reason"],
		"script": place.get("file"),
		"line": place.get("line"),
		"stack": stack_of_break(),
	}


func words_of_break() -> String:
	var place := place_of_break()
	var where := " at %s:%d" % [place["file"], place["line"]] if not place.is_empty() else ""
	if at_break["reason"] in BREAKPOINTS:
		return "a breakpoint" + where.replace(" at ", ", ")
	var why := str(at_break["reason"]).trim_suffix(".")
	return "an error%s: %s" % [where.replace(" at ", " in "), why]


func words_of_end() -> String:
	return " %d s ago" % int((Time.get_ticks_msec() - ended_msec) / 1000.0)


func end() -> void:
	if wire != null:
		wire.close()
	ended = true
	ended_msec = Time.get_ticks_msec()
	at_break = {}
	_asked.clear()
	_parts.clear()
	_answers.clear()
	_progress.clear()
