@tool
extends RefCounted
## Settings of the project, in the running editor and in project.godot at once: one setting is one line of the
## file, and undo gives both back.
##
## The editor writes the whole file anew when a person changes something in its own dialogs, 1.5 s later. What
## is set here is in memory too, so that such a save holds it.
##
## A state is {live, order, text}: a live value of null is no setting at all, a text of null no line.

const ProjectText := preload("project_text.gd")
const Result := preload("result.gd")
const ScriptFiles := preload("script_files.gd")
const TextFile := preload("text_file.gd")
const Writable := preload("writable.gd")

const PATH := "res://project.godot"
const FEATURES := "application/config/features"

## The settings of the file, as text, that the editor knows of.
static var _seen: Dictionary = {}


## The state of a setting that has this value.
static func with_value(value: Variant) -> Dictionary:
	return {"live": value, "text": var_to_str(value)}


## The state of a setting that has no line: the engine's default, or nothing when it has none.
static func without_line(name: String) -> Dictionary:
	return {"live": default_of(name), "text": null}


static func state_of(name: String, parsed: ProjectText) -> Dictionary:
	var state := {"live": null, "text": parsed.value_of(name)}
	if ProjectSettings.has_setting(name):
		state["live"] = ProjectSettings.get_setting(name)
		state["order"] = ProjectSettings.get_order(name)
	return state


## What the engine, or a plugin, gave the setting to begin with; null for one that only the project knows.
static func default_of(name: String) -> Variant:
	return ProjectSettings.property_get_revert(name) if ProjectSettings.has_setting(name) else null


## Why the file cannot be changed now, empty when nothing speaks against it.
static func problem(preview: bool) -> Dictionary:
	var why := Writable.problem(PATH, preview)
	if why == "":
		var file := TextFile.new(PATH)
		why = file.problem
		if why == "" and ProjectText.read(file.text) == null:
			why = "%s does not parse: mend it first" % PATH
	return Result.fail(Result.PRECONDITION, why) if why != "" else {}


static func edited(file: TextFile, states: Dictionary[String, Dictionary]) -> PackedByteArray:
	var content := file.text
	for name in states:
		content = ProjectText.new(content).with(name, states[name]["text"])
	var plain := content.to_utf8_buffer()
	var marked := file.bytes.slice(0, 3) == PackedByteArray(TextFile.MARK)
	return PackedByteArray(TextFile.MARK) + plain if marked else plain


## Whether the engine reads the edited text as the old one with just these settings changed.
static func is_exact(file: TextFile, states: Dictionary[String, Dictionary]) -> bool:
	var before: Variant = ProjectText.read(file.text)
	var bytes := edited(file, states)
	var text := bytes.get_string_from_utf8().trim_prefix("\ufeff")
	var after: Variant = ProjectText.read(text)
	if after == null:
		return false
	var wanted := before as Dictionary
	for name in states:
		wanted.erase(name)
		if states[name]["text"] != null:
			wanted[name] = var_to_str(states[name]["live"])
	return wanted == after


## Writes the file behind a save of the engine's own, after which the editor does not take it for one that
## another program changed. That goes by the file's time in whole seconds. `asks` leaves that to the editor,
## which then asks the person at it.
static func write(bytes: PackedByteArray, asks: bool = false) -> bool:
	if asks:
		return ScriptFiles.Step.put_bytes(PATH, bytes)
	_seen = ProjectText.read(bytes.get_string_from_utf8().trim_prefix("\ufeff"))
	for attempt in 3:
		_save()
		var noted := FileAccess.get_modified_time(PATH)
		if not ScriptFiles.Step.put_bytes(PATH, bytes):
			return false
		if FileAccess.get_modified_time(PATH) <= noted:
			break
	return true


## Takes note of the file: what is in it now the editor has read or written. Some old settings it reads as
## others, so that the two need not be the same.
static func note() -> void:
	var written: Variant = ProjectText.read(TextFile.new(PATH).text)
	_seen = written if written is Dictionary else {}


## Settings that somebody else changed in the file since the last look, and that the editor has otherwise. Its
## own save would put its values in their place.
static func unknown_to_editor(file: TextFile) -> PackedStringArray:
	var out: PackedStringArray = []
	var written: Dictionary = ProjectText.read(file.text)
	for name: String in written:
		if written[name] != _seen.get(name) and written[name] != _live_text(name):
			out.append(name)
	for name: String in _seen:
		if not written.has(name) and _live_text(name) != var_to_str(default_of(name)):
			out.append(name)
	return out


static func _live_text(name: String) -> String:
	return var_to_str(ProjectSettings.get_setting(name, null))


## What the engine itself would write, with all that is not the default. It is in the file then.
static func engine_text() -> String:
	_save()
	return FileAccess.get_file_as_string(PATH)


## The engine brings the list of features up to date when it saves. That is not what the project said.
static func _save() -> void:
	var features: Variant = ProjectSettings.get_setting(FEATURES)
	ProjectSettings.save()
	ProjectSettings.set_setting(FEATURES, features)


## Has the editor write now what it was going to write a moment later.
static func flush() -> void:
	var dialog := _dialog()
	if dialog == null:
		return
	for child in dialog.get_children(true):
		var timer := child as Timer
		if timer != null and not timer.is_stopped():
			timer.stop()
			timer.timeout.emit()


## Makes the editor's own dialog show what the settings are now.
static func refresh(names: Array) -> void:
	var dialog := _dialog()
	if dialog == null:
		return
	var is_of := func(name: String, section: String) -> bool: return name.begins_with(section)
	if names.any(is_of.bind("input/")):
		_tell(dialog, "_update_action_map_editor")
	if names.any(is_of.bind("autoload/")):
		_tell(_part(dialog, "EditorAutoloadSettings"), "update_autoload")
	if dialog.visible:
		_tell(_part(dialog, "SectionedInspector"), "update_category_list")


static func _dialog() -> Window:
	# Beside the editor's whole interface, in which a search takes long.
	var found := EditorInterface.get_base_control().find_children(
		"*", "ProjectSettingsEditor", false, false
	)
	return found[0] as Window if not found.is_empty() else null


static func _part(node: Node, type: String) -> Node:
	var found := node.find_children("*", type, true, false)
	return found[0] if not found.is_empty() else null


static func _tell(node: Node, method: String) -> void:
	if node != null and node.has_method(method):
		node.call(method)
