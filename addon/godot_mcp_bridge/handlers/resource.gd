@tool
extends RefCounted
## Resource files: read, list, list-dependencies.

const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const ResourceFiles := preload("../resource_files.gd")
const ResourceUsers := preload("../resource_users.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")

## What the editor calls files that are no resources.
const NO_RESOURCE: Array[String] = ["", "TextFile", "OtherFile"]
const TEXT_HEADER := "[gd_resource "
## A binary resource file, and one in compressed blocks.
const BINARY := "RSRC"
const COMPRESSED := "RSCC"
## Where the class stands behind that, and the flag for a class of the project behind it.
const CLASS_AT := 20
const HAS_SCRIPT_CLASS := 8
const MAX_HEAD := 4096

static var _script_class: RegEx = RegEx.create_from_string('\\bscript_class="([^"]*)"')

var _context: Context


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
	if wanted != "" and not _is_class(wanted):
		return Result.fail(
			Result.VALIDATION,
			"%s is no class of this engine or project: godot-mcp class list" % wanted,
			"resource_type"
		)
	var types: Dictionary[String, String] = {}
	var takes := func(dir: EditorFileSystemDirectory, index: int) -> bool:
		var type := _type_of(dir.get_file_path(index), dir.get_file_type(index))
		if not _takes(type, wanted):
			return false
		types[dir.get_file_path(index)] = type
		return true
	var paths := ResourceUsers.files_of(root, takes)
	var offset := maxi(int(params.get("offset", 0)), 0)
	var limit := int(params.get("limit", 500))
	var end := mini(offset + limit, paths.size()) if limit > 0 else paths.size()
	var out: Array[Dictionary] = []
	for path in paths.slice(offset, end):
		var uid := ResourceFiles.uid_of(path)
		out.append({"path": path, "type": types[path], "uid": uid if uid != "" else null})
	var answer := {
		"resources": out,
		"total": paths.size(),
		"truncated": end < paths.size(),
		"scanning": files.is_scanning() or ResourceFiles.is_behind(),
	}
	if answer["truncated"]:
		answer["next_offset"] = end
	return answer


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
					"type": _type_of(file, _file_type(file)) if there else "",
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


## The class of a file that the editor takes for this type: the project's own class where its header has one.
static func _type_of(path: String, type: String) -> String:
	if path.get_extension() == "tres":
		var file := FileAccess.open(path, FileAccess.READ)
		var header := file.get_line() if file != null else ""
		var found := _script_class.search(header) if header.begins_with(TEXT_HEADER) else null
		return found.get_string(1) if found != null else type
	if path.get_extension() == "res":
		var name := _binary_script_class(path)
		return name if name != "" else type
	return type


static func _binary_script_class(path: String) -> String:
	var head := _binary_head(path)
	if head.size() < CLASS_AT + 4 or head.decode_u32(0) != 0:
		return ""
	# The class, then 8 bytes for import, the flags, and 8 bytes for the uid.
	var flags_at := CLASS_AT + 4 + head.decode_u32(CLASS_AT) + 8
	if flags_at + 16 > head.size() or not head.decode_u32(flags_at) & HAS_SCRIPT_CLASS:
		return ""
	var name_at := flags_at + 16
	return head.slice(name_at, name_at + head.decode_u32(flags_at + 12)).get_string_from_utf8()


## The first bytes of a binary resource file, without those that say what it is.
static func _binary_head(path: String) -> PackedByteArray:
	var file := FileAccess.open(path, FileAccess.READ)
	var kind := file.get_buffer(4).get_string_from_ascii() if file != null else ""
	if kind == BINARY:
		return file.get_buffer(MAX_HEAD)
	if kind != COMPRESSED:
		return []
	var mode := file.get_32()
	var block := file.get_32()
	var total := file.get_32()
	var size := file.get_32()
	if block == 0 or size > file.get_length():
		return []
	# The sizes of all blocks come first.
	file.seek(16 + 4 * (total / block + 1))
	return file.get_buffer(size).decompress(mini(block, total), mode)


static func _is_class(name: String) -> bool:
	if ClassDB.class_exists(name):
		return true
	return ProjectSettings.get_global_class_list().any(
		func(entry: Dictionary) -> bool: return entry["class"] == name
	)


## Without a wanted class scenes and scripts are left out, which have lists of their own.
static func _takes(type: String, wanted: String) -> bool:
	if type in NO_RESOURCE:
		return false
	if wanted == "":
		return not _is_a(type, "PackedScene") and not _is_a(type, "Script")
	return _is_a(type, wanted)


static func _is_a(type: String, wanted: String) -> bool:
	if type == wanted:
		return true
	if ClassDB.class_exists(type):
		return ClassDB.class_exists(wanted) and ClassDB.is_parent_class(type, wanted)
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == type and entry["base"] != type:
			return _is_a(str(entry["base"]), wanted)
	# A class of the project that is not there any more.
	return wanted == "Resource"
