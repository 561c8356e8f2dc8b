@tool
extends RefCounted
## What scene files need. An editor that cannot have it shows a dialog and does not open the scene, or opens
## it and drops from it with the next save.

## Files whose own needs count as well.
const FOLLOWED: Array[String] = ["tscn", "scn", "tres", "res"]
const SCENES: Array[String] = ["tscn", "scn"]
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


## Whether the scene needs this scene or resource file, itself or by others that it needs.
func needs(path: String) -> bool:
	return _seen.has(path)


## Bytes of the scene's file and of those that it needs and that are read with it.
func size() -> int:
	var bytes := 0
	for path in _seen:
		bytes += FileAccess.get_size(path)
	return bytes


## What the engine said while it loaded the scene, which tells of a file that only a newer one reads.
func judge_errors(texts: PackedStringArray) -> void:
	for text in texts:
		for sign_of_it in NEWER_FORMAT:
			if text.contains(sign_of_it):
				reason = _too_new(text)
				return


## Nodes whose class this editor does not have: the engine puts MissingNodes in their place. Of nodes that an
## instance brings in the path is null. Call it only when the scene loads.
func missing_classes() -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for file: String in _seen:
		var packed := load(file) as PackedScene if file.get_extension() in SCENES else null
		if packed == null:
			continue
		for entry in absent_classes(file, packed.get_state()):
			if file != _seen.keys()[0]:
				entry["node_path"] = null
			out.append(entry)
	return out


## The same of one scene's own nodes.
static func absent_classes(file: String, state: SceneState) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for i in state.get_node_count():
		if not _is_absent(state.get_node_type(i)):
			continue
		var path := str(state.get_node_path(i)).trim_prefix("./")
		(
			out
			. append(
				{
					"code": "missing_class",
					"node_path": path,
					"text":
					(
						"%s in %s is a %s, which this editor does not have"
						% [path, file, state.get_node_type(i)]
					),
				}
			)
		)
	return out


static func _too_new(text: String) -> String:
	var version := Engine.get_version_info()
	var found := RegEx.create_from_string("res://.+?\\.t(scn|res)").search(text)
	var file := found.get_string() if found != null else ""
	var header := FileAccess.get_file_as_string(file).get_slice("\n", 0) if file != "" else ""
	var format := RegEx.create_from_string("format=(\\d+)").search(header)
	return (
		(
			"a newer Godot wrote %s%s, which this one, %d.%d.%d, does not read: "
			+ "open the project with the Godot that wrote it"
		)
		% [
			file if file != "" else "one of its files",
			" in format " + format.get_string(1) if format != null else "",
			version["major"],
			version["minor"],
			version["patch"],
		]
	)


static func _is_absent(type: StringName) -> bool:
	return type != &"" and not ClassDB.class_exists(type)


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
	return _named_by(path, false)


## Files that this one names and that are there.
static func present_of(path: String) -> PackedStringArray:
	return _named_by(path, true)


static func _named_by(path: String, is_there: bool) -> PackedStringArray:
	var out: PackedStringArray = []
	for dependency in ResourceLoader.get_dependencies(path):
		var file := file_of(dependency)
		if (ResourceLoader.exists(file) or FileAccess.file_exists(file)) == is_there:
			out.append(file)
	return out


## Files that a save of the open scene would name, whether they are there or not.
static func held_by(root: Node) -> PackedStringArray:
	var packed := PackedScene.new()
	packed.pack(root)
	var out: PackedStringArray = []
	_collect_held(packed.get("_bundled"), out, {})
	# A scene whose file is gone is not packed, but the open one still shows it.
	var base := packed.get_state().get_base_scene_state()
	if base != null:
		out.append(base.get_path())
	for node: Node in root.find_children("*", "", true, false):
		if node.scene_file_path != "":
			out.append(node.scene_file_path)
	return out


static func _collect_held(value: Variant, out: PackedStringArray, seen: Dictionary) -> void:
	if value is Array:
		for element: Variant in value as Array:
			_collect_held(element, out, seen)
	elif value is Dictionary:
		for key: Variant in value as Dictionary:
			_collect_held(key, out, seen)
			_collect_held(value[key], out, seen)
	elif value is Resource and not seen.has(value):
		seen[value] = true
		var resource := value as Resource
		if not resource.is_built_in():
			out.append(resource.resource_path)
			return
		for info in resource.get_property_list():
			if (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
				_collect_held(resource.get(info["name"] as String), out, seen)


## Whether the scene needs the other one, itself or by scenes that it needs.
static func uses(path: String, wanted: String) -> bool:
	for dependency in ResourceLoader.get_dependencies(path):
		var file := file_of(dependency)
		if file == wanted:
			return true
		if file.get_extension() in SCENES and file != path and uses(file, wanted):
			return true
	return false


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
	# In most scenes no class is missing, and reading the file takes long.
	if not root is MissingNode and root.find_children("*", "MissingNode", true, false).is_empty():
		return out
	var packed := load(root.scene_file_path) as PackedScene
	if packed == null:
		return out
	var state := packed.get_state()
	for i in state.get_node_count():
		var type := state.get_node_type(i)
		if not _is_absent(type):
			continue
		for j in state.get_node_property_count(i):
			var name := str(state.get_node_property_name(i, j))
			if _has_node_without(root, type, name):
				var path := str(state.get_node_path(i)).trim_prefix("./")
				out.append("%s of %s (class %s)" % [name, path, type])
	return out


static func _has_node_without(root: Node, type: String, property: String) -> bool:
	for node: Node in root.find_children("*", "MissingNode", true, false) + [root]:
		var stand_in := node as MissingNode
		if stand_in == null or stand_in.original_class != type:
			continue
		if stand_in.get_property_list().all(
			func(info: Dictionary) -> bool: return info["name"] != property
		):
			return true
	return false
