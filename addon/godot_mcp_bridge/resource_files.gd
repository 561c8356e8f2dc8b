@tool
extends RefCounted
## Resource files as the engine writes them, and the same resources as the editor holds them in memory: both
## are kept equal, so that open scenes show what the files say.

## How what the editor holds stands to its file.
enum State { EQUAL, CHANGED_IN_EDITOR, CHANGED_ON_DISK, OTHER_CLASS }

const ScriptFiles := preload("script_files.gd")
const Values := preload("values.gd")

const COMPRESS := "filesystem/on_save/compress_binary_resources"

## Files that were written and that the editor has not listed yet.
static var _unlisted: Dictionary[String, bool] = {}

var _scripts: ScriptFiles


func _init(scripts: ScriptFiles) -> void:
	_scripts = scripts


## The file's content as objects that nobody else has; null when the engine cannot load it.
static func read(path: String) -> Resource:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)


## The file's uid as it is written in it, "" when it has none.
static func uid_of(path: String) -> String:
	var id := ResourceLoader.get_resource_uid(path)
	return ResourceUID.id_to_text(id) if id != ResourceUID.INVALID_ID else ""


## True when the editor's list of files lacks one that was written: one in a new folder is only found by a scan.
static func is_behind() -> bool:
	for path: String in _unlisted.keys():
		var is_listed := EditorInterface.get_resource_filesystem().get_file_type(path) != ""
		if is_listed or not FileAccess.file_exists(path):
			_unlisted.erase(path)
	return not _unlisted.is_empty()


static func state_of(live: Resource, fresh: Resource) -> State:
	if live.get_class() != fresh.get_class():
		return State.OTHER_CLASS
	if same_content(live, fresh):
		return State.EQUAL
	for resource in _all_of(live):
		if EditorInterface.is_object_edited(resource):
			return State.CHANGED_IN_EDITOR
	return State.CHANGED_ON_DISK


## Writes the resource, which keeps its uid and gives its built-in ones their paths. Returns what went wrong, ""
## for nothing.
func write(resource: Resource, path: String) -> String:
	var uid := (
		ResourceLoader.get_resource_uid(path)
		if FileAccess.file_exists(path)
		else ResourceUID.INVALID_ID
	)
	var flags := ResourceSaver.FLAG_REPLACE_SUBRESOURCE_PATHS
	if EditorInterface.get_editor_settings().get_setting(COMPRESS):
		flags |= ResourceSaver.FLAG_COMPRESS
	var status := ResourceSaver.save(resource, path, flags)
	if status != OK or not FileAccess.file_exists(path):
		return error_string(status)
	# The engine knows the uid of files that it has scanned; to others it gives a new one.
	if uid != ResourceUID.INVALID_ID and ResourceLoader.get_resource_uid(path) != uid:
		status = ResourceSaver.set_uid(path, uid)
	register(ResourceLoader.get_resource_uid(path), path)
	_scripts.announce(path)
	_unlisted[path] = true
	for each in _all_of(resource):
		EditorInterface.set_object_edited(each, false)
	return "" if status == OK else error_string(status)


## Called by an undo step: makes the editor hold what the file is now.
func refresh(path: String) -> void:
	_scripts.announce(path)
	if not FileAccess.file_exists(path):
		return
	register(ResourceLoader.get_resource_uid(path), path)
	if not ResourceLoader.has_cached(path):
		return
	var live := ResourceLoader.get_cached_ref(path)
	var fresh := read(path)
	if fresh != null and state_of(live, fresh) in [State.CHANGED_IN_EDITOR, State.CHANGED_ON_DISK]:
		follow(live, fresh)


## Has the uid lead to the path, where there is one.
static func register(id: int, path: String) -> void:
	if id == ResourceUID.INVALID_ID:
		return
	if ResourceUID.has_id(id):
		ResourceUID.set_id(id, path)
	else:
		ResourceUID.add_id(id, path)


## Makes the resource that the editor holds equal to its file. Its built-in resources stay the same objects
## where the file still has them.
static func follow(live: Resource, fresh: Resource) -> void:
	var known: Dictionary[String, Resource] = {}
	for resource in _all_of(live):
		EditorInterface.set_object_edited(resource, false)
		if resource != live and resource.resource_path != "":
			known[resource.resource_path] = resource
	_take(live, fresh, known, {fresh: live})
	live.notify_property_list_changed()
	live.emit_changed()


static func _take(
	live: Resource, fresh: Resource, known: Dictionary[String, Resource], done: Dictionary
) -> void:
	if live.get_script() != fresh.get_script():
		live.set_script(fresh.get_script())
	var names := stored_names(fresh)
	if stored_names(live) != names:
		# Classes whose properties come from their content go on from nothing.
		live.reset_state()
	for name in stored_names(live):
		if not names.has(name) and name.begins_with("metadata/"):
			live.remove_meta(name.trim_prefix("metadata/"))
	for name in names:
		var value: Variant = _mapped(fresh.get(name), known, done)
		var present: Variant = live.get(name)
		if typeof(present) != typeof(value) or present != value:
			live.set(name, value)


## The value with the live resources in the place of those just read.
static func _mapped(
	value: Variant, known: Dictionary[String, Resource], done: Dictionary
) -> Variant:
	if value is Resource:
		return _mapped_resource(value as Resource, known, done)
	if value is Array:
		var copy := (value as Array).duplicate()
		for i in copy.size():
			copy[i] = _mapped(copy[i], known, done)
		return copy
	if value is Dictionary:
		var copy := (value as Dictionary).duplicate()
		for key: Variant in copy:
			copy[key] = _mapped(copy[key], known, done)
		return copy
	return value


static func _mapped_resource(
	fresh: Resource, known: Dictionary[String, Resource], done: Dictionary
) -> Resource:
	if not fresh.is_built_in():
		return fresh
	if done.has(fresh):
		return done[fresh]
	var path := fresh.resource_path
	var live: Resource = known.get(path)
	if live is Script:
		return live
	if live != null and live.get_class() == fresh.get_class():
		done[fresh] = live
		_take(live, fresh, known, done)
		return live
	done[fresh] = fresh
	_take(fresh, fresh, known, done)
	if path != "":
		# What was read for itself has a path, and is not found by it yet.
		fresh.set_path_cache("")
		fresh.take_over_path(path)
	return fresh


## True when a save would write the same of both.
static func same_content(a: Resource, b: Resource, seen: Dictionary = {}) -> bool:
	if seen.has(a):
		return true
	seen[a] = true
	var names := stored_names(a)
	if a.get_class() != b.get_class() or names != stored_names(b):
		return false
	for name in names:
		if not same_value(a.get(name), b.get(name), seen):
			return false
	return true


static func same_value(a: Variant, b: Variant, seen: Dictionary = {}) -> bool:
	if a is Resource and b is Resource:
		var one := a as Resource
		var other := b as Resource
		if one == other:
			return true
		if one.is_built_in() and other.is_built_in():
			return same_content(one, other, seen)
		return one.resource_path == other.resource_path
	if a is Array and b is Array:
		var list := a as Array
		var others := b as Array
		if list.size() != others.size() or not list.is_same_typed(others):
			return false
		for i in list.size():
			if not same_value(list[i], others[i], seen):
				return false
		return true
	if a is Dictionary and b is Dictionary:
		return _same_entries(a as Dictionary, b as Dictionary, seen)
	return Values.same(a, b)


static func _same_entries(a: Dictionary, b: Dictionary, seen: Dictionary) -> bool:
	if a.size() != b.size() or not a.is_same_typed(b):
		return false
	for key: Variant in a:
		if not b.has(key) or not same_value(a[key], b[key], seen):
			return false
	return true


## Names of the properties that a save writes.
static func stored_names(resource: Resource) -> PackedStringArray:
	var out: PackedStringArray = []
	for info in resource.get_property_list():
		var name := info["name"] as String
		if (info["usage"] as int) & PROPERTY_USAGE_STORAGE and not Values.PLACES.has(name):
			out.append(name)
	return out


## Lets the next save give the built-in resources ids of their own.
static func forget_ids(resource: Resource) -> void:
	for each in _all_of(resource):
		if each != resource:
			each.resource_scene_unique_id = ""
			each.set_path_cache("")


## The resource and those that its file holds with it.
static func _all_of(resource: Resource) -> Array[Resource]:
	var found: Dictionary[Resource, bool] = {resource: true}
	_collect_inside(resource, found)
	var out: Array[Resource] = []
	for each in found:
		if each == resource or each.is_built_in():
			out.append(each)
	return out


## Those that its file holds with it, without itself.
static func inner_of(resource: Resource) -> Array[Resource]:
	var out := _all_of(resource)
	out.erase(resource)
	return out


## The resources in this value that have files of their own.
static func files_in(value: Variant) -> Array[Resource]:
	var found: Dictionary[Resource, bool] = {}
	_collect(value, found)
	var out: Array[Resource] = []
	for each in found:
		if not each.is_built_in():
			out.append(each)
	return out


static func _collect_inside(resource: Resource, found: Dictionary[Resource, bool]) -> void:
	for name in stored_names(resource):
		_collect(resource.get(name), found)


## What is in the value, and in the built-in resources in it.
static func _collect(value: Variant, found: Dictionary[Resource, bool]) -> void:
	if value is Array:
		for element: Variant in value as Array:
			_collect(element, found)
	elif value is Dictionary:
		for key: Variant in value as Dictionary:
			_collect(value[key], found)
	elif value is Resource and not found.has(value):
		found[value as Resource] = true
		if (value as Resource).is_built_in():
			_collect_inside(value as Resource, found)


## A built-in resource of another file in this value, null when there is none: a file holds only its own.
static func foreign_in(value: Variant, path: String) -> Resource:
	var found: Dictionary[Resource, bool] = {}
	_collect(value, found)
	for resource in found:
		if not resource.is_built_in():
			continue
		var home := resource.resource_path.get_slice("::", 0)
		if home != "" and home != path:
			return resource
	return null
