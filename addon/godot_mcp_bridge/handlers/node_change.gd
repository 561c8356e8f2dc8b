@tool
extends RefCounted
## What a node is to the scene: its class, its unique name.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const NodeSwap := preload("../node_swap.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const Retype := preload("../retype.gd")
const Scenes := preload("../scenes.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.change-type": _context.on_node(change_type),
		"node.set-unique-name": _context.on_node(set_unique_name),
	}


func change_type(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var type := str(params.get("node_type", ""))
	var refused := _reason_not_to_change(target)
	if not refused.is_empty():
		return refused
	var made := Classes.make_node(type, "node_type")
	if made.has("error"):
		return made["error"]
	var fresh: Node = made["node"]
	var path := Scenes.path_of(target.root, node)
	var answer := {
		"node_path": path,
		"old_type": _type_of(node),
		"node_type": type,
		"dropped_properties": PackedStringArray(),
	}
	answer.merge(Persistence.of_removal(node, target.root))
	if answer["old_type"] == type:
		fresh.free()
		answer["persisted"] = true
		answer.erase("reason")
		answer["hint"] = "%s is a %s already, nothing was changed" % [path, type]
		return _unchanged(answer, target, params)
	var retype := Retype.new(node, fresh, target.root)
	answer["dropped_properties"] = retype.dropped
	var swap := NodeSwap.new(target.root, {node: fresh}, true, _context.pace)
	if not swap.dropped.is_empty():
		_add_hint(answer, "lost with the class before, until undo: " + ", ".join(swap.dropped))
	refused = _context.pace.refusal()
	if not refused.is_empty() or params.get("dry_run", false):
		fresh.free()
		return refused if not refused.is_empty() else _context.finish_edit(answer, target, params)
	var undo_redo := _context.undo_redo
	_context.open_step(target.root)
	undo_redo.add_do_method(swap, "exchange")
	undo_redo.add_undo_method(swap, "exchange_back")
	undo_redo.add_do_reference(fresh)
	undo_redo.add_undo_reference(node)
	undo_redo.commit_action()
	var root := EditorInterface.get_edited_scene_root()
	if not fresh.is_inside_tree() or (node == target.root and root != fresh):
		return Result.fail(
			Result.INTERNAL, "the engine did not take it: %s" % _context.first_error()
		)
	answer["node_path"] = Scenes.path_of(root, fresh)
	return _context.finish_edit(answer, target, params)


func set_unique_name(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var unique := bool(params.get("unique", true))
	var path := Scenes.path_of(target.root, node)
	if node == target.root:
		return Result.fail(
			Result.VALIDATION,
			"the root needs no unique name, it is reached as . everywhere: name a node below it",
			"node_path"
		)
	var answer := {"node_path": path, "unique": unique}
	answer.merge(Persistence.of_node(node, target.root))
	if node.unique_name_in_owner == unique:
		answer["persisted"] = true
		answer.erase("reason")
		answer["hint"] = (
			"%s %s a unique name already, nothing was changed"
			% [path, "has" if unique else "is without"]
		)
		return _unchanged(answer, target, params)
	var holder := node.owner if node.owner != null else target.root
	var other := holder.get_node_or_null("%" + str(node.name)) if unique else null
	if other != null:
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%%%s is %s already, and a name is unique once in a scene: godot-mcp node rename %s first"
					% [node.name, Scenes.path_of(target.root, other), path]
				),
				"node_path"
			)
		)
	if unique and holder != target.root:
		_add_hint(answer, "it is unique in the instance %s" % Scenes.path_of(target.root, holder))
	if not unique:
		var users := _users_of_name(target.root, node)
		if not _context.pace.refusal().is_empty():
			return _context.pace.refusal()
		if not users.is_empty():
			_add_hint(answer, "paths that no longer lead to it: " + ", ".join(users))
	if not params.get("dry_run", false):
		_context.open_step(target.root)
		_context.undo_redo.add_do_property(node, "unique_name_in_owner", unique)
		_context.undo_redo.add_undo_property(node, "unique_name_in_owner", not unique)
		_context.undo_redo.commit_action()
		answer["unique"] = node.unique_name_in_owner
	return _context.finish_edit(answer, target, params)


func _reason_not_to_change(target: Scenes.Target) -> Dictionary:
	var node := target.node
	var path := Scenes.path_of(target.root, node)
	if node != target.root and node.scene_file_path != "":
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					(
						"%s is an instance and has the class that its scene says: "
						+ "change it there (godot-mcp scene open %s), or godot-mcp node make-local %s first"
					)
					% [path, node.scene_file_path, path]
				),
				"node_path"
			)
		)
	var base := Persistence.base_of(target.root) if node == target.root else ""
	if base != "":
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"the root has the class that the base scene says: change it there (godot-mcp scene open %s)"
					% base
				),
				"node_path"
			)
		)
	if node == target.root and not NodeSwap.can_change_root():
		return Result.fail(
			Result.PRECONDITION,
			"this editor has no way to change the class of a root: godot-mcp editor status",
			"godot_version"
		)
	return {}


## The class of the project or, for a node without one, that of the engine.
static func _type_of(node: Node) -> String:
	var script := node.get_script() as Script
	if script != null and script.get_global_name() != &"":
		return str(script.get_global_name())
	return node.get_class()


## Properties with a path that begins with the node's unique name.
func _users_of_name(root: Node, node: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	var nodes := root.find_children("*", "", true, false)
	nodes.push_front(root)
	for from: Node in nodes:
		if _context.pace.tick("nodes searched for paths with the name"):
			return out
		for info in from.get_property_list():
			if info["type"] != TYPE_NODE_PATH:
				continue
			var path: NodePath = from.get(info["name"] as String)
			if path.get_name_count() == 0 or str(path.get_name(0)) != "%" + str(node.name):
				continue
			if from.get_node_or_null(NodePath(str(path.get_name(0)))) == node:
				out.append("%s of %s" % [info["name"], Scenes.path_of(root, from)])
	return out


func _unchanged(answer: Dictionary, target: Scenes.Target, params: Dictionary) -> Dictionary:
	answer = _context.finish_edit(answer, target, params)
	answer["undoable"] = false
	return answer


static func _add_hint(answer: Dictionary, hint: String) -> void:
	answer["hint"] = hint if not answer.has("hint") else "%s; %s" % [answer["hint"], hint]
