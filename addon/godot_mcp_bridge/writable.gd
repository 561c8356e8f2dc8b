@tool
extends RefCounted
## Whether the engine can write a file. It writes a second one beside it and renames that, and does not always
## say so when that fails.

const Discovery := preload("discovery.gd")
const Files := preload("files.gd")
const TreeFiles := preload("tree_files.gd")

## Bytes that the usual file systems take for one name; the engine's file beside it has a longer one.
const MAX_NAME := 240
## Bytes free beyond the file itself with which a disk is not looked at closer.
const ROOM := 1 << 20
## Bytes beyond the file that a full disk must still take.
const MIN_ROOM := 1 << 16
## Names of devices on Windows, with each ending.
const DEVICES: Array[String] = [
	"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3"
]
const ANY_MAY_WRITE := (
	FileAccess.UNIX_WRITE_OWNER | FileAccess.UNIX_WRITE_GROUP | FileAccess.UNIX_WRITE_OTHER
)


## Why the engine cannot write this file, "" when nothing speaks against it. A preview changes nothing, so it
## does not see what only a try shows.
static func problem(path: String, preview: bool) -> String:
	# Of a uid the engine makes a folder of that name where it was started.
	if not path.begins_with("res://"):
		return "%s leads to no file of the project: give a path below res://" % path
	if path.get_file().to_utf8_buffer().size() > MAX_NAME:
		return "the name of %s... is longer than %d bytes" % [path.left(40), MAX_NAME]
	var name := bad_name(path)
	if name != "":
		return "%s is no name for a file on every system" % name
	if (path.to_lower() + "/").begins_with(Discovery.folder().get_base_dir() + "/"):
		return "%s is in the engine's own folder" % path
	if DirAccess.dir_exists_absolute(path):
		return "%s is a folder" % path
	var size := 0
	if FileAccess.file_exists(path):
		var file := FileAccess.open(path, FileAccess.READ_WRITE)
		if file == null:
			return "%s cannot be written (%s)" % [path, error_string(FileAccess.get_open_error())]
		size = file.get_length()
		file.close()
	var blocking := Files.file_in_the_way(path)
	if blocking != "":
		return "%s is a file, so nothing can be made below it" % blocking
	var why := _folder_problem(path.get_base_dir(), preview)
	if why == "" and not has_room(path, size):
		why = "%s cannot be written: its disk is full" % path
	return why


## The first name that is new in the path and that some system does not take, "" when there is none.
static func bad_name(path: String) -> String:
	if TreeFiles.exists(path):
		return ""
	for part in TreeFiles.missing_folders(path) + PackedStringArray([path]):
		var name := part.get_file()
		var is_odd := name.ends_with(".") or name != name.strip_edges()
		if is_odd or not name.is_valid_filename() or name.get_slice(".", 0).to_lower() in DEVICES:
			return name
	return ""


## False when the disk does not take so many bytes more. Then the engine says nothing, and puts what it could
## write in the place of the file. Some disks do not tell what is free, so a small answer is tried out.
static func has_room(path: String, size: int) -> bool:
	var folder := _existing(path.get_base_dir())
	var dir := DirAccess.open(folder)
	if dir == null or dir.get_space_left() > 2 * size + ROOM:
		return true
	var probe := _probe(folder)
	var file := FileAccess.open(probe, FileAccess.WRITE)
	if file == null:
		return false
	var bytes := PackedByteArray()
	bytes.resize(size + MIN_ROOM)
	file.store_buffer(bytes)
	file.close()
	var written := FileAccess.get_file_as_bytes(probe).size()
	DirAccess.remove_absolute(probe)
	return written == bytes.size()


static func _existing(folder: String) -> String:
	while folder.length() > "res://".length() and not DirAccess.dir_exists_absolute(folder):
		folder = folder.get_base_dir()
	return folder


static func _probe(folder: String) -> String:
	return folder.path_join(".godot_mcp_%d" % OS.get_process_id())


## A folder that nobody may write into is tried out in a preview too, since an administrator can.
static func _folder_problem(folder: String, preview: bool) -> String:
	folder = _existing(folder)
	var permissions := FileAccess.get_unix_permissions(folder)
	if preview and (permissions == 0 or permissions & ANY_MAY_WRITE != 0):
		return ""
	var probe := _probe(folder)
	var file := FileAccess.open(probe, FileAccess.WRITE)
	if file == null:
		return "nothing can be written into %s" % folder
	file.close()
	DirAccess.remove_absolute(probe)
	return ""
