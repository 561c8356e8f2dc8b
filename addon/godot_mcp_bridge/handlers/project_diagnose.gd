@tool
extends RefCounted
## What is wrong with the project, as far as the editor can tell without running it: scripts, scenes and what
## they need, settings that lead nowhere, imports. It changes nothing. The binary adds a run of the game and
## says what to do.

const Check := preload("../script_check.gd")
const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const ScriptTools := preload("script.gd")
const Scenes := preload("../scenes.gd")
const Slices := preload("../slices.gd")

const MAIN_SCENE := "application/run/main_scene"
const PLUGINS := "editor_plugins/enabled"
const AUTOLOADS := "autoload/"
const ERROR := "error"
const WARNING := "warning"

var _context: Context


## A look at all files, one in a step.
class Diagnosis:
	extends Slices
	var context: Context
	var scripts: ScriptTools.Checking
	## Scenes, resources and records of imports.
	var files: PackedStringArray = []
	var findings: Array[Dictionary] = []
	var _done := 0

	func step() -> bool:
		if scripts.done < scripts.files.size():
			scripts.step()
			return true
		if _done < files.size():
			_look_at(files[_done])
			_done += 1
		return _done < files.size()

	func state() -> Dictionary:
		return {
			"progress": scripts.done + _done,
			"total": scripts.files.size() + files.size(),
			"message": "files checked",
		}

	func answer() -> Dictionary:
		_look_at_main_scene()
		_look_at_autoloads()
		_look_at_plugins()
		for path in EditorInterface.get_open_scenes():
			_look_at_open_scene(path)
		var checked := scripts.answer()
		return {"ok": checked["ok"], "errors": checked["errors"], "findings": findings}

	func _add(severity: String, kind: String, path: String, message: String, name := "") -> void:
		(
			findings
			. append(
				{
					"severity": severity,
					"kind": kind,
					"path": path,
					"message": message,
					"name": name,
				}
			)
		)

	func _look_at(path: String) -> void:
		if path.get_extension() == "import":
			_look_at_import(path)
			return
		var missing := Dependencies.missing_of(path)
		for file in missing:
			_add(ERROR, "missing_dependency", path, "it needs %s, which is not there" % file)
		if missing.is_empty() and path.get_extension() in Dependencies.SCENES:
			_look_at_scene(path)

	func _look_at_scene(path: String) -> void:
		var needs := Dependencies.new()
		needs.follow(path)
		if needs.reason != "":
			# What is missing further down is a finding of the file that names it.
			if needs.missing.is_empty():
				_add(ERROR, "needs_dotnet", path, needs.reason)
			return
		context.forget_errors()
		var packed := load(path) as PackedScene
		if packed == null:
			_add(ERROR, "unreadable_scene", path, context.first_error())
			return
		for entry in Dependencies.absent_classes(path, packed.get_state()):
			_add(ERROR, str(entry["code"]), path, str(entry["text"]))

	## What the engine did not take over when it opened the scene.
	func _look_at_open_scene(path: String) -> void:
		var losses := context.history.losses_of(path)
		if losses == null:
			return
		for entry in losses.warnings():
			_add(WARNING, str(entry["code"]), path, str(entry["text"]))

	func _look_at_import(record: String) -> void:
		var path := record.trim_suffix(".import")
		var config := ConfigFile.new()
		if not FileAccess.file_exists(path) or config.load(record) != OK:
			return
		if not bool(config.get_value("remap", "valid", true)):
			_add(ERROR, "import_failed", path, "the engine could not import it")
			return
		for made: String in config.get_value("deps", "dest_files", []):
			if not FileAccess.file_exists(made):
				_add(WARNING, "not_imported", path, "what its import makes is not there")
				return

	func _look_at_main_scene() -> void:
		var main := Scenes.normalise(str(ProjectSettings.get_setting(MAIN_SCENE, "")))
		if main != "" and FileAccess.file_exists(main):
			return
		var other := _likely_main_scene()
		if main == "":
			_add(
				ERROR,
				"no_main_scene",
				"",
				"the project has no main scene, so the game cannot be run",
				other
			)
		else:
			_add(ERROR, "missing_main_scene", main, "it is the main scene and not there", other)

	## A scene without a fault; one that is called so before others.
	func _likely_main_scene() -> String:
		var first := ""
		for path in files:
			var is_sound := func(found: Dictionary) -> bool: return found["path"] != path
			if not path.get_extension() in Dependencies.SCENES or not findings.all(is_sound):
				continue
			if path.get_file().get_basename().to_lower() == "main":
				return path
			first = first if first != "" else path
		return first

	func _look_at_autoloads() -> void:
		for setting in ProjectSettings.get_property_list():
			var name := str(setting["name"])
			if not name.begins_with(AUTOLOADS):
				continue
			var value := str(ProjectSettings.get_setting(name))
			var path := Scenes.normalise(value.trim_prefix("*"))
			if not FileAccess.file_exists(path):
				var autoload := name.trim_prefix(AUTOLOADS)
				_add(
					ERROR,
					"missing_autoload",
					path,
					"it is the autoload %s and not there" % autoload,
					autoload
				)

	func _look_at_plugins() -> void:
		for path: String in ProjectSettings.get_setting(PLUGINS, PackedStringArray()):
			if not FileAccess.file_exists(path):
				_add(WARNING, "missing_plugin", path, "it is switched on and not there")
			elif not EditorInterface.is_plugin_enabled(path):
				_add(
					WARNING, "plugin_not_running", path, "it is switched on and does not run", path
				)


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"project.diagnose": diagnose}


func diagnose(_params: Dictionary) -> Dictionary:
	var diagnosis := Diagnosis.new()
	diagnosis.context = _context
	diagnosis.scripts = ScriptTools.Checking.new()
	diagnosis.scripts.files = Check.files_of_project()
	var kinds: Array[String] = ["import"]
	kinds.append_array(Dependencies.FOLLOWED)
	Check.collect("res://", kinds, diagnosis.files)
	return diagnosis.start()
