@tool
extends RefCounted
## From a message to a handler and back: greeting, lookup, request keys, commands that wait, and handlers
## that die. One command at a time; the bridge never calls in while one is at work.

const Context := preload("context.gd")
const Contract := preload("contract.gd")
const Discovery := preload("discovery.gd")
const Peer := preload("peer.gd")
const Readiness := preload("readiness.gd")
const Result := preload("result.gd")
const Slices := preload("slices.gd")
const Wire := preload("wire.gd")
const HANDLERS: Array[GDScript] = [
	preload("handlers/addon.gd"),
	preload("handlers/core.gd"),
	preload("handlers/scene.gd"),
	preload("handlers/scene_tabs.gd"),
	preload("handlers/scene_extract.gd"),
	preload("handlers/node.gd"),
	preload("handlers/node_edit.gd"),
	preload("handlers/node_find.gd"),
	preload("handlers/signal.gd"),
	preload("handlers/batch.gd"),
	preload("handlers/batch_scenes.gd"),
	preload("handlers/class.gd"),
	preload("handlers/node_script.gd"),
	preload("handlers/node_instance.gd"),
	preload("handlers/node_change.gd"),
	preload("handlers/node_select.gd"),
	preload("handlers/script.gd"),
	preload("handlers/file.gd"),
	preload("handlers/file_write.gd"),
	preload("handlers/file_move.gd"),
	preload("handlers/file_copy.gd"),
	preload("handlers/file_delete.gd"),
	preload("handlers/resource.gd"),
	preload("handlers/resource_edit.gd"),
	preload("handlers/project.gd"),
	preload("handlers/project_settings.gd"),
	preload("handlers/project_scaffold.gd"),
	preload("handlers/project_diagnose.gd"),
	preload("handlers/autoload.gd"),
	preload("handlers/plugin.gd"),
	preload("handlers/input_map.gd"),
	preload("handlers/editor.gd"),
	preload("handlers/editor_log.gd"),
	preload("handlers/game.gd"),
	preload("handlers/input.gd"),
	preload("handlers/editor_screenshot.gd"),
	preload("handlers/game_watch.gd"),
]

## Answers kept so that a request key is carried out once.
const MAX_KEYS := 1000

## How long a client waits for the next word of a command that tells its progress.
const PROGRESS_MSEC := 250

## Answers a client's nonce; the bridge alone knows the token.
var prover: Callable
## When the last command came; before the first one, when the editor began to listen.
var worked_usec := Time.get_ticks_usec()

var _context: Context
var _commands: Dictionary[String, Callable] = {}
## Keeps the handler objects alive: a Callable does not.
var _handlers: Array[RefCounted] = []
var _parked: Array[Dictionary] = []
var _answers: Dictionary[String, Dictionary] = {}
## Whose command is at work: {peer, id}.
var _at_work: Dictionary = {}
## Commands inside the one at work, one in the other.
var _depth := 0
## The frame in which the editor was found ready for a command that changes something.
var _ready_frame := -1


func _init(context: Context) -> void:
	_context = context
	_context.is_waited_for = is_anything_parked
	_context.carry_out = _carry_out
	_context.pace.pulse = _pulse
	for script in HANDLERS:
		var handler: RefCounted = script.new(context)
		_handlers.append(handler)
		_register(handler.call("commands") as Dictionary)


## What another version of the addon needs, in plain values: the answers by request key, and what handlers
## remember from one command to the next.
func keep() -> Dictionary:
	var kept := {"answers": _answers}
	for handler in _handlers:
		if handler.has_method("hand_over"):
			kept.merge(handler.call("hand_over") as Dictionary)
	return kept


func take_back(kept: Dictionary) -> void:
	_answers.assign(kept.get("answers", {}) as Dictionary)
	for handler in _handlers:
		if handler.has_method("take_over"):
			handler.call("take_over", kept)


## A command that the contract does not know would be one that no client can rely on.
func _register(commands: Dictionary) -> void:
	for command: String in commands:
		if not Contract.COMMANDS.has(command):
			push_error("godot-mcp: %s is not in contract.gd: go generate ./..." % command)
			continue
		_commands[command] = commands[command]


func take(peer: Peer, packet: PackedByteArray) -> void:
	var text := packet.get_string_from_utf8()
	var message := Wire.read(text)
	var id := _id_of(message)
	if id <= 0:
		_refuse(peer, text)
	elif message.get("cancel") == true:
		_cancel(peer, id)
	elif packet.size() > Contract.MAX_MESSAGE:
		_answer(peer, id, _too_large(packet.size(), "request"))
	else:
		_run(peer, id, message, text)


func _refuse(peer: Peer, text: String) -> void:
	var problem := Wire.problem_of(text)
	if problem["too_deep"]:
		_answer(peer, problem["id"] as int, _too_deep("request", "params"))
		return
	_answer(
		peer, 0, Result.fail(Result.VALIDATION, "a message is a JSON object with a positive id")
	)


## True while no command can be taken, because the engine has not finished what the last one began.
func is_settling() -> bool:
	return _context.scenes.settling or _context.leaving


func step_parked() -> void:
	for entry: Dictionary in _parked.duplicate():
		var waiting: RefCounted = entry["waiting"]
		if not _parked.has(entry):
			continue
		_at_work = entry
		_context.begin_turn()
		var answer: Dictionary = waiting.call("poll")
		_at_work = {}
		if answer.is_empty():
			_tell_progress(entry, waiting)
			continue
		_parked.erase(entry)
		_finish(entry["peer"] as Peer, entry["id"] as int, entry["key"] as String, answer)


func is_anything_parked() -> bool:
	return not _parked.is_empty()


func is_working() -> bool:
	return not _parked.is_empty() or is_settling()


## Whether there is work of our own to go on with in the next frame.
func has_work() -> bool:
	return _parked.any(func(entry: Dictionary) -> bool: return entry["waiting"] is Slices)


func _tell_progress(entry: Dictionary, waiting: RefCounted) -> void:
	var now := Time.get_ticks_msec()
	if not waiting.has_method("progress") or now < entry.get("told_ms", 0) + PROGRESS_MSEC:
		return
	var told: Dictionary = waiting.call("progress")
	if told.is_empty():
		return
	entry["told_ms"] = now
	told["id"] = entry["id"]
	(entry["peer"] as Peer).send(Wire.write(told))


func is_waiting(peer: Peer) -> bool:
	return _parked.any(func(entry: Dictionary) -> bool: return entry["peer"] == peer)


## Gives up what a client that has gone was waiting for.
func forget(peer: Peer) -> void:
	for entry: Dictionary in _parked.duplicate():
		if entry["peer"] == peer and not _give_up(entry).is_empty():
			_parked.erase(entry)
			_answers.erase(entry["key"] as String)


func _run(peer: Peer, id: int, message: Dictionary, text: String) -> void:
	var command := str(message.get("command", ""))
	if command == "hello":
		_answer(peer, id, _hello(peer, message.get("params", {})))
		return
	if not peer.greeted:
		_answer(peer, id, Result.fail(Result.PRECONDITION, "say hello first", "bridge_token"))
		return
	worked_usec = Time.get_ticks_usec()
	var key := str(message.get("key", ""))
	if key != "" and _answers.has(key):
		_repeat(peer, id, key)
		return
	if Contract.EXACT.has(command):
		message = Wire.read_exact(text)
	_at_work = {"peer": peer, "id": id}
	_context.begin_turn()
	var answer := _call(command, message)
	_at_work = {}
	if answer.has(Result.PARKED_KEY):
		if key != "":
			_answers[key] = {Result.PARKED_KEY: true}
		_parked.append({"peer": peer, "id": id, "key": key, "waiting": answer[Result.PARKED_KEY]})
		return
	_finish(peer, id, key, answer)


## For commands that consist of others, whose parameters may have been typed.
func _carry_out(command: String, params: Dictionary, typed: Dictionary = {}) -> Dictionary:
	_depth += 1
	var answer := _call(command, {"params": params, "raw": typed})
	_depth -= 1
	return answer


## Tells the client how far its command is, and looks whether it has cancelled it. Whatever else came stays for
## later. Commands inside another tell nothing: their numbers would stand among the other's.
func _pulse(done: int, total: int, message: String) -> bool:
	if _at_work.is_empty():
		return false
	var peer: Peer = _at_work["peer"]
	var id: int = _at_work["id"]
	if _depth == 0 and (done > 0 or message != ""):
		var progress := {"id": id, "progress": done}
		if total > 0:
			progress["total"] = total
		if message != "":
			progress["message"] = message
		peer.send(Wire.write(progress))
	return peer.has_cancelled(id)


func _call(command: String, message: Dictionary) -> Dictionary:
	if not _commands.has(command):
		return Result.fail(
			Result.PRECONDITION,
			(
				"the addon %s in the editor does not know %s: godot-mcp addon update"
				% [Contract.ADDON_VERSION, command]
			),
			"addon_version"
		)
	var params: Variant = message.get("params", {})
	if not params is Dictionary:
		return Result.fail(Result.VALIDATION, "params must be an object", "params")
	var not_ready := _readiness_problem(command)
	if not not_ready.is_empty():
		return not_ready
	_context.begin(command, message.get("raw", {}))
	var answer: Variant = _commands[command].call(params)
	var problem := _context.finish()
	var own := _context.own_error()
	if own != "":
		problem = own
	elif answer is Dictionary and not (answer as Dictionary).is_empty():
		return answer
	return Result.fail(
		Result.INTERNAL,
		(
			"the handler of %s stopped: %s; read the scene again before the next edit"
			% [command, problem]
		)
	)


## Commands inside one that changes something are asked once a frame: only the next one can find the editor at
## something else.
func _readiness_problem(command: String) -> Dictionary:
	var frame := Engine.get_process_frames()
	if _depth > 0 and _ready_frame == frame:
		return {}
	var problem := Readiness.problem(command, _context.importing_files)
	if problem.is_empty() and not Contract.READING.has(command):
		_ready_frame = frame
	return problem


func _finish(peer: Peer, id: int, key: String, answer: Dictionary) -> void:
	if key != "":
		_answers[key] = answer
		if _answers.size() > MAX_KEYS:
			_answers.erase(_answers.keys()[0])
	worked_usec = Time.get_ticks_usec()
	_answer(peer, id, answer)


## The first answer is given again. While the first is still waiting there is none to give.
func _repeat(peer: Peer, id: int, key: String) -> void:
	var answer := _answers[key]
	if answer.has(Result.PARKED_KEY):
		answer = Result.fail(
			Result.PRECONDITION, "a request with this key is still at work: ask again"
		)
	_answer(peer, id, answer)


func _cancel(peer: Peer, id: int) -> void:
	for entry: Dictionary in _parked:
		if entry["peer"] == peer and entry["id"] == id:
			var answer := _give_up(entry)
			if not answer.is_empty():
				_parked.erase(entry)
				_finish(peer, id, entry["key"] as String, answer)
			return


## The answer of a parked command that is given up, empty when it has begun what must come to its end.
static func _give_up(entry: Dictionary) -> Dictionary:
	var waiting: RefCounted = entry["waiting"]
	if waiting.has_method("give_up"):
		return waiting.call("give_up")
	return Result.fail(Result.TIMEOUT, "cancelled")


func _answer(peer: Peer, id: int, answer: Dictionary) -> void:
	var text := _text_of(id, answer)
	if Wire.was_cut({"result": answer}, text):
		_answer(peer, id, _too_deep("answer", "max_depth"))
		return
	# A character takes at most four bytes: most texts need not be measured.
	if text.length() > Contract.MAX_MESSAGE / 4:
		var size := text.to_utf8_buffer().size()
		if size > Contract.MAX_MESSAGE:
			_answer(peer, id, _too_large(size, "answer"))
			return
	peer.send(text)


static func _text_of(id: int, answer: Dictionary) -> String:
	if Result.is_error(answer):
		var failure := {"id": id, "ok": false}
		failure.merge(answer[Result.ERROR_KEY] as Dictionary)
		return Wire.write(failure)
	if not answer.has(Result.JSON_KEY):
		return Wire.write({"id": id, "ok": true, "result": answer})
	var rest := answer.duplicate()
	rest.erase(Result.JSON_KEY)
	return (
		'{"id":%d,"ok":true,"result":{' % id
		+ Wire.clean(answer[Result.JSON_KEY] as String)
		+ ("," if not rest.is_empty() else "")
		+ Wire.write(rest).substr(1)
		+ "}"
	)


func _too_large(size: int, what: String) -> Dictionary:
	return Result.fail(
		Result.VALIDATION,
		(
			"the %s has %d bytes, the limit is %d: ask for less with limit, max_depth or include"
			% [what, size, Contract.MAX_MESSAGE]
		)
	)


static func _too_deep(what: String, required: String) -> Dictionary:
	return (
		Result
		. fail(
			Result.VALIDATION,
			(
				"the %s is nested too deep: the engine's JSON has at most %d levels, of which a node below a node takes two"
				% [what, Wire.MAX_DEPTH]
			),
			required
		)
	)


func _hello(peer: Peer, params: Variant) -> Dictionary:
	var given: Dictionary = params if params is Dictionary else {}
	var theirs := int(given.get("contract", 0))
	if theirs != 0 and (theirs < Contract.MIN_COMPATIBLE or theirs > Contract.CONTRACT_VERSION):
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"the addon serves contracts %d to %d, the client wants %d: %s"
					% [
						Contract.MIN_COMPATIBLE,
						Contract.CONTRACT_VERSION,
						theirs,
						(
							"upgrade the addon with godot-mcp addon update"
							if theirs > Contract.CONTRACT_VERSION
							else "upgrade the client"
						),
					]
				),
				"contract_version"
			)
		)
	peer.greeted = true
	peer.events = PackedStringArray(given.get("events", []) as Array)
	return {
		"server": "godot_mcp_bridge",
		"addon_version": Contract.ADDON_VERSION,
		"godot_version": Discovery.godot_version(),
		"contract_version": Contract.CONTRACT_VERSION,
		"min_compatible_contract": Contract.MIN_COMPATIBLE,
		"pid": OS.get_process_id(),
		"project_path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"proof": prover.call(str(given.get("nonce", ""))),
	}


static func _id_of(message: Dictionary) -> int:
	var id: Variant = message.get("id", 0)
	return int(id) if id is float or id is int else 0
