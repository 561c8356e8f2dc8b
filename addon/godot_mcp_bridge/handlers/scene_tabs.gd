@tool
extends RefCounted
## Open scenes as tabs: which there are, saving them elsewhere or all, closing, reading them again.

const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Writable := preload("../writable.gd")

var _context: Context


## A wait for the editor to have read all scenes again that a reload has to do with.
class Reloading:
	extends RefCounted
	var scenes: Scenes
	var answer: Dictionary = {}

	func poll() -> Dictionary:
		if scenes.settling:
			return {}
		return answer if scenes.not_reloaded.is_empty() else not_read(scenes.not_reloaded)

	## The editor reads them whether somebody waits or not.
	func give_up() -> Dictionary:
		return {}

	static func not_read(paths: PackedStringArray) -> Dictionary:
		return Result.fail(
			Result.INTERNAL,
			"the editor still shows the old %s: godot-mcp editor status" % ", ".join(paths)
		)


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"scene.get-active": get_active,
		"scene.list-open": list_open,
		"scene.save-as": _context.on_scene(save_as),
		"scene.save-all": save_all,
		"scene.close": _context.on_scene(close),
		"scene.reload": reload,
	}


func get_active(_params: Dictionary) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		return {"is_open": false}
	return {
		"is_open": true,
		"scene_path": root.scene_file_path,
		"name": str(root.name),
		"dirty": _context.scenes.is_dirty(root.scene_file_path),
	}


func list_open(_params: Dictionary) -> Dictionary:
	return {"scenes": _context.scenes.open_scenes()}


func save_as(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := Scenes.normalise(str(params.get("new_path", "")))
	var refused := _reason_not_to_save_as(path, bool(params.get("dry_run", false)))
	if refused != "":
		return Result.fail(Result.VALIDATION, refused, "new_path")
	var dropped := _context.scenes.drop_problem(target.root.scene_file_path)
	if not dropped.is_empty():
		return dropped
	var answer := {
		"scene_path": path,
		"saved": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": true,
		"undoable": false,
		"hint": "saving is not an undo step",
	}
	if target.activated:
		answer["activated"] = true
	if target.changed_on_disk:
		answer["changed_on_disk"] = true
	if answer["dry_run"]:
		return answer
	var given_up := _context.pace.last_chance("saving " + path, Scenes.size_of(target.root))
	if not given_up.is_empty():
		return given_up
	Scenes.make_folders([path])
	_context.history.expect_save(path)
	EditorInterface.save_scene_as(path, false)
	var root := EditorInterface.get_edited_scene_root()
	if not FileAccess.file_exists(path) or root == null or root.scene_file_path != path:
		return Result.fail(
			Result.INTERNAL, "the editor did not write %s: godot-mcp editor status" % path
		)
	_context.history.note_scene(root)
	_context.history.note_written(path)
	return answer


static func _reason_not_to_save_as(path: String, preview: bool) -> String:
	if not path.get_extension() in Scenes.EXTENSIONS:
		return "%s must end in .tscn or .scn" % path
	if FileAccess.file_exists(path) or Scenes.is_open(path):
		return "%s is already there: name another file" % path
	return Writable.problem(path, preview)


func save_all(params: Dictionary) -> Dictionary:
	var dry := bool(params.get("dry_run", false))
	var unsaved := _context.scenes.unsaved()
	var nameless := unsaved.has(Scenes.NAMELESS)
	var problem := _context.scenes.save_problem_of(unsaved, dry)
	if not problem.is_empty():
		return problem
	var answer := {
		"saved": not nameless,
		"count": unsaved.size() - (1 if nameless else 0),
		"dry_run": dry,
		"persisted": true,
		"undoable": false,
		"hint": "saving is not an undo step",
	}
	if nameless:
		answer["hint"] = "one scene has no file yet: godot-mcp scene save-as"
	if not dry:
		var given_up := _context.pace.last_chance("saving all", _size_of_all())
		if not given_up.is_empty():
			return given_up
		Scenes.make_folders(unsaved)
		EditorInterface.save_all_scenes()
		var failed := _context.resources.save()
		for path in unsaved:
			if path != Scenes.NAMELESS and _context.history.is_ahead_of_file(path):
				failed.append(path)
		if not failed.is_empty():
			return (
				Result
				. fail(
					Result.INTERNAL,
					(
						"the editor did not write %s, which stays unsaved: godot-mcp scene save --scene-path %s"
						% [", ".join(failed), failed[0]]
					)
				)
			)
	return answer


static func _size_of_all() -> int:
	var nodes := 0
	for root: Node in EditorInterface.get_open_scene_roots():
		nodes += Scenes.size_of(root)
	return nodes


func close(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := target.root.scene_file_path
	var answer := {
		"scene_path": path,
		"closed": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": null,
		"undoable": false,
	}
	if _context.scenes.is_dirty(path) or not _context.resources.unsaved().is_empty():
		answer["hint"] = "changes that were not saved are lost: godot-mcp scene save first to keep them"
	if answer["dry_run"]:
		return answer
	var before := EditorInterface.get_open_scenes().size()
	EditorInterface.close_scene()
	answer["closed"] = EditorInterface.get_open_scenes().size() < before
	return answer


func reload(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("scene_path", "")))
	var refused := _reason_not_to_reload(path)
	var users := Scenes.users_of(path) if refused.is_empty() else PackedStringArray()
	for user in users:
		if refused.is_empty():
			refused = _reason_not_to_reload(user)
		if refused.is_empty() and _context.scenes.is_dirty(user):
			refused = (
				Result
				. fail(
					Result.PRECONDITION,
					(
						"%s has instances of it and unsaved changes: godot-mcp scene save --scene-path %s"
						% [user, user]
					),
					"scene_saved"
				)
			)
	if not refused.is_empty():
		return refused
	var answer := {
		"scene_path": path,
		"reloaded": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": null,
		"undoable": false,
	}
	var hints: PackedStringArray = []
	if _context.scenes.is_dirty(path):
		hints.append("changes that were not saved are lost")
	if not users.is_empty():
		hints.append("read again too, since they have instances of it: " + ", ".join(users))
	if not hints.is_empty():
		answer["hint"] = "; ".join(hints)
	if answer["dry_run"]:
		return answer
	var nodes := Scenes.size_of(Scenes.open_root(path))
	for user in users:
		nodes += Scenes.size_of(Scenes.open_root(user))
	var given_up := _context.pace.last_chance("reading %s again" % path, nodes)
	if not given_up.is_empty():
		return given_up
	if not _context.scenes.reload(path, users):
		return Reloading.not_read([path])
	var reloading := Reloading.new()
	reloading.scenes = _context.scenes
	reloading.answer = answer
	return Result.park(reloading)


func _reason_not_to_reload(path: String) -> Dictionary:
	if not Scenes.is_open(path):
		return Scenes.not_open(path)
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND,
			"%s is open and its file is gone: godot-mcp scene save" % path,
			"scene_path"
		)
	var needs := Dependencies.new()
	needs.follow(path)
	if not needs.missing.is_empty():
		return Result.fail(
			Result.PRECONDITION,
			"%s needs %s, which is not there" % [path, ", ".join(needs.missing)],
			"dependencies"
		)
	var loaded := needs.reason != "" or Scenes.loads(path)
	needs.judge_errors(_context.errors())
	if needs.reason == "" and loaded:
		return {}
	var why := needs.reason if needs.reason != "" else _context.first_error()
	return Result.fail(
		Result.VALIDATION, "%s does not load as a scene: %s" % [path, why], "scene_path"
	)
