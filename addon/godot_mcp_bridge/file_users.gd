@tool
extends RefCounted
## Who names a file, or one in a folder, by path or uid; not what goes with it.

const FileWalk := preload("file_walk.gd")
const PathChange := preload("path_change.gd")
const References := preload("references.gd")
const TextFile := preload("text_file.gd")
const TreeFiles := preload("tree_files.gd")

static var _uid: RegEx = RegEx.create_from_string("uid://[a-y0-8]+")

var users: PackedStringArray = []

var _change: PathChange
var _uids: Dictionary[String, bool] = {}
var _walk := FileWalk.new("res://", false)
var _looked := 0


func _init(path: String, files: PackedStringArray) -> void:
	# Another path, which nothing has, so that all that names it would change.
	_change = PathChange.between(path, path + ".gone")
	for id: int in TreeFiles.uids_of(files).values():
		_uids[ResourceUID.id_to_text(id)] = true


## Looks at the next file of the project; false when it was the last.
func step() -> bool:
	var path := _walk.next()
	_looked += 1
	if path != "" and _is_user(path):
		users.append(path)
	return path != ""


func state() -> Dictionary:
	return {"progress": _looked, "message": "files searched, %d name it" % users.size()}


## Looks once more at what changed since it was looked at.
func look_again() -> void:
	for path in _walk.changed():
		if users.has(path):
			users.remove_at(users.find(path))
		if _is_user(path):
			users.append(path)


func _is_user(path: String) -> bool:
	if _change.concerns(path):
		return false
	var kind := path.get_extension().to_lower()
	if kind in References.BINARY and References.needs(path, _change):
		return true
	if not (kind in References.CHANGED or kind in References.LEFT or kind == "godot"):
		return false
	var text := TextFile.new(path)
	if text.problem != "":
		return false
	return References.rewritten(text.text, path, _change).count > 0 or _has_uid(text.text)


func _has_uid(text: String) -> bool:
	for match_of in _uid.search_all(text):
		if _uids.has(match_of.get_string()):
			return true
	return false
