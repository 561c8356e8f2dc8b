@tool
extends Logger
## Remembers GDScript errors, so that a handler that died can be answered with the reason: the last one, and
## the first one in the addon's own files. A function that dies gives its caller a null or an empty value,
## and the caller goes on with that, so an own error spoils the answer however it looks.
## Called from any thread.

const MAX_ERRORS := 20
const OWN_FOLDER := "res://addons/godot_mcp_bridge/"

var _mutex: Mutex = Mutex.new()
var _last := ""
var _own := ""
var _errors: PackedStringArray = []


func _log_error(
	function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_backtraces: Array[ScriptBacktrace]
) -> void:
	if error_type == Logger.ERROR_TYPE_WARNING:
		return
	var text := "%s (%s, %s:%d)" % [rationale if rationale != "" else code, function, file, line]
	_mutex.lock()
	if error_type == Logger.ERROR_TYPE_SCRIPT:
		_last = text
		# A text that does not parse died in nobody's hands, even one of the addon's own files.
		if _own == "" and file.begins_with(OWN_FOLDER) and function != "GDScript::reload":
			_own = text
	if _errors.size() < MAX_ERRORS:
		_errors.append(text)
	_mutex.unlock()


func _log_message(_message: String, _error: bool) -> void:
	pass


func clear() -> void:
	_mutex.lock()
	_last = ""
	_own = ""
	_errors.clear()
	_mutex.unlock()


func last() -> String:
	_mutex.lock()
	var text := _last
	_mutex.unlock()
	return text if text != "" else "no reason was given by the engine"


## The last script error of this command, "" when there was none.
func script_error() -> String:
	_mutex.lock()
	var text := _last
	_mutex.unlock()
	return text


func own() -> String:
	_mutex.lock()
	var text := _own
	_mutex.unlock()
	return text


func errors() -> PackedStringArray:
	_mutex.lock()
	var texts := _errors.duplicate()
	_mutex.unlock()
	return texts
