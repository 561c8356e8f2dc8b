@tool
extends RefCounted
## Resource files that tools changed in memory. The engine writes them when it saves a scene, and tells of
## none that it has not written: no tab carries their mark.

const EXTENSIONS: Array[String] = ["tres", "res"]

## Changed resources; the engine itself knows which of them it has written since.
var _changed: Array[WeakRef] = []


## Marks the resource, as an edit in the inspector does: only marked ones are written.
func note(resource: Resource) -> void:
	EditorInterface.set_object_edited(resource, true)
	if file_of(resource) != "" and not _has(resource):
		_changed.append(weakref(resource))


func keep() -> Array:
	return _changed


func take_back(kept: Array) -> void:
	_changed.assign(kept)


## Files with changes that were not written.
func unsaved() -> PackedStringArray:
	var out: PackedStringArray = []
	for resource in _not_written():
		if not out.has(file_of(resource)):
			out.append(file_of(resource))
	return out


## Writes them. Returns the files that the engine did not write.
func save() -> PackedStringArray:
	var failed: PackedStringArray = []
	for path in unsaved():
		if ResourceSaver.save(load(path), path) != OK:
			failed.append(path)
	for resource in _not_written():
		if not failed.has(file_of(resource)):
			EditorInterface.set_object_edited(resource, false)
	return failed


## The resource file that holds this resource, "" when that is a scene or nothing.
static func file_of(resource: Resource) -> String:
	var path := resource.resource_path.get_slice("::", 0)
	return path if path.get_extension() in EXTENSIONS else ""


func _not_written() -> Array[Resource]:
	var out: Array[Resource] = []
	var alive: Array[WeakRef] = []
	for reference in _changed:
		var resource := reference.get_ref() as Resource
		if resource == null:
			continue
		alive.append(reference)
		if EditorInterface.is_object_edited(resource) and file_of(resource) != "":
			out.append(resource)
	_changed = alive
	return out


func _has(resource: Resource) -> bool:
	for reference in _changed:
		if reference.get_ref() == resource:
			return true
	return false
