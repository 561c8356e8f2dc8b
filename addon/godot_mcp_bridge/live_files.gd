@tool
extends RefCounted
## Makes the editor follow what happened to files: what it has loaded of them, its uids, open scenes, the script
## editor, its list of files. Unsaved edits of open scenes stay: they are the same objects at another path.

const Context := preload("context.gd")
const Files := preload("files.gd")
const PathChange := preload("path_change.gd")
const ResourceFiles := preload("resource_files.gd")
const Scenes := preload("scenes.gd")
const ScriptFiles := preload("script_files.gd")
const TextFile := preload("text_file.gd")
const TextTabs := preload("text_tabs.gd")

const SCRIPTS: Array[String] = ["gd", "cs"]
const TEXTS: Array[String] = ["tscn", "tres"]
const RESOURCES: Array[String] = ["tres", "res"]
## With more files than this one scan is quicker than a look at each.
const MAX_SINGLE := 200

static var _inner: RegEx = RegEx.create_from_string('(?m)^\\[sub_resource [^\\n]*?\\bid="([^"]+)"')

var _context: Context


func _init(context: Context) -> void:
	_context = context


## `moved` are the files by their old paths, `ids` their uids.
func rename(change: PathChange, moved: PackedStringArray, ids: Dictionary[String, int]) -> void:
	for path in moved:
		_take_along(path, change.of(path))
	for root: Node in EditorInterface.get_open_scene_roots():
		_rename_in(root, root, change)
	announce(moved)
	var places := _all_of(change, moved)
	announce(places)
	for path in moved:
		ResourceFiles.register(ids.get(path, ResourceUID.INVALID_ID) as int, change.of(path))
	var dock := EditorInterface.get_file_system_dock()
	for i in moved.size():
		dock.emit_signal("files_moved", moved[i], places[i])


## Open scenes whose base scene gets another path.
static func heirs_of(change: PathChange) -> PackedStringArray:
	var out: PackedStringArray = []
	for root: Node in EditorInterface.get_open_scene_roots():
		var base := _base_of(root)
		if base != null and change.concerns(base.get_path()):
			out.append(root.scene_file_path)
	return out


## The base scene as a save of the open scene would find it.
static func _base_of(root: Node) -> SceneState:
	var packed := PackedScene.new()
	packed.pack(root)
	return packed.get_state().get_base_scene_state()


## The open heirs find their base by a path that nobody can change, and would be saved without it: those that
## lost it are read again.
func bring_up(heirs: PackedStringArray) -> void:
	var lost: PackedStringArray = []
	for path in heirs:
		var root := Scenes.open_root(path)
		if root != null and _base_of(root) == null:
			lost.append(path)
	if not lost.is_empty():
		_context.scenes.reload_soon(lost)


static func _all_of(change: PathChange, paths: PackedStringArray) -> PackedStringArray:
	var out: PackedStringArray = []
	for path in paths:
		out.append(change.of(path))
	return out


## Moves what is loaded of the file, with the resources inside it, to its new path in the engine's cache.
static func _take_along(path: String, new_path: String) -> void:
	var inner: Array[Resource] = []
	if path.get_extension().to_lower() in TEXTS:
		for found in _inner.search_all(TextFile.new(new_path).text):
			var place := "%s::%s" % [path, found.get_string(1)]
			if ResourceLoader.has_cached(place):
				inner.append(ResourceLoader.get_cached_ref(place))
	if ResourceLoader.has_cached(path):
		var resource := ResourceLoader.get_cached_ref(path)
		if resource != null and path.get_extension().to_lower() == "res":
			inner.append_array(ResourceFiles.inner_of(resource))
		if resource != null:
			resource.take_over_path(new_path)
		if resource is Shader or resource is ShaderInclude:
			# Their tabs take the path.
			ScriptFiles.tell_saved(resource)
	for resource in inner:
		if resource != null:
			resource.take_over_path(new_path + resource.resource_path.substr(path.length()))


func _rename_in(node: Node, root: Node, change: PathChange) -> void:
	var path := node.scene_file_path
	if path != "" and change.concerns(path):
		node.scene_file_path = change.of(path)
		if node == root:
			_context.history.note_moved(path, node.scene_file_path)
	for child in node.get_children():
		_rename_in(child, root, change)


## Files that are gone.
func leave(paths: PackedStringArray, ids: Dictionary[String, int]) -> void:
	announce(paths)
	for path in paths:
		var id: int = ids.get(path, ResourceUID.INVALID_ID)
		if id != ResourceUID.INVALID_ID and ResourceUID.has_id(id):
			if ResourceUID.get_id_path(id) == path:
				ResourceUID.remove_id(id)
		if path.get_extension() in SCRIPTS:
			EditorInterface.get_file_system_dock().emit_signal("file_removed", path)


## Files that are new, or there again.
func arrive(paths: PackedStringArray, ids: Dictionary[String, int]) -> void:
	announce(paths)
	for path in paths:
		ResourceFiles.register(ids.get(path, ResourceUID.INVALID_ID) as int, path)
		if ResourceLoader.has_cached(path):
			read_again(path)


## Scripts that have another path or text. Those that nobody has loaded need nothing.
## Returns those that could not be read in this run of the editor.
func read_scripts_again(paths: PackedStringArray) -> PackedStringArray:
	var loaded: PackedStringArray = []
	for path in paths:
		if path.get_extension() in SCRIPTS and ResourceLoader.has_cached(path):
			loaded.append(path)
	return _context.scripts.refresh_all(loaded)


## A file has another text. What is in memory takes it over; an open scene has it already.
func read_again(path: String) -> void:
	var kind := path.get_extension().to_lower()
	if kind in SCRIPTS:
		_context.scripts.refresh(path)
	elif kind in RESOURCES:
		ResourceFiles.new(_context.scripts).refresh(path)
	else:
		_context.scripts.announce(path)
		if Scenes.is_open(path):
			_context.history.note_moved(path, path)
		elif kind in Scenes.EXTENSIONS and ResourceLoader.has_cached(path):
			ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)
		else:
			TextTabs.refresh(path)


## Files of open scenes have another text than their tabs. Those whose tabs have no unsaved changes are read again,
## with the open scenes that hold them; to the others it is a change from outside.
func show_again(paths: PackedStringArray) -> void:
	var stale: PackedStringArray = []
	for path in paths:
		_context.scripts.announce(path)
		if FileAccess.file_exists(path) and not _context.scenes.is_dirty(path):
			stale.append(path)
	for path in stale.duplicate():
		for user in Scenes.users_of(path):
			if not stale.has(user) and not _context.scenes.is_dirty(user):
				stale.append(user)
	if not stale.is_empty():
		_context.scenes.reload_soon(stale)


## Changes the paths that the nodes of an open scene hold as text, as its file now does.
func change_values(path: String, change: PathChange) -> void:
	var root := Scenes.open_root(path)
	if root != null:
		_change_in(root, change, {})


func _change_in(object: Object, change: PathChange, seen: Dictionary) -> void:
	seen[object] = true
	for info in object.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var name := info["name"] as String
		var value: Variant = object.get(name)
		if value is Resource:
			if (value as Resource).is_built_in() and not value is Script and not seen.has(value):
				_change_in(value as Object, change, seen)
			continue
		var changed: Variant = change.in_value(value)
		if typeof(changed) == typeof(value) and changed != value and name != "scene_file_path":
			object.set(name, changed)
	if object is Node:
		for child in (object as Node).get_children():
			_change_in(child, change, seen)


## Tells the editor of files that came, went or changed.
func announce(paths: PackedStringArray) -> void:
	var files := EditorInterface.get_resource_filesystem()
	if paths.size() > MAX_SINGLE:
		if not files.is_scanning():
			files.scan()
		return
	var imports := false
	for path in paths:
		_context.scripts.announce(path)
		imports = imports or FileAccess.file_exists(path + ".import")
	# Only a scan imports.
	if imports and not files.is_scanning():
		files.scan()
