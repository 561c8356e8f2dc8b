@tool
extends RefCounted
## Input actions of the project and the events that trigger them.

const Context := preload("../context.gd")
const Events := preload("../input_events.gd")
const Names := preload("../names.gd")
const Result := preload("../result.gd")
const SettingsFile := preload("../settings_file.gd")

const SECTION := "input/"
## What the editor's own dialog does not take in the name of an action.
const NOT_IN_NAMES := '/:="\\'

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"input-map.list": list,
		"input-map.add-action": add_action,
		"input-map.add-event": add_event,
		"input-map.remove-event": remove_event,
		"input-map.list-events": list_events,
		"input-map.remove-action": remove_action,
		"input-map.clear-events": clear_events,
	}


func list(params: Dictionary) -> Dictionary:
	var with_builtin := bool(params.get("include_builtin", false))
	var actions: Array[Dictionary] = []
	for action in _actions():
		if with_builtin or not _is_untouched(action):
			var entry := {"name": action}
			entry.merge(_told(action))
			actions.append(entry)
	return {"actions": actions}


func list_events(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	if not _exists(action):
		return _missing(action)
	var answer := {"action": action}
	answer.merge(_told(action))
	return answer


func add_action(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	var deadzone: float = params.get("deadzone", 0.5)
	if deadzone < 0.0 or deadzone > 1.0:
		return Result.fail(
			Result.VALIDATION, "deadzone is from 0 to 1: godot-mcp input-map list", "deadzone"
		)
	var problem := "is there already" if _exists(action) else _problem_of_name(action)
	if problem != "":
		return Result.fail(
			Result.VALIDATION, "%s %s: godot-mcp input-map list" % [action, problem], "action"
		)
	var answer := {"action": action, "created": true}
	answer = _change(action, {"deadzone": deadzone, "events": []}, answer, params)
	if answer.has("created") and not answer["dry_run"]:
		answer["created"] = _exists(action)
	return answer


func add_event(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	if not _exists(action):
		return _missing(action)
	var given: Variant = params.get("event")
	var decoded := (
		Events.decode(given as Dictionary)
		if given is Dictionary
		else {"problem": "event is an object"}
	)
	if decoded.has("problem"):
		return Result.fail(
			Result.VALIDATION,
			"%s: godot-mcp input-map list --include-builtin" % decoded["problem"],
			"event"
		)
	var event: InputEvent = decoded["event"]
	var value := _value(action)
	var events: Array = value["events"]
	var shown := Events.encode(event)
	var index := events.find_custom(
		func(one: InputEvent) -> bool: return one != null and Events.encode(one) == shown
	)
	var is_there := index >= 0
	if not is_there:
		index = events.size()
		events.append(event)
	var answer := {"action": action, "event": shown, "index": index, "added": not is_there}
	if is_there:
		answer["hint"] = "the action has this event already, nothing was changed"
		answer["dry_run"] = bool(params.get("dry_run", false))
		answer["persisted"] = true
		answer["undoable"] = false
		return answer
	answer = _change(action, value, answer, params)
	if answer.has("added") and not answer["dry_run"]:
		answer["event"] = Events.encode(_events(action)[-1] as InputEvent)
	return answer


func remove_event(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	if not _exists(action):
		return _missing(action)
	var index := int(params.get("index", 0))
	var value := _value(action)
	var events: Array = value["events"]
	if index < 0 or index >= events.size():
		return Result.fail(
			Result.VALIDATION,
			(
				"%s has %d events, counted from 0: godot-mcp input-map list-events %s"
				% [action, events.size(), action]
			),
			"index"
		)
	var answer := {
		"action": action, "event": Events.encode(events[index] as InputEvent), "removed": true
	}
	events.remove_at(index)
	answer = _change(action, value, answer, params)
	if answer.has("removed") and not answer["dry_run"]:
		answer["removed"] = _events(action).size() == events.size()
	return answer


func clear_events(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	if not _exists(action):
		return _missing(action)
	var value := _value(action)
	var answer := {"action": action, "cleared": (value["events"] as Array).size()}
	value["events"] = []
	return _change(action, value, answer, params, "it had no events, nothing was changed")


func remove_action(params: Dictionary) -> Dictionary:
	var action := str(params.get("action", ""))
	if not _exists(action):
		return _missing(action)
	if _is_builtin(action):
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%s is the engine's own; what the project changed in it takes back godot-mcp project reset-setting input/%s"
					% [action, action]
				),
				"action"
			)
		)
	var name := SECTION + action
	var states: Dictionary[String, Dictionary] = {name: SettingsFile.without_line(name)}
	var answer := {"action": action, "removed": true}
	answer = _context.change_settings(states, answer, params, "")
	if answer.has("removed") and not answer["dry_run"]:
		answer["removed"] = not _exists(action)
	return answer


func _change(
	action: String, value: Dictionary, answer: Dictionary, params: Dictionary, hint: String = ""
) -> Dictionary:
	var states: Dictionary[String, Dictionary] = {SECTION + action: SettingsFile.with_value(value)}
	return _context.change_settings(states, answer, params, hint)


static func _actions() -> PackedStringArray:
	var out: PackedStringArray = []
	for info in ProjectSettings.get_property_list():
		var name := info["name"] as String
		if name.begins_with(SECTION):
			out.append(name.trim_prefix(SECTION))
	return out


static func _exists(action: String) -> bool:
	return action != "" and ProjectSettings.get_setting(SECTION + action, null) is Dictionary


static func _is_builtin(action: String) -> bool:
	return SettingsFile.default_of(SECTION + action) != null


static func _is_untouched(action: String) -> bool:
	var default: Variant = SettingsFile.default_of(SECTION + action)
	return (
		default != null
		and var_to_str(default) == var_to_str(ProjectSettings.get_setting(SECTION + action))
	)


## A copy of the action that may be changed.
static func _value(action: String) -> Dictionary:
	var value: Dictionary = ProjectSettings.get_setting(SECTION + action)
	value = value.duplicate()
	value["events"] = (value.get("events", []) as Array).duplicate()
	return value


static func _events(action: String) -> Array:
	return _value(action)["events"]


static func _told(action: String) -> Dictionary:
	var value := _value(action)
	return {
		"deadzone": float(value.get("deadzone", 0.5)),
		"events":
		(value["events"] as Array).map(
			func(event: Variant) -> Dictionary: return Events.encode(event as InputEvent)
		),
	}


static func _problem_of_name(action: String) -> String:
	if action.strip_edges() != action or action == "":
		return "is no name of an action"
	for i in action.length():
		if action.unicode_at(i) < 32 or NOT_IN_NAMES.contains(action[i]):
			return (
				"is no name of an action: it must not hold any of %s"
				% " ".join(NOT_IN_NAMES.split(""))
			)
	return ""


static func _missing(action: String) -> Dictionary:
	var near := Names.nearest(action, _actions())
	return Result.fail(
		Result.NOT_FOUND,
		(
			"there is no action %s%s: godot-mcp input-map list"
			% [action, ", did you mean %s?" % near if near != "" else ""]
		),
		"action"
	)
