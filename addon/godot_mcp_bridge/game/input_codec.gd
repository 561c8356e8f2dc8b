@tool
extends RefCounted
## Input events as JSON and back, by the parameters of the `input` commands: what such a command takes is also
## what an event of a sequence and of a recording has, with its type. Places are in coordinates of the root
## viewport.

const Events := preload("../input_events.gd")
const Names := preload("../names.gd")
const Result := preload("../result.gd")
const Values := preload("../values.gd")

const MODIFIERS: Array[String] = ["shift", "ctrl", "alt", "meta"]
const FIELDS: Dictionary[String, Array] = {
	"key":
	[
		"key",
		"physical",
		"location",
		"logical",
		"unicode",
		"echo",
		"pressed",
		"shift",
		"ctrl",
		"alt",
		"meta"
	],
	"text": ["text"],
	"mouse":
	[
		"x",
		"y",
		"button",
		"pressed",
		"relative_x",
		"relative_y",
		"double",
		"shift",
		"ctrl",
		"alt",
		"meta"
	],
	"action": ["action", "pressed", "strength"],
	"joypad": ["device", "button", "axis", "value", "pressed"],
	"touch": ["index", "x", "y", "pressed"],
	"drag": ["index", "x", "y", "relative_x", "relative_y"],
}
const MAX_DEVICE := 15
const MAX_TOUCH := 31
## What Shift makes of the keys of the US layout.
const PLAIN := "`1234567890-=[]\\;',./"
const SHIFTED := '~!@#$%^&*()_+{}|:"<>?'


## {kind, events}, or {problem, field, code}. `given` is checked for what the type does not have.
static func decode(type: String, given: Dictionary, window: Window) -> Dictionary:
	for field: String in given:
		if not field in FIELDS[type]:
			var near := Names.nearest(field, PackedStringArray(FIELDS[type]))
			var words := ", did you mean %s?" % near if near != "" else ""
			return problem("%s has no %s%s" % [type, field, words], field)
	match type:
		"key":
			return _key(given)
		"text":
			return _text(str(given.get("text", "")))
		"mouse":
			return _mouse(given, window)
		"action":
			return _action(given)
		"joypad":
			return _joypad(given)
	return _touch(type, given, window)


static func problem(words: String, field: String, code: String = Result.VALIDATION) -> Dictionary:
	return {"problem": words, "field": field, "code": code}


static func _made(kind: String, event: InputEvent) -> Dictionary:
	var events: Array[InputEvent] = [event]
	return {"kind": kind, "events": events}


static func _key(given: Dictionary) -> Dictionary:
	var wanted := {"type": "key", "key": given.get("key"), "device": 0}
	wanted["physical"] = bool(given.get("physical", true))
	wanted["location"] = given.get("location", "")
	var decoded := Events.decode(wanted)
	if decoded.has("problem"):
		return problem(decoded["problem"] as String, "key")
	var event: InputEventKey = decoded["event"]
	if given.has("logical"):
		event.keycode = OS.find_keycode_from_string(str(given["logical"]))
	elif event.physical_keycode != KEY_NONE:
		event.keycode = _on_layout(event.physical_keycode)
	else:
		event.physical_keycode = _off_layout(event.keycode)
	event.key_label = event.keycode
	event.pressed = bool(given.get("pressed", true))
	event.echo = bool(given.get("echo", false))
	_set_modifiers(event, given)
	if given.has("unicode"):
		event.unicode = str(given["unicode"]).unicode_at(0) if str(given["unicode"]) != "" else 0
	else:
		event.unicode = _unicode_of(event)
	return _made("key", event)


static func _has_keyboard() -> bool:
	return DisplayServer.get_name() != "headless"


## The key that has this place on the keyboard of the machine.
static func _on_layout(physical: Key) -> Key:
	if not _has_keyboard():
		return physical
	var code := DisplayServer.keyboard_get_keycode_from_physical(physical)
	return code if code != KEY_NONE else physical


static func _off_layout(code: Key) -> Key:
	if _has_keyboard() and _on_layout(code) != code:
		for physical in range(KEY_SPACE, KEY_ASCIITILDE + 1):
			if _on_layout(physical as Key) == code:
				return physical as Key
	return code


static func _unicode_of(event: InputEventKey) -> int:
	var code := event.keycode as int
	var is_command := event.ctrl_pressed or event.alt_pressed or event.meta_pressed
	if not event.pressed or is_command or code < KEY_SPACE or code > KEY_ASCIITILDE:
		return 0
	var letter := char(code)
	if not event.shift_pressed:
		return letter.to_lower().unicode_at(0)
	var at := PLAIN.find(letter)
	return SHIFTED.unicode_at(at) if at >= 0 else code


static func _text(text: String) -> Dictionary:
	var events: Array[InputEvent] = []
	for i in text.length():
		var code := text.unicode_at(i)
		var key := code as Key
		if code == 10:
			key = KEY_ENTER
		elif code == 9:
			key = KEY_TAB
		elif code < 32 or code == 127:
			return problem("character %d of the text cannot be typed" % (i + 1), "text")
		elif code < 127:
			key = text[i].to_upper().unicode_at(0) as Key
		else:
			key = KEY_UNKNOWN
		for pressed: bool in [true, false]:
			var event := InputEventKey.new()
			event.keycode = key
			event.physical_keycode = key
			event.key_label = key
			event.pressed = pressed
			event.shift_pressed = text[i] != text[i].to_lower()
			event.unicode = code if pressed and code >= 32 else 0
			events.append(event)
	if events.is_empty():
		return problem("there is nothing to type", "text")
	return {"kind": "text", "events": events}


static func _mouse(given: Dictionary, window: Window) -> Dictionary:
	for axis: String in ["x", "y"]:
		if not _is_number(given.get(axis)):
			return problem("%s is a number" % axis, axis)
	var button: Variant = given.get("button", "")
	var event: InputEventMouse
	if button is String and button == "":
		event = _motion(given, window)
	else:
		var wanted := {"type": "mouse_button", "button": button, "device": 0}
		var decoded := Events.decode(wanted)
		if decoded.has("problem"):
			return problem(decoded["problem"] as String, "button")
		event = decoded["event"]
	_set_modifiers(event, given)
	event.position = window.get_final_transform() * _place(given)
	event.global_position = event.position
	event.button_mask = Input.get_mouse_button_mask()
	var press := event as InputEventMouseButton
	if press == null:
		return _made("mouse_motion", event)
	press.double_click = bool(given.get("double", false))
	var is_wheel := press.button_index >= MOUSE_BUTTON_WHEEL_UP and press.button_index <= 7
	press.pressed = bool(given.get("pressed", true))
	_set_mask(press)
	var made := _made("mouse_button", press)
	# A wheel is never held: the engine tells a press and a release for each notch.
	if is_wheel and press.pressed:
		(made["events"] as Array[InputEvent]).append(released(press))
	return made


## The buttons that are down, counted with this one.
static func _set_mask(event: InputEventMouseButton) -> void:
	var bit := 1 << (event.button_index - 1)
	var others := Input.get_mouse_button_mask() & ~bit
	event.button_mask = (others | bit if event.pressed else others) as MouseButtonMask


static func _motion(given: Dictionary, window: Window) -> InputEventMouseMotion:
	var event := InputEventMouseMotion.new()
	var way := _way(given)
	if way == Vector2.ZERO:
		way = _place(given) - window.get_mouse_position()
	event.relative = window.get_final_transform().basis_xform(way)
	event.screen_relative = event.relative
	return event


static func _place(given: Dictionary) -> Vector2:
	return Vector2(given["x"] as float, given["y"] as float)


static func _way(given: Dictionary) -> Vector2:
	return Vector2(given.get("relative_x", 0.0) as float, given.get("relative_y", 0.0) as float)


static func _is_number(value: Variant) -> bool:
	return value is float or value is int


static func _action(given: Dictionary) -> Dictionary:
	var action := str(given.get("action", ""))
	if not InputMap.has_action(action):
		var near := Names.nearest(action, PackedStringArray(InputMap.get_actions()))
		var words := ", did you mean %s?" % near if near != "" else ""
		return problem("the game has no action %s%s" % [action, words], "action", Result.NOT_FOUND)
	var strength: Variant = given.get("strength", 1.0)
	if not _is_number(strength) or strength < 0.0 or strength > 1.0:
		return problem("strength is from 0 to 1", "strength")
	var event := InputEventAction.new()
	event.action = action
	event.pressed = bool(given.get("pressed", true))
	event.strength = strength if event.pressed else 0.0
	return _made("action", event)


static func _joypad(given: Dictionary) -> Dictionary:
	var device: Variant = given.get("device", 0)
	if not _is_number(device) or device < 0 or device > MAX_DEVICE:
		return problem("device is from 0 to %d" % MAX_DEVICE, "device")
	var has_button := not _is_none(given.get("button", -1))
	if has_button != _is_none(given.get("axis", -1)):
		return problem("give a button or an axis", "button")
	if has_button:
		var wanted := {"type": "joypad_button", "button": given["button"], "device": device}
		var decoded := Events.decode(wanted)
		if decoded.has("problem"):
			return problem(decoded["problem"] as String, "button")
		var press: InputEventJoypadButton = decoded["event"]
		press.pressed = bool(given.get("pressed", true))
		press.pressure = 1.0 if press.pressed else 0.0
		return _made("joypad_button", press)
	var value: Variant = given.get("value", 0.0)
	if not _is_number(value) or absf(value as float) > 1.0:
		return problem("value is from -1 to 1", "value")
	var asked := {"type": "joypad_motion", "axis": given["axis"], "axis_value": 1, "device": device}
	var found := Events.decode(asked)
	if found.has("problem"):
		return problem(found["problem"] as String, "axis")
	var event: InputEventJoypadMotion = found["event"]
	event.axis_value = value
	return _made("joypad_motion", event)


static func _is_none(value: Variant) -> bool:
	return _is_number(value) and value == -1


static func _touch(type: String, given: Dictionary, window: Window) -> Dictionary:
	var index: Variant = given.get("index", 0)
	if not _is_number(index) or index < 0 or index > MAX_TOUCH:
		return problem("index is from 0 to %d" % MAX_TOUCH, "index")
	for axis: String in ["x", "y"]:
		if not _is_number(given.get(axis)):
			return problem("%s is a number" % axis, axis)
	var place := window.get_final_transform() * _place(given)
	if type == "drag":
		var drag := InputEventScreenDrag.new()
		drag.index = index
		drag.position = place
		drag.relative = window.get_final_transform().basis_xform(_way(given))
		drag.screen_relative = drag.relative
		return _made("drag", drag)
	var event := InputEventScreenTouch.new()
	event.index = index
	event.position = place
	event.pressed = bool(given.get("pressed", true))
	return _made("touch", event)


static func _set_modifiers(event: InputEventWithModifiers, given: Dictionary) -> void:
	for name in MODIFIERS:
		event.set(Events.MODIFIERS[name], bool(given.get(name, false)))


## What is held by this event, "" for an event that holds nothing.
static func held_by(event: InputEvent) -> String:
	if event is InputEventKey:
		return "key %s" % OS.get_keycode_string((event as InputEventKey).physical_keycode)
	if event is InputEventMouseButton:
		return "mouse button %d" % (event as InputEventMouseButton).button_index
	if event is InputEventAction:
		return "action %s" % (event as InputEventAction).action
	if event is InputEventJoypadButton:
		return (
			"joypad %d button %d" % [event.device, (event as InputEventJoypadButton).button_index]
		)
	if event is InputEventJoypadMotion:
		return "joypad %d axis %d" % [event.device, (event as InputEventJoypadMotion).axis]
	if event is InputEventScreenTouch:
		return "touch %d" % (event as InputEventScreenTouch).index
	return ""


static func is_down(event: InputEvent) -> bool:
	var motion := event as InputEventJoypadMotion
	return motion.axis_value != 0.0 if motion != null else event.is_pressed()


## The event that ends what this one began.
static func released(event: InputEvent) -> InputEvent:
	var end: InputEvent = event.duplicate()
	if end is InputEventJoypadMotion:
		(end as InputEventJoypadMotion).axis_value = 0.0
		return end
	end.set("pressed", false)
	if end is InputEventKey:
		(end as InputEventKey).unicode = 0
		(end as InputEventKey).echo = false
	elif end is InputEventMouseButton:
		(end as InputEventMouseButton).double_click = false
		_set_mask(end as InputEventMouseButton)
	elif end is InputEventAction:
		(end as InputEventAction).strength = 0.0
	elif end is InputEventJoypadButton:
		(end as InputEventJoypadButton).pressure = 0.0
	return end


## The event as a sequence takes it; empty for kinds that cannot be played again.
static func encode(event: InputEvent, window: Window) -> Dictionary:
	if event is InputEventKey:
		return _told_key(event as InputEventKey)
	if event is InputEventMouse:
		return _told_mouse(event as InputEventMouse, window)
	var action := event as InputEventAction
	if action != null:
		return {
			"type": "action",
			"action": str(action.action),
			"pressed": action.pressed,
			"strength": Values.number(action.strength) if action.pressed else 1.0,
		}
	var button := event as InputEventJoypadButton
	if button != null:
		return {
			"type": "joypad",
			"device": button.device,
			"button": button.button_index,
			"pressed": button.pressed,
		}
	var motion := event as InputEventJoypadMotion
	if motion != null:
		return {
			"type": "joypad",
			"device": motion.device,
			"axis": motion.axis,
			"value": Values.number(motion.axis_value),
		}
	return _told_touch(event, window)


static func _told_key(event: InputEventKey) -> Dictionary:
	var out := {"type": "key"}
	var is_physical := event.physical_keycode != KEY_NONE
	var code := event.physical_keycode if is_physical else event.keycode
	var name := OS.get_keycode_string(code)
	if name == "":
		return {}
	out["key"] = name
	if not is_physical:
		out["physical"] = false
	elif event.keycode != event.physical_keycode:
		out["logical"] = OS.get_keycode_string(event.keycode)
	if event.location != KEY_LOCATION_UNSPECIFIED:
		out["location"] = Events.LOCATIONS[event.location]
	out["unicode"] = char(event.unicode) if event.unicode > 0 else ""
	out["pressed"] = event.pressed
	if event.echo:
		out["echo"] = true
	_tell_modifiers(out, event)
	return out


static func _tell_modifiers(out: Dictionary, event: InputEventWithModifiers) -> void:
	for name in MODIFIERS:
		if event.get(Events.MODIFIERS[name]):
			out[name] = true


static func _told_mouse(event: InputEventMouse, window: Window) -> Dictionary:
	var to_viewport := window.get_final_transform().affine_inverse()
	var place := to_viewport * event.position
	var out := {"type": "mouse", "x": Values.number(place.x), "y": Values.number(place.y)}
	var motion := event as InputEventMouseMotion
	if motion != null:
		var way := to_viewport.basis_xform(motion.relative)
		out["relative_x"] = Values.number(way.x)
		out["relative_y"] = Values.number(way.y)
	else:
		var press := event as InputEventMouseButton
		out["button"] = Events.MOUSE_BUTTONS[press.button_index]
		out["pressed"] = press.pressed
		if press.double_click:
			out["double"] = true
	_tell_modifiers(out, event)
	return out


static func _told_touch(event: InputEvent, window: Window) -> Dictionary:
	var to_viewport := window.get_final_transform().affine_inverse()
	var touch := event as InputEventScreenTouch
	if touch != null:
		var place := to_viewport * touch.position
		return {
			"type": "touch",
			"index": touch.index,
			"x": Values.number(place.x),
			"y": Values.number(place.y),
			"pressed": touch.pressed,
		}
	var drag := event as InputEventScreenDrag
	if drag == null:
		return {}
	var at := to_viewport * drag.position
	var way := to_viewport.basis_xform(drag.relative)
	return {
		"type": "drag",
		"index": drag.index,
		"x": Values.number(at.x),
		"y": Values.number(at.y),
		"relative_x": Values.number(way.x),
		"relative_y": Values.number(way.y),
	}
