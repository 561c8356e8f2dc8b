@tool
extends RefCounted
## Settings of project.godot, one at a time.

const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
const Names := preload("../names.gd")
const ProjectText := preload("../project_text.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const SettingsFile := preload("../settings_file.gd")
const Values := preload("../values.gd")

## Settings whose values mean more than a value, with the tools that know it.
const OWN_TOOLS: Dictionary[String, String] = {
	"autoload/": "autoloads have tools of their own: godot-mcp autoload list",
	"input/": "input actions have tools of their own: godot-mcp input-map list",
	"editor_plugins/enabled":
	"plugins are switched on and off by tools of their own: godot-mcp plugin list",
	"config_version":
	"config_version says how the file is written: godot-mcp project list-settings",
}
const OVERRIDES: Array[String] = ["res://override.cfg"]
const OVERRIDE_SETTING := "application/config/project_settings_override"
const RESTART := "takes effect after godot-mcp editor restart"

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"project.get-setting": get_setting,
		"project.set-setting": set_setting,
		"project.reset-setting": reset_setting,
		"project.list-settings": list_settings,
	}


func get_setting(params: Dictionary) -> Dictionary:
	var name := str(params.get("name", ""))
	var exists := ProjectSettings.has_setting(name)
	var value: Variant = ProjectSettings.get_setting(name) if exists else null
	var effective: Variant = _effective(name)
	return {
		"name": name,
		"value": _encoded(name, value),
		"effective":
		null if Values.same(effective, value) or not exists else _encoded(name, effective),
		"exists": exists,
	}


func list_settings(params: Dictionary) -> Dictionary:
	var prefix := str(params.get("prefix", ""))
	var changed_only := bool(params.get("changed_only", true))
	var settings: Array[Dictionary] = []
	for info in _infos():
		var name := info["name"] as String
		if not name.begins_with(prefix):
			continue
		var value: Variant = ProjectSettings.get_setting(name)
		var default: Variant = SettingsFile.default_of(name)
		if changed_only and Values.same(value, default):
			continue
		(
			settings
			. append(
				{
					"name": name,
					"value": _encoded(name, value),
					"default": _encoded(name, default),
					"type": type_string(info["type"] as int),
				}
			)
		)
	return {"settings": settings}


func set_setting(params: Dictionary) -> Dictionary:
	var name := str(params.get("name", ""))
	var refused := _refusal(name, false)
	if refused.is_empty() and not _is_known(name):
		refused = _unknown(name) if not params.get("create", false) else _problem_of_new(name)
	if not refused.is_empty():
		return refused
	var info := _info_of(name)
	var decoded := Decode.decode(
		params.get("value"), info, _present(name), null, _context.raw.get("value")
	)
	var value: Variant = decoded.get(Decode.VALUE)
	var problem := str(decoded.get(Decode.PROBLEM, ""))
	if problem == "":
		problem = _objection(value, info)
	if problem != "":
		return Result.fail(
			Result.VALIDATION,
			"%s %s: godot-mcp project get-setting %s" % [name, problem, name],
			"value"
		)
	var states: Dictionary[String, Dictionary] = {name: SettingsFile.with_value(value)}
	var answer := {"name": name, "value": _encoded(name, value), "set": true}
	var hint := _hint(info, value)
	answer = _context.change_settings(
		states, answer, params, "it had this value before, nothing was changed"
	)
	if answer.has("set"):
		if not answer["dry_run"]:
			var now: Variant = ProjectSettings.get_setting(name)
			answer["value"] = _encoded(name, now)
			answer["set"] = Values.same(now, value)
		if hint != "" and not answer.has("hint"):
			answer["hint"] = hint
	return answer


func reset_setting(params: Dictionary) -> Dictionary:
	var name := str(params.get("name", ""))
	var refused := _refusal(name, true)
	if refused.is_empty() and not ProjectSettings.has_setting(name):
		refused = _unknown(name)
	if not refused.is_empty():
		return refused
	var info := _info_of(name)
	var previous: Variant = ProjectSettings.get_setting(name)
	var default: Variant = SettingsFile.default_of(name)
	var states: Dictionary[String, Dictionary] = {name: SettingsFile.without_line(name)}
	var answer := {
		"name": name,
		"value": _encoded(name, default),
		"previous": _encoded(name, previous),
	}
	var hint := _hint(info, default)
	answer = _context.change_settings(
		states, answer, params, "it has its default and no line in the file, nothing was changed"
	)
	if answer.has("previous"):
		if not answer["dry_run"]:
			answer["value"] = _encoded(name, ProjectSettings.get_setting(name, null))
		if hint != "" and not answer.has("hint"):
			answer["hint"] = hint
	return answer


## Why these tools leave the setting alone, empty for all others. The engine's own input actions can be reset.
static func _refusal(name: String, resets: bool) -> Dictionary:
	if resets and name.begins_with("input/") and SettingsFile.default_of(name) != null:
		return {}
	for prefix in OWN_TOOLS:
		if name == prefix or (prefix.ends_with("/") and name.begins_with(prefix)):
			return Result.fail(Result.VALIDATION, OWN_TOOLS[prefix], "name")
	return {}


## The setting that a name with feature tags, as in name.web, stands for; any other name as it is.
static func _base(name: String) -> String:
	if ProjectSettings.has_setting(name) and SettingsFile.default_of(name) != null:
		return name
	var dot := name.find(".")
	return name.left(dot) if dot > 0 and ProjectSettings.has_setting(name.left(dot)) else name


static func _is_known(name: String) -> bool:
	return ProjectSettings.has_setting(_base(name))


static func _present(name: String) -> Variant:
	var present: Variant = SettingsFile.default_of(_base(name))
	return present if present != null else ProjectSettings.get_setting(name, null)


## Name, type and hint as the engine declares them. What only the project knows holds any value.
static func _info_of(name: String) -> Dictionary:
	var base := _base(name)
	if SettingsFile.default_of(base) != null:
		for info in ProjectSettings.get_property_list():
			if info["name"] == base:
				return info
	return {"name": name, "type": TYPE_NIL, "usage": 0, "hint": PROPERTY_HINT_NONE}


static func _infos() -> Array[Dictionary]:
	return ProjectSettings.get_property_list().filter(
		func(info: Dictionary) -> bool:
			return (
				(info["usage"] as int) & PROPERTY_USAGE_STORAGE != 0
				and ProjectSettings.has_setting(info["name"] as String)
			)
	)


static func _encoded(name: String, value: Variant) -> Variant:
	return Values.encode(value, null, SettingsFile.default_of(_base(name)) == null)


static func _unknown(name: String) -> Dictionary:
	var names: PackedStringArray = []
	for info in _infos():
		names.append(info["name"] as String)
	var near := Names.nearest(name, names)
	if near == "":
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"there is no setting %s; create makes it all the same: godot-mcp project list-settings"
					% name
				),
				"name"
			)
		)
	return (
		Result
		. fail(
			Result.VALIDATION,
			(
				"there is no setting %s, did you mean %s? create makes it all the same: godot-mcp project get-setting %s"
				% [name, near, near]
			),
			"name"
		)
	)


static func _problem_of_new(name: String) -> Dictionary:
	var is_plain := name.contains("/")
	for part in name.split("/"):
		is_plain = is_plain and part != "" and part == part.strip_edges()
	for i in name.length():
		is_plain = is_plain and name.unicode_at(i) > 31 and not '"[]=;'.contains(name[i])
	if is_plain:
		return {}
	return (
		Result
		. fail(
			Result.VALIDATION,
			(
				"%s is no name of a setting: it wants a section and a name, as in %s: godot-mcp project list-settings"
				% [name, "game/difficulty"]
			),
			"name"
		)
	)


## What the engine would not make of the value what was meant.
static func _objection(value: Variant, info: Dictionary) -> String:
	if value == null:
		return "cannot be null; what takes it out is godot-mcp project reset-setting"
	if value is Object:
		return "cannot be held by a line of the file"
	if info["hint"] != PROPERTY_HINT_ENUM:
		return ""
	var allowed: PackedStringArray = []
	var next := 0
	for option in str(info["hint_string"]).split(","):
		var parts := option.split(":")
		if parts.size() > 1 and parts[-1].is_valid_int():
			next = parts[-1].to_int()
		allowed.append(parts[0].strip_edges() if value is String else str(next))
		next += 1
	if str(value) in allowed:
		return ""
	return "is one of %s" % (", ".join(allowed) if value is String else str(info["hint_string"]))


static func _hint(info: Dictionary, value: Variant) -> String:
	if info["hint"] == PROPERTY_HINT_FILE and value is String and value != "":
		var path := Scenes.normalise(value as String)
		if not ResourceLoader.exists(path) and not FileAccess.file_exists(path):
			return "there is no file %s yet" % path
	return RESTART if (info["usage"] as int) & PROPERTY_USAGE_RESTART_IF_CHANGED else ""


## The value that a game has which is started from this editor: overrides by feature tags and by override.cfg,
## which the editor itself does not read.
static func _effective(name: String) -> Variant:
	var value: Variant = ProjectSettings.get_setting(name, null)
	var is_tagged := false
	for info in ProjectSettings.get_property_list():
		is_tagged = is_tagged or _is_active_tag(name, info["name"] as String)
	if is_tagged:
		value = ProjectSettings.get_setting_with_override(name)
	for path: String in OVERRIDES + [str(ProjectSettings.get_setting(OVERRIDE_SETTING, ""))]:
		var file := ConfigFile.new()
		if path == "" or not FileAccess.file_exists(path) or file.load(path) != OK:
			continue
		for section in file.get_sections():
			for key in file.get_section_keys(section):
				var found := key if section == "" else section + "/" + key
				if (found == name and not is_tagged) or _is_active_tag(name, found):
					value = file.get_value(section, key)
	return value


static func _is_active_tag(name: String, found: String) -> bool:
	if not found.begins_with(name + "."):
		return false
	for tag in found.substr(name.length() + 1).split("."):
		if OS.has_feature(tag):
			return true
	return false
