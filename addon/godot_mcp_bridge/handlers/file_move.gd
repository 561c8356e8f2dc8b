@tool
extends RefCounted
## Files that get another path: move.

const Checks := preload("../file_checks.gd")
const Context := preload("../context.gd")
const FileLook := preload("../file_look.gd")
const FileStep := preload("../file_step.gd")
const LiveFiles := preload("../live_files.gd")
const PathChange := preload("../path_change.gd")
const References := preload("../references.gd")
const Result := preload("../result.gd")
const SettingsFile := preload("../settings_file.gd")
const SettingsStep := preload("../settings_step.gd")
const TextFile := preload("../text_file.gd")
const TreeFiles := preload("../tree_files.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"file.move": move}


func move(params: Dictionary) -> Dictionary:
	var refused := _refusal(params)
	if not refused.is_empty():
		return refused
	var path := Checks.path_in(params, "path")
	var change: PathChange = PathChange.between(path, Checks.path_in(params, "new_path"))
	var references := References.new(change)
	return FileLook.new(_context, "file.move", references, _move.bind(references, params)).start()


static func _refusal(params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var new_path := Checks.path_in(params, "new_path")
	var refused := Checks.source(path, "move %s %s" % [path.get_basename(), new_path])
	if refused.is_empty():
		refused = Checks.target(path, new_path, bool(params.get("dry_run", false)))
	return refused


func _move(references: References, params: Dictionary) -> Dictionary:
	var change := references.change
	var path := change.from
	var new_path := change.to
	var dry := bool(params.get("dry_run", false))
	var refused := _refusal(params)
	if refused.is_empty():
		refused = Checks.same_kind(change)
	if refused.is_empty():
		refused = Checks.unsaved(_context, LiveFiles.heirs_of(change))
	if refused.is_empty():
		refused = _reason_not_to_change(references, dry)
	if refused.is_empty() and _context.undo_redo.is_gathering():
		refused = _reason_not_in_batch(change)
	if not refused.is_empty():
		return refused
	var answer := {
		"old_path": path,
		"new_path": new_path,
		"updated_refs": references.listed(),
		"moved": true,
		"dry_run": dry,
		"persisted": true,
		"undoable": true,
	}
	if not references.left.is_empty():
		answer["not_updated"] = references.left
		answer["hint"] = (
			"%s: the old path stands there still, change it by hand: godot-mcp file search --content %s"
			% [", ".join(references.left.slice(0, 3)), path]
		)
	if dry:
		return answer
	var step := _step(change, references)
	var problem := step.carry_out()
	if problem != "":
		return Result.fail(Result.INTERNAL, "nothing was moved: %s" % problem)
	step.commit()
	answer["moved"] = TreeFiles.exists(new_path) and not TreeFiles.is_in_the_way(new_path, path)
	if not step.stuck.is_empty():
		var hint := (
			"the editor compiles %s, which need each other, again after godot-mcp editor restart"
			% ", ".join(step.stuck.slice(0, 3))
		)
		answer["hint"] = hint if not answer.has("hint") else "%s; %s" % [answer["hint"], hint]
	return Checks.settled(_context, answer)


func _reason_not_to_change(references: References, preview: bool) -> Dictionary:
	var paths: PackedStringArray = []
	for entry in references.found:
		paths.append(entry.path)
	var refused := Checks.unsaved(_context, paths)
	if not refused.is_empty() or references.settings.is_empty():
		return refused
	refused = SettingsFile.problem(preview)
	if refused.is_empty() and not SettingsFile.is_exact(_settings_text(), references.settings):
		var why := "%s is written in a way that cannot be changed by one line" % SettingsFile.PATH
		refused = Result.fail(Result.INTERNAL, why)
	return refused


## Scenes that inherit from it may have to be read again, and steps that are gathered hold their nodes.
static func _reason_not_in_batch(change: PathChange) -> Dictionary:
	for path in LiveFiles.heirs_of(change):
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s inherits from it and is open: move it by itself, not in a batch: godot-mcp file move --help"
					% path
				),
				"path"
			)
		)
	return {}


static func _settings_text() -> TextFile:
	return TextFile.new(SettingsFile.PATH)


func _step(change: PathChange, references: References) -> FileStep:
	var step := FileStep.new()
	step.context = _context
	step.change = change
	for path in TreeFiles.with_sidecars(change.from):
		step.moves.append(PackedStringArray([path, change.of(path)]))
	step.moved = TreeFiles.resources(change.from)
	step.ids = TreeFiles.uids_of(step.moved)
	for entry in references.found:
		var edit := FileStep.Edit.new()
		edit.path = entry.path
		edit.before = entry.before
		edit.after = entry.after
		edit.values = entry.values
		step.edits.append(edit)
	if not references.settings.is_empty():
		step.settings = SettingsStep.new()
		step.settings.states = references.settings
	return step
