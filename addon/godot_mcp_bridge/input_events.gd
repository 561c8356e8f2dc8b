@tool
extends RefCounted
## Input events of the input map as JSON and back: keys, mouse buttons, joypad buttons and axes, made as the
## editor's own dialog makes them.

const Names := preload("names.gd")

const TYPES: Array[String] = ["key", "mouse_button", "joypad_button", "joypad_motion"]
const FIELDS: Dictionary[String, Array] = {
	"key": ["key", "physical", "label", "location", "modifiers"],
	"mouse_button": ["button", "modifiers"],
	"joypad_button": ["button"],
	"joypad_motion": ["axis", "axis_value"],
}
## Modifiers by name. The last is Command on macOS and Control elsewhere.
const MODIFIERS: Dictionary[String, String] = {
	"ctrl": "ctrl_pressed",
	"shift": "shift_pressed",
	"alt": "alt_pressed",
	"meta": "meta_pressed",
	"command_or_control": "command_or_control_autoremap",
}
const LOCATIONS: Array[String] = ["", "left", "right"]
## Names by the engine's numbers; the first mouse button is 1.
const MOUSE_BUTTONS: Array[String] = [
	"",
	"left",
	"right",
	"middle",
	"wheel_up",
	"wheel_down",
	"wheel_left",
	"wheel_right",
	"xbutton1",
	"xbutton2",
]
const JOY_BUTTONS: Array[String] = [
	"a",
	"b",
	"x",
	"y",
	"back",
	"guide",
	"start",
	"left_stick",
	"right_stick",
	"left_shoulder",
	"right_shoulder",
	"dpad_up",
	"dpad_down",
	"dpad_left",
	"dpad_right",
	"misc1",
	"paddle1",
	"paddle2",
	"paddle3",
	"paddle4",
	"touchpad",
]
const AXES: Array[String] = [
	"left_x", "left_y", "right_x", "right_y", "trigger_left", "trigger_right"
]
const MAX_JOY_BUTTON := 127
const MAX_AXIS := 9


## The event as add-event takes it. Other kinds than these four are only named.
static func encode(event: InputEvent) -> Dictionary:
	var out := {}
	var key := event as InputEventKey
	if key != null:
		out["type"] = "key"
		var code := key.physical_keycode
		if key.physical_keycode == KEY_NONE:
			code = key.keycode if key.keycode != KEY_NONE else key.key_label
		out["key"] = OS.get_keycode_string(code)
		out["physical"] = key.physical_keycode != KEY_NONE
		if key.physical_keycode == KEY_NONE and key.keycode == KEY_NONE:
			out["label"] = true
		if key.location != KEY_LOCATION_UNSPECIFIED:
			out["location"] = LOCATIONS[key.location]
	elif event is InputEventMouseButton:
		out["type"] = "mouse_button"
		out["button"] = _name_of((event as InputEventMouseButton).button_index, MOUSE_BUTTONS)
	elif event is InputEventJoypadButton:
		out["type"] = "joypad_button"
		out["button"] = _name_of((event as InputEventJoypadButton).button_index, JOY_BUTTONS)
	elif event is InputEventJoypadMotion:
		out["type"] = "joypad_motion"
		out["axis"] = _name_of((event as InputEventJoypadMotion).axis, AXES)
		out["axis_value"] = (event as InputEventJoypadMotion).axis_value
	else:
		out["type"] = event.get_class() if event != null else "none"
	if event is InputEventWithModifiers:
		out["modifiers"] = _modifiers_of(event as InputEventWithModifiers)
	if event != null:
		out["device"] = event.device
	return out


## {event}, or {problem} in words.
static func decode(given: Dictionary) -> Dictionary:
	var type := str(given.get("type", ""))
	if not type in TYPES:
		return {"problem": "type is one of %s" % ", ".join(TYPES)}
	for field: String in given:
		if not field in FIELDS[type] and not field in ["type", "device"]:
			return {"problem": "%s has no %s, it has %s" % [type, field, ", ".join(FIELDS[type])]}
	var made := {}
	match type:
		"key":
			made = _key(given)
		"mouse_button":
			made = _button(InputEventMouseButton.new(), given, MOUSE_BUTTONS, 1, 9)
		"joypad_button":
			made = _button(InputEventJoypadButton.new(), given, JOY_BUTTONS, 0, MAX_JOY_BUTTON)
		"joypad_motion":
			made = _motion(given)
	if made.has("problem"):
		return made
	var event: InputEvent = made["event"]
	var device: Variant = _whole(given.get("device", -1))
	if device == null or device < -1:
		return {"problem": "device is the number of a device, or -1 for all"}
	event.device = device
	var problem := _set_modifiers(event, given.get("modifiers", []))
	return {"problem": problem} if problem != "" else {"event": event}


static func _key(given: Dictionary) -> Dictionary:
	var code := _code_of(given.get("key"))
	if code == KEY_NONE:
		return {"problem": _unknown_key(given.get("key"))}
	var event := InputEventKey.new()
	if given.get("label", false):
		event.key_label = code
	elif given.get("physical", true):
		event.physical_keycode = code
	else:
		event.keycode = code
	var location := LOCATIONS.find(str(given.get("location", "")))
	if location < 0:
		return {"problem": "location is left or right"}
	event.location = location as KeyLocation
	return {"event": event}


## The code of a key by its name, also in the spelling of the engine's constants (KEY_PAGE_UP); 0 for none.
static func _code_of(given: Variant) -> Key:
	var number: Variant = _whole(given)
	if number != null:
		return number as Key if OS.get_keycode_string(number as Key) != "" else KEY_NONE
	var text := str(given).strip_edges()
	if text.length() == 1 and text.unicode_at(0) > 32:
		return text.to_upper().unicode_at(0) as Key
	var plain := text.trim_prefix("KEY_").trim_prefix("Key_")
	for spelling: String in [text, plain, plain.replace("_", ""), plain.replace("_", " ")]:
		var code := OS.find_keycode_from_string(spelling)
		if code != KEY_NONE and code & KEY_MODIFIER_MASK == 0:
			return code
	return KEY_NONE


static func _unknown_key(given: Variant) -> String:
	var names: PackedStringArray = []
	for code in range(KEY_ESCAPE, KEY_LAUNCHF + 1):
		names.append(OS.get_keycode_string(code as Key))
	for code in range(KEY_SPACE, KEY_ASCIITILDE + 1):
		names.append(OS.get_keycode_string(code as Key))
	var near := Names.nearest(str(given), names)
	if str(given).contains("+"):
		return "key is one key, what is held with it goes into modifiers; not %s" % given
	return "there is no key %s%s" % [given, ", did you mean %s?" % near if near != "" else ""]


static func _button(
	event: InputEvent, given: Dictionary, names: Array[String], least: int, most: int
) -> Dictionary:
	var index := _index_of(given.get("button"), names, least, most)
	if index < 0:
		return {
			"problem":
			"button is one of %s, or a number to %d" % [", ".join(names.slice(least)), most]
		}
	event.set("button_index", index)
	event.set("pressed", true)
	return {"event": event}


static func _motion(given: Dictionary) -> Dictionary:
	var axis := _index_of(given.get("axis"), AXES, 0, MAX_AXIS)
	if axis < 0:
		return {"problem": "axis is one of %s, or a number to %d" % [", ".join(AXES), MAX_AXIS]}
	var value: Variant = given.get("axis_value")
	if not (value is float or value is int) or absf(value as float) > 1.0 or value == 0.0:
		return {"problem": "axis_value is from -1 to 1 and not 0"}
	var event := InputEventJoypadMotion.new()
	event.axis = axis as JoyAxis
	event.axis_value = value
	return {"event": event}


static func _index_of(given: Variant, names: Array[String], least: int, most: int) -> int:
	var number: Variant = _whole(given)
	if number != null:
		return number if number >= least and number <= most else -1
	return names.find(str(given).to_lower()) if given is String and given != "" else -1


## A whole number as JSON has it, also as text of several digits; null for anything else.
static func _whole(given: Variant) -> Variant:
	if given is int:
		return given
	if given is float and given == floorf(given as float):
		return int(given as float)
	return null


static func _name_of(index: int, names: Array[String]) -> Variant:
	return names[index] if index >= 0 and index < names.size() and names[index] != "" else index


static func _modifiers_of(event: InputEventWithModifiers) -> PackedStringArray:
	var out: PackedStringArray = []
	for name in MODIFIERS:
		if event.get(MODIFIERS[name]):
			out.append(name)
	# Which of the two it is depends on the machine.
	if event.command_or_control_autoremap:
		out = PackedStringArray(
			Array(out).filter(func(name: String) -> bool: return not name in ["ctrl", "meta"])
		)
	return out


static func _set_modifiers(event: InputEvent, given: Variant) -> String:
	if not given is Array:
		return "modifiers is a list"
	for name: Variant in given as Array:
		if not MODIFIERS.has(str(name)):
			return "modifiers are of %s" % ", ".join(MODIFIERS.keys())
		event.set(MODIFIERS[str(name)], true)
	return ""
