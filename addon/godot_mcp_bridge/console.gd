@tool
extends Logger
## The last things that the editor's process printed, each with a number. Called from any thread, and only when
## something is printed.

const Check := preload("script_check.gd")

## Entries kept.
const MAX_ENTRIES := 5000
## Characters of one entry kept.
const MAX_TEXT := 8192
const LEVELS: Array[String] = ["info", "warning", "error"]
## What the addon itself prints begins with this.
const OWN := "godot-mcp"

var _mutex: Mutex = Mutex.new()
## A ring: the place follows from the number.
var _entries: Array[Dictionary] = []
var _last := 0
var _main := OS.get_thread_caller_id()
## What colours a terminal says nothing to a reader.
var _colours := RegEx.create_from_string("\u001b\\[[0-9;]*m")


func _log_message(message: String, error: bool) -> void:
	var plain := _colours.sub(message, "", true) if message.contains("\u001b") else message
	_add("error" if error else "info", plain.trim_suffix("\n"), "", 0)


func _log_error(
	_function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_backtraces: Array[ScriptBacktrace]
) -> void:
	var level := "warning" if error_type == Logger.ERROR_TYPE_WARNING else "error"
	_add(level, rationale if rationale != "" else code, file, line)


## {entries, next_seq, dropped}: those later than the number, of this level or above; the last ones where no
## number is given, else the next ones.
func read(since: int, level: String, limit: int) -> Dictionary:
	var least := maxi(LEVELS.find(level), 0)
	_mutex.lock()
	var last := _last
	var first := maxi(since + 1, last - _entries.size() + 1)
	var found: Array[Dictionary] = []
	for seq in range(first, last + 1):
		var entry := _entries[(seq - 1) % MAX_ENTRIES]
		if LEVELS.find(entry["level"]) >= least:
			found.append(entry)
	_mutex.unlock()
	var next := last
	if limit > 0 and found.size() > limit:
		if since > 0:
			found.resize(limit)
			next = found[-1]["seq"]
		else:
			found = found.slice(found.size() - limit)
	return {"entries": found, "next_seq": next, "dropped": first - since - 1 if since < last else 0}


func _add(level: String, text: String, source: String, line: int) -> void:
	# What a check makes the engine say is that tool's answer.
	if text.begins_with(OWN) or (Check.is_at_work and OS.get_thread_caller_id() == _main):
		return
	var entry := {
		"seq": 0,
		"level": level,
		"text": text.left(MAX_TEXT),
		"source": source if source != "" else null,
		"line": line if source != "" else null,
		"time_ms": int(Time.get_unix_time_from_system() * 1000.0),
	}
	_mutex.lock()
	_last += 1
	entry["seq"] = _last
	if _entries.size() < MAX_ENTRIES:
		_entries.append(entry)
	else:
		_entries[(_last - 1) % MAX_ENTRIES] = entry
	_mutex.unlock()
