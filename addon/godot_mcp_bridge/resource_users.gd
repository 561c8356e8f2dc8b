@tool
extends RefCounted
## Who uses a resource file: nodes of open scenes, and files of the project.

const Dependencies := preload("dependencies.gd")
const Pace := preload("pace.gd")
const Scenes := preload("scenes.gd")

## Users told of at most, and nodes and files looked at at most.
const MAX_USERS := 50
const MAX_NODES := 5000
const MAX_FILES := 5000
const SEARCHED := "nodes and files searched for users of the resource"

var users: Array[Dictionary] = []
## True when there may be more.
var truncated := false

var _path := ""
var _nodes := 0
var _pace: Pace


## `live` is the resource as the editor holds it, null when it does not. Not all is found when the command was
## given up meanwhile.
func find(path: String, live: Resource, scenes: Scenes, pace: Pace) -> void:
	_path = path
	_pace = pace
	var named: PackedStringArray = []
	for root: Node in EditorInterface.get_open_scene_roots():
		var scene := root.scene_file_path
		var may_use := scene == "" or scenes.is_dirty(scene) or Dependencies.uses(scene, path)
		if live != null and may_use and _look(root, root, live):
			named.append(scene)
	var files := files_of(EditorInterface.get_resource_filesystem().get_filesystem(), _follows)
	truncated = truncated or files.size() > MAX_FILES
	for file in files.slice(0, MAX_FILES):
		if pace.tick(SEARCHED):
			return
		if file != path and not named.has(file) and _names_it(file):
			_add({"path": file})


func _add(user: Dictionary) -> void:
	if users.size() < MAX_USERS:
		users.append(user)
	else:
		truncated = true


func _look(node: Node, root: Node, live: Resource) -> bool:
	_nodes += 1
	if _nodes > MAX_NODES or _pace.tick(SEARCHED):
		truncated = true
		return false
	var found := false
	for info in node.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		if info["type"] in [TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_NIL]:
			if _holds(node.get(info["name"] as String), live, {}):
				found = true
				var user := {
					"path": root.scene_file_path,
					"node_path": Scenes.path_of(root, node),
					"property": info["name"],
				}
				_add(user)
	for child in node.get_children():
		found = _look(child, root, live) or found
	return found


## Whether it is this value, or in it, or in a resource that the scene itself holds.
static func _holds(value: Variant, live: Resource, seen: Dictionary) -> bool:
	if value is Array:
		for element: Variant in value as Array:
			if _holds(element, live, seen):
				return true
	elif value is Dictionary:
		for key: Variant in value as Dictionary:
			if _holds(value[key], live, seen):
				return true
	elif value is Resource:
		var resource := value as Resource
		if resource == live or resource.resource_path.begins_with(live.resource_path + "::"):
			return true
		if not resource.is_built_in() or seen.has(resource):
			return false
		seen[resource] = true
		for info in resource.get_property_list():
			if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
				continue
			if _holds(resource.get(info["name"] as String), live, seen):
				return true
	return false


static func _follows(folder: EditorFileSystemDirectory, index: int) -> bool:
	return folder.get_file(index).get_extension() in Dependencies.FOLLOWED


func _names_it(file: String) -> bool:
	for dependency in ResourceLoader.get_dependencies(file):
		if Dependencies.file_of(dependency) == _path:
			return true
	return false


## The paths of the files that `wanted` (folder, index) takes, sorted. The editor has scanned them; none is read.
static func files_of(folder: EditorFileSystemDirectory, wanted: Callable) -> PackedStringArray:
	var out: PackedStringArray = []
	_walk(folder, wanted, out)
	out.sort()
	return out


static func _walk(
	folder: EditorFileSystemDirectory, wanted: Callable, out: PackedStringArray
) -> void:
	if folder == null:
		return
	for i in folder.get_file_count():
		if wanted.call(folder, i):
			out.append(folder.get_file_path(i))
	for i in folder.get_subdir_count():
		_walk(folder.get_subdir(i), wanted, out)
