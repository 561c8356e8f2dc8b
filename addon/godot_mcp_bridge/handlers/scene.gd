@tool
extends RefCounted
## Scene files and tabs: list, tree, create, open, save.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const TreeText := preload("../tree_text.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"scene.list": list,
		"scene.tree": tree,
		"scene.create": create,
		"scene.open": open,
		"scene.save": save,
	}


func list(_params: Dictionary) -> Dictionary:
	var main := str(ProjectSettings.get_setting("application/run/main_scene", ""))
	main = Scenes.normalise(main)
	var root := EditorInterface.get_edited_scene_root()
	var open := EditorInterface.get_open_scenes()
	var paths: PackedStringArray = []
	_collect(EditorInterface.get_resource_filesystem().get_filesystem(), paths)
	for path in open:
		if path != "" and not paths.has(path):
			paths.append(path)
	paths.sort()
	var scenes: Array[Dictionary] = []
	for path in paths:
		(
			scenes
			. append(
				{
					"path": path,
					"is_main": path == main,
					"is_open": open.has(path),
					"is_active": root != null and root.scene_file_path == path,
				}
			)
		)
	return {"scenes": scenes, "main_scene": main if main != "" else null}


func tree(params: Dictionary) -> Dictionary:
	var target := _context.scenes.target_node(params, "root")
	if not target.error.is_empty():
		return target.error
	var text := TreeText.new()
	text.root = target.root
	text.max_depth = int(params.get("max_depth", -1))
	text.first = maxi(int(params.get("offset", 0)), 0)
	var limit := int(params.get("limit", 0))
	if limit > 0:
		text.last = text.first + limit
	text.light = bool(params.get("lightweight", false))
	var json := text.write(target.node)
	var answer := {"truncated": text.last < text.total, "total": text.total}
	if text.last < text.total:
		answer["next_offset"] = text.last
	return Result.with_json(target.add_to(answer), "tree", json)


func create(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("scene_path", "")))
	if not path.get_extension() in ["tscn", "scn"]:
		return Result.fail(Result.VALIDATION, "%s must end in .tscn or .scn" % path, "scene_path")
	if FileAccess.file_exists(path) or Scenes.is_open(path):
		return Result.fail(
			Result.VALIDATION,
			"%s is already there: godot-mcp scene open %s" % [path, path],
			"scene_path"
		)
	var type := str(params.get("root_type", ""))
	var made := _make_root(type, str(params.get("base_scene", "")))
	if made.has("error"):
		return made["error"]
	var root: Node = made["node"]
	var root_name := str(params.get("root_name", ""))
	if root_name == "":
		root_name = path.get_file().get_basename().to_pascal_case()
	root.name = root_name if root_name.validate_node_name() != "" else type
	var answer := {
		"scene_path": path,
		"root_type": root.get_class() if type == "" else type,
		"created": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": true,
		"undoable": true,
	}
	var problem := {} if answer["dry_run"] else _write_scene(root, path)
	root.free()
	return problem if not problem.is_empty() else answer


func open(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("scene_path", "")))
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no %s: godot-mcp scene list" % path, "scene_path"
		)
	if not ResourceLoader.exists(path, "PackedScene"):
		return Result.fail(Result.VALIDATION, "%s is no scene" % path, "scene_path")
	var already := Scenes.is_open(path)
	var missing := Scenes.missing_dependencies(path)
	var answer := {
		"scene_path": path,
		"opened": true,
		"already_open": already,
		"missing": missing,
		"warnings": [],
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": null,
		"undoable": false,
	}
	if not already:
		answer.merge(_reason_not_to_open(path, missing), true)
	if answer["dry_run"] or not answer["opened"]:
		return answer
	EditorInterface.open_scene_from_path(path)
	var root := EditorInterface.get_edited_scene_root()
	answer["opened"] = root != null and root.scene_file_path == path
	if not answer["opened"]:
		answer["reason"] = "the editor did not open it: godot-mcp editor status"
		return answer
	_context.history.note_scene(root)
	for text in _context.errors():
		(answer["warnings"] as Array).append(
			{"code": "engine_error", "node_path": null, "text": text}
		)
	return answer


func save(params: Dictionary) -> Dictionary:
	var target := _context.scenes.target(params)
	if not target.error.is_empty():
		return target.error
	var path := target.root.scene_file_path
	if path == "":
		return (
			Result
			. fail(
				Result.PRECONDITION,
				"the scene has no file yet: save it once in the editor, or make it with godot-mcp scene create",
				"scene_saved"
			)
		)
	var problem := _context.scenes.save_problem(path)
	if not problem.is_empty():
		return problem
	var answer := {
		"saved": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": true,
		"undoable": false,
		"hint": "saving is not an undo step",
	}
	if answer["dry_run"]:
		return target.add_to(answer)
	_context.history.expect_save(path)
	var status := EditorInterface.save_scene()
	if status != OK or not _context.history.was_saved(path):
		return Result.fail(
			Result.INTERNAL,
			(
				"the editor did not write %s (%s): godot-mcp editor status"
				% [path, error_string(status)]
			)
		)
	return target.add_to(answer)


static func _collect(folder: EditorFileSystemDirectory, paths: PackedStringArray) -> void:
	if folder == null:
		return
	for i in folder.get_file_count():
		if folder.get_file_type(i) == "PackedScene":
			paths.append(folder.get_file_path(i))
	for i in folder.get_subdir_count():
		_collect(folder.get_subdir(i), paths)


## {node}, or {error}. With a base scene the root is an instance of it, which packs as an inherited scene.
static func _make_root(type: String, base_scene: String) -> Dictionary:
	if base_scene == "":
		return Classes.make_node(type)
	var base := Scenes.normalise(base_scene)
	if not ResourceLoader.exists(base, "PackedScene"):
		return {"error": Result.fail(Result.NOT_FOUND, "there is no scene %s" % base, "base_scene")}
	var root := (load(base) as PackedScene).instantiate(PackedScene.GEN_EDIT_STATE_MAIN_INHERITED)
	if type != "" and not root.is_class(type):
		var real := root.get_class()
		root.free()
		return {
			"error":
			Result.fail(
				Result.VALIDATION,
				"the root of %s is a %s, not a %s" % [base, real, type],
				"root_type"
			)
		}
	return {"node": root}


func _write_scene(root: Node, path: String) -> Dictionary:
	var packed := PackedScene.new()
	packed.pack(root)
	DirAccess.make_dir_recursive_absolute(ProjectSettings.globalize_path(path.get_base_dir()))
	var status := ResourceSaver.save(packed, path)
	if status != OK or not FileAccess.file_exists(path):
		return Result.fail(
			Result.INTERNAL, "the engine did not write %s: %s" % [path, error_string(status)]
		)
	EditorInterface.get_resource_filesystem().update_file(path)
	_context.open_step(_context.files)
	_context.files.add_created(_context.undo_redo, path)
	_context.undo_redo.commit_action(false)
	return {}


static func _reason_not_to_open(path: String, missing: PackedStringArray) -> Dictionary:
	if not missing.is_empty():
		return {
			"opened": false,
			"reason": "missing: %s; opening it would wait in a dialog" % ", ".join(missing),
		}
	if ClassDB.class_exists("CSharpScript"):
		return {}
	for dependency in ResourceLoader.get_dependencies(path):
		if Scenes.dependency_path(dependency).ends_with(".cs"):
			return {
				"opened": false,
				"reason": "it has C# scripts and this editor is built without .NET",
			}
	return {}
