@tool
extends RefCounted
## What speaks against a change of files, as answers; an empty one when nothing does.

const Context := preload("context.gd")
const Files := preload("files.gd")
const FileTools := preload("handlers/file.gd")
const PathChange := preload("path_change.gd")
const ProjectPaths := preload("project_paths.gd")
const References := preload("references.gd")
const Result := preload("result.gd")
const Scenes := preload("scenes.gd")
const ScriptFiles := preload("script_files.gd")
const TextTabs := preload("text_tabs.gd")
const TreeFiles := preload("tree_files.gd")
const Writable := preload("writable.gd")


static func path_in(params: Dictionary, parameter: String) -> String:
	var path := Scenes.normalise(str(params.get(parameter, "")))
	return path.trim_suffix("/") if path != "res://" else path


static func invalid(why: String, parameter: String) -> Dictionary:
	return Result.fail(Result.VALIDATION, why, parameter) if why != "" else {}


## Of a file or folder that is to be taken as a whole.
static func source(path: String, verb: String) -> Dictionary:
	var why := ProjectPaths.write_problem(path, true)
	if why != "":
		return invalid(why, "path")
	if not TreeFiles.exists(path):
		return FileTools.missing(path, "path")
	if TreeFiles.is_sidecar(path):
		var home := path.get_basename()
		why = "%s belongs to %s and goes along with it: godot-mcp file %s" % [path, home, verb]
	return invalid(why, "path")


## Of what is to be changed when it was looked at over some time: a file can have become a folder.
static func same_kind(change: PathChange) -> Dictionary:
	if DirAccess.dir_exists_absolute(change.from) == change.is_folder:
		return {}
	return Result.fail(
		Result.PRECONDITION,
		(
			"%s was replaced meanwhile: godot-mcp file tree %s"
			% [change.from, change.from.get_base_dir()]
		)
	)


## Of the path that it, or a copy, is to have.
static func target(path: String, new_path: String, preview: bool) -> Dictionary:
	var why := ProjectPaths.write_problem(new_path)
	if why == "":
		why = reason_of_name(new_path)
	if why == "" and new_path == path:
		why = "%s is its path already" % path
	elif why == "" and new_path.begins_with(path + "/"):
		why = "%s lies in %s itself" % [new_path, path]
	elif why == "" and TreeFiles.is_in_the_way(path, new_path):
		why = _reason_in_the_way(path, new_path)
	if why == "":
		why = _reason_of_ending(path, new_path)
	if why == "":
		why = _reason_left_over(path, new_path)
	if why == "" and not TreeFiles.exists(new_path):
		why = Writable.problem(new_path, preview)
	return invalid(why, "new_path")


static func _reason_in_the_way(path: String, new_path: String) -> String:
	if DirAccess.dir_exists_absolute(new_path):
		var inside := new_path.path_join(path.get_file())
		return (
			"%s is a folder that is there: give the whole new path, such as %s" % [new_path, inside]
		)
	return (
		"%s is already there: name another path, or godot-mcp file delete %s --confirm"
		% [new_path, new_path]
	)


## What belonged to a file that is gone would be overwritten, and no undo would bring it back.
static func _reason_left_over(path: String, new_path: String) -> String:
	if TreeFiles.exists(new_path):
		return ""
	for beside in TreeFiles.with_sidecars(path).slice(1):
		var place := new_path + beside.substr(path.length())
		if TreeFiles.exists(place):
			return (
				"%s is left over from a file that is gone: godot-mcp file delete %s --confirm"
				% [place, place]
			)
	return ""


## Names that some system does not take, or that hide a file from the editor.
static func reason_of_name(path: String) -> String:
	var bad := Writable.bad_name(path)
	if bad != "":
		return "%s is no name for a file on every system" % bad
	for folder in TreeFiles.missing_folders(path) + PackedStringArray([path]):
		var name := folder.get_file()
		if name.begins_with("."):
			return "%s begins with a dot, which hides it from the editor" % name
	return ""


## The ending says what a file is to the engine.
static func _reason_of_ending(path: String, new_path: String) -> String:
	var ending := path.get_extension().to_lower()
	if DirAccess.dir_exists_absolute(path) or new_path.get_extension().to_lower() == ending:
		return ""
	var known := ResourceLoader.get_recognized_extensions_for_type("Resource")
	if ending == "json" or not (known.has(ending) or References.CHANGED.has(ending)):
		return ""
	return "%s is what it is by its ending: keep .%s" % [path.get_file(), ending]


## Of files whose text is to be changed or that are to go, as the editor has them.
static func unsaved(context: Context, paths: PackedStringArray) -> Dictionary:
	var unsaved_resources := context.resources.unsaved()
	for path in paths:
		if Scenes.is_open(path) and context.scenes.is_dirty(path):
			return (
				Result
				. fail(
					Result.PRECONDITION,
					(
						"%s is open with changes that were not saved: godot-mcp scene save --scene-path %s"
						% [path, path]
					),
					"scene_saved"
				)
			)
		if path in unsaved_resources:
			return Result.fail(
				Result.PRECONDITION,
				"%s has changes that were not saved: godot-mcp scene save-all" % path,
				"scene_saved"
			)
		if ScriptFiles.has_unsaved_text(path):
			return unsaved_text(path)
		if TextTabs.has_unsaved_text(path):
			return (
				Result
				. fail(
					Result.PRECONDITION,
					(
						"%s is open in the editor with text that was not saved: save it there or undo it, then godot-mcp file read %s"
						% [path, path]
					),
					"path"
				)
			)
	return {}


static func unsaved_text(path: String, parameter := "path") -> Dictionary:
	return (
		Result
		. fail(
			Result.PRECONDITION,
			(
				"the script editor has unsaved text of %s: save it there or undo it, then godot-mcp script read %s"
				% [path, path]
			),
			parameter
		)
	)


## A command that goes on when the editor has scanned and imported what it brought in.
class Settling:
	extends RefCounted
	const MAX_MSEC := 20000

	var context: Context
	var answer: Dictionary = {}
	var _quiet := -1
	var _until := Time.get_ticks_msec() + MAX_MSEC

	func poll() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		var is_busy := files.is_scanning() or context.importing or context.scenes.settling
		is_busy = is_busy or Files.is_behind()
		_quiet = 0 if is_busy else _quiet + 1
		if _quiet >= FileTools.QUIET_FRAMES:
			return answer
		if Time.get_ticks_msec() > _until:
			answer["rescan_pending"] = true
			return answer
		return {}


## The answer of what is done: at once, or when the editor knows the files. A batch that is all or nothing does
## not wait.
static func settled(context: Context, answer: Dictionary) -> Dictionary:
	var files := EditorInterface.get_resource_filesystem()
	if not files.is_scanning() and not context.scenes.settling:
		return answer
	if context.undo_redo.is_gathering():
		answer["rescan_pending"] = true
		return answer
	var settling := Settling.new()
	settling.context = context
	settling.answer = answer
	return Result.park(settling)
