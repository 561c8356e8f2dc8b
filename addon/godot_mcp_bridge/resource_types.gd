@tool
extends RefCounted
## The class of what a resource file holds, where that is one of the project, too.

## What the editor calls files that are no resources.
const NO_RESOURCE: Array[String] = ["", "TextFile", "OtherFile"]
const TEXT_HEADER := "[gd_resource "
## A binary resource file, and one in compressed blocks.
const BINARY := "RSRC"
const COMPRESSED := "RSCC"
## Where the class stands behind that, and the flag for a class of the project behind it.
const CLASS_AT := 20
const HAS_SCRIPT_CLASS := 8
const MAX_HEAD := 4096

static var _script_class: RegEx = RegEx.create_from_string('\\bscript_class="([^"]*)"')


## The class of a file that the editor takes for this type: the project's own class where its header has one.
static func type_of(path: String, type: String) -> String:
	if path.get_extension() == "tres":
		var file := FileAccess.open(path, FileAccess.READ)
		var header := file.get_line() if file != null else ""
		var found := _script_class.search(header) if header.begins_with(TEXT_HEADER) else null
		return found.get_string(1) if found != null else type
	if path.get_extension() == "res":
		var name := _binary_script_class(path)
		return name if name != "" else type
	return type


static func _binary_script_class(path: String) -> String:
	var head := _binary_head(path)
	if head.size() < CLASS_AT + 4 or head.decode_u32(0) != 0:
		return ""
	# The class, then 8 bytes for import, the flags, and 8 bytes for the uid.
	var flags_at := CLASS_AT + 4 + head.decode_u32(CLASS_AT) + 8
	if flags_at + 16 > head.size() or not head.decode_u32(flags_at) & HAS_SCRIPT_CLASS:
		return ""
	var name_at := flags_at + 16
	return head.slice(name_at, name_at + head.decode_u32(flags_at + 12)).get_string_from_utf8()


## The first bytes of a binary resource file, without those that say what it is.
static func _binary_head(path: String) -> PackedByteArray:
	var file := FileAccess.open(path, FileAccess.READ)
	var kind := file.get_buffer(4).get_string_from_ascii() if file != null else ""
	if kind == BINARY:
		return file.get_buffer(MAX_HEAD)
	if kind != COMPRESSED:
		return []
	var mode := file.get_32()
	var block := file.get_32()
	var total := file.get_32()
	var size := file.get_32()
	if block == 0 or size > file.get_length():
		return []
	# The sizes of all blocks come first.
	file.seek(16 + 4 * (total / block + 1))
	return file.get_buffer(size).decompress(mini(block, total), mode)


static func is_known(name: String) -> bool:
	if ClassDB.class_exists(name):
		return true
	return ProjectSettings.get_global_class_list().any(
		func(entry: Dictionary) -> bool: return entry["class"] == name
	)


## Without a wanted class scenes and scripts are left out, which have lists of their own.
static func takes(type: String, wanted: String) -> bool:
	if type in NO_RESOURCE:
		return false
	if wanted == "":
		return not is_a(type, "PackedScene") and not is_a(type, "Script")
	return is_a(type, wanted)


static func is_a(type: String, wanted: String) -> bool:
	if type == wanted:
		return true
	if ClassDB.class_exists(type):
		return ClassDB.class_exists(wanted) and ClassDB.is_parent_class(type, wanted)
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == type and entry["base"] != type:
			return is_a(str(entry["base"]), wanted)
	# A class of the project that is not there any more.
	return wanted == "Resource"
