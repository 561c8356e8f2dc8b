@tool
extends RefCounted
## Writing script files so that nobody in the editor goes on with the old text: the script in memory, the nodes
## that have it, and the script editor, whose unsaved text is never lost.

const Check := preload("script_check.gd")
const Classes := preload("classes.gd")
const Discovery := preload("discovery.gd")
const Files := preload("files.gd")
const Scenes := preload("scenes.gd")
const TextFile := preload("text_file.gd")
const TreeFiles := preload("tree_files.gd")
const Writable := preload("writable.gd")

const PARSES_ON_SAVE := "text_editor/behavior/files/auto_reload_and_parse_scripts_on_save"
## How the compiler begins to say that it has a script by another path than its file's.
const UNRESOLVED := "Could not resolve script"
## How the list of those who still run the old text names the game.
const GAME := "the running game"

## Files that do not parse, whose script in memory is therefore still the last one that did.
var _behind: Dictionary[String, bool] = {}


## One write, to be undone: holds what the file is to be next. What is there is kept when it is replaced, so
## that neither undo nor redo loses what another program wrote since.
class Step:
	extends RefCounted
	var path := ""
	var is_there := false
	var content: PackedByteArray = []
	## The file beside it with the script's uid.
	var sidecar: PackedByteArray = []
	var folders: PackedStringArray = []
	var owner: RefCounted

	func swap() -> void:
		var was_there := FileAccess.file_exists(path)
		var now := FileAccess.get_file_as_bytes(path) if was_there else PackedByteArray()
		if is_there:
			_put()
		else:
			_take_out()
		is_there = was_there
		content = now
		owner.call("refresh", path)

	func _put() -> void:
		DirAccess.make_dir_recursive_absolute(path.get_base_dir())
		if not sidecar.is_empty() and not FileAccess.file_exists(path + ".uid"):
			put_bytes(path + ".uid", sidecar)
		if not put_bytes(path, content):
			push_error("godot-mcp: cannot write %s again" % path)

	func _take_out() -> void:
		if FileAccess.file_exists(path + ".uid"):
			sidecar = FileAccess.get_file_as_bytes(path + ".uid")
			DirAccess.remove_absolute(path + ".uid")
		DirAccess.remove_absolute(path)
		TreeFiles.remove_empty(folders)

	## The engine writes a second file and puts it in the place of the first.
	static func put_bytes(path: String, bytes: PackedByteArray) -> bool:
		if not Writable.has_room(path, bytes.size()):
			return false
		var file := FileAccess.open(path, FileAccess.WRITE)
		if file == null:
			return false
		file.store_buffer(bytes)
		file.close()
		return FileAccess.get_file_as_bytes(path) == bytes


func _init() -> void:
	EditorInterface.get_script_editor().editor_script_changed.connect(_on_shown)


func close() -> void:
	EditorInterface.get_script_editor().editor_script_changed.disconnect(_on_shown)


## Writes the file; null when that failed, else the step, which is to be put into the history.
func write(path: String, bytes: PackedByteArray) -> Step:
	var step := step_of(path, self)
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	if Step.put_bytes(path, bytes):
		return step
	if not step.is_there:
		step._take_out()
	return null


## The step that a write of this file, which is still to be made, can be undone by. Of `owner` refresh(path) is
## called when the file has changed.
static func step_of(path: String, owner: RefCounted) -> Step:
	var step := Step.new()
	step.owner = owner
	step.path = path
	step.is_there = FileAccess.file_exists(path)
	if step.is_there:
		step.content = FileAccess.get_file_as_bytes(path)
	step.folders = TreeFiles.missing_folders(path)
	return step


## Makes everybody in the editor take over what the file is now.
func refresh(path: String) -> void:
	announce(path)
	if not FileAccess.file_exists(path) or _loaded(path) == null:
		_behind.erase(path)
		return
	var text := TextFile.new(path).text
	follow(path, text, Check.judge(path, text).is_ok() if path.get_extension() == "gd" else true)


## The same for scripts that name each other, each when those that it needs have been read: the engine takes a
## script that has another path for its old one until it has read it again. Returns those that each need another
## one of them to be read first.
func refresh_all(paths: PackedStringArray) -> PackedStringArray:
	var rest := paths
	while not rest.is_empty():
		var waiting: PackedStringArray = []
		for path in rest:
			announce(path)
			var text := TextFile.new(path).text
			if path.get_extension() != "gd" or Check.judge(path, text).is_ok():
				follow(path, text, true)
			else:
				waiting.append(path)
		if waiting.size() == rest.size():
			break
		rest = waiting
	var stuck: PackedStringArray = []
	for path in rest:
		refresh(path)
		for error in Check.judge(path, TextFile.new(path).text).errors:
			if str(error["message"]).begins_with(UNRESOLVED) and not stuck.has(path):
				stuck.append(path)
	return stuck


## The same when the verdict is known. A text that does not parse is not loaded: it would take from nodes in
## open scenes the values that the next save writes.
func follow(path: String, text: String, parses: bool) -> void:
	_behind.erase(path)
	var script := _loaded(path)
	if script == null:
		return
	if parses:
		_reload(script, text)
	else:
		_behind[path] = true
	_show(script, text)


## Nodes of open scenes that run this script, as scene::path, and the game: those who have not the new text
## when it does not parse. With a text that does they have it, but what the new variables of it, which are not
## exported, begin with they only get when their scene is read again.
func stale(path: String, verdict: Check.Verdict) -> PackedStringArray:
	var out: PackedStringArray = []
	var script := _loaded(path)
	if script != null and (not verdict.is_ok() or _has_new_plain(script, verdict.variables)):
		for object in _instances(script):
			var node := object as Node
			if node != null:
				out.append(_spell(node))
	if EditorInterface.is_playing_scene():
		out.append(GAME)
	return out


## Whether the script editor holds text of this file that was not saved.
static func has_unsaved_text(path: String) -> bool:
	var edit := _code_edit(path)
	return edit != null and edit.get_version() != edit.get_saved_version()


static func announce(path: String) -> void:
	Files.announce(path)


## The script editor shows the script in memory, which can be behind its file.
func _on_shown(script: Script) -> void:
	if script != null and _behind.has(script.resource_path):
		var file := TextFile.new(script.resource_path)
		if file.problem == "" and not has_unsaved_text(script.resource_path):
			_show(script, file.text)


static func _loaded(path: String) -> Script:
	return load(path) as Script if ResourceLoader.has_cached(path) else null


func _reload(script: Script, text: String) -> void:
	var before: Dictionary[Object, PackedStringArray] = {}
	var heirs: Array[Script] = []
	for object in _instances(script):
		var own := object.get_script() as Script
		before[object] = _names(own)
		if own != script and not heirs.has(own):
			heirs.append(own)
	_read_again(script)
	if script.source_code != text and not _parses_on_save():
		script.source_code = text
		if before.is_empty():
			script.reload(true)
	# The engine's own order of these is not always that of inheritance, and then it leaves some out.
	heirs.sort_custom(func(a: Script, b: Script) -> bool: return _depth(a) < _depth(b))
	for heir in heirs:
		_read_again(heir)
	for object: Object in before:
		_fill(object, before[object])


## Saving a script to whatever place makes the engine read it again from its own file, with the scripts that
## extend it.
static func _read_again(script: Script) -> void:
	var draft := ProjectSettings.globalize_path(Discovery.folder()).path_join("reloaded.gd")
	ResourceSaver.save(script, draft)
	DirAccess.remove_absolute(draft)


static func _parses_on_save() -> bool:
	return EditorInterface.get_editor_settings().get_setting(PARSES_ON_SAVE)


static func _depth(script: Script) -> int:
	var base := script.get_base_script()
	return 0 if base == null else 1 + _depth(base)


## A new exported variable is null in nodes that were there before, and the next save would write that.
static func _fill(object: Object, known: PackedStringArray) -> void:
	var script := object.get_script() as Script
	for info in script.get_script_property_list():
		var name := info["name"] as String
		if known.has(name) or object.get(name) != null:
			continue
		var value: Variant = Classes.default_of(object, name)
		if value != null:
			object.set(name, value)


static func _names(script: Script) -> PackedStringArray:
	var out: PackedStringArray = []
	for info in script.get_script_property_list():
		out.append(info["name"] as String)
	return out


static func _has_new_plain(script: Script, variables: Array[Dictionary]) -> bool:
	var known := _names(script)
	for info in variables:
		var usage := info["usage"] as int
		if usage & PROPERTY_USAGE_STORAGE or not usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			continue
		if not known.has(info["name"] as String):
			return true
	return false


## Nodes of open scenes, and resources of theirs, that have this script or one that extends it and run it.
## Of scripts that are no tools the editor makes placeholders, which do not.
static func _instances(script: Script) -> Array[Object]:
	var out: Array[Object] = []
	var family := {}
	var of_resources := ClassDB.is_parent_class(script.get_instance_base_type(), "Resource")
	for root: Node in EditorInterface.get_open_scene_roots():
		_find(root, script, of_resources, family, out)
	return out


static func _find(
	object: Object, script: Script, of_resources: bool, family: Dictionary, out: Array[Object]
) -> void:
	var own := object.get_script() as Script
	if own != null and own.is_tool() and _is_of(own, script, family):
		out.append(object)
	if of_resources:
		for info in object.get_property_list():
			if info["type"] != TYPE_OBJECT or not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
				continue
			var below := object.get(info["name"] as String) as Resource
			if below != null and not below is Script and not family.has(below):
				family[below] = true
				_find(below, script, true, family, out)
	if object is Node:
		for child in (object as Node).get_children():
			_find(child, script, of_resources, family, out)


static func _is_of(own: Script, script: Script, family: Dictionary) -> bool:
	if not family.has(own):
		var at := own
		while at != null and at != script:
			at = at.get_base_script()
		family[own] = at != null
	return family[own]


static func _spell(node: Node) -> String:
	var root := node
	while root.get_parent() != null and not EditorInterface.get_open_scene_roots().has(root):
		root = root.get_parent()
	return "%s::%s" % [Scenes.scene_name(root), Scenes.path_of(root, node)]


## Puts the text into the script editor, where the file is open there, as one step of its own undo, and tells
## the editor that script and file are the same again.
static func _show(script: Script, text: String) -> void:
	var edit := _code_edit(script.resource_path)
	if edit == null:
		return
	var shown := text.replace("\r\n", "\n")
	if edit.text != shown:
		if edit.get_version() != edit.get_saved_version():
			return
		var line := edit.get_caret_line()
		var column := edit.get_caret_column()
		var scroll := edit.scroll_vertical
		edit.text = shown
		edit.set_caret_line(mini(line, edit.get_line_count() - 1))
		edit.set_caret_column(column)
		edit.scroll_vertical = scroll
	# What the editor itself says after a save: the tab takes the file's time, the debugger the new text.
	tell_saved(script)


static func tell_saved(resource: Resource) -> void:
	var main := EditorInterface.get_base_control().get_parent()
	if main != null and main.has_signal("resource_saved"):
		main.emit_signal("resource_saved", resource)


## The control that shows the file; null when it is not open. The engine lists scripts and their editors apart,
## both in the order of the tabs.
static func _code_edit(path: String) -> CodeEdit:
	var editor := EditorInterface.get_script_editor()
	var editors: Array[ScriptEditorBase] = []
	for each: ScriptEditorBase in editor.get_open_script_editors():
		if each.get_class() == "ScriptTextEditor":
			editors.append(each)
	var scripts := editor.get_open_scripts()
	for i in mini(scripts.size(), editors.size()):
		if scripts[i].resource_path == path:
			return editors[i].get_base_editor() as CodeEdit
	return null
