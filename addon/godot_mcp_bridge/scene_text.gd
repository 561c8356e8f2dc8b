@tool
extends RefCounted
## The text of a scene or resource file as sections and properties, each with its lines, so that one property
## can be changed and every other byte stays. Values stay in the engine's spelling.

const TextFile := preload("text_file.gd")

static var _attribute: RegEx = RegEx.create_from_string('(\\w+)="((?:[^"\\\\]|\\\\.)*)"')


## Lines count from 0, `to` is the one behind.
class Property:
	extends RefCounted
	var name := ""
	var from := 0
	var to := 0


class Section:
	extends RefCounted
	var tag := ""
	var from := 0
	## The line behind the heading.
	var to := 0
	var properties: Array[Property] = []

	func property(name: String) -> Property:
		for each in properties:
			if each.name == name:
				return each
		return null


var lines: PackedStringArray = []
var sections: Array[Section] = []
## Why the text cannot be taken apart, "" when it can.
var problem := ""


func _init(text: String) -> void:
	lines = TextFile.lines_of(text)
	var at := 0
	while at < lines.size() and problem == "":
		var line := lines[at].strip_edges()
		if line == "" or line.begins_with(";"):
			at += 1
			continue
		var to := _end_of(at)
		if to < 0:
			problem = "what begins in line %d does not end" % (at + 1)
		elif line.begins_with("["):
			_add_section(line, at, to)
		else:
			_add_property(line, at, to)
		at = to


func text() -> String:
	return "".join(lines)


func of_tag(tag: String) -> Array[Section]:
	return sections.filter(func(section: Section) -> bool: return section.tag == tag)


func heading(section: Section) -> String:
	return "".join(lines.slice(section.from, section.to))


## The attributes of a heading that are texts.
func attributes(section: Section) -> Dictionary[String, String]:
	var out: Dictionary[String, String] = {}
	for found in _attribute.search_all(heading(section)):
		out[found.get_string(1)] = found.get_string(2).c_unescape()
	return out


## The value as it is written.
func value_of(property: Property) -> String:
	return "".join(lines.slice(property.from, property.to)).split("=", true, 1)[1].strip_edges()


## The end of line of the file.
func line_end() -> String:
	return "\r\n" if not lines.is_empty() and lines[0].ends_with("\r\n") else "\n"


## A property's name as the engine writes it.
static func written(name: String) -> String:
	for i in name.length():
		var code := name.unicode_at(i)
		if code < 33 or code > 126 or name[i] in ["=", '"', ";", "[", "]"]:
			return '"%s"' % name.replace("\\", "\\\\").replace('"', '\\"')
	return name


func _add_section(line: String, from: int, to: int) -> void:
	var section := Section.new()
	section.tag = line.substr(1).get_slice(" ", 0).get_slice("]", 0)
	section.from = from
	section.to = to
	sections.append(section)


func _add_property(line: String, from: int, to: int) -> void:
	var property := Property.new()
	property.from = from
	property.to = to
	property.name = line.get_slice("=", 0).strip_edges()
	if line.begins_with('"'):
		property.name = line.substr(1, maxi(_after_quote(line, 1) - 2, 0)).c_unescape()
	if sections.is_empty() or not line.contains("="):
		problem = "line %d is neither a section nor a property" % (from + 1)
		return
	sections[-1].properties.append(property)


## The line behind the one in which what begins here ends: all brackets and quotes are closed. -1 when it
## does not.
func _end_of(from: int) -> int:
	var depth := 0
	var is_quoted := false
	for i in range(from, lines.size()):
		var line := lines[i]
		var at := 0
		while at >= 0:
			if is_quoted:
				at = _after_quote(line, at)
				is_quoted = at < 0
				continue
			var quote := line.find('"', at)
			var plain := line.substr(at, quote - at if quote >= 0 else -1)
			if plain.contains(";"):
				plain = plain.get_slice(";", 0)
				quote = -1
			depth += plain.count("[") + plain.count("(") + plain.count("{")
			depth -= plain.count("]") + plain.count(")") + plain.count("}")
			is_quoted = quote >= 0
			at = quote + 1 if is_quoted else -1
		if not is_quoted and depth <= 0:
			return i + 1
	return -1


## The place behind the quote that ends a text, -1 when it does not end in this line.
static func _after_quote(line: String, from: int) -> int:
	var at := line.find('"', from)
	while at >= 0:
		var slashes := 0
		while at - slashes > from and line[at - slashes - 1] == "\\":
			slashes += 1
		if slashes % 2 == 0:
			return at + 1
		at = line.find('"', at + 1)
	return -1
