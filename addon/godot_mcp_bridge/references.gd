@tool
extends RefCounted
## Who names a file or folder, and how each of them is to read when that gets another path. Only what is quoted
## is a reference; every other byte of a text stays.

const Dependencies := preload("dependencies.gd")
const FileWalk := preload("file_walk.gd")
const PathChange := preload("path_change.gd")
const ProjectText := preload("project_text.gd")
const SettingsFile := preload("settings_file.gd")
const TextFile := preload("text_file.gd")
const TreeFiles := preload("tree_files.gd")

## Files whose texts are changed.
const CHANGED: Array[String] = [
	"tscn", "tres", "gd", "cs", "gdshader", "gdshaderinc", "cfg", "import", "gdextension"
]
## Files that may name others and are left as they are: their own programs write them, or nobody knows what they
## mean by it.
const LEFT: Array[String] = ["json", "csv", "xml", "ini", "yaml", "yml", "toml"]
const BINARY: Array[String] = ["res", "scn"]
const PROTECTED: Array[String] = ["res://export_presets.cfg", "res://override.cfg"]
const MAX_SIZE := 16 * 1024 * 1024

## Paths that count from the file's own folder, by the file's ending. The second group is the path.
static var _relative: Dictionary[String, RegEx] = {
	"gd":
	RegEx.create_from_string(
		"(?:\\bpreload\\s*\\(\\s*|\\bextends\\s+|@icon\\s*\\(\\s*)([\"'])([^\"'\\n]+)\\1"
	),
	"tscn": RegEx.create_from_string('(?m)^\\[ext_resource [^\\n]*?\\bpath=(")([^"\\n]+)"'),
	"tres": RegEx.create_from_string('(?m)^\\[ext_resource [^\\n]*?\\bpath=(")([^"\\n]+)"'),
	"gdshader": RegEx.create_from_string('(?m)^\\s*#include\\s+(")([^"\\n]+)"'),
	"gdshaderinc": RegEx.create_from_string('(?m)^\\s*#include\\s+(")([^"\\n]+)"'),
	"cfg": RegEx.create_from_string('(?m)^script\\s*=\\s*(")([^"\\n]+)"'),
}


## One file with references.
class Found:
	extends RefCounted
	var path := ""
	var before: PackedByteArray = []
	var after: PackedByteArray = []
	var count := 0
	var values := 0


var found: Array[Found] = []
## Files that name it and are not changed.
var left: PackedStringArray = []
## What the settings of the project are to be, and how many references are in them.
var settings: Dictionary[String, Dictionary] = {}
var settings_count := 0

var change: PathChange
var _walk := FileWalk.new("res://", false)
var _looked := 0


func _init(wanted: PathChange) -> void:
	change = wanted


## Looks at the next file of the project; false when it was the last.
func step() -> bool:
	var path := _walk.next()
	if path == "":
		_look_into_settings()
		return false
	_looked += 1
	_look_at(path)
	return true


func state() -> Dictionary:
	return {"progress": _looked, "message": "files searched, %d name it" % found.size()}


## Looks once more at what changed since it was looked at.
func look_again() -> void:
	for path in _walk.changed():
		_forget(path)
		_look_at(path)
	_look_into_settings()


func _forget(path: String) -> void:
	found.assign(found.filter(func(entry: Found) -> bool: return entry.path != path))
	if left.has(path):
		left.remove_at(left.find(path))


func _look_at(path: String) -> void:
	if path == SettingsFile.PATH:
		return
	var kind := path.get_extension().to_lower()
	if kind in CHANGED and not path in PROTECTED:
		_look_into(path)
	elif (kind in LEFT or path in PROTECTED) and not change.concerns(path):
		if FileAccess.get_size(path) <= MAX_SIZE and _names(path, change):
			left.append(path)
	elif kind in BINARY and needs(path, change):
		left.append(path)


func _look_into(path: String) -> void:
	var file := TextFile.new(path)
	if file.problem != "":
		return
	var changed := rewritten(file.text, path, change)
	if changed.count > 0:
		_add(path, file, changed)


func _add(path: String, file: TextFile, changed: PathChange.Changed) -> void:
	var entry := Found.new()
	entry.path = path
	entry.before = file.bytes
	entry.after = file.bytes_as_is(changed.text)
	entry.count = changed.count
	entry.values = changed.values
	found.append(entry)


static func _names(path: String, change: PathChange) -> bool:
	var file := TextFile.new(path)
	return file.problem == "" and change.in_text(file.text).count > 0


static func needs(path: String, change: PathChange) -> bool:
	for dependency in ResourceLoader.get_dependencies(path):
		var named := dependency.get_slice("::", 2) if dependency.contains("::") else dependency
		if change.concerns(named) or change.concerns(Dependencies.file_of(dependency)):
			return true
	return false


func _look_into_settings() -> void:
	settings = {}
	settings_count = 0
	var text := TextFile.new(SettingsFile.PATH).text
	var values: Variant = ProjectText.read(text)
	if not text.contains(change.from) or values == null:
		return
	var parsed := ProjectText.new(text)
	for name: String in values as Dictionary:
		var changed := change.in_text(str(parsed.value_of(name)))
		if changed.count == 0:
			continue
		var live: Variant = change.in_value(str_to_var(str(values[name])))
		settings[name] = {"live": live, "text": changed.text}
		settings_count += changed.count


## [file, count] of each, by the path that it has then.
func listed() -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for entry in found:
		out.append({"file": change.of(entry.path), "count": entry.count})
	if settings_count > 0:
		out.append({"file": SettingsFile.PATH, "count": settings_count})
	return out


## The text of a file, which stood at `path` before the change, with the references changed.
static func rewritten(text: String, path: String, change: PathChange) -> PathChange.Changed:
	var changed := change.in_text(text)
	var kind := path.get_extension().to_lower()
	if _relative.has(kind) and (change.concerns(path) or _may_name(text, change)):
		_change_relative(changed, path, change, kind == "cfg")
	return changed


static func _may_name(text: String, change: PathChange) -> bool:
	return text.contains(change.from.get_file())


static func _change_relative(
	changed: PathChange.Changed, path: String, change: PathChange, stays_relative: bool
) -> void:
	var parts: PackedStringArray = []
	var seen := 0
	var home := change.of(path).get_base_dir()
	for match_of in _relative[path.get_extension().to_lower()].search_all(changed.text):
		var written := match_of.get_string(2)
		if written.contains("://") or written.begins_with("/"):
			continue
		var target := path.get_base_dir().path_join(written).simplify_path()
		var next := change.of(target)
		if home.path_join(written).simplify_path() == next:
			continue
		if not FileAccess.file_exists(target) and not FileAccess.file_exists(next):
			continue
		parts.append(changed.text.substr(seen, match_of.get_start(2) - seen))
		parts.append(_spelled(next, home, stays_relative))
		seen = match_of.get_end(2)
		changed.count += 1
	parts.append(changed.text.substr(seen))
	changed.text = "".join(parts)


static func _spelled(path: String, home: String, stays_relative: bool) -> String:
	var folder := home.trim_suffix("/") + "/"
	if path.begins_with(folder):
		return path.trim_prefix(folder)
	if not stays_relative:
		return path
	var up := ""
	while not path.begins_with(folder) and folder.length() > "res://".length():
		folder = folder.trim_suffix("/").get_base_dir().trim_suffix("/") + "/"
		up += "../"
	return up + path.trim_prefix(folder)
