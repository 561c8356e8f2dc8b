@tool
extends RefCounted
## Files and folders that are taken out: delete.

const Checks := preload("../file_checks.gd")
const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const FileLook := preload("../file_look.gd")
const FileStep := preload("../file_step.gd")
const FileUsers := preload("../file_users.gd")
const Result := preload("../result.gd")
const TreeFiles := preload("../tree_files.gd")

const ACTION := "file delete"
## Users named in the hint.
const MAX_NAMED := 5

var _context: Context


## A deletion that waits for tabs to close: the engine closes the one in front only.
class Closing:
	extends RefCounted
	var context: Context
	var path := ""
	var answer: Dictionary = {}
	var tabs: PackedStringArray = []
	var _front := ""
	var _is_begun := false

	func poll() -> Dictionary:
		if context.scenes.settling:
			return {}
		var root := EditorInterface.get_edited_scene_root()
		var shown := root.scene_file_path if root != null else ""
		if not _is_begun:
			_is_begun = true
			_front = shown if not shown in tabs else ""
		if not tabs.is_empty():
			_close(shown)
			return {}
		if _front != "" and shown != _front and EditorInterface.get_open_scenes().has(_front):
			context.scenes.bring_to_front(_front)
			_front = ""
			return {}
		context.begin(ACTION, {})
		var done := delete(context, path, answer)
		context.finish()
		return done

	func _close(shown: String) -> void:
		if shown != tabs[0]:
			context.scenes.bring_to_front(tabs[0])
			return
		tabs.remove_at(0)
		EditorInterface.close_scene()
		context.scenes.settle()

	static func delete(context: Context, path: String, answer: Dictionary) -> Dictionary:
		var step := FileStep.new()
		step.context = context
		step.removed = TreeFiles.resources(path)
		step.ids = TreeFiles.uids_of(step.removed)
		var kept := TreeFiles.removed_place()
		for file in TreeFiles.with_sidecars(path):
			step.moves.append(PackedStringArray([file, kept.path_join(file.get_file())]))
		var problem := step.carry_out()
		if problem != "":
			return Result.fail(Result.INTERNAL, "nothing was deleted: %s" % problem)
		step.commit()
		answer["deleted"] = not TreeFiles.exists(path)
		return answer


func _init(context: Context) -> void:
	_context = context
	TreeFiles.forget_removed()


func commands() -> Dictionary[String, Callable]:
	return {"file.delete": delete}


func delete(params: Dictionary) -> Dictionary:
	var refused := _refusal(params)
	if not refused.is_empty():
		return refused
	var path := Checks.path_in(params, "path")
	var users := FileUsers.new(path, TreeFiles.resources(path))
	return FileLook.new(_context, "file.delete", users, _delete.bind(users, params)).start()


func _refusal(params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var refused := Checks.source(path, "delete %s --confirm" % path.get_basename())
	return (
		refused if not refused.is_empty() else Checks.unsaved(_context, TreeFiles.resources(path))
	)


func _delete(looked: FileUsers, params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var dry := bool(params.get("dry_run", false))
	var refused := _refusal(params)
	if not refused.is_empty():
		return refused
	var files := TreeFiles.resources(path)
	var tabs: PackedStringArray = []
	for scene in EditorInterface.get_open_scenes():
		if files.has(scene):
			tabs.append(scene)
	var answer := {
		"path": path,
		"deleted": true,
		"had_uid": not TreeFiles.uids_of(files).is_empty(),
		"tab_closed": not tabs.is_empty(),
		"dry_run": dry,
		"persisted": true,
		"undoable": true,
	}
	var hint := _hint(path, files, looked.users)
	if hint != "":
		answer["hint"] = hint
	if dry:
		return answer
	if tabs.is_empty():
		return Closing.delete(_context, path, answer)
	var closing := Closing.new()
	closing.context = _context
	closing.path = path
	closing.tabs = tabs
	closing.answer = answer
	return Result.park(closing)


func _hint(path: String, files: PackedStringArray, users: PackedStringArray) -> String:
	for root: Node in EditorInterface.get_open_scene_roots():
		var scene := root.scene_file_path
		if users.has(scene) or files.has(scene) or not _context.scenes.is_dirty(scene):
			continue
		for held in Dependencies.held_by(root):
			if files.has(held):
				users.append(scene if scene != "" else "the unsaved scene")
				break
	if users.is_empty():
		return ""
	var more := users.size() - MAX_NAMED
	return (
		"it is still named by %s%s, which cannot find it then: godot-mcp file search --content %s"
		% [", ".join(users.slice(0, MAX_NAMED)), " and %d more" % more if more > 0 else "", path]
	)
