@tool
extends RefCounted
## Scene files and tabs: list, tree, create, open, save.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const Discovery := preload("../discovery.gd")
const Names := preload("../names.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Slices := preload("../slices.gd")
const TreeText := preload("../tree_text.gd")

## What the engine says of things that warnings tell better.
const TOLD: Array[String] = [
	"Cannot get class", "Cannot connect to '", "Attempt to connect nonexistent signal"
]

## A node of few properties has no less in a scene's file: how many nodes a file has can only be guessed before
## it is read.
const BYTES_PER_NODE := 64

var _context: Context


## A walk through the project's folders for scene files, those among them that the editor has not scanned yet.
class Listing:
	extends Slices
	var _found: Dictionary[String, bool] = {}
	var _folders: PackedStringArray = ["res://"]
	var _looked := 0

	## What the editor knows is in memory.
	func begin() -> void:
		_collect(EditorInterface.get_resource_filesystem().get_filesystem())

	func step() -> bool:
		var folder := _folders[-1]
		_folders.remove_at(_folders.size() - 1)
		_looked += 1
		for name in DirAccess.get_files_at(folder):
			if name.get_extension() in Scenes.EXTENSIONS:
				_found[folder.path_join(name)] = true
		for name in DirAccess.get_directories_at(folder):
			var below := folder.path_join(name)
			if (
				not name.begins_with(".")
				and not FileAccess.file_exists(below.path_join(".gdignore"))
			):
				_folders.append(below)
		return not _folders.is_empty()

	func state() -> Dictionary:
		return {"progress": _looked, "message": "folders looked through, %d scenes" % _found.size()}

	func answer() -> Dictionary:
		var main := Scenes.normalise(
			str(ProjectSettings.get_setting("application/run/main_scene", ""))
		)
		var root := EditorInterface.get_edited_scene_root()
		var open := EditorInterface.get_open_scenes()
		for path in open:
			if path != "":
				_found[path] = true
		var paths := PackedStringArray(_found.keys())
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

	func _collect(folder: EditorFileSystemDirectory) -> void:
		if folder == null:
			return
		for i in folder.get_file_count():
			var path := folder.get_file_path(i)
			if folder.get_file_type(i) == "PackedScene" and FileAccess.file_exists(path):
				_found[path] = true
		for i in folder.get_subdir_count():
			_collect(folder.get_subdir(i))


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"scene.list": list,
		"scene.tree": _context.on_node_read(tree, "root"),
		"scene.create": create,
		"scene.open": open,
		"scene.save": _context.on_scene(save),
	}


func list(_params: Dictionary) -> Dictionary:
	var listing := Listing.new()
	listing.begin()
	return listing.start()


func tree(params: Dictionary, target: Scenes.Target) -> Dictionary:
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
	var refused := _reason_not_to_create(
		path, str(params.get("root_name", "")), bool(params.get("dry_run", false))
	)
	if not refused.is_empty():
		return refused
	var type := str(params.get("root_type", ""))
	var base := Scenes.normalise(str(params.get("base_scene", "")))
	var made := _make_root(type, base)
	if made.has("error"):
		return made["error"]
	var root: Node = made["node"]
	root.name = _root_name(str(params.get("root_name", "")), path, type)
	var answer := {
		"scene_path": path,
		"root_type": root.get_class() if type == "" else type,
		"created": true,
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": true,
		"undoable": true,
	}
	var packed := PackedScene.new()
	packed.pack(root)
	root.free()
	if base != "" and not answer["dry_run"]:
		packed = _inheriting(base, _root_name(str(params.get("root_name", "")), path, type))
	var problem := {} if answer["dry_run"] else _write_scene(packed, path)
	return problem if not problem.is_empty() else answer


func open(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("scene_path", "")))
	var refused := _reason_not_a_scene(path)
	var already := Scenes.is_open(path)
	var needs := Dependencies.new()
	needs.follow(path)
	if refused.is_empty() and not already:
		refused = _context.pace.last_chance("opening " + path, needs.size() / BYTES_PER_NODE)
	if not refused.is_empty():
		return refused
	var answer := {
		"scene_path": path,
		"opened": true,
		"already_open": already,
		"missing": needs.missing,
		"warnings": [],
		"dry_run": bool(params.get("dry_run", false)),
		"persisted": null,
		"undoable": false,
	}
	if not already:
		var loaded := needs.reason != "" or Scenes.loads(path)
		needs.judge_errors(_context.errors())
		if needs.reason != "":
			answer["opened"] = false
			answer["reason"] = needs.reason
			return answer
		if not loaded:
			return Result.fail(
				Result.VALIDATION,
				"%s does not load as a scene: %s" % [path, _context.first_error()],
				"scene_path"
			)
	if answer["dry_run"]:
		answer["warnings"] = _warnings(needs)
		return answer
	_context.scenes.bring_to_front(path)
	var root := EditorInterface.get_edited_scene_root()
	answer["opened"] = root != null and root.scene_file_path == path
	if not answer["opened"]:
		answer["reason"] = "the editor did not open it: godot-mcp editor status"
		return answer
	_context.history.note_scene(root)
	answer["warnings"] = _warnings(needs)
	if not already:
		(answer["warnings"] as Array).append_array(_context.history.losses_of(path).warnings())
	return answer


func save(params: Dictionary, target: Scenes.Target) -> Dictionary:
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
	var problem := _context.scenes.save_problem(path, bool(params.get("dry_run", false)))
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
	var given_up := _context.pace.last_chance("saving " + path, Scenes.size_of(target.root))
	if not given_up.is_empty():
		return given_up
	Scenes.make_folders([path])
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


static func _reason_not_a_scene(path: String) -> Dictionary:
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no %s: godot-mcp scene list" % path, "scene_path"
		)
	if not Scenes.is_scene_file(path):
		return Result.fail(Result.VALIDATION, "%s is no scene" % path, "scene_path")
	return {}


## An error, or empty when a scene can be made there.
static func _reason_not_to_create(path: String, root_name: String, preview: bool) -> Dictionary:
	var why := Scenes.problem_of_new(path, preview)
	if why != "":
		return Result.fail(Result.VALIDATION, why, "scene_path")
	if Names.clean(root_name) != root_name:
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%s cannot be a node's name: none of . : @ / \\ \" %% and no control character can be in it"
					% root_name
				),
				"root_name"
			)
		)
	return {}


static func _root_name(wanted: String, path: String, type: String) -> String:
	if wanted != "":
		return wanted
	var from_file := path.get_file().get_basename().to_pascal_case().validate_node_name()
	return from_file if from_file != "" else type


## What is absent, and what else the engine said while it loaded the scene.
func _warnings(needs: Dependencies) -> Array[Dictionary]:
	var errors := _context.errors()
	var out := needs.missing_classes()
	for text in errors:
		# Told with the node.
		if not TOLD.any(text.contains):
			out.append({"code": "engine_error", "node_path": null, "text": text})
	return out


## {node}, or {error}. With a base scene it is what the root will be, not what is written.
static func _make_root(type: String, base: String) -> Dictionary:
	if base == "":
		return Classes.make_node(type, "root_type")
	if not FileAccess.file_exists(base):
		return {"error": Result.fail(Result.NOT_FOUND, "there is no scene %s" % base, "base_scene")}
	if not Scenes.is_scene_file(base) or not Scenes.loads(base):
		return {"error": Result.fail(Result.VALIDATION, "%s is no scene" % base, "base_scene")}
	var root := (load(base) as PackedScene).instantiate()
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


## A scene whose root inherits. The engine gives scripts no way to say so of a node, but reads it from text.
static func _inheriting(base: String, root_name: String) -> PackedScene:
	var text := (
		(
			'[gd_scene format=3]\n[ext_resource type="PackedScene" path="%s" id="1"]\n'
			+ '[node name="%s" instance=ExtResource("1")]\n'
		)
		% [base.c_escape(), root_name.c_escape()]
	)
	var draft := Discovery.folder().path_join("draft.tscn")
	var file := FileAccess.open(draft, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	var packed: PackedScene = ResourceLoader.load(draft, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(draft)
	return packed


func _write_scene(packed: PackedScene, path: String) -> Dictionary:
	_context.files.make_folder(path)
	var status := ResourceSaver.save(packed, path)
	if status != OK or not FileAccess.file_exists(path):
		return Result.fail(
			Result.INTERNAL, "the engine did not write %s: %s" % [path, error_string(status)]
		)
	_context.open_step(_context.files)
	_context.files.add_created(_context.undo_redo, path)
	_context.undo_redo.commit_action(false)
	return {}
