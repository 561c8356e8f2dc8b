@tool
extends RefCounted
## The editor's selection, and calls of methods in the editor.

const Calls := preload("../method_call.gd")
const Context := preload("../context.gd")
const Names := preload("../names.gd")
const NodeState := preload("node.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")

## Would leave undo with nodes that are no more.
const REFUSED: Array[String] = ["free", "queue_free"]

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.get-selected": get_selected,
		"node.select": _context.on_scene(select),
		"node.call": _context.on_node(call_method),
	}


func get_selected(_params: Dictionary) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	var answer := {"selected": null, "node_paths": PackedStringArray()}
	if root == null:
		return answer
	var nodes := _selected(root)
	answer["scene_path"] = root.scene_file_path
	answer["node_paths"] = _paths(nodes, root)
	if nodes.is_empty():
		return answer
	var target := Scenes.Target.new()
	target.root = root
	target.node = nodes[0]
	var state := NodeState.new(_context).get_node_state({}, target)
	state.erase("scene_path")
	answer["selected"] = state
	return answer


func select(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var nodes: Array[Node] = []
	for path: Variant in params.get("node_paths", []) as Array:
		var node := Scenes.find(target.root, str(path))
		if node == null:
			return Scenes.missing_node(target.root, str(path), "node_paths")
		if not nodes.has(node):
			nodes.append(node)
	var dry := bool(params.get("dry_run", false))
	if not dry:
		var selection := EditorInterface.get_selection()
		selection.clear()
		for node in nodes:
			selection.add_node(node)
		nodes = _selected(target.root)
	var answer := {
		"selected": _paths(nodes, target.root),
		"count": nodes.size(),
		"dry_run": dry,
		"persisted": null,
		"undoable": false,
	}
	return target.add_to(answer)


func call_method(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var method := str(params.get("method", ""))
	var path := Scenes.path_of(target.root, node)
	var info := Calls.method_of(node, method)
	var refused := _reason_not_to_call(node, method, info, path)
	if not refused.is_empty():
		return refused
	var decoded := Calls.arguments(info, params.get("args", []) as Array, target.root)
	if decoded.has("error"):
		return decoded["error"]
	var before := _picture(target.root)
	_context.forget_errors()
	var value: Variant = node.callv(method, decoded["values"] as Array)
	var errors := _context.errors()
	var died := _context.script_error()
	var after := _picture(target.root)
	# Not-a-number differs from itself and has one hash.
	var is_changed := before != after and before.hash() != after.hash()
	_context.forget_errors()
	if is_changed:
		EditorInterface.mark_scene_as_unsaved()
	if died != "":
		return Result.fail(
			Result.INTERNAL,
			(
				"%s of %s stopped with an error: %s%s; godot-mcp editor log"
				% [method, path, died, ", and the scene is changed" if is_changed else ""]
			),
			"method"
		)
	return (
		target
		. add_to(
			{
				"node_path": path,
				"method": method,
				"value": Values.encode(value, target.root, Calls.is_untyped(info)),
				"errors": errors,
				"changed_scene": is_changed,
			}
		)
	)


## What a save would write of the scene, to see whether a call changed it.
static func _picture(root: Node) -> Dictionary:
	var packed := PackedScene.new()
	packed.pack(root)
	return packed.get("_bundled")


static func _selected(root: Node) -> Array[Node]:
	var out: Array[Node] = []
	for node in EditorInterface.get_selection().get_selected_nodes():
		if node == root or root.is_ancestor_of(node):
			out.append(node)
	return out


static func _paths(nodes: Array[Node], root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	for node in nodes:
		out.append(Scenes.path_of(root, node))
	return out


static func _reason_not_to_call(
	node: Node, method: String, info: Dictionary, path: String
) -> Dictionary:
	if method in REFUSED:
		return Result.fail(
			Result.VALIDATION,
			(
				"%s would take the node from under the editor: godot-mcp node delete %s"
				% [method, path]
			),
			"method"
		)
	if info.is_empty():
		var near := Names.nearest(method, Calls.methods_of(node))
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%s, a %s, has no method %s%s: godot-mcp signal list %s"
					% [
						path,
						node.get_class(),
						method,
						", did you mean %s?" % near if near != "" else "",
						path,
					]
				),
				"method"
			)
		)
	var script := Calls.script_with(node, method)
	if script != null and not (node.get_script() as Script).is_tool():
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					(
						"%s is a method of %s, which is no @tool script, so the editor does not run it: "
						+ "add @tool (godot-mcp script patch), or call it in the running game"
					)
					% [method, script.resource_path]
				),
				"method"
			)
		)
	if Calls.is_unwritten(node, method, info):
		return Result.fail(
			Result.VALIDATION,
			"%s is for scripts to implement, and %s has none that does" % [method, path],
			"method"
		)
	return {}
