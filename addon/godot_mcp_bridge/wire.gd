@tool
extends RefCounted
## Text in and out. Works around what the engine's JSON does to numbers and control characters.

## Levels that the engine's JSON reads and writes; it cuts what lies deeper and puts "..." there.
const MAX_DEPTH := 1024

static var _unsafe: RegEx = RegEx.create_from_string("[\\x{0}-\\x{1f}]|\\\\v")
static var _vertical_tab: RegEx = RegEx.create_from_string("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")


## The message as a dictionary, or an empty one when it is not a JSON object.
static func read(text: String) -> Dictionary:
	var json := JSON.new()
	if json.parse(text) != OK or not json.data is Dictionary:
		return {}
	return json.data


## Why read() took nothing of the text, and the id that stands in front of it as far as that can be told.
static func problem_of(text: String) -> Dictionary:
	var json := JSON.new()
	json.parse(text)
	var id := RegEx.create_from_string('^\\s*\\{\\s*"id"\\s*:\\s*(\\d{1,15})\\b').search(
		text.left(64)
	)
	return {
		"too_deep": json.get_error_message().contains("too deep"),
		"id": id.get_string(1).to_int() if id != null else 0,
	}


## Whether write() would have to cut the message, of which it made this text.
static func was_cut(message: Dictionary, text: String) -> bool:
	if not text.contains("..."):
		return false
	var level: Array = [message]
	for depth in MAX_DEPTH + 1:
		var below: Array = []
		for value: Variant in level:
			if value is Dictionary:
				below.append_array((value as Dictionary).values())
			elif value is Array:
				below.append_array(value as Array)
		if below.is_empty():
			return false
		level = below
	return true


## The message again, with integers as int and the rest as float. JSON.parse makes floats of all numbers
## and loses digits beyond 2^53; the parser of the engine's own text format tells the two apart. Only for
## text that read() has accepted: what is valid JSON holds none of that format's constructors.
static func read_exact(text: String) -> Dictionary:
	var data: Variant = str_to_var(text)
	return data if data is Dictionary else {}


## Valid JSON on one line. JSON.stringify leaves control characters raw and writes a vertical tab in a
## way that JSON does not know.
static func write(message: Dictionary) -> String:
	return clean(JSON.stringify(message, "", false, true))


## JSON text in which strings may hold raw control characters, as valid JSON.
static func clean(text: String) -> String:
	return text if _unsafe.search(text) == null else _escape_controls(text)


static func _escape_controls(text: String) -> String:
	var escaped := _vertical_tab.sub(text, "$1\\u000b", true)
	for code in range(1, 32):
		escaped = escaped.replace(char(code), "\\u%04x" % code)
	return escaped
