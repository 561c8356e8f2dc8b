@tool
extends RefCounted
## The copy of a file or folder: each file in it with a uid of its own, and those that name each other name each
## other's copies.

const FileWalk := preload("file_walk.gd")
const PathChange := preload("path_change.gd")
const References := preload("references.gd")
const ScriptFiles := preload("script_files.gd")
const TextFile := preload("text_file.gd")
const TreeFiles := preload("tree_files.gd")

const HEADED: Array[String] = ["tscn", "tres"]
const BINARY: Array[String] = ["res", "scn"]

static var _heading: RegEx = RegEx.create_from_string("\\A\\s*\\[gd_(?:scene|resource)[^\\]\\n]*")
static var _class: RegEx = RegEx.create_from_string("(?m)^class_name\\s+\\w+")

var change: PathChange
## Copies in which references were changed: [file, count].
var references: Array[Dictionary] = []
## uids of the copies by their paths.
var ids: Dictionary[String, int] = {}
## Copies, without what belongs to them.
var made: PackedStringArray = []
## Copies that still name the originals.
var left: PackedStringArray = []
## Scripts that declare a class name, which their copies do too.
var twins: PackedStringArray = []

## Bytes of all that is copied.
var size := 0

var _files: PackedStringArray = []
## What the copy of a file is to hold; the others are copied as they are.
var _texts: Dictionary[String, PackedByteArray] = {}
## Null for a file, which is not walked through.
var _walk: FileWalk
## Files that are planned: the uids of all must be known before.
var _planned := 0


func _init(path: String, new_path: String) -> void:
	change = PathChange.between(path, new_path)
	_begin()


func _begin() -> void:
	if change.is_folder:
		_walk = FileWalk.new(change.from, true)
		return
	for file in TreeFiles.with_sidecars(change.from):
		_note(file)


## Looks at the next file; false when it was the last.
func step() -> bool:
	if _planned == 0 and _walk != null:
		var path := _walk.next()
		if path != "":
			_note(path)
			return true
	if _planned < _files.size():
		_plan(_files[_planned])
		_planned += 1
	return _planned < _files.size()


func state() -> Dictionary:
	return {"progress": _files.size() + _planned, "message": "files looked at"}


## Looks at all once more when something changed since.
func look_again() -> void:
	if _walk != null and _walk.changed().is_empty():
		return
	change.uids.clear()
	references.clear()
	ids.clear()
	made.clear()
	left.clear()
	twins.clear()
	_files.clear()
	_texts.clear()
	size = 0
	_planned = 0
	_begin()
	while step():
		pass


func _note(path: String) -> void:
	_files.append(path)
	size += FileAccess.get_size(path)
	if TreeFiles.is_sidecar(path):
		return
	var known := ResourceLoader.get_resource_uid(path)
	if known == ResourceUID.INVALID_ID:
		return
	var id := ResourceUID.create_id()
	ids[change.of(path)] = id
	change.uids[ResourceUID.id_to_text(known)] = ResourceUID.id_to_text(id)


func _plan(path: String) -> void:
	var kind := path.get_extension().to_lower()
	var place := change.of(path)
	if not TreeFiles.is_sidecar(path):
		made.append(place)
	if kind in BINARY and References.needs(path, change):
		left.append(place)
	if not kind in References.CHANGED and kind != "uid":
		return
	var file := TextFile.new(path)
	if file.problem != "":
		return
	var changed := References.rewritten(file.text, path, change)
	if kind == "gd" and _class.search(file.text) != null:
		twins.append(path)
	if kind in HEADED:
		_give_uid(changed, path)
	if kind == "uid":
		changed.count = 0
	elif changed.count > 0:
		references.append({"file": place, "count": changed.count})
	if changed.text != file.text:
		_texts[path] = file.bytes_as_is(changed.text)


## Texts without a uid in their first line get one there.
func _give_uid(changed: PathChange.Changed, path: String) -> void:
	var found := _heading.search(changed.text)
	if found == null or found.get_string().contains(" uid="):
		return
	var place := change.of(path)
	if not ids.has(place):
		ids[place] = ResourceUID.create_id()
	var uid := ' uid="%s"' % ResourceUID.id_to_text(ids[place])
	changed.text = changed.text.insert(found.get_end(), uid)


## Writes the copies. Returns why not, "" when all were; then nothing of them is there.
func write() -> String:
	var folders := TreeFiles.missing_folders(
		change.to.path_join("x") if change.is_folder else change.to
	)
	DirAccess.make_dir_recursive_absolute(
		change.to if change.is_folder else change.to.get_base_dir()
	)
	if change.is_folder:
		_make_folders(change.from)
	for file in _files:
		if _write(file):
			continue
		for done in _files:
			DirAccess.remove_absolute(change.of(done))
		TreeFiles.remove_empty(folders)
		return "%s cannot be written" % change.of(file)
	return ""


## Those in which nothing is too.
func _make_folders(folder: String) -> void:
	var dir := DirAccess.open(folder)
	dir.include_hidden = true
	for name in dir.get_directories():
		if not dir.is_link(name):
			DirAccess.make_dir_absolute(change.of(folder.path_join(name)))
			_make_folders(folder.path_join(name))


func _write(path: String) -> bool:
	var place := change.of(path)
	if _texts.has(path):
		return ScriptFiles.Step.put_bytes(place, _texts[path])
	if DirAccess.copy_absolute(path, place) != OK:
		return false
	if FileAccess.get_size(place) != FileAccess.get_size(path):
		return false
	if path.get_extension().to_lower() in BINARY and ids.has(place):
		return ResourceSaver.set_uid(place, ids[place]) == OK
	return true
