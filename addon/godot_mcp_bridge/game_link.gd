@tool
extends EditorDebuggerPlugin
## The editor's end of the link to the running game, over the engine's own debugger channel. Every message
## carries the run's id, every question a number of its own, so that nothing of an earlier run is taken for
## something of this one.

const Discovery := preload("discovery.gd")
const GameLog := preload("game_log.gd")
const GameQuestion := preload("game_question.gd")
const GameRun := preload("game_run.gd")
const GameStart := preload("game_start.gd")
const Result := preload("result.gd")

const PREFIX := "godot_mcp"
## The game ends itself when its editor has gone: this often it hears that it has not.
const ALIVE_MSEC := 2000
const ENDING_MSEC := 200
## How long the game may take to answer.
const ANSWER_MSEC := 10000
## The engine's channel takes messages of at most 8 MiB.
const MAX_QUESTION := 7 * 1024 * 1024
## So many games the engine's debugger takes (editor_debugger_node.cpp); it closes the connection of the next.
const MAX_SESSIONS := 5
## A game that has come by the short way says hello over the debugger within this time.
const HELLO_MSEC := 1000
## The class of the engine's debugger panel, which knows why and where a game stands at a break.
const PANEL := "ScriptEditorDebugger"

## The last run, also when it has ended; null before the first.
var run: GameRun = null
## What the last run printed. Numbers go on from run to run.
var log: GameLog = GameLog.new()
## How the next run is to be started; empty for a run that the person at the editor starts.
var wanted: Dictionary = {}
## Where the bridge listens; a game that cannot reach it there has lost its editor.
var port := 0

var _last_id := 0
var _told_msec := 0
## What is connected to the engine's panels: [signal, callable].
var _connected: Array[Array] = []


func keep() -> Dictionary:
	return {"run": run.keep() if run != null else {}, "log": log.keep(), "last_id": _last_id}


func take_back(kept: Dictionary) -> void:
	log.take_back(kept.get("log", {}) as Dictionary)
	_last_id = int(kept.get("last_id", 0))
	var of_run: Dictionary = kept.get("run", {})
	if of_run.is_empty():
		return
	run = GameRun.new(log)
	run.take_back(of_run)


## The addon goes, the editor stays.
func close() -> void:
	for pair in _connected:
		var source: Signal = pair[0]
		if not source.is_null() and source.is_connected(pair[1] as Callable):
			source.disconnect(pair[1] as Callable)
	_connected.clear()


## Whether the engine's debugger is still linked to the last game.
func has_session() -> bool:
	if run == null or run.session < 0 or run.has_left:
		return false
	var session := get_session(run.session)
	return session != null and session.is_active()


## Whether the engine may not have noticed all of the last game's end.
func is_ending() -> bool:
	return has_session() or run != null and Time.get_ticks_msec() < run.ended_msec + ENDING_MSEC


## Tells a game that nobody watches over it any more.
func let_go() -> void:
	_tell("part", [])


func _has_capture(prefix: String) -> bool:
	return prefix == PREFIX


func _capture(message: String, data: Array, session_id: int) -> bool:
	if run != null and not data.is_empty() and str(data[0]) == run.id:
		run.take(message.get_slice(":", 1), data, session_id)
	return true


func _setup_session(session_id: int) -> void:
	_listen(get_session(session_id).stopped, _on_stopped.bind(session_id))
	var panel := _panel_of(get_session(session_id))
	if panel == null:
		_listen(get_session(session_id).breaked, _on_breaked_bare.bind(session_id))
		return
	_listen(Signal(panel, "breaked"), _on_breaked.bind(session_id))
	_listen(Signal(panel, "stack_dump"), _on_stack.bind(session_id))


func _listen(source: Signal, callable: Callable) -> void:
	source.connect(callable)
	_connected.append([source, callable])


## No API gives the panel of a session, but a tab can be put into it.
static func _panel_of(session: EditorDebuggerSession) -> Node:
	var tab := Control.new()
	session.add_session_tab(tab)
	var found: Node = tab
	while found != null and found.get_class() != PANEL:
		found = found.get_parent()
	session.remove_session_tab(tab)
	tab.queue_free()
	return found


func _on_stopped(session_id: int) -> void:
	if run != null and run.session == session_id:
		run.has_left = true


func _on_breaked(
	really: bool, _can_debug: bool, reason: String, _has_stack: bool, session_id: int
) -> void:
	if run == null or not run.is_of(session_id):
		return
	if really:
		run.begin_break(reason)
	else:
		run.end_break()


func _on_breaked_bare(_can_debug: bool, session_id: int) -> void:
	_on_breaked(true, true, "the debugger", false, session_id)


func _on_stack(stack: Array, session_id: int) -> void:
	if run != null and run.is_of(session_id):
		run.place_break(stack)


## Once a frame.
func look() -> void:
	if run == null or run.ended:
		return
	if Engine.get_process_frames() == run.begun_frame:
		return
	GameStart.clear()
	_look_at_wire()
	if not EditorInterface.is_playing_scene():
		end_run()
		return
	_look_for_hello()
	if Time.get_ticks_msec() >= _told_msec + ALIVE_MSEC:
		_told_msec = Time.get_ticks_msec()
		_tell("alive", [])


## Takes what came by the short way. Which session the game has, it says by the debugger channel.
func _look_at_wire() -> void:
	if run.wire == null:
		return
	for message in run.wire.take():
		run.take(str(message[0]), message, run.session)


## A game that has found no free session runs, but cannot be asked, and nobody is told.
func _look_for_hello() -> void:
	if run.connected_once or run.no_probe != "" or run.wire == null or not run.wire.has_game():
		return
	if run.silent_msec == 0:
		run.silent_msec = Time.get_ticks_msec()
	if Time.get_ticks_msec() < run.silent_msec + HELLO_MSEC:
		return
	var active := 0
	for session: EditorDebuggerSession in get_sessions():
		active += int(session.is_active())
	if active >= MAX_SESSIONS:
		run.no_probe = (
			(
				"the editor's debugger takes %d games and has %d, so it has cut this one off: end the others "
				+ '(run instances and "Keep Debug Server Open" are in the Debug menu; godot-mcp game stop), '
				+ "then godot-mcp game play"
			)
			% [MAX_SESSIONS, active]
		)


## Notes that the game has ended, and what it said last.
func end_run() -> void:
	run.end()
	var path := _games().path_join(run.id + ".boot")
	if FileAccess.file_exists(path):
		log.take_file(path)
		DirAccess.remove_absolute(path)


static func _games() -> String:
	return ProjectSettings.globalize_path(Discovery.folder().path_join("games"))


## The arguments of a run that the engine is about to start, whoever asked for it.
func begin_run(scene: String, args: PackedStringArray) -> PackedStringArray:
	var start := GameStart.new(wanted, port)
	log.begin_run()
	run = GameRun.new(log)
	run.id = start.run_id
	run.scene = scene
	var out := start.arguments(args)
	run.no_probe = start.no_probe
	run.wire = start.wire
	return out


## The answer that refuses a question, empty when the game can be asked.
func obstacle() -> Dictionary:
	if run == null or run.ended or not EditorInterface.is_playing_scene():
		return _not_playing()
	if run.no_probe != "":
		return Result.fail(Result.PRECONDITION, run.no_probe, "runtime_probe")
	if not run.at_break.is_empty():
		return Result.fail(
			Result.PRECONDITION,
			"the game stands at %s: godot-mcp game stop" % run.words_of_break(),
			"game_not_breaked",
			{"breaked": run.break_fields()}
		)
	return {}


func _not_playing() -> Dictionary:
	if EditorInterface.is_playing_scene() and run == null:
		return Result.fail(
			Result.PRECONDITION,
			"the game was started before the addon: godot-mcp game play",
			"runtime_probe"
		)
	if run != null and run.connected_once:
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"no game is running, the last one ended%s: godot-mcp game play, or godot-mcp game output"
					% run.words_of_end()
				),
				"play_session"
			)
		)
	return Result.fail(
		Result.PRECONDITION, "no game is running: godot-mcp game play", "play_session"
	)


## Takes away what a game that was killed could not.
func forget_process(pid: int) -> void:
	if pid > 0:
		DirAccess.remove_absolute(_games().path_join("%d.json" % pid))


## Asks the game: `command` is one of the topics in game/. The answer comes in a later frame.
func ask(command: String, params: Dictionary, raw: Dictionary, timeout_msec: int) -> Dictionary:
	var why := obstacle()
	# Where it stands is not known yet: the question waits for that.
	if not why.is_empty() and not (run != null and run.is_placing()):
		return why
	var payload := var_to_bytes({"params": params, "raw": raw})
	if payload.size() > MAX_QUESTION:
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"the arguments have %d bytes, and the game takes %d in one message: give less at once"
					% [payload.size(), MAX_QUESTION]
				)
			)
		)
	_last_id += 1
	return GameQuestion.new(self, _last_id, command, payload, timeout_msec).start()


## For questions: sends a message of this run, false when the game is not there to take it.
func _tell(what: String, data: Array) -> bool:
	if run == null or run.ended or run.session < 0:
		return false
	if run.wire != null and run.wire.send([what] + data):
		return true
	if not has_session():
		return false
	get_session(run.session).send_message("%s:%s" % [PREFIX, what], [run.id] + data)
	return true


func send(what: String, data: Array) -> bool:
	return _tell(what, data)
