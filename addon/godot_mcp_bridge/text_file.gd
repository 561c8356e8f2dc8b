@tool
extends RefCounted
## A text file as its bytes say: the text without the mark in front, which the file keeps, as it keeps its
## line ends.

const MARK: Array[int] = [0xef, 0xbb, 0xbf]

var bytes: PackedByteArray = []
var text := ""
## Why the bytes are no text, "" when they are.
var problem := ""

var _has_mark := false


func _init(path: String) -> void:
	if not FileAccess.file_exists(path):
		return
	bytes = FileAccess.get_file_as_bytes(path)
	_has_mark = bytes.size() >= 3 and Array(bytes.slice(0, 3)) == MARK
	var rest := bytes.slice(3) if _has_mark else bytes
	if rest.has(0):
		problem = "%s holds zero bytes, so it is no UTF-8 text" % path
		return
	text = rest.get_string_from_utf8()
	if text.to_utf8_buffer() != rest:
		problem = "%s is no UTF-8 text" % path


func sha256() -> String:
	return digest(bytes)


## The bytes of this text in the file's own manner; in a new file's when this one is empty.
func bytes_of(content: String) -> PackedByteArray:
	return bytes_as_is(in_own_line_ends(content.trim_prefix("\ufeff")))


## The same for a text whose line ends are meant as they are.
func bytes_as_is(content: String) -> PackedByteArray:
	var plain := content.to_utf8_buffer()
	return PackedByteArray(MARK) + plain if _has_mark else plain


## The text with the line ends that all lines of the file have; as it is where they differ or there is none.
func in_own_line_ends(content: String) -> String:
	var ends := text.count("\n")
	var long := text.count("\r\n")
	if ends == 0 or (long != 0 and long != ends):
		return content
	var short := content.replace("\r\n", "\n")
	return short if long == 0 else short.replace("\n", "\r\n")


static func digest(content: PackedByteArray) -> String:
	var context := HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	if not content.is_empty():
		context.update(content)
	return context.finish().hex_encode()


## The lines, each with its end.
static func lines_of(content: String) -> PackedStringArray:
	var lines: PackedStringArray = []
	for line in content.split("\n"):
		lines.append(line + "\n")
	var last := lines[-1].trim_suffix("\n")
	lines.remove_at(lines.size() - 1)
	if last != "":
		lines.append(last)
	return lines
