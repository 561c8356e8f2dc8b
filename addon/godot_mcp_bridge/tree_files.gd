@tool
extends RefCounted
## Files and folders as they lie on the disk, with what belongs to them.

const Check := preload("script_check.gd")
const Discovery := preload("discovery.gd")

## What the engine puts beside a file: how it is imported, and its uid.
const SIDECARS: Array[String] = [".import", ".uid"]
const REMOVED := "removed"

static var _removals := 0


static func exists(path: String) -> bool:
	return FileAccess.file_exists(path) or DirAccess.dir_exists_absolute(path)


## Whether something else stands where this is to be renamed to. To some file systems letter case makes no
## difference, so that a file is in its own way.
static func is_in_the_way(path: String, new_path: String) -> bool:
	if not exists(new_path):
		return false
	if path.to_lower() != new_path.to_lower():
		return true
	var dir := DirAccess.open(new_path.get_base_dir())
	dir.include_hidden = true
	var name := new_path.get_file()
	return dir.get_files().has(name) or dir.get_directories().has(name)


## The file and those beside it that belong to it; a folder alone.
static func with_sidecars(path: String) -> PackedStringArray:
	var out: PackedStringArray = [path]
	for ending in SIDECARS:
		if FileAccess.file_exists(path) and FileAccess.file_exists(path + ending):
			out.append(path + ending)
	return out


static func is_sidecar(path: String) -> bool:
	for ending in SIDECARS:
		if path.ends_with(ending) and FileAccess.file_exists(path.trim_suffix(ending)):
			return true
	return false


## The same without what belongs to another one.
static func resources(path: String) -> PackedStringArray:
	var out: PackedStringArray = []
	for file in all(path):
		if not is_sidecar(file):
			out.append(file)
	return out


## The uids of these files, by their paths.
static func uids_of(paths: PackedStringArray) -> Dictionary[String, int]:
	var out: Dictionary[String, int] = {}
	for path in paths:
		var id := ResourceLoader.get_resource_uid(path)
		if id != ResourceUID.INVALID_ID:
			out[path] = id
	return out


## The file itself, or all files in the folder, hidden ones too.
static func all(path: String) -> PackedStringArray:
	var out: PackedStringArray = []
	if FileAccess.file_exists(path):
		out.append(path)
	else:
		_collect(path, true, out)
	return out


static func _collect(folder: String, hidden: bool, out: PackedStringArray) -> void:
	out.append_array(files_in(folder, hidden))
	for below in folders_in(folder, hidden):
		_collect(below, hidden, out)


## The files in the folder; without `hidden` those that the editor knows of, sidecars too, and not the addon's own.
static func files_in(folder: String, hidden: bool) -> PackedStringArray:
	var out: PackedStringArray = []
	var dir := DirAccess.open(folder)
	if dir == null or (not hidden and folder + "/" == Check.OWN_FOLDER):
		return out
	dir.include_hidden = hidden
	for name in dir.get_files():
		out.append(folder.path_join(name))
	return out


static func folders_in(folder: String, hidden: bool) -> PackedStringArray:
	var out: PackedStringArray = []
	var dir := DirAccess.open(folder)
	if dir == null or (not hidden and folder + "/" == Check.OWN_FOLDER):
		return out
	dir.include_hidden = hidden
	for name in dir.get_directories():
		var below := folder.path_join(name)
		if dir.is_link(name) or below == Discovery.folder().get_base_dir():
			continue
		if hidden or not FileAccess.file_exists(below.path_join(".gdignore")):
			out.append(below)
	return out


## Folders that are to be made for this path, the innermost first.
static func missing_folders(path: String) -> PackedStringArray:
	var out: PackedStringArray = []
	var folder := path.get_base_dir()
	while not DirAccess.dir_exists_absolute(folder) and folder.length() > "res://".length():
		out.append(folder)
		folder = folder.get_base_dir()
	return out


## Takes away those that nothing is in, each before the one that it is in.
static func remove_empty(folders: PackedStringArray) -> void:
	for folder in folders:
		var dir := DirAccess.open(folder)
		if dir == null:
			continue
		dir.include_hidden = true
		if dir.get_files().is_empty() and dir.get_directories().is_empty():
			DirAccess.remove_absolute(folder)


## A place where a file that is taken out waits for an undo: on the same disk, so that it is only renamed, and
## where the engine does not look.
static func removed_place() -> String:
	_removals += 1
	return _removed_folder().path_join("%d_%d" % [OS.get_process_id(), _removals])


static func _removed_folder() -> String:
	return Discovery.folder().path_join(REMOVED)


## Takes away what editors that have ended left there: nothing can be undone in them any more.
static func forget_removed() -> void:
	if not DirAccess.dir_exists_absolute(_removed_folder()):
		return
	for name in DirAccess.get_directories_at(_removed_folder()):
		var pid := name.get_slice("_", 0)
		if pid.to_int() == OS.get_process_id():
			_removals = maxi(_removals, name.get_slice("_", 1).to_int())
		elif not FileAccess.file_exists(Discovery.folder().path_join(pid + ".json")):
			_erase(_removed_folder().path_join(name))


static func _erase(folder: String) -> void:
	var dir := DirAccess.open(folder)
	if dir == null:
		return
	dir.include_hidden = true
	for name in dir.get_directories():
		if dir.is_link(name):
			dir.remove(name)
		else:
			_erase(folder.path_join(name))
	for name in dir.get_files():
		dir.remove(name)
	DirAccess.remove_absolute(folder)
