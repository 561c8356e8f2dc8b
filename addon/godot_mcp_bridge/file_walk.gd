@tool
extends RefCounted
## A walk through the files below a folder, one after the other, which can tell afterwards what changed behind it.

const TreeFiles := preload("tree_files.gd")

## A file that was written so shortly before it was looked at can change once more without another time.
const FRESH_SEC := 2

var _root := ""
## Whether it goes through everything on the disk, not through what belongs to the project.
var _all := false
var _folders: PackedStringArray = []
## The files of the folder that it is in, the next one last.
var _files: PackedStringArray = []
var _stamps: Dictionary[String, Vector2i] = {}


func _init(root: String, all: bool) -> void:
	_root = root
	_all = all
	_folders = [root]


## The next file, noted as it is now; "" when there is none.
func next() -> String:
	var path := _next()
	if path != "":
		_stamps[path] = _stamp(path)
	return path


func _next() -> String:
	while _files.is_empty() and not _folders.is_empty():
		var folder := _folders[-1]
		_folders.remove_at(_folders.size() - 1)
		_files = TreeFiles.files_in(folder, _all)
		_files.reverse()
		var below := TreeFiles.folders_in(folder, _all)
		below.reverse()
		_folders.append_array(below)
	if _files.is_empty():
		return ""
	var path := _files[-1]
	_files.remove_at(_files.size() - 1)
	return path


## Files that came, went or changed since the walk came by, as far as sizes and times tell.
func changed() -> PackedStringArray:
	var out: PackedStringArray = []
	var again: RefCounted = (get_script() as GDScript).new(_root, _all)
	var path: String = again.call("next")
	var now: Dictionary[String, Vector2i] = again.get("_stamps")
	while path != "":
		if _stamps.get(path, Vector2i.MIN) != now[path] or now[path] == Vector2i.MIN:
			out.append(path)
		path = again.call("next")
	for gone in _stamps:
		if not now.has(gone):
			out.append(gone)
	_stamps = now
	return out


## Size and time; the least one when they do not tell.
static func _stamp(path: String) -> Vector2i:
	var time := FileAccess.get_modified_time(path)
	if time + FRESH_SEC >= Time.get_unix_time_from_system():
		return Vector2i.MIN
	return Vector2i(FileAccess.get_size(path), time)
