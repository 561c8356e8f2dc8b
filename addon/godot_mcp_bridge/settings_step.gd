@tool
extends RefCounted
## One change of settings that can be undone: what they are to be next, by name. Each swap keeps what was there.

const ProjectText := preload("project_text.gd")
const Result := preload("result.gd")
const SettingsFile := preload("settings_file.gd")
const TextFile := preload("text_file.gd")
const UndoSteps := preload("undo_steps.gd")

var states: Dictionary[String, Dictionary] = {}
var _written: PackedByteArray = []
var _before: PackedByteArray = []


## Takes the states and keeps what was there. When nobody else changed the file since the last time, it gets
## its very bytes back.
func swap() -> void:
	if not swaps():
		push_error("godot-mcp: cannot write %s" % SettingsFile.PATH)


## The same for who can do something about it: false when nothing was changed.
func swaps() -> bool:
	SettingsFile.flush()
	var file := TextFile.new(SettingsFile.PATH)
	var parsed := ProjectText.new(file.text)
	var now: Dictionary[String, Dictionary] = {}
	for name in states:
		now[name] = SettingsFile.state_of(name, parsed)
	var next := _before
	if _written.is_empty() or file.bytes != _written:
		next = SettingsFile.edited(file, states)
	var asks := not SettingsFile.unknown_to_editor(file).is_empty()
	for name in states:
		_set_live(name, states[name])
	if not SettingsFile.write(next, asks):
		for name in now:
			_set_live(name, now[name])
		return false
	_before = file.bytes
	_written = next
	SettingsFile.refresh(states.keys())
	states = now
	return true


static func _set_live(name: String, state: Dictionary) -> void:
	ProjectSettings.set_setting(name, state["live"])
	if state["live"] != null and state.has("order"):
		ProjectSettings.set_order(name, state["order"] as int)


## Carries the states out as the one undo step of the command; in a preview only what speaks against it is
## looked for. {error}, or {changed, hint}. open_step begins the step.
static func carry_out(
	states: Dictionary[String, Dictionary], undo_redo: UndoSteps, open_step: Callable, preview: bool
) -> Dictionary:
	var refused := SettingsFile.problem(preview)
	if not refused.is_empty():
		return {"error": refused}
	var file := TextFile.new(SettingsFile.PATH)
	var parsed := ProjectText.new(file.text)
	if not SettingsFile.is_exact(file, states):
		return {
			"error":
			Result.fail(
				Result.INTERNAL,
				"%s is written in a way that cannot be changed by one line" % SettingsFile.PATH
			)
		}
	if states.keys().all(_is_same.bind(states, parsed)):
		return {"changed": false, "hint": ""}
	var hint := _hint(file, states)
	if not preview:
		var step: RefCounted = new()
		step.states = states.duplicate()
		step.swap()
		if FileAccess.get_file_as_bytes(SettingsFile.PATH) != step._written:
			return {"error": Result.fail(Result.INTERNAL, "%s was not written" % SettingsFile.PATH)}
		open_step.call(step)
		undo_redo.add_do_method(step, "swap")
		undo_redo.add_undo_method(step, "swap")
		undo_redo.commit_action(false)
	return {"changed": true, "hint": hint}


static func _is_same(
	name: String, states: Dictionary[String, Dictionary], parsed: ProjectText
) -> bool:
	var now := SettingsFile.state_of(name, parsed)
	return (
		now["text"] == states[name]["text"]
		and var_to_str(now["live"]) == var_to_str(states[name]["live"])
	)


static func _hint(file: TextFile, states: Dictionary[String, Dictionary]) -> String:
	var others: PackedStringArray = []
	for name in SettingsFile.unknown_to_editor(file):
		if not states.has(name):
			others.append(name)
	if others.is_empty():
		return ""
	return (
		"the editor has other values than the file in %s, and loses those of the file when it saves: godot-mcp editor restart"
		% ", ".join(others.slice(0, 3))
	)
