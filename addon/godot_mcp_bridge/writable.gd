@tool
extends RefCounted
## Whether the engine can write a file. It writes a second one beside it and renames that, and does not always
## say so when that fails.

const Files := preload("files.gd")

## Bytes that the usual file systems take for one name; the engine's file beside it has a longer one.
const MAX_NAME := 240
const ANY_MAY_WRITE := (
	FileAccess.UNIX_WRITE_OWNER | FileAccess.UNIX_WRITE_GROUP | FileAccess.UNIX_WRITE_OTHER
)


## Why the engine cannot write this file, "" when nothing speaks against it. A preview changes nothing, so it
## does not see what only a try shows.
static func problem(path: String, preview: bool) -> String:
	if path.get_file().to_utf8_buffer().size() > MAX_NAME:
		return "the name of %s... is longer than %d bytes" % [path.left(40), MAX_NAME]
	if DirAccess.dir_exists_absolute(path):
		return "%s is a folder" % path
	if FileAccess.file_exists(path):
		var file := FileAccess.open(path, FileAccess.READ_WRITE)
		if file == null:
			return "%s cannot be written (%s)" % [path, error_string(FileAccess.get_open_error())]
		file.close()
	var blocking := Files.file_in_the_way(path)
	if blocking != "":
		return "%s is a file, so nothing can be made below it" % blocking
	return _folder_problem(path.get_base_dir(), preview)


## A folder that nobody may write into is tried out in a preview too, since an administrator can.
static func _folder_problem(folder: String, preview: bool) -> String:
	while folder.length() > "res://".length() and not DirAccess.dir_exists_absolute(folder):
		folder = folder.get_base_dir()
	var permissions := FileAccess.get_unix_permissions(folder)
	if preview and (permissions == 0 or permissions & ANY_MAY_WRITE != 0):
		return ""
	var probe := folder.path_join(".godot_mcp_%d" % OS.get_process_id())
	var file := FileAccess.open(probe, FileAccess.WRITE)
	if file == null:
		return "nothing can be written into %s" % folder
	file.close()
	DirAccess.remove_absolute(probe)
	return ""
