@tool
extends RefCounted
## A branch of a scene as a scene file of its own.

const Branch := preload("../branch.gd")
const Context := preload("../context.gd")
const NodeSwap := preload("../node_swap.gd")
const Pace := preload("../pace.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const SceneFiles := preload("scene.gd")
const Scenes := preload("../scenes.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"scene.extract": _context.on_node(extract)}


func extract(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := Scenes.normalise(str(params.get("new_scene_path", "")))
	var dry := bool(params.get("dry_run", false))
	var replaces := bool(params.get("replace_with_instance", false))
	var saves := bool(params.get("save_current", false))
	var refused := _reason_not_to_extract(target, path, replaces, dry)
	if refused.is_empty() and saves:
		var saving := SceneFiles.new(_context).save({"dry_run": true}, target)
		refused = saving if Result.is_error(saving) else {}
	if not refused.is_empty():
		return refused
	var branch := Branch.new(target.node, target.root, _context.pace)
	refused = _context.pace.last_chance("packing the branch", branch.count)
	if not refused.is_empty():
		branch.copy.free()
		return refused
	var node_path := Scenes.path_of(target.root, target.node)
	var answer := {
		"node_path": node_path,
		"new_scene_path": path,
		"extracted": true,
		"instance_path": node_path if replaces else null,
		"replaced": replaces,
		"saved": saves,
		"node_count": branch.count,
		"persisted": true,
	}
	if replaces:
		answer.merge(Persistence.of_node(target.node.get_parent(), target.root), true)
	var losses := branch.losses
	var packed := PackedScene.new()
	var status := packed.pack(branch.copy)
	var made := packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE) if status == OK else null
	if made == null:
		branch.copy.free()
		return Result.fail(
			Result.INTERNAL, "the engine did not pack the branch: %s" % _context.first_error()
		)
	# The same questions are asked of a preview, whose instance is not of the file yet.
	if replaces:
		var map := branch.mapped_to(made)
		losses.append_array(NodeSwap.new(target.root, map, false, _context.pace).dropped)
		losses.append_array(branch.lost_names(made))
	else:
		losses.append_array(branch.crossing_connections(_context.pace))
	if not losses.is_empty():
		answer["hint"] = "what crosses the border of the branch is lost: " + "; ".join(losses)
	branch.copy.free()
	made.free()
	refused = _context.pace.last_chance("writing " + path, branch.count)
	if not refused.is_empty() or dry:
		return refused if not refused.is_empty() else _context.finish_edit(answer, target, params)
	_context.files.make_folder(path)
	status = ResourceSaver.save(packed, path)
	if status != OK or not FileAccess.file_exists(path):
		return Result.fail(
			Result.INTERNAL, "the engine did not write %s: %s" % [path, error_string(status)]
		)
	if replaces:
		_replace(target, path, branch)
		answer["replaced"] = target.root.get_node(node_path).scene_file_path == path
	else:
		_context.open_step(_context.files)
		_context.files.add_created(_context.undo_redo, path)
		_context.undo_redo.commit_action(false)
	if saves:
		var saved := SceneFiles.new(_context).save({}, target)
		answer["saved"] = not Result.is_error(saved)
	return _context.finish_edit(answer, target, params)


## One step of the scene's history, the file in it: undo gives the branch back before it takes the file out.
func _replace(target: Scenes.Target, path: String, branch: Branch) -> void:
	var packed := load(path) as PackedScene
	var instance := packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	instance.name = target.node.name
	instance.unique_name_in_owner = target.node.unique_name_in_owner
	var swap := NodeSwap.new(target.root, branch.mapped_to(instance), false, Pace.new())
	var undo_redo := _context.undo_redo
	_context.open_step(target.root)
	undo_redo.add_undo_method(swap, "exchange_back")
	_context.files.add_created(undo_redo, path)
	undo_redo.add_do_method(swap, "exchange")
	undo_redo.add_do_reference(instance)
	undo_redo.add_undo_reference(target.node)
	undo_redo.commit_action()


static func _reason_not_to_extract(
	target: Scenes.Target, path: String, replaces: bool, preview: bool
) -> Dictionary:
	var node := target.node
	var node_path := Scenes.path_of(target.root, node)
	var why := ""
	if node == target.root:
		why = "the root is the whole scene: godot-mcp scene save-as %s" % path
	elif node.scene_file_path != "":
		why = (
			"%s is an instance of %s, a scene already: --base-scene of godot-mcp scene create makes one that inherits"
			% [node_path, node.scene_file_path]
		)
	elif node.owner != target.root:
		why = (
			"%s belongs to an instance: extract it in the scene that it comes from, or godot-mcp node make-local first"
			% node_path
		)
	elif replaces and Persistence.source_of(node, target.root) != "":
		why = (
			"%s comes from the base scene and is back with the next load, so nothing can take its place: extract it from %s"
			% [node_path, Persistence.source_of(node, target.root)]
		)
	if why != "":
		return Result.fail(Result.VALIDATION, why, "node_path")
	why = Scenes.problem_of_new(path, preview)
	return {} if why == "" else Result.fail(Result.VALIDATION, why, "new_scene_path")
