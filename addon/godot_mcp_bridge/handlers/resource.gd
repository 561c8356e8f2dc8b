@tool
extends RefCounted
## Resource files: read, list, list-dependencies.

const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const ResourceFiles := preload("../resource_files.gd")
const ResourceTypes := preload("../resource_types.gd")
const ResourceUsers := preload("../resource_users.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Slices := preload("../slices.gd")
const Values := preload("../values.gd")

var _context: Context


## A look at every file that the editor knows: of many the class stands in the file itself.
class Listing:
	extends Slices
	var wanted := ""
	var offset := 0
	var limit := 0
	## What the editor takes each file for.
	var _types: Dictionary[String, String] = {}
	var _paths: PackedStringArray = []
	var _all := 0
	var _at := 0
	var _end := -1
	var _done := 0
	var _out: Array[Dictionary] = []

	func begin(root: EditorFileSystemDirectory) -> void:
		var notes := func(folder: EditorFileSystemDirectory, index: int) -> bool:
			_types[folder.get_file_path(index)] = folder.get_file_type(index)
			return true
		_paths = ResourceUsers.files_of(root, notes)
		_all = _paths.size()

	func step() -> bool:
		_done += 1
		if _end < 0:
			_look()
		elif _at < _end:
			var path := _paths[_at]
			var uid := ResourceFiles.uid_of(path)
			_out.append({"path": path, "type": _types[path], "uid": uid if uid != "" else null})
			_at += 1
		return _end < 0 or _at < _end

	## Leaves out what is not wanted, one file at a time; then the page begins.
	func _look() -> void:
		if _at < _paths.size():
			var path := _paths[_at]
			_types[path] = ResourceTypes.type_of(path, _types[path])
			_at += 1
			return
		var taken: PackedStringArray = []
		for path in _paths:
			if ResourceTypes.takes(_types[path], wanted):
				taken.append(path)
		_paths = taken
		_at = mini(offset, _paths.size())
		_end = mini(offset + limit, _paths.size()) if limit > 0 else _paths.size()

	func state() -> Dictionary:
		var page := maxi(_end - offset, 0)
		return {"progress": _done, "total": _all + page, "message": "files looked at"}

	func answer() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		var listed := {
			"resources": _out,
			"total": _paths.size(),
			"truncated": _end < _paths.size(),
			"scanning": files.is_scanning() or ResourceFiles.is_behind(),
		}
		if listed["truncated"]:
			listed["next_offset"] = _end
		return listed


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"resource.read": read,
		"resource.list": list,
		"resource.list-dependencies": list_dependencies,
	}


func read(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("resource_path", "")))
	var refused := reason_not_a_resource(path)
	if not refused.is_empty():
		return refused
	var fresh := ResourceFiles.read(path)
	if fresh == null:
		return unreadable(path, _context)
	var script := fresh.get_script() as Script
	var uid := ResourceFiles.uid_of(path)
	var answer := {
		"resource_path": path,
		"type": fresh.get_class(),
		"script": script.resource_path if script != null else null,
		"properties": Values.resource_properties(fresh, null),
		"uid": uid if uid != "" else null,
	}
	if ResourceLoader.has_cached(path):
		var live := ResourceLoader.get_cached_ref(path)
		if ResourceFiles.state_of(live, fresh) == ResourceFiles.State.CHANGED_IN_EDITOR:
			answer["unsaved"] = true
	var missing := Dependencies.missing_of(path)
	if not missing.is_empty():
		answer["missing"] = missing
	return answer


func list(params: Dictionary) -> Dictionary:
	var folder := Scenes.normalise(str(params.get("directory", "res://")))
	var files := EditorInterface.get_resource_filesystem()
	var root := files.get_filesystem_path(folder.trim_suffix("/") + "/")
	if root == null and not DirAccess.dir_exists_absolute(folder):
		return Result.fail(
			Result.NOT_FOUND, "there is no folder %s: godot-mcp resource list" % folder, "directory"
		)
	var wanted := str(params.get("resource_type", ""))
	if wanted != "" and not ResourceTypes.is_known(wanted):
		return Result.fail(
			Result.VALIDATION,
			"%s is no class of this engine or project: godot-mcp class list" % wanted,
			"resource_type"
		)
	var listing := Listing.new()
	listing.wanted = wanted
	listing.offset = maxi(int(params.get("offset", 0)), 0)
	listing.limit = int(params.get("limit", 500))
	listing.begin(root)
	return listing.start()


func list_dependencies(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("resource_path", "")))
	if not FileAccess.file_exists(path):
		return missing_file(path)
	var out: Array[Dictionary] = []
	for raw in ResourceLoader.get_dependencies(path):
		var file := Dependencies.file_of(raw)
		var there := FileAccess.file_exists(file) or ResourceLoader.exists(file)
		var uid := raw.get_slice("::", 0)
		var known := ResourceFiles.uid_of(file) if there else ""
		if not uid.begins_with("uid://"):
			uid = known
		(
			out
			. append(
				{
					"raw": raw,
					"path": file,
					"type": ResourceTypes.type_of(file, _file_type(file)) if there else "",
					"uid": uid if uid != "" else null,
					"missing": not there,
				}
			)
		)
	return {"resource_path": path, "dependencies": out, "count": out.size()}


## Why the path names no resource file that these tools take; an empty answer when it does.
static func reason_not_a_resource(path: String) -> Dictionary:
	var why := ""
	if path.contains("::"):
		var home := path.get_slice("::", 0)
		var look := (
			"resource read" if not home.get_extension() in Dependencies.SCENES else "scene open"
		)
		why = "%s is kept inside a file: godot-mcp %s %s" % [path, look, home]
	elif not FileAccess.file_exists(path):
		return missing_file(path)
	elif path.get_extension().to_lower() in Dependencies.SCENES:
		why = (
			"%s is a scene, whose nodes are edited once it is open: godot-mcp scene open %s"
			% [path, path]
		)
	elif path.get_extension().to_lower() in ["gd", "cs"]:
		why = "%s is a script: godot-mcp script read %s" % [path, path]
	elif not ResourceLoader.exists(path):
		why = "%s is no resource file that the engine knows: godot-mcp resource list" % path
	return Result.fail(Result.VALIDATION, why, "resource_path") if why != "" else {}


static func missing_file(path: String) -> Dictionary:
	if DirAccess.dir_exists_absolute(path):
		return Result.fail(
			Result.VALIDATION,
			"%s is a folder: godot-mcp resource list %s" % [path, path],
			"resource_path"
		)
	return Result.fail(
		Result.NOT_FOUND, "there is no file %s: godot-mcp resource list" % path, "resource_path"
	)


static func unreadable(path: String, context: Context) -> Dictionary:
	return Result.fail(
		Result.VALIDATION,
		(
			"the engine cannot load %s: %s. godot-mcp resource list-dependencies %s"
			% [path, context.first_error(), path]
		),
		"resource_path"
	)


static func _file_type(path: String) -> String:
	return EditorInterface.get_resource_filesystem().get_file_type(path)
