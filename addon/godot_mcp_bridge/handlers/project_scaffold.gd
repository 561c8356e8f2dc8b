@tool
extends RefCounted
## A game skeleton made in the project. The client brings it as the files of a small project: they are written
## here, and what its project.godot says is taken over where the project itself says nothing.

const Check := preload("../script_check.gd")
const Checks := preload("../file_checks.gd")
const Context := preload("../context.gd")
const ProjectPaths := preload("../project_paths.gd")
const ProjectText := preload("../project_text.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const ScriptFiles := preload("../script_files.gd")
const SettingsFile := preload("../settings_file.gd")
const TextFile := preload("../text_file.gd")
const Writable := preload("../writable.gd")

## The main scene of every skeleton and its script, before they get the name that was asked for.
const MAIN_SCENE := "res://main.tscn"
const MAIN_SCRIPT := "res://main.gd"
const MAIN_SETTING := "application/run/main_scene"
const NAME_SETTING := "application/config/name"
const AUTOLOAD := "autoload/"
## Said by the skeleton about itself alone.
const NOT_TAKEN: Array[String] = ["config_version", "application/config/features"]
## What the editor takes to list the files at most; more than a slow machine needs.
const WAIT_MSEC := 20000
## Names that an error tells.
const MAX_NAMED := 20

var _context: Context


## The skeleton as it is to be: texts by path, settings by name.
class Plan:
	extends RefCounted
	var main := ""
	var files: Dictionary[String, String] = {}
	var states: Dictionary[String, Dictionary] = {}
	var autoloads: PackedStringArray = []
	## A path that two of its files would have, letter case aside.
	var shared := ""
	## Global classes of its scripts.
	var classes: PackedStringArray = []


## The files as one step. Who is told of them is told when all are there, or all are gone: a scan in between
## gives scripts uids that are being taken out.
class Making:
	extends RefCounted
	var scripts: ScriptFiles
	var _steps: Array[ScriptFiles.Step] = []

	## Writes one more; false when that failed.
	func write(path: String, bytes: PackedByteArray) -> bool:
		_steps.append(ScriptFiles.step_of(path, self))
		DirAccess.make_dir_recursive_absolute(path.get_base_dir())
		return ScriptFiles.Step.put_bytes(path, bytes)

	func make() -> void:
		for step in _steps:
			step.swap()
		_tell()

	## The folders were made for the first file in them, so that one goes last.
	func take_back() -> void:
		for i in range(_steps.size() - 1, -1, -1):
			_steps[i].swap()
		_tell()

	## Called by each step.
	func refresh(_path: String) -> void:
		pass

	func _tell() -> void:
		for step in _steps:
			scripts.refresh(step.path)


## A wait for the editor to list the files and to know their classes.
class Settling:
	extends RefCounted
	var answer: Dictionary = {}
	var paths: PackedStringArray = []
	var classes: PackedStringArray = []
	var _until := Time.get_ticks_msec() + WAIT_MSEC

	func poll() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		if not files.is_scanning() and _is_known():
			return answer
		if Time.get_ticks_msec() > _until:
			answer["rescan_pending"] = true
			return answer
		if not files.is_scanning():
			files.scan()
		return {}

	func progress() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		return {"progress": files.get_scanning_progress(), "total": 1, "message": "scanning"}

	func _is_known() -> bool:
		var files := EditorInterface.get_resource_filesystem()
		for path in paths:
			if files.get_file_type(path) == "":
				return false
		var left := Array(classes)
		for entry: Dictionary in ProjectSettings.get_global_class_list():
			left.erase(str(entry["class"]))
		return left.is_empty()


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"project.scaffold": scaffold}


func scaffold(params: Dictionary) -> Dictionary:
	var main := _main_scene(str(params.get("main_scene", "")))
	var refused := _reason_against_main(main)
	if not refused.is_empty():
		return refused
	var plan := _plan(params, main)
	if plan.shared != "":
		return Result.fail(
			Result.VALIDATION,
			"%s is another file of the skeleton: name the main scene otherwise" % plan.shared,
			"main_scene"
		)
	refused = _reason_not_to_make(plan, bool(params.get("dry_run", false)))
	if not refused.is_empty():
		return refused
	var answer := {
		"created": true,
		"paths_created": plan.files.keys(),
		"autoloads_registered": plan.autoloads,
		"settings_changed": plan.states.keys(),
		"rescan_pending": false,
	}
	if bool(params.get("dry_run", false)):
		answer = _context.change_settings(plan.states, answer, params, "")
		if not Result.is_error(answer):
			answer["undoable"] = true
		return answer
	return _make(plan, answer, params)


## One undo step with all files and settings. Inside a batch it is part of that one's step, and the batch goes
## on at once.
func _make(plan: Plan, answer: Dictionary, params: Dictionary) -> Dictionary:
	var steps := _context.undo_redo
	var is_alone := not steps.is_gathering()
	if is_alone:
		steps.gather()
	var mark := steps.count()
	var unwritten := _write_files(plan)
	if unwritten == "":
		answer = _context.change_settings(plan.states, answer, params, "")
	else:
		answer = Result.fail(
			Result.INTERNAL,
			"the engine did not write %s, nothing was made: godot-mcp editor status" % unwritten
		)
	if Result.is_error(answer):
		steps.take_back(mark)
	else:
		answer["undoable"] = true
		answer["created"] = _is_made(plan)
	if is_alone:
		steps.hand_over(Context.History.PREFIX + _context.action_name)
	if Result.is_error(answer):
		return answer
	if not is_alone:
		answer["rescan_pending"] = true
		EditorInterface.get_resource_filesystem().scan()
		return answer
	var settling := Settling.new()
	settling.answer = answer
	settling.paths = plan.files.keys()
	settling.classes = plan.classes
	var at_once := settling.poll()
	return at_once if not at_once.is_empty() else Result.park(settling)


## Writes all files as one step; the path of the one that could not be written, when all are taken out again.
func _write_files(plan: Plan) -> String:
	var making := Making.new()
	making.scripts = _context.scripts
	for path in plan.files:
		if not making.write(path, _with_uid(path, plan.files[path])):
			making.take_back()
			return path
	_context.open_step(_context.files)
	_context.undo_redo.add_do_method(making, "make")
	_context.undo_redo.add_undo_method(making, "take_back")
	_context.undo_redo.commit_action(false)
	return ""


## A scene or resource file gets a uid of its own, as the engine gives to those that it writes.
static func _with_uid(path: String, text: String) -> PackedByteArray:
	if path.get_extension() in ["tscn", "tres"]:
		var uid := ResourceUID.id_to_text(ResourceUID.create_id())
		text = text.insert(text.find("]"), ' uid="%s"' % uid)
	return text.to_utf8_buffer()


func _is_made(plan: Plan) -> bool:
	for path in plan.files:
		if not FileAccess.file_exists(path):
			return false
	return Scenes.normalise(str(ProjectSettings.get_setting(MAIN_SETTING, ""))) == plan.main


## The path of the main scene: "main" and "levels/start" are scenes below res://.
static func _main_scene(given: String) -> String:
	if given.strip_edges() == "":
		return MAIN_SCENE
	var path := Scenes.normalise(given.strip_edges())
	if not path.begins_with("res://"):
		path = "res://" + path
	return path if path.get_extension() != "" else path + ".tscn"


static func _reason_against_main(path: String) -> Dictionary:
	var why := ProjectPaths.problem(path)
	if why == "" and path.get_extension() != "tscn":
		why = "%s must end in .tscn" % path
	elif why == "" and path.get_file().get_basename() == "":
		why = "%s is no name of a scene" % path
	if why == "":
		why = Checks.reason_of_name(path)
	return Result.fail(Result.VALIDATION, why, "main_scene") if why != "" else {}


static func _plan(params: Dictionary, main: String) -> Plan:
	var plan := Plan.new()
	plan.main = main
	var files: Dictionary = params.get("files", {})
	var taken: Dictionary[String, bool] = {}
	for name: String in files:
		var path := _named("res://" + name, main)
		var text := _named(str(files[name]), main)
		plan.files[path] = text
		if taken.has(path.to_lower()):
			plan.shared = path
		taken[path.to_lower()] = true
		var class_of := Check.class_name_in(text) if name.get_extension() == "gd" else ""
		if class_of != "":
			plan.classes.append(class_of)
	plan.files.sort()
	var settings := ConfigFile.new()
	settings.parse(str(params.get("settings", "")))
	var own := ProjectText.new(TextFile.new(SettingsFile.PATH).text)
	for section in settings.get_sections():
		for key in settings.get_section_keys(section):
			var name := key if section == "" else section + "/" + key
			var is_autoload := name.begins_with(AUTOLOAD)
			if is_autoload:
				plan.autoloads.append(name.trim_prefix(AUTOLOAD))
			# What the project says itself stays; a clash of autoloads is refused later.
			if name == NAME_SETTING or name in NOT_TAKEN:
				continue
			if not is_autoload and own.value_of(name) != null:
				continue
			plan.states[name] = SettingsFile.with_value(settings.get_value(section, key))
	plan.states[MAIN_SETTING] = SettingsFile.with_value(main)
	var project_name := str(params.get("project_name", "")).strip_edges()
	if project_name != "":
		plan.states[NAME_SETTING] = SettingsFile.with_value(project_name)
	return plan


static func _named(text: String, main: String) -> String:
	return text.replace(MAIN_SCENE, main).replace(MAIN_SCRIPT, main.get_basename() + ".gd")


static func _reason_not_to_make(plan: Plan, preview: bool) -> Dictionary:
	var there := PackedStringArray()
	for path in plan.files:
		if FileAccess.file_exists(path) or DirAccess.dir_exists_absolute(path):
			there.append(path)
	if not there.is_empty():
		var own := [plan.main, plan.main.get_basename() + ".gd"]
		var parameter := "main_scene" if Array(there).all(own.has) else "template"
		return Result.fail(
			Result.VALIDATION,
			(
				"%s: there already, nothing is overwritten and nothing was made: godot-mcp %s"
				% [
					_listed(there),
					"project scaffold --help" if parameter == "main_scene" else "file tree"
				]
			),
			parameter
		)
	var clash := _clash(plan)
	if clash != "":
		return Result.fail(Result.VALIDATION, clash, "template")
	for path in plan.files:
		var unwritable := Writable.problem(path, preview)
		if unwritable != "":
			return Result.fail(Result.VALIDATION, unwritable, "template")
	return {}


## A global name that the project has already, in words; "" when there is none.
static func _clash(plan: Plan) -> String:
	for name in plan.autoloads:
		if ProjectSettings.has_setting(AUTOLOAD + name):
			return "the project has an autoload %s already: godot-mcp autoload list" % name
	for name in plan.classes:
		if ProjectSettings.has_setting(AUTOLOAD + name):
			return (
				"the project's autoload %s has the name of a class of the skeleton: godot-mcp autoload list"
				% name
			)
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		var name := str(entry["class"])
		var is_wanted := name in plan.classes or name in plan.autoloads
		if is_wanted and FileAccess.file_exists(str(entry["path"])):
			return (
				"%s has the class %s, a name that the skeleton needs: godot-mcp script list"
				% [entry["path"], name]
			)
	return ""


static func _listed(paths: PackedStringArray) -> String:
	var text := ", ".join(paths.slice(0, MAX_NAMED))
	return text if paths.size() <= MAX_NAMED else text + ", ..."
