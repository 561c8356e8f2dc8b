@tool
extends RefCounted
## Editor plugins of the project: which there are, switching them on and off.
##
## The engine writes the whole of project.godot anew for this. The file's own text is kept, with the lines that
## the switch changes: the list of plugins, and what the plugin itself sets, such as an autoload.

const Check := preload("../script_check.gd")
const Context := preload("../context.gd")
const Names := preload("../names.gd")
const ProjectText := preload("../project_text.gd")
const Result := preload("../result.gd")
const SettingsFile := preload("../settings_file.gd")
const TextFile := preload("../text_file.gd")

const FOLDER := "res://addons"
const ENABLED := "editor_plugins/enabled"
const OWN := "res://addons/godot_mcp_bridge/plugin.cfg"

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"plugin.list": list,
		"plugin.enable": enable,
		"plugin.disable": disable,
	}


func list(_params: Dictionary) -> Dictionary:
	var plugins: Array[Dictionary] = []
	for path in _paths(FOLDER):
		var config := _config(path)
		(
			plugins
			. append(
				{
					"path": path,
					"name": str(config.get_value("plugin", "name", "")),
					"enabled": EditorInterface.is_plugin_enabled(path),
					"version": str(config.get_value("plugin", "version", "")),
				}
			)
		)
	return {"plugins": plugins}


func enable(params: Dictionary) -> Dictionary:
	return _switch(params, true)


func disable(params: Dictionary) -> Dictionary:
	return _switch(params, false)


func _switch(params: Dictionary, on: bool) -> Dictionary:
	var name := str(params.get("name", ""))
	var path := _find(name)
	if path == "":
		return _missing(name)
	if path == OWN and not on:
		return Result.fail(
			Result.VALIDATION,
			"%s carries this very call out: godot-mcp addon uninstall" % name,
			"name"
		)
	var preview := bool(params.get("dry_run", false))
	var answer := {
		"name": name, "enabled": on, "dry_run": preview, "persisted": true, "undoable": false
	}
	if EditorInterface.is_plugin_enabled(path) == on:
		answer["hint"] = "it was %s before, nothing was changed" % ("on" if on else "off")
		return answer
	var refused := SettingsFile.problem(preview)
	if refused.is_empty() and on:
		refused = _refusal(path)
	if not refused.is_empty():
		return refused
	answer["hint"] = (
		"godot-mcp plugin %s %s takes it back"
		% ["disable" if on else "enable", path.get_base_dir().get_file()]
	)
	return answer if preview else _carry_out(path, on, answer)


## What the switch changes is seen from what the engine would write before and after it. The file has its own
## text whenever code of the plugin runs.
func _carry_out(path: String, on: bool, answer: Dictionary) -> Dictionary:
	SettingsFile.flush()
	var file := TextFile.new(SettingsFile.PATH)
	var own: Dictionary = ProjectText.read(file.text)
	var before: Dictionary = ProjectText.read(SettingsFile.engine_text())
	SettingsFile.write(file.bytes)
	EditorInterface.set_plugin_enabled(path, on)
	var after: Dictionary = ProjectText.read(SettingsFile.engine_text())
	var states: Dictionary[String, Dictionary] = {}
	for name: String in after:
		if before.get(name) != after[name]:
			states[name] = {"text": after[name]}
	for name: String in before:
		if not after.has(name):
			states[name] = {"text": null}
	if EditorInterface.is_plugin_enabled(path) == on:
		var plugins: Variant = _with(own.get(ENABLED), path, on)
		states[ENABLED] = {"text": plugins if plugins == null else var_to_str(plugins)}
		ProjectSettings.set_setting(ENABLED, plugins)
	else:
		states.erase(ENABLED)
	SettingsFile.flush()
	if not SettingsFile.write(SettingsFile.edited(file, states)):
		return Result.fail(Result.INTERNAL, "%s was not written" % SettingsFile.PATH)
	if EditorInterface.is_plugin_enabled(path) != on:
		return Result.fail(
			Result.INTERNAL,
			"the engine did not switch %s: %s" % [answer["name"], _context.first_error()],
			"name"
		)
	return answer


## The list of plugins, in its order, with or without this one; null for an empty one, as the engine has it.
static func _with(text: Variant, path: String, on: bool) -> Variant:
	var plugins: PackedStringArray = str_to_var(text as String) if text != null else []
	if on and not plugins.has(path):
		plugins.append(path)
	elif not on and plugins.has(path):
		plugins.remove_at(plugins.find(path))
	return plugins if not plugins.is_empty() else null


## Why the engine could not load the plugin; it would only show a dialog.
static func _refusal(path: String) -> Dictionary:
	var file := str(_config(path).get_value("plugin", "script", ""))
	var script := path.get_base_dir().path_join(file)
	var why := ""
	if file == "":
		why = "%s names no script" % path
	elif not FileAccess.file_exists(script):
		why = "%s names %s, which is not there" % [path, script]
	elif script.get_extension() == "gd":
		var verdict := Check.judge(script, TextFile.new(script).text)
		if not verdict.is_ok():
			why = (
				"%s does not compile, %s: godot-mcp script check %s"
				% [script, verdict.errors[0]["message"], script]
			)
		elif not _is_plugin(script):
			why = "%s is no @tool script that extends EditorPlugin" % script
	return Result.fail(Result.PRECONDITION, why, "name") if why != "" else {}


static func _is_plugin(path: String) -> bool:
	var script := load(path) as Script
	return (
		script != null and script.is_tool() and script.get_instance_base_type() == &"EditorPlugin"
	)


static func _missing(name: String) -> Dictionary:
	var names: PackedStringArray = []
	for path in _paths(FOLDER):
		names.append(path.get_base_dir().trim_prefix(FOLDER + "/"))
	var near := Names.nearest(name, names)
	return Result.fail(
		Result.NOT_FOUND,
		(
			"there is no plugin %s%s: godot-mcp plugin list"
			% [name, ", did you mean %s?" % near if near != "" else ""]
		),
		"name"
	)


## The plugin.cfg that a folder below addons, a path or the plugin's own name means; "" for none.
static func _find(name: String) -> String:
	var by_name := ""
	for path in _paths(FOLDER):
		var folder := path.get_base_dir()
		if name.trim_suffix("/") in [path, folder, folder.trim_prefix(FOLDER + "/")]:
			return path
		if name != "" and str(_config(path).get_value("plugin", "name", "")) == name:
			by_name = path
	return by_name


static func _paths(folder: String) -> PackedStringArray:
	var out: PackedStringArray = []
	if FileAccess.file_exists(folder.path_join("plugin.cfg")):
		out.append(folder.path_join("plugin.cfg"))
	for below in DirAccess.get_directories_at(folder):
		out.append_array(_paths(folder.path_join(below)))
	return out


static func _config(path: String) -> ConfigFile:
	var config := ConfigFile.new()
	config.load(path)
	return config
