@tool
extends RefCounted
## Autoloads: scripts and scenes that are loaded with the game, most of them under a global name.

const Check := preload("../script_check.gd")
const Context := preload("../context.gd")
const Names := preload("../names.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const SettingsFile := preload("../settings_file.gd")

const SECTION := "autoload/"

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"autoload.list": list,
		"autoload.add": add,
		"autoload.remove": remove,
	}


func list(_params: Dictionary) -> Dictionary:
	var autoloads: Array[Dictionary] = []
	for name in _names():
		var value := str(ProjectSettings.get_setting(SECTION + name))
		var path := value.trim_prefix("*")
		var entry := {"name": name, "path": Scenes.normalise(path)}
		if path.begins_with("uid://"):
			entry["uid"] = path
		entry["enabled"] = value.begins_with("*")
		autoloads.append(entry)
	return {"autoloads": autoloads}


func add(params: Dictionary) -> Dictionary:
	var name := str(params.get("name", ""))
	var path := Scenes.normalise(str(params.get("path", "")))
	var problem := _problem_of_name(name)
	if problem != "":
		return Result.fail(
			Result.VALIDATION, "%s %s: godot-mcp autoload list" % [name, problem], "name"
		)
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no file %s: godot-mcp script list" % path, "path"
		)
	problem = _problem_of_file(path)
	if problem != "":
		return Result.fail(
			Result.VALIDATION, "%s %s: godot-mcp script list" % [path, problem], "path"
		)
	var present := str(ProjectSettings.get_setting(SECTION + name, ""))
	if present != "" and Scenes.normalise(present.trim_prefix("*")) != path:
		return Result.fail(
			Result.VALIDATION,
			(
				"%s is %s already: godot-mcp autoload remove %s first"
				% [name, Scenes.normalise(present.trim_prefix("*")), name]
			),
			"name"
		)
	var value := present if present.begins_with("*") else "*" + _spelled(path)
	var states: Dictionary[String, Dictionary] = {SECTION + name: SettingsFile.with_value(value)}
	var answer := {"name": name, "path": path, "registered": true}
	answer = _context.change_settings(states, answer, params, "it was registered before")
	if answer.has("registered") and not answer["dry_run"]:
		answer["registered"] = str(ProjectSettings.get_setting(SECTION + name, "")) == value
	return answer


func remove(params: Dictionary) -> Dictionary:
	var name := str(params.get("name", ""))
	if not ProjectSettings.has_setting(SECTION + name):
		var near := Names.nearest(name, _names())
		return Result.fail(
			Result.NOT_FOUND,
			(
				"there is no autoload %s%s: godot-mcp autoload list"
				% [name, ", did you mean %s?" % near if near != "" else ""]
			),
			"name"
		)
	var states: Dictionary[String, Dictionary] = {
		SECTION + name: SettingsFile.without_line(SECTION + name)
	}
	var answer := {"name": name, "unregistered": true}
	answer = _context.change_settings(states, answer, params, "")
	if answer.has("unregistered") and not answer["dry_run"]:
		answer["unregistered"] = not ProjectSettings.has_setting(SECTION + name)
	return answer


## In the order in which they are loaded.
static func _names() -> PackedStringArray:
	var names: PackedStringArray = []
	for info in ProjectSettings.get_property_list():
		var setting := info["name"] as String
		if setting.begins_with(SECTION):
			names.append(setting.trim_prefix(SECTION))
	return names


## As the editor writes it: by uid where the file has one.
static func _spelled(path: String) -> String:
	var id := ResourceLoader.get_resource_uid(path)
	return path if id == ResourceUID.INVALID_ID else ResourceUID.id_to_text(id)


## Why a global variable cannot have this name, "" when it can. What the editor's own dialog asks.
static func _problem_of_name(name: String) -> String:
	if not name.is_valid_unicode_identifier():
		return "is no identifier"
	if ClassDB.class_exists(name):
		return "is a class of the engine"
	for info: Dictionary in ProjectSettings.get_global_class_list():
		if info["class"] == name:
			return "is the class of %s" % info["path"]
	for type in TYPE_MAX:
		if type_string(type) == name:
			return "is a type of the engine"
	# The engine has no list of its words and global constants, but its compiler knows them.
	if not Check.judge("", "var %s: int = 1\n" % name).is_ok():
		return "is a word of the language"
	if name != name.to_upper() or ProjectSettings.has_setting(SECTION + name):
		return ""
	var probe := Check.judge("", "func probe() -> Variant:\n\treturn %s\n" % name)
	return "is a constant of the engine" if probe.is_ok() else ""


## Why the file cannot be an autoload: the game would not start with it.
static func _problem_of_file(path: String) -> String:
	var type := EditorInterface.get_resource_filesystem().get_file_type(path)
	if type == "PackedScene" or path.get_extension() in ["tscn", "scn"]:
		return ""
	if not path.get_extension() in ["gd", "cs"]:
		return "is no script and no scene"
	var script := load(path) as Script
	if script == null or script.get_instance_base_type() == &"":
		# A script that does not parse can be mended after it was registered.
		return ""
	if not ClassDB.is_parent_class(script.get_instance_base_type(), "Node"):
		return "extends %s, and an autoload is a Node" % script.get_instance_base_type()
	return ""
