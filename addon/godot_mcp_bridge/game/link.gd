@tool
extends RefCounted
## The game's end of the link to the editor: takes questions, has a topic answer each, and tells what happens.
## Made before autoloads and scene are loaded, in the game's process.

const Driving := preload("input.gd")
const Feed := preload("input_feed.gd")
const Clock := preload("clock.gd")
const Figures := preload("figures.gd")
const GameTree := preload("tree.gd")
const Log := preload("log.gd")
const Monitor := preload("monitor.gd")
const Pictures := preload("pictures.gd")
const Result := preload("../result.gd")
const Ui := preload("ui.gd")
const State := preload("state.gd")
const Values := preload("values.gd")
const Wire := preload("wire.gd")
const WaitFor := preload("wait_for.gd")

const VARIABLE := "GODOT_MCP_RUN"
const PREFIX := "godot_mcp"
## The engine's channel takes messages of at most 8 MiB.
const PART := 4 * 1024 * 1024
const FAREWELL_MSEC := 30
const FILE_MODE := 384  # 0600
## After this long without a word from the editor, the game looks whether it is still there.
const SILENCE_MSEC := 6000
## How often the editor is told how far a question is.
const PROGRESS_MSEC := 250
## With fixed_fps no frame waits for anything. While such a game is paused it is not to take a whole core.
const PAUSED_USEC := 1000

## What the game can be asked: a function `commands()` each, as in the editor's handlers.
const TOPICS: Array[GDScript] = [
	Values, GameTree, Driving, Ui, Clock, State, WaitFor, Monitor, Figures, Pictures
]

var tree: SceneTree
## Text as it was typed on a command line, by parameter, of the question at work.
var raw: Dictionary = {}
var log: Log = Log.new()
## Where input goes into the game.
var feed: Feed = null
## Frames per second of game time, 0 in real time.
var fixed_fps := 0

var _run := ""
var _port := 0
## The short way to the editor, and what opens it; null when there is none.
var _wire: Wire = null
var _stream: StreamPeerTCP = null
var _key := ""
var _commands: Dictionary[String, Callable] = {}
var _topics: Array[RefCounted] = []
## Questions that wait: {id, waiting, told_msec}.
var _parked: Array[Dictionary] = []
var _is_ready := false
var _was_paused := false
var _heard_msec := Time.get_ticks_msec()
var _watches := true
var _knock: StreamPeerTCP = null
var _pid_file := ""
var _boot_file := ""


func _init(owner: SceneTree) -> void:
	tree = owner
	var options: Variant = JSON.parse_string(OS.get_environment(VARIABLE))
	OS.unset_environment(VARIABLE)
	if not options is Dictionary or not EngineDebugger.is_active():
		return
	_begin(options as Dictionary)


func _begin(options: Dictionary) -> void:
	_run = str(options["run"])
	_port = int(options["port"])
	fixed_fps = int(options["fixed_fps"])
	log.send = _send_log
	OS.add_logger(log)
	_note_process(options)
	EngineDebugger.register_message_capture(PREFIX, _take)
	_send("hello", [OS.get_process_id()])
	_dial(int(options.get("wire", 0)), str(options.get("key", "")))
	# Numbers of JSON are floats, which do not hold every seed.
	var wanted_seed := str(options["seed"]).to_int()
	if wanted_seed != 0:
		seed(wanted_seed)
	if options["paused"] == true:
		tree.paused = true
	feed = Feed.new(tree)
	for topic in TOPICS:
		var made: RefCounted = topic.new(self)
		_topics.append(made)
		_commands.merge(made.call("commands") as Dictionary)
	tree.process_frame.connect(_frame)


func _dial(port: int, key: String) -> void:
	_stream = StreamPeerTCP.new()
	_key = key
	if port == 0 or _stream.connect_to_host("127.0.0.1", port) != OK:
		_stream = null


## Takes what came by the short way.
func _look_at_wire() -> void:
	if _wire != null:
		for message in _wire.take():
			_hear(str(message[0]), message)
		return
	if _stream == null:
		return
	_stream.poll()
	match _stream.get_status():
		StreamPeerTCP.STATUS_CONNECTED:
			_wire = Wire.new(_stream)
			_wire.send([_key])
		StreamPeerTCP.STATUS_CONNECTING:
			pass
		_:
			_stream = null


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _pid_file != "":
		log.flush()
		# The engine's channel sends in a thread of its own, and drops what is left when the game ends.
		OS.delay_msec(FAREWELL_MSEC)
		DirAccess.remove_absolute(_pid_file)


## So that a game which can no longer hear or see its editor is found and ended by the next one.
func _note_process(options: Dictionary) -> void:
	var folder := ProjectSettings.globalize_path(str(options["folder"]))
	DirAccess.make_dir_recursive_absolute(folder)
	var path := folder.path_join("%d.json" % OS.get_process_id())
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return
	(
		file
		. store_string(
			(
				JSON
				. stringify(
					{
						"pid": OS.get_process_id(),
						"started": int(Time.get_unix_time_from_system()),
						"editor_pid": int(options["editor_pid"]),
					}
				)
			)
		)
	)
	file.close()
	_boot_file = folder.path_join(_run + ".boot")
	log.begin_file(_boot_file)
	FileAccess.set_unix_permissions(path, FILE_MODE)
	_pid_file = path


## What belongs to a question goes the short way where there is one.
func _reply(what: String, data: Array) -> void:
	if _wire != null and _wire.is_open():
		_wire.send([what] + data)
	else:
		_send(what, data)


func _send(what: String, data: Array) -> void:
	EngineDebugger.send_message("%s:%s" % [PREFIX, what], [_run] + data)


func _send_log(entries: Array[Dictionary], lost: int) -> void:
	_send("log", [entries, lost])


## Called by the engine between two frames, and at a break.
func _take(message: String, data: Array) -> bool:
	if data.is_empty() or str(data[0]) != _run:
		return true
	_hear(message, data)
	return true


func _hear(message: String, data: Array) -> void:
	_heard_msec = Time.get_ticks_msec()
	match message:
		"ask":
			_carry_out(int(data[1]), str(data[2]), data[3] as PackedByteArray)
		"cancel":
			_give_up(int(data[1]))
		"part":
			_watches = false


func _carry_out(id: int, command: String, payload: PackedByteArray) -> void:
	var question: Dictionary = bytes_to_var(payload)
	raw = question["raw"]
	if not _commands.has(command):
		_answer(id, _failed("the game does not know %s" % command))
		return
	var answer: Variant = _commands[command].call(question["params"])
	if not answer is Dictionary or (answer as Dictionary).is_empty():
		_answer(id, _failed("the handler of %s stopped" % command))
	elif (answer as Dictionary).has(Result.PARKED_KEY):
		(
			_parked
			. append(
				{
					"id": id,
					"waiting": answer[Result.PARKED_KEY],
					"told_msec": Time.get_ticks_msec(),
				}
			)
		)
	else:
		_answer(id, answer as Dictionary)


static func _failed(why: String) -> Dictionary:
	return Result.fail(Result.INTERNAL, why + " in the game: godot-mcp game output")


func _answer(id: int, answer: Dictionary) -> void:
	_tell_state()
	var bytes := var_to_bytes(answer)
	var parts := maxi(ceili(bytes.size() / float(PART)), 1)
	for i in parts:
		_reply("answer", [id, parts - 1 - i, bytes.slice(i * PART, (i + 1) * PART)])


func _give_up(id: int) -> void:
	for entry: Dictionary in _parked.duplicate():
		if entry["id"] != id:
			continue
		_parked.erase(entry)
		var waiting: RefCounted = entry["waiting"]
		if waiting.has_method("give_up"):
			waiting.call("give_up")


func _frame() -> void:
	if not _is_ready:
		_is_ready = true
		_send("ready", [])
		log.end_file()
		DirAccess.remove_absolute(_boot_file)
	_look_at_wire()
	_tell_state()
	for entry: Dictionary in _parked.duplicate():
		var answer: Dictionary = (entry["waiting"] as RefCounted).call("poll")
		if not answer.is_empty():
			_parked.erase(entry)
			_answer(int(entry["id"]), answer)
		else:
			_tell_progress(entry)
	log.flush()
	if fixed_fps > 0 and tree.paused and _parked.is_empty():
		OS.delay_usec(PAUSED_USEC)
	if _watches and Time.get_ticks_msec() > _heard_msec + SILENCE_MSEC:
		_look_for_editor()


func _tell_state() -> void:
	if tree.paused != _was_paused:
		_was_paused = tree.paused
		_reply("state", [{"paused": _was_paused}])


func _tell_progress(entry: Dictionary) -> void:
	var waiting: RefCounted = entry["waiting"]
	var now := Time.get_ticks_msec()
	if now < int(entry["told_msec"]) + PROGRESS_MSEC or not waiting.has_method("progress"):
		return
	entry["told_msec"] = now
	_reply("progress", [entry["id"], waiting.call("progress")])


## Ends the game when nobody listens any more where the editor did.
func _look_for_editor() -> void:
	if _knock == null:
		_knock = StreamPeerTCP.new()
		if _knock.connect_to_host("127.0.0.1", _port) != OK:
			_knock = null
			tree.quit()
			return
	_knock.poll()
	if _knock.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		return
	var is_there := _knock.get_status() == StreamPeerTCP.STATUS_CONNECTED
	_knock.disconnect_from_host()
	_knock = null
	_heard_msec = Time.get_ticks_msec()
	if not is_there:
		tree.quit()
