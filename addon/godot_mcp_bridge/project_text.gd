@tool
extends RefCounted
## The text of project.godot, changed by one setting at a time: every other byte stays where it is. The engine's
## own save writes the whole file anew, without comments and without values that equal the defaults.

## What ends a value or has to be passed over inside one. Possessive, so that long strings cost no stack.
static var _mark: RegEx = RegEx.create_from_string(
	'"[^"\\\\]*+(?:\\\\[\\s\\S][^"\\\\]*+)*+"|[\\[\\](){};\\n]'
)
static var _quoted: RegEx = RegEx.create_from_string('"[^"\\\\]*+(?:\\\\[\\s\\S][^"\\\\]*+)*+"')

var text := ""

var _entries: Array[Entry] = []
var _sections: Array[Section] = []


## One setting in the text, from the first character of its key to behind its value.
class Entry:
	extends RefCounted
	var name := ""
	var begin := 0
	var value := 0
	var end := 0


## One section, from its bracket to the next one's; the first has no header.
class Section:
	extends RefCounted
	var name := ""
	var begin := 0
	var body := 0
	var end := 0
	## Where a further setting goes: behind the last one, or behind the header.
	var last := 0
	var count := 0


func _init(content: String) -> void:
	text = content
	_scan()


## The value as it is written; null where the setting has no line. Of several the last one counts.
func value_of(name: String) -> Variant:
	var found: Variant = null
	for entry in _entries:
		if entry.name == name:
			found = text.substr(entry.value, entry.end - entry.value)
	return found


## The text with this value, as the engine writes values, or without the setting when it is null.
func with(name: String, value: Variant) -> String:
	return _without(name) if value == null else _with(name, value as String)


func _with(name: String, value: String) -> String:
	var eol := _eol()
	value = _in_line_ends(value, eol)
	for i in range(_entries.size() - 1, -1, -1):
		if _entries[i].name == name:
			return text.left(_entries[i].value) + value + text.substr(_entries[i].end)
	var section := name.get_slice("/", 0) if name.contains("/") else ""
	var line := encoded_key(name.trim_prefix(section + "/")) + "=" + value + eol
	for i in range(_sections.size() - 1, -1, -1):
		if _sections[i].name == section:
			return _into(_sections[i], line, eol)
	var whole := text
	if whole != "" and not whole.ends_with("\n"):
		whole += eol
	return whole + eol + "[" + section + "]" + eol + eol + line


func _into(section: Section, line: String, eol: String) -> String:
	var at := _line_end(section.last)
	var before := text.left(at)
	if before != "" and not before.ends_with("\n"):
		before += eol
	if section.count == 0 and section.name != "":
		before += eol
	return before + line + text.substr(at)


func _without(name: String) -> String:
	var rest := text
	for i in range(_entries.size() - 1, -1, -1):
		var entry := _entries[i]
		if entry.name == name:
			rest = rest.left(_line_begin(entry.begin)) + rest.substr(_line_end(entry.end))
	if rest == text:
		return text
	var section := name.get_slice("/", 0) if name.contains("/") else ""
	return rest if section == "" else _without_empty(rest, section)


## A section that was given up with its last setting goes too, unless something is written in it.
func _without_empty(rest: String, name: String) -> String:
	var parsed: RefCounted = (get_script() as GDScript).new(rest)
	var sections: Array[Section] = parsed.get("_sections")
	for i in range(sections.size() - 1, -1, -1):
		var section := sections[i]
		var body := rest.substr(section.body, section.end - section.body)
		if section.name != name or body.strip_edges() != "":
			continue
		var before := rest.left(section.begin)
		if section.end == rest.length():
			before = before.strip_edges(false, true) + _eol() if before.strip_edges() != "" else ""
		rest = before + rest.substr(section.end)
	return rest


## A key as the engine writes it.
static func encoded_key(key: String) -> String:
	for i in key.length():
		var code := key.unicode_at(i)
		if code < 33 or code > 126 or '="[];'.contains(key[i]):
			return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
	return key


## The settings by name with their values as text, as the engine's own parser reads them; null when it cannot.
static func read(content: String) -> Variant:
	var file := ConfigFile.new()
	if file.parse(content) != OK:
		return null
	var out := {}
	for section in file.get_sections():
		for key in file.get_section_keys(section):
			var name := key if section == "" else section + "/" + key
			out[name] = var_to_str(file.get_value(section, key))
	return out


func _scan() -> void:
	_begin_section("", 0, 0)
	var at := 0
	while at < text.length():
		var code := text.unicode_at(at)
		if code <= 32 or code == 0xfeff:
			at += 1
		elif code == 59:  # ;
			at = _line_end(at)
		elif code == 91:  # [
			var close := text.find("]", at)
			close = close if close >= 0 else text.length() - 1
			_begin_section(text.substr(at + 1, close - at - 1), _line_begin(at), close + 1)
			at = close + 1
		else:
			at = _take_entry(at)
	_sections[-1].end = text.length()


func _begin_section(name: String, begin: int, body: int) -> void:
	if not _sections.is_empty():
		_sections[-1].end = begin
	var section := Section.new()
	section.name = name
	section.begin = begin
	section.body = body
	section.last = body
	_sections.append(section)


## Reads one setting and returns where it ends.
func _take_entry(begin: int) -> int:
	var equals := text.find("=", begin)
	var key := ""
	if text[begin] == '"':
		var quoted := _quoted.search(text, begin)
		if quoted != null:
			key = quoted.get_string().trim_prefix('"').trim_suffix('"').c_unescape()
			equals = text.find("=", quoted.get_end())
	if equals < 0:
		return text.length()
	if key == "":
		key = text.substr(begin, equals - begin)
		for blank: String in [" ", "\t", "\r", "\n"]:
			key = key.replace(blank, "")
	var section := _sections[-1]
	var entry := Entry.new()
	entry.name = key if section.name == "" else section.name + "/" + key
	entry.begin = begin
	entry.value = equals + 1
	while entry.value < text.length() and text.unicode_at(entry.value) <= 32:
		entry.value += 1
	entry.end = _value_end(entry.value)
	_entries.append(entry)
	section.last = entry.end
	section.count += 1
	return maxi(entry.end, equals + 1)


func _value_end(begin: int) -> int:
	var depth := 0
	var at := begin
	while true:
		var found := _mark.search(text, at)
		if found == null:
			return begin + text.substr(begin).strip_edges(false, true).length()
		var mark := found.get_string()
		at = found.get_end()
		if mark in ["(", "[", "{"]:
			depth += 1
		elif mark in [")", "]", "}"]:
			depth -= 1
		elif depth > 0 and mark == ";":
			at = _line_end(at)
		elif depth <= 0 and mark in [";", "\n"]:
			var value := text.substr(begin, found.get_start() - begin)
			return begin + value.strip_edges(false, true).length()
	return begin


func _line_begin(at: int) -> int:
	return text.rfind("\n", at - 1) + 1 if at > 0 else 0


## Behind the end of the line.
func _line_end(at: int) -> int:
	var end := text.find("\n", at)
	return end + 1 if end >= 0 else text.length()


func _eol() -> String:
	return "\r\n" if text.contains("\r\n") else "\n"


## The value with these line ends between its parts; what is inside strings stays.
static func _in_line_ends(value: String, eol: String) -> String:
	if eol == "\n" or not value.contains("\n"):
		return value
	var out := ""
	var at := 0
	for quoted in _quoted.search_all(value):
		out += value.substr(at, quoted.get_start() - at).replace("\n", eol) + quoted.get_string()
		at = quoted.get_end()
	return out + value.substr(at).replace("\n", eol)
