@tool
extends RefCounted
## What scene files need. An editor that cannot have it shows a dialog and does not open the scene, or opens
## it and drops from it with the next save.

## Files whose own needs count as well.
const FOLLOWED: Array[String] = ["tscn", "scn", "tres", "res"]
const NEWER_FORMAT: Array[String] = ["newer format version", "uses a format version"]

## Files that are not there, the scene's own and those of what it needs.
var missing: PackedStringArray = []
## Why the editor would not open the scene; "" when it would.
var reason := ""

var _seen: Dictionary[String, bool] = {}
var _sharp := ""


## Follows all that the scene needs, files that it does not name itself included.
func follow(path: String) -> void:
	_visit(path)
	if not missing.is_empty():
		reason = "missing: %s; opening it would wait in a dialog" % ", ".join(missing)
	elif _sharp != "":
		reason = "it has C# scripts (%s) and this editor is built without .NET" % _sharp


## What the engine said while it loaded the scene, which tells of a file that only a newer one reads.
func judge_errors(texts: PackedStringArray) -> void:
	for text in texts:
		for sign_of_it in NEWER_FORMAT:
			if text.contains(sign_of_it):
				var version := Engine.get_version_info()
				reason = (
					(
						"a newer Godot wrote it and this one, %d.%d.%d, does not read its format: %s; "
						+ "open the project with the Godot that wrote it"
					)
					% [version["major"], version["minor"], version["patch"], text]
				)
				return


func _visit(path: String) -> void:
	if _seen.has(path):
		return
	_seen[path] = true
	for dependency in ResourceLoader.get_dependencies(path):
		var file := file_of(dependency)
		if not ResourceLoader.exists(file) and not FileAccess.file_exists(file):
			if not missing.has(file):
				missing.append(file)
		elif file.get_extension() == "cs":
			if not ClassDB.class_exists("CSharpScript"):
				_sharp = file
		elif file.get_extension() in FOLLOWED:
			_visit(file)


## Files that this one names and that are not there.
static func missing_of(path: String) -> PackedStringArray:
	var out: PackedStringArray = []
	for dependency in ResourceLoader.get_dependencies(path):
		var file := file_of(dependency)
		if not ResourceLoader.exists(file) and not FileAccess.file_exists(file):
			out.append(file)
	return out


## "uid://..::type::res://a.png" or a plain path, as the path of the file.
static func file_of(dependency: String) -> String:
	if not dependency.contains("::"):
		return plain(dependency)
	var uid := plain(dependency.get_slice("::", 0))
	if uid.begins_with("res://") and FileAccess.file_exists(uid):
		return uid
	return dependency.get_slice("::", 2)


## uid:// and res:// spellings of one file are the same.
static func plain(path: String) -> String:
	if path.begins_with("uid://"):
		var id := ResourceUID.text_to_id(path)
		return ResourceUID.get_id_path(id) if ResourceUID.has_id(id) else path
	return path.simplify_path() if path != "" else path


## Exported nodes that a save would drop: a node whose class is not there keeps its other properties, but
## the engine does not put its node paths back. Each as "agent of Brain (class BehaviorPlayer)".
static func lost_node_paths(root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	if root == null or not ResourceLoader.exists(root.scene_file_path):
		return out
	var packed := load(root.scene_file_path) as PackedScene
	if packed == null:
		return out
	var state := packed.get_state()
	for i in state.get_node_count():
		var type := str(state.get_node_type(i))
		if type == "" or ClassDB.class_exists(type):
			continue
		for j in state.get_node_property_count(i):
			var name := str(state.get_node_property_name(i, j))
			if _has_node_without(root, type, name):
				out.append("%s of %s (class %s)" % [name, state.get_node_path(i), type])
	return out


static func _has_node_without(root: Node, type: String, property: String) -> bool:
	for node in root.find_children("*", "MissingNode", true, false) + [root]:
		var stand_in := node as MissingNode
		if stand_in == null or stand_in.original_class != type:
			continue
		if stand_in.get_property_list().all(
			func(info: Dictionary) -> bool: return info["name"] != property
		):
			return true
	return false
