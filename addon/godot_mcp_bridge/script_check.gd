@tool
extends RefCounted
## What the engine says of a script's text, without the script itself: a stand-in is compiled in its place, and
## a logger takes down the errors. No class of it is made, and what a tool script does by itself is left out.

const OWN_FOLDER := "res://addons/godot_mcp_bridge/"

## True while the engine compiles a text for a verdict.
static var is_at_work := false

static var _class_name: RegEx = RegEx.create_from_string("(?m)^class_name[ \\t]+(\\w+)")
static var _tool: RegEx = RegEx.create_from_string(
	"(?m)^(|@icon\\([^\\n]*\\)[ \\t]*)@tool\\b[ \\t]*"
)
static var _hidden: RegEx = RegEx.create_from_string('^Class "(\\w+)" hides a global script class')


## Takes down what the engine says while it compiles, in this thread.
class Listener:
	extends Logger
	var said: Array[Dictionary] = []
	var _thread := OS.get_thread_caller_id()

	func _log_error(
		function: String,
		file: String,
		line: int,
		code: String,
		rationale: String,
		_editor_notify: bool,
		error_type: int,
		_backtraces: Array[ScriptBacktrace]
	) -> void:
		if OS.get_thread_caller_id() != _thread or function != "GDScript::reload":
			return
		var text := rationale if rationale != "" else code
		var is_warning := error_type == Logger.ERROR_TYPE_WARNING
		(
			said
			. append(
				{
					"message": text.trim_prefix("Parse Error: ").trim_prefix("Compile Error: "),
					"source": file,
					"line": line,
					"column": null,
					"severity": "warning" if is_warning else "error",
				}
			)
		)


## A text judged.
class Verdict:
	extends RefCounted
	## {message, source, line, column, severity}, those of other files that it needs among them.
	var errors: Array[Dictionary] = []
	## The variables of the script, as Script.get_script_property_list() has them; none when it has errors.
	var variables: Array[Dictionary] = []

	func is_ok() -> bool:
		return errors.all(func(error: Dictionary) -> bool: return error["severity"] != "error")

	## The errors of this file alone, without its name.
	func own(path: String) -> Array[Dictionary]:
		var out: Array[Dictionary] = []
		for error in errors:
			if error["source"] == path:
				var plain := error.duplicate()
				plain.erase("source")
				out.append(plain)
		return out


## Judges the text as that of the file, which need not be there; "" for a text without one.
static func judge(path: String, text: String) -> Verdict:
	is_at_work = true
	var verdict := _judge(path, text)
	is_at_work = false
	return verdict


static func _judge(path: String, text: String) -> Verdict:
	var name := class_name_in(text)
	var registered := _registered(name)
	if path == "":
		path = registered
	var verdict := _compile(path, text)
	if _says_hidden(verdict, name) and not _still_declares(registered, name):
		# The editor has not seen yet that the other file has gone or has given up the name.
		EditorInterface.get_resource_filesystem().update_file(registered)
		verdict = _compile(path, text)
		if _says_hidden(verdict, name):
			verdict = _compile(registered, text)
			for error in verdict.errors:
				if error["source"] == registered:
					error["source"] = path
	return verdict


static func class_name_in(text: String) -> String:
	var found := _class_name.search(text)
	return found.get_string(1) if found != null else ""


## Every script file that a check of the whole project looks at: all but the addon's own.
static func files_of_project() -> PackedStringArray:
	var out: PackedStringArray = []
	collect("res://", ["gd"], out)
	return out


## The files below the folder with one of these extensions, in order, without what the editor ignores.
static func collect(folder: String, extensions: Array[String], out: PackedStringArray) -> void:
	if folder + "/" == OWN_FOLDER:
		return
	for name in DirAccess.get_files_at(folder):
		if name.get_extension().to_lower() in extensions:
			out.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		var below := folder.path_join(name)
		if not name.begins_with(".") and not FileAccess.file_exists(below.path_join(".gdignore")):
			collect(below, extensions, out)


static func _compile(path: String, text: String) -> Verdict:
	var stand_in := GDScript.new()
	var listener := Listener.new()
	var is_tool := _tool.search(text) != null
	# To the engine a file and its compiled form are the same class, and no file has the second name.
	var place := path.get_basename() + ".gdc" if path != "" else ""
	stand_in.source_code = _tool.sub(text, "$1", true) if is_tool else text
	if place != "" and not ResourceLoader.has_cached(place):
		stand_in.resource_path = place
	OS.add_logger(listener)
	var status := stand_in.reload()
	OS.remove_logger(listener)
	var verdict := Verdict.new()
	if status == OK:
		verdict.variables = stand_in.get_script_property_list()
	verdict.errors = _told(listener.said, stand_in.resource_path, path, is_tool, text)
	# The engine's cache of scripts would keep the stand-in, and what it preloads, under its place.
	stand_in.source_code = "extends RefCounted\n"
	stand_in.reload()
	stand_in.resource_path = ""
	return verdict


static func _told(
	said: Array[Dictionary], place: String, path: String, is_tool: bool, text: String
) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	var last := maxi(text.count("\n") + (0 if text.ends_with("\n") else 1), 1)
	for error in said:
		# Said because the stand-in is no tool script.
		if is_tool and str(error["message"]).contains('"@tool"'):
			continue
		var source := str(error["source"])
		if source == place or source == "built-in" or source.begins_with("gdscript://"):
			error["source"] = path
			error["line"] = clampi(error["line"] as int, 1, last)
		if not out.has(error):
			out.append(error)
	return out


static func _says_hidden(verdict: Verdict, name: String) -> bool:
	for error in verdict.errors:
		var found := _hidden.search(str(error["message"]))
		if found != null and found.get_string(1) == name:
			return true
	return false


static func _registered(name: String) -> String:
	if name != "":
		for entry in ProjectSettings.get_global_class_list():
			if entry["class"] == name:
				return entry["path"]
	return ""


static func _still_declares(path: String, name: String) -> bool:
	return (
		FileAccess.file_exists(path) and class_name_in(FileAccess.get_file_as_string(path)) == name
	)
