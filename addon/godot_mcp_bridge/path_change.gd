@tool
extends RefCounted
## A file or folder that gets another path, and what that makes of paths in texts and values.

const TreeFiles := preload("tree_files.gd")

## What follows a path in a text where it ends: a quote, its escape, or the place inside a file.
const ENDS := "\"'\\:"

static var _uid: RegEx = RegEx.create_from_string("uid://[a-y0-8]+")

var from := ""
var to := ""
var is_folder := false
## uids that get others, where files are copied.
var uids: Dictionary[String, String] = {}


## A text with its changes.
class Changed:
	extends RefCounted
	var text := ""
	var count := 0
	## Those that no list of external resources holds.
	var values := 0


static func between(path: String, new_path: String) -> RefCounted:
	var change: RefCounted = new()
	change.set("from", path)
	change.set("to", new_path)
	change.set("is_folder", DirAccess.dir_exists_absolute(path))
	return change


func reversed() -> RefCounted:
	var change: RefCounted = (get_script() as GDScript).new()
	change.set("from", to)
	change.set("to", from)
	change.set("is_folder", is_folder)
	return change


## True for what gets another path: itself, what is in the folder, what lies beside the file and belongs to it.
func concerns(path: String) -> bool:
	if not path.begins_with(from) or from == "":
		return false
	var rest := path.substr(from.length())
	return rest == "" or (rest.begins_with("/") if is_folder else rest in TreeFiles.SIDECARS)


## The path after the change, of a file or of a place inside one.
func of(path: String) -> String:
	var file := path.get_slice("::", 0)
	return to + path.substr(from.length()) if concerns(file) else path


## The value with the paths in it changed.
func in_value(value: Variant) -> Variant:
	match typeof(value):
		TYPE_STRING, TYPE_STRING_NAME:
			var text := str(value)
			var changed := _in_plain(text)
			if changed != text:
				return changed if value is String else StringName(changed)
		TYPE_PACKED_STRING_ARRAY:
			var texts := (value as PackedStringArray).duplicate()
			for i in texts.size():
				texts[i] = _in_plain(texts[i])
			return texts
		TYPE_ARRAY:
			var list := (value as Array).duplicate()
			for i in list.size():
				list[i] = in_value(list[i])
			return list
		TYPE_DICTIONARY:
			return _in_entries(value as Dictionary)
	return value


func _in_entries(entries: Dictionary) -> Dictionary:
	var changed := entries.duplicate()
	changed.clear()
	for key: Variant in entries:
		changed[in_value(key)] = in_value(entries[key])
	return changed


func _in_plain(text: String) -> String:
	var mark := "*" if text.begins_with("*") else ""
	var path := text.trim_prefix(mark)
	if not path.begins_with(from):
		return text
	return mark + to + path.substr(from.length()) if _ends_at(path, from.length()) else text


func _ends_at(text: String, at: int) -> bool:
	return at >= text.length() or ENDS.contains(text[at]) or (is_folder and text[at] == "/")


## The text with the change in all that is quoted in it.
func in_text(text: String) -> Changed:
	var changed := Changed.new()
	var parts: PackedStringArray = []
	var seen := 0
	var at := text.find(from)
	while at >= 0:
		var end := at + from.length()
		if at > 0 and text[at - 1] in ['"', "'", "*"] and _ends_at(text, end):
			parts.append(text.substr(seen, at - seen))
			parts.append(to.replace("'", "\\'") if text[at - 1] == "'" else to)
			seen = end
			changed.count += 1
			changed.values += 0 if text.substr(maxi(at - 6, 0), 6) == 'path="' else 1
		at = text.find(from, end)
	parts.append(text.substr(seen))
	changed.text = "".join(parts)
	if not uids.is_empty():
		_change_uids(changed)
	return changed


func _change_uids(changed: Changed) -> void:
	var parts: PackedStringArray = []
	var seen := 0
	for found in _uid.search_all(changed.text):
		if not uids.has(found.get_string()):
			continue
		var at := found.get_start()
		parts.append(changed.text.substr(seen, at - seen))
		parts.append(uids[found.get_string()])
		seen = found.get_end()
		# The uid in a heading goes with its path.
		changed.count += 0 if changed.text.substr(maxi(at - 5, 0), 5) == 'uid="' else 1
	parts.append(changed.text.substr(seen))
	changed.text = "".join(parts)
