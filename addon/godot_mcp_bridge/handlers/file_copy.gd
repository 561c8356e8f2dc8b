@tool
extends RefCounted
## Copies of files and folders: copy.

const Checks := preload("../file_checks.gd")
const Context := preload("../context.gd")
const FileCopy := preload("../file_copy.gd")
const FileLook := preload("../file_look.gd")
const FileStep := preload("../file_step.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const TreeFiles := preload("../tree_files.gd")
const Writable := preload("../writable.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"file.copy": copy}


func copy(params: Dictionary) -> Dictionary:
	var refused := _refusal(params)
	if not refused.is_empty():
		return refused
	var path := Checks.path_in(params, "path")
	var copied := FileCopy.new(path, Checks.path_in(params, "new_path"))
	return FileLook.new(_context, "file.copy", copied, _copy.bind(copied, params)).start()


static func _refusal(params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var new_path := Checks.path_in(params, "new_path")
	var refused := Checks.source(path, "copy %s %s" % [path.get_basename(), new_path])
	if refused.is_empty():
		refused = Checks.target(path, new_path, bool(params.get("dry_run", false)))
	if refused.is_empty() and TreeFiles.exists(new_path):
		refused = Checks.invalid("%s is %s to this file system" % [new_path, path], "new_path")
	return refused


func _copy(copied: FileCopy, params: Dictionary) -> Dictionary:
	var path := copied.change.from
	var new_path := copied.change.to
	var dry := bool(params.get("dry_run", false))
	var refused := _refusal(params)
	if refused.is_empty():
		refused = Checks.same_kind(copied.change)
	if refused.is_empty() and not Writable.has_room(new_path, copied.size):
		refused = Checks.invalid("%s needs more room than its disk has" % new_path, "new_path")
	if not refused.is_empty():
		return refused
	var answer := {
		"path": path,
		"new_path": new_path,
		"copied": true,
		"new_uid": null,
		"updated_refs": copied.references,
		"dry_run": dry,
		"persisted": true,
		"undoable": true,
	}
	var hint := _hint(path, copied)
	if hint != "":
		answer["hint"] = hint
	return answer if dry else _carried_out(copied, answer)


func _carried_out(copied: FileCopy, answer: Dictionary) -> Dictionary:
	var change := copied.change
	var step := FileStep.new()
	step.context = _context
	step.folders = TreeFiles.missing_folders(change.to)
	var problem := copied.write()
	if problem != "":
		return Result.fail(Result.INTERNAL, "nothing was copied: %s" % problem)
	var kept := TreeFiles.removed_place()
	var pair: PackedStringArray = [kept.path_join(change.to.get_file()), change.to]
	step.moves = [pair]
	step.made = copied.made
	step.ids = copied.ids
	step.namesakes = copied.twins
	step.is_done = true
	step.follow(true)
	step.commit()
	if not change.is_folder and copied.ids.has(change.to):
		answer["new_uid"] = ResourceUID.id_to_text(copied.ids[change.to])
	answer["copied"] = TreeFiles.exists(change.to)
	return Checks.settled(_context, answer)


func _hint(path: String, copied: FileCopy) -> String:
	var hints: PackedStringArray = []
	for scene in EditorInterface.get_open_scenes():
		if copied.change.concerns(scene) and _context.scenes.is_dirty(scene):
			hints.append(
				(
					"changes of %s that were not saved are not in the copy: godot-mcp scene save"
					% scene
				)
			)
	if not copied.twins.is_empty():
		(
			hints
			. append(
				(
					"the copy of %s declares the same class_name, give it another: godot-mcp script patch"
					% ", ".join(copied.twins.slice(0, 3))
				)
			)
		)
	if not copied.left.is_empty():
		(
			hints
			. append(
				(
					"%s is binary and names the originals still: godot-mcp resource list-dependencies %s"
					% [", ".join(copied.left.slice(0, 3)), path]
				)
			)
		)
	return "; ".join(hints)
