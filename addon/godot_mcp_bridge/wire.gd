@tool
extends RefCounted
## Text in and out. Works around what the engine's JSON does to numbers and control characters.

static var _unsafe: RegEx = RegEx.create_from_string("[\\x{0}-\\x{1f}]|\\\\v")
static var _vertical_tab: RegEx = RegEx.create_from_string("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")


## The message as a dictionary, or an empty one when it is not a JSON object.
static func read(text: String) -> Dictionary:
	var json := JSON.new()
	if json.parse(text) != OK or not json.data is Dictionary:
		return {}
	return json.data


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
