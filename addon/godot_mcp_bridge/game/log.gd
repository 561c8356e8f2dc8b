@tool
extends Logger
## What the game prints, sent to the editor: at once while it is little, since the game may not live for long,
## else in batches. Called from any thread; only the main one sends.

## Entries of a frame that are sent at once, each by itself; errors always are.
const EAGER := 20
const BATCH := 100
## Entries kept until they can be sent.
const MAX_PENDING := 2000
const MAX_TEXT := 8192
const MAX_STACK := 32
## Calls of ours are no part of a stack of the game's.
const OWN_FOLDER := "res://addons/godot_mcp_bridge/"

## (entries, lost): takes them to the editor.
var send: Callable

var _mutex: Mutex = Mutex.new()
## What colours a terminal says nothing to a reader.
var _colours := RegEx.create_from_string("\u001b\\[[0-9;]*m")
var _main := OS.get_thread_caller_id()
var _pending: Array[Dictionary] = []
var _lost := 0
var _sent_in_frame := 0
var _is_sending := false
var _count := 0
## Entries until the first frame stand here too, a line each: a game that ends so early may take along what the
## channel has not sent.
var _file: FileAccess = null


func begin_file(path: String) -> void:
	_file = FileAccess.open(path, FileAccess.WRITE)


func end_file() -> void:
	_mutex.lock()
	_file = null
	_mutex.unlock()


func _log_message(message: String, error: bool) -> void:
	var plain := _colours.sub(message, "", true) if message.contains("\u001b") else message
	_add("error" if error else "stdout", plain.trim_suffix("\n"), "", 0, [])


func _log_error(
	_function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	backtraces: Array[ScriptBacktrace]
) -> void:
	var kind := "warning" if error_type == Logger.ERROR_TYPE_WARNING else "error"
	var stack: PackedStringArray = []
	for trace in backtraces:
		for i in mini(trace.get_frame_count(), MAX_STACK):
			if trace.get_frame_file(i).begins_with(OWN_FOLDER):
				continue
			if stack.is_empty() and not file.begins_with("res://"):
				file = trace.get_frame_file(i)
				line = trace.get_frame_line(i)
			stack.append(
				(
					"%s:%d in %s"
					% [
						trace.get_frame_file(i),
						trace.get_frame_line(i),
						trace.get_frame_function(i)
					]
				)
			)
	_add(kind, rationale if rationale != "" else code, file, line, stack)


func _add(kind: String, text: String, file: String, line: int, stack: PackedStringArray) -> void:
	_mutex.lock()
	# What sending itself makes the engine say.
	if _is_sending and OS.get_thread_caller_id() == _main:
		_mutex.unlock()
		return
	var is_known := file.begins_with("res://")
	_count += 1
	var entry := {
		"n": _count,
		"kind": kind,
		"text": text.left(MAX_TEXT),
		"time_ms": Time.get_ticks_msec(),
		"script": file if is_known else null,
		"line": line if is_known else null,
		"stack": stack,
	}
	_pending.append(entry)
	if _file != null and _count <= MAX_PENDING:
		_file.store_line(JSON.stringify(entry))
		_file.flush()
	if _pending.size() > MAX_PENDING:
		_pending.pop_front()
		_lost += 1
	var is_due := kind == "error" or _sent_in_frame < EAGER or _pending.size() >= BATCH
	_mutex.unlock()
	if is_due and OS.get_thread_caller_id() == _main:
		_send_all()


## Once a frame.
func flush() -> void:
	_sent_in_frame = 0
	_send_all()


func _send_all() -> void:
	_mutex.lock()
	if _pending.is_empty() or _is_sending or not send.is_valid():
		_mutex.unlock()
		return
	var entries := _pending
	var lost := _lost
	_pending = []
	_lost = 0
	_sent_in_frame += 1
	_is_sending = true
	_mutex.unlock()
	send.call(entries, lost)
	_is_sending = false
