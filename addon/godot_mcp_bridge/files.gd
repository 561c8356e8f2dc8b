@tool
extends RefCounted
## Files made by tools, as undo steps of the global history. Undo takes the file out, with the folders that
## were made for it, and keeps its bytes as they are then, so that a redo brings back what was there, not
## what once was written.

const TreeFiles := preload("tree_files.gd")
const UndoSteps := preload("undo_steps.gd")

## Looks at a file that the editor never lists: it may be one that it passes over.
const MAX_LOOKS := 10

## Files that came or went and that the editor may not have taken note of, with the looks left for each.
static var _unseen: Dictionary[String, int] = {}


## Scene files whose bytes are exchanged, to be undone: holds what they are to be next. What is there is kept
## when it is replaced, so that neither undo nor redo loses what another program wrote since.
class Exchange:
	extends RefCounted
	var contents: Dictionary[String, PackedByteArray] = {}
	## Files.put_scene.
	var put: Callable
	## LiveFiles, whose show_again is for scenes that were opened since.
	var live: RefCounted

	func swap() -> void:
		var open: PackedStringArray = []
		for path: String in contents.keys():
			var now := FileAccess.get_file_as_bytes(path)
			if not put.call(path, contents[path]):
				push_error("godot-mcp: cannot write %s again" % path)
				continue
			contents[path] = now
			if EditorInterface.get_open_scenes().has(path):
				open.append(path)
		live.call("show_again", open)


var _kept: Dictionary[String, PackedByteArray] = {}
## The folders made for each file, the innermost first.
var _folders: Dictionary[String, PackedStringArray] = {}


## Makes the folder of a file to be, and remembers which parts of it were new.
func make_folder(path: String) -> Error:
	_folders[path] = TreeFiles.missing_folders(path)
	return DirAccess.make_dir_recursive_absolute(path.get_base_dir())


## Adds the making of this file, which is already there, to the open action.
func add_created(undo_redo: UndoSteps, path: String) -> void:
	announce(path)
	undo_redo.add_do_method(self, "put_back", path)
	undo_redo.add_undo_method(self, "take_out", path)


func take_out(path: String) -> void:
	_kept[path] = FileAccess.get_file_as_bytes(path)
	DirAccess.remove_absolute(path)
	TreeFiles.remove_empty(_folders.get(path, PackedStringArray()) as PackedStringArray)
	announce(path)


func put_back(path: String) -> void:
	if not _kept.has(path):
		return
	make_folder(path)
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		push_error("godot-mcp: cannot write %s again" % path)
		return
	file.store_buffer(_kept[path])
	file.close()
	_kept.erase(path)
	announce(path)


## Writes a scene file and has the engine read it anew, for those who will make instances of it.
static func put_scene(path: String, bytes: PackedByteArray) -> bool:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return false
	file.store_buffer(bytes)
	file.close()
	if ResourceLoader.has_cached(path):
		ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)
	announce(path)
	return FileAccess.get_file_as_bytes(path) == bytes


## Tells the editor of a file that came or went. One in a folder that the editor has not seen yet is only
## found by a scan. What comes while a scan is under way can be missed by it, and for a moment after it no
## other one begins, so each file is looked at again until the editor lists it as it is.
static func announce(path: String) -> void:
	_unseen[path] = MAX_LOOKS
	var files := EditorInterface.get_resource_filesystem()
	if not files.is_scanning():
		_tell(files, path)
	_look_later()


## True while the editor has not taken note of all files that came or went.
static func is_behind() -> bool:
	return not _unseen.is_empty()


static func _look_later() -> void:
	var loop := Engine.get_main_loop() as SceneTree
	if not loop.process_frame.is_connected(_look):
		loop.process_frame.connect(_look, CONNECT_ONE_SHOT)


static func _look() -> void:
	var files := EditorInterface.get_resource_filesystem()
	if not files.is_scanning():
		for path: String in _unseen.keys():
			_unseen[path] -= 1
			if _unseen[path] == 0 or _is_seen(files, path):
				_unseen.erase(path)
			elif not files.is_scanning():
				_tell(files, path)
	if not _unseen.is_empty():
		_look_later()


static func _tell(files: EditorFileSystem, path: String) -> void:
	var folder := path.get_base_dir()
	if files.get_filesystem_path(folder) != null:
		files.update_file(path)
	if (files.get_filesystem_path(folder) != null) != DirAccess.dir_exists_absolute(folder):
		files.scan()


static func _is_seen(files: EditorFileSystem, path: String) -> bool:
	var folder := path.get_base_dir()
	return (
		(files.get_file_type(path) != "") == FileAccess.file_exists(path)
		and (files.get_filesystem_path(folder) != null) == DirAccess.dir_exists_absolute(folder)
	)


## The first part of the path that is a file where a folder is wanted, "" when there is none.
static func file_in_the_way(path: String) -> String:
	var folder := path.get_base_dir()
	while folder.length() > "res://".length():
		if FileAccess.file_exists(folder):
			return folder
		folder = folder.get_base_dir()
	return ""
