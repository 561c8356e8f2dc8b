@tool
extends RefCounted
## One property of all nodes of a class in a scene file that is not open, changed in the file's text: only the
## lines of that property, all other bytes stay. The engine reads the new text once before it is written, to
## see that it says what was wanted and nothing else.

const Classes := preload("classes.gd")
const Decode := preload("values_decode.gd")
const Dependencies := preload("dependencies.gd")
const Discovery := preload("discovery.gd")
const Levels := preload("packed_levels.gd")
const Properties := preload("properties.gd")
const Result := preload("result.gd")
const SceneText := preload("scene_text.gd")
const TextFile := preload("text_file.gd")
const Values := preload("values.gd")
const Writable := preload("writable.gd")
const Write := preload("property_write.gd")

## Names of properties that the engine writes even where they are as they would be anyway.
const PINNED := "metadata/_edit_pinned_properties_"
## From this format on files hold this type.
const VECTOR4_FORMAT := 4

var path := ""
var node_type := ""
var property := ""
var json: Variant
## The value as it was typed on a command line, or null.
var typed: Variant

## Nodes that change.
var modified := 0
var before: PackedByteArray = []
var after: PackedByteArray = []
var error: Dictionary = {}

var _file: TextFile
var _text: SceneText
var _nodes: Array[SceneText.Section] = []
## The node to be looked at next.
var _next := 0
var _format := 0
var _state: SceneState
var _levels: Levels = Levels.new()
## The order in which the engine writes properties, by class and script.
var _orders: Dictionary[Array, PackedStringArray] = {}
## Lines to put in front of a line: [line, text].
var _inserts: Array[Array] = []
## Lines that go: [from, to].
var _removes: Array[Array] = []
## What each changed node is to say, {name: value}, and what it is to say no longer, by its index.
var _wanted: Dictionary[int, Dictionary] = {}
var _dropped: Dictionary[int, PackedStringArray] = {}
## Ids of files that the scene did not use before.
var _new_ids: Dictionary[String, String] = {}


## Begins to work out the change, which step() goes on with, a node at a time, and finish() ends. `errors` gives
## what the engine said since it was last asked.
func begin(errors: Callable, preview: bool) -> void:
	_file = TextFile.new(path)
	error = _file_problem(_file, preview)
	if error.is_empty():
		error = _read(_file, errors)
	if error.is_empty():
		_nodes = _text.of_tag("node")


## False when no node is left, or something is wrong.
func step() -> bool:
	if not error.is_empty() or _next >= _nodes.size():
		return false
	error = _plan_node(_next, _nodes[_next])
	_next += 1
	return true


## How much of it is done, from 0 to 1.
func part() -> float:
	return float(_next) / maxi(_nodes.size(), 1)


func finish() -> void:
	if not error.is_empty():
		return
	modified = _wanted.size()
	before = _file.bytes
	after = before
	if modified > 0:
		after = _file.bytes_as_is(_changed_text())
		error = _check()


func _file_problem(file: TextFile, preview: bool) -> Dictionary:
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no scene %s: godot-mcp scene list" % path, "scenes"
		)
	if path.get_extension().to_lower() != "tscn" or file.problem != "":
		var why := file.problem if file.problem != "" else "%s is no text scene (.tscn)" % path
		return Result.fail(
			Result.VALIDATION, "%s: open it and use godot-mcp batch set-property" % why, "scenes"
		)
	if not file.bytes_as_is("").is_empty():
		return Result.fail(
			Result.VALIDATION,
			"%s begins with a byte order mark, which the engine does not read in scenes" % path,
			"scenes"
		)
	var unwritable := Writable.problem(path, preview)
	if unwritable != "":
		return Result.fail(Result.VALIDATION, unwritable, "scenes")
	return {}


## Reads the file, once as text and once with the engine, which says what its nodes are.
func _read(file: TextFile, errors: Callable) -> Dictionary:
	var needs := Dependencies.new()
	needs.follow(path)
	errors.call()
	var packed: PackedScene = null
	if needs.missing.is_empty():
		packed = (
			ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
			as PackedScene
		)
	if packed == null:
		return _unread(needs, errors.call() as PackedStringArray)
	_state = packed.get_state()
	_text = SceneText.new(file.text)
	var problem := _text.problem
	if problem == "" and _text.of_tag("node").size() != _state.get_node_count():
		problem = "the engine reads other nodes in it than stand there"
	if problem != "":
		return Result.fail(Result.VALIDATION, "%s: %s" % [path, problem], "scenes")
	var found := RegEx.create_from_string("\\bformat=(\\d+)").search(
		_text.heading(_text.sections[0])
	)
	_format = found.get_string(1).to_int() if found != null else 0
	return {}


func _unread(needs: Dependencies, errors: PackedStringArray) -> Dictionary:
	if not needs.missing.is_empty():
		return Result.fail(
			Result.PRECONDITION,
			"%s needs %s, which is not there" % [path, ", ".join(needs.missing)],
			"dependencies"
		)
	needs.reason = ""
	needs.judge_errors(errors)
	if needs.reason != "":
		return Result.fail(Result.PRECONDITION, "%s: %s" % [path, needs.reason], "godot_version")
	var why := errors[0] if not errors.is_empty() else "the engine did not say why"
	return Result.fail(Result.VALIDATION, "%s does not load as a scene: %s" % [path, why], "scenes")


func _plan_node(index: int, section: SceneText.Section) -> Dictionary:
	var levels := _levels.of(_state, Levels.path_of(_state, index))
	var type := Levels.type_of(levels)
	var values := Levels.values_of(levels)
	var script := values.get("script") as Script
	if not Classes.is_kind(type, script, node_type):
		return {}
	var changes := _changes(type, script, values)
	if changes.has("error"):
		return changes["error"]
	var own := levels[0].properties()
	for name: String in changes:
		var base: Variant = _base_value(levels, type, script, name)
		var is_pinned := (own.get(PINNED, []) as Array).has(name)
		var problem := {}
		if not is_pinned and not _differs(changes[name], base):
			_remove(index, section, name)
		else:
			problem = _put(index, section, name, changes[name], type, script)
		if not problem.is_empty():
			return problem
	return {}


## What the node's file is to say after the property was set: {name: value}. Empty when nothing changes, with
## {error} when it cannot be.
func _changes(type: String, script: Script, values: Dictionary) -> Dictionary:
	var info := Classes.script_info(script, property)
	if not info.is_empty():
		return _script_change(script, info, values)
	if not ClassDB.can_instantiate(type):
		return _refuse("%s is no class of this engine" % type, "scenes")
	var stand_in: Node = ClassDB.instantiate(type)
	for name: String in values:
		if name != "script" and Classes.script_info(script, name).is_empty():
			stand_in.set(name, values[name])
	var changes := _native_changes(stand_in)
	stand_in.free()
	return changes


func _native_changes(stand_in: Node) -> Dictionary:
	var place := Properties.resolve(stand_in, property)
	if place.problem != "":
		return _refuse(place.problem, "property")
	var decoded := Decode.decode(json, place.info, place.value(), null, typed)
	if decoded.has(Decode.PROBLEM):
		return _refuse("%s %s" % [property, decoded[Decode.PROBLEM]], "value", decoded)
	var is_told := Write.is_kept(stand_in, property)
	if not is_told and (stand_in is Control or property.begins_with("global_")):
		return _refuse(
			(
				"%s follows from where the node is: godot-mcp scene open %s, then batch set-property"
				% [property, path]
			),
			"property"
		)
	var outcome := Write.try_on(place, decoded[Decode.VALUE])
	if outcome.problem != "":
		return _refuse(outcome.problem, "value")
	if outcome.changes.is_empty() and outcome.is_changed:
		return _refuse("the engine does not write %s into files" % property, "property")
	return outcome.changes


func _script_change(script: Script, info: Dictionary, values: Dictionary) -> Dictionary:
	var present: Variant = values.get(property, Classes.default_in(script, "", property))
	if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
		return _refuse("%s is not exported, so files do not hold it" % property, "property")
	if Classes.holds_nodes(info):
		return _refuse(
			"%s holds nodes: godot-mcp scene open %s, then node set-property" % [property, path],
			"property"
		)
	var decoded := Decode.decode(json, info, present, null, typed)
	if decoded.has(Decode.PROBLEM):
		return _refuse("%s %s" % [property, decoded[Decode.PROBLEM]], "value", decoded)
	if Values.same(decoded[Decode.VALUE], present):
		return {}
	return {property: decoded[Decode.VALUE]}


func _refuse(why: String, required: String, decoded: Dictionary = {}) -> Dictionary:
	var code: String = decoded.get("code", Result.VALIDATION)
	return {"error": Result.fail(code, "%s: %s" % [path, why], required)}


## The value that the property has when the file itself says nothing.
static func _base_value(
	levels: Array[Levels.Level], type: String, script: Script, name: String
) -> Variant:
	for level: Levels.Level in levels.slice(1):
		var told := level.properties()
		if told.has(name):
			return told[name]
	return Classes.default_in(script, type, name)


## As the engine decides whether to write a property.
static func _differs(value: Variant, base: Variant) -> bool:
	if value is float and base is float:
		return not is_equal_approx(value as float, base as float)
	return typeof(value) != typeof(base) or value != base


func _remove(index: int, section: SceneText.Section, name: String) -> void:
	var line := section.property(name)
	if line == null:
		return
	_removes.append([line.from, line.to])
	_touch(index)
	_dropped[index].append(name)


func _put(
	index: int,
	section: SceneText.Section,
	name: String,
	value: Variant,
	type: String,
	script: Script
) -> Dictionary:
	var spelled := _spell(value)
	if spelled.has("error"):
		return spelled["error"]
	_touch(index)
	_wanted[index][name] = value
	var line := section.property(name)
	if line != null:
		_removes.append([line.from, line.to])
	var at := line.from if line != null else _place_for(section, name, type, script)
	_inserts.append([at, "%s = %s" % [SceneText.written(name), spelled["text"]]])
	return {}


func _touch(index: int) -> void:
	if not _wanted.has(index):
		_wanted[index] = {}
		_dropped[index] = PackedStringArray()


## The line in front of which the engine would write the property.
func _place_for(section: SceneText.Section, name: String, type: String, script: Script) -> int:
	if not _orders.has([type, script]):
		_orders[[type, script]] = Classes.stored_order(type, script)
	var order := _orders[[type, script]].duplicate()
	# Metadata comes last, and is in no list.
	if not order.has(name):
		order.append(name)
	var rank := order.find(name)
	var at := section.to
	for line in section.properties:
		if order.find(line.name) > rank or not order.has(line.name):
			return line.from
		at = line.to
	return at


## The engine's text of a value, {text} or {error}. What is in files of their own is an ExtResource.
func _spell(value: Variant) -> Dictionary:
	if typeof(value) == TYPE_PACKED_VECTOR4_ARRAY and _format < VECTOR4_FORMAT:
		return _refuse(
			(
				"a PackedVector4Array needs format %d, the file has %d: godot-mcp scene open %s"
				% [VECTOR4_FORMAT, _format, path]
			),
			"value"
		)
	if not _holds_object(value):
		return {"text": var_to_str(value)}
	var draft := _draft("value.tres")
	var holder := Resource.new()
	holder.set_meta("value", value)
	ResourceSaver.save(holder, draft)
	var text := SceneText.new(TextFile.new(draft).text)
	DirAccess.remove_absolute(draft)
	var home := text.of_tag("resource")
	var line := home[-1].property("metadata/value") if not home.is_empty() else null
	if line == null or not text.of_tag("sub_resource").is_empty():
		return _refuse(
			(
				"only resources with a file of their own go into a scene that is not open: godot-mcp scene open %s"
				% path
			),
			"value"
		)
	var spelled := text.value_of(line)
	for section in text.of_tag("ext_resource"):
		var id := text.attributes(section)["id"]
		spelled = spelled.replace(
			'ExtResource("%s")' % id, 'ExtResource("%s")' % _id_of(text, section)
		)
	return {"text": spelled}


static func _holds_object(value: Variant) -> bool:
	if value is Array:
		return (value as Array).any(_holds_object)
	if value is Dictionary:
		var entries := value as Dictionary
		return _holds_object(entries.keys()) or _holds_object(entries.values())
	return value is Object


## The scene's own id of the file that this entry of another text names, which is added where it is new.
func _id_of(text: SceneText, section: SceneText.Section) -> String:
	var wanted := text.attributes(section)
	var file := wanted["path"]
	if _new_ids.has(file):
		return _new_ids[file]
	var entries := _text.of_tag("ext_resource")
	var taken: PackedStringArray = []
	for entry in entries:
		var known := _text.attributes(entry)
		taken.append(known.get("id", ""))
		var is_same: bool = known.get("path", "") == file
		if is_same or (wanted.has("uid") and known.get("uid", "") == wanted["uid"]):
			return taken[-1]
	taken.append_array(PackedStringArray(_new_ids.values()))
	var number := taken.size() + 1
	var id := "%d_%s" % [number, wanted["id"].get_slice("_", 1)]
	while taken.has(id):
		number += 1
		id = "%d_%s" % [number, wanted["id"].get_slice("_", 1)]
	_new_ids[file] = id
	var heading := text.heading(section).strip_edges()
	heading = heading.replace(' id="%s"' % wanted["id"], ' id="%s"' % id)
	if entries.is_empty() and _new_ids.size() == 1:
		heading = _text.line_end() + heading
	_inserts.append([(entries[-1] if not entries.is_empty() else _text.sections[0]).to, heading])
	return id


## The whole text with the change. Lines of the file are taken as they are.
func _changed_text() -> String:
	var end := _text.line_end()
	var gone: Dictionary[int, bool] = {}
	for range_of in _removes:
		for i in range(range_of[0] as int, range_of[1] as int):
			gone[i] = true
	var new_at: Dictionary[int, String] = {}
	for insert in _inserts:
		new_at[insert[0]] = new_at.get(insert[0], "") + str(insert[1]) + end
	var out: PackedStringArray = []
	for i in _text.lines.size() + 1:
		if new_at.has(i):
			if not out.is_empty() and not out[-1].ends_with("\n"):
				out.append(end)
			out.append(new_at[i])
		if i < _text.lines.size() and not gone.has(i):
			out.append(_text.lines[i])
	return "".join(out)


## Reads the new text with the engine. The error that it does not say what it should, empty when it does.
func _check() -> Dictionary:
	var draft := _draft("scene.tscn")
	var file := FileAccess.open(draft, FileAccess.WRITE)
	var packed: PackedScene = null
	if file != null:
		file.store_buffer(after)
		file.close()
		packed = (
			ResourceLoader.load(draft, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
			as PackedScene
		)
		DirAccess.remove_absolute(draft)
	var now := packed.get_state() if packed != null else null
	if now != null and now.get_node_count() == _state.get_node_count():
		var is_right := true
		for i in now.get_node_count():
			is_right = is_right and _is_right(i, now)
		if is_right:
			return {}
	return (
		Result
		. fail(
			Result.INTERNAL,
			(
				"%s was left as it is, since the change cannot be made in its text alone: godot-mcp scene open %s"
				% [path, path]
			)
		)
	)


func _is_right(index: int, now: SceneState) -> bool:
	var wanted := Levels.Level.new(_state, index).properties()
	if _wanted.has(index):
		wanted.merge(_wanted[index], true)
		for name in _dropped[index]:
			wanted.erase(name)
	var got := Levels.Level.new(now, index).properties()
	if got.size() != wanted.size() or now.get_node_name(index) != _state.get_node_name(index):
		return false
	for name: String in wanted:
		if not got.has(name) or not _reads_as(got[name], wanted[name]):
			return false
	return true


## Built-in resources are read anew each time, so of those only the class is compared.
static func _reads_as(got: Variant, wanted: Variant) -> bool:
	if got is Resource and wanted is Resource:
		return (got as Object).get_class() == (wanted as Object).get_class()
	if _holds_object(got) or _holds_object(wanted):
		return typeof(got) == typeof(wanted)
	return Values.is_taken(wanted, got)


static func _draft(name: String) -> String:
	return ProjectSettings.globalize_path(Discovery.folder()).path_join(name)
