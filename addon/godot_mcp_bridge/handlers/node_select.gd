@tool
extends RefCounted
## The editor's selection, and calls of methods in the editor.

const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
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
	var info := _method_of(node, method)
	var refused := _reason_not_to_call(node, method, info, path)
	if not refused.is_empty():
		return refused
	var decoded := _arguments(info, params.get("args", []) as Array, target.root)
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
	var returned: Dictionary = info["return"]
	var untyped: bool = returned.get("type", TYPE_NIL) == TYPE_NIL
	return (
		target
		. add_to(
			{
				"node_path": path,
				"method": method,
				"value": Values.encode(value, target.root, untyped),
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


## The engine's info of the method, a script's own before that of the class; empty when there is none.
static func _method_of(node: Node, method: String) -> Dictionary:
	for info in node.get_method_list():
		if info["name"] == method:
			return info
	var script := node.get_script() as Script
	if script != null:
		for info in script.get_script_method_list():
			if info["name"] == method:
				return info
	return {}


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
		var names: PackedStringArray = []
		for known in node.get_method_list():
			names.append(known["name"] as String)
		var near := Names.nearest(method, names)
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
	var script := _script_with(node, method)
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
	if script == null and (info["flags"] as int) & METHOD_FLAG_VIRTUAL:
		return Result.fail(
			Result.VALIDATION,
			"%s is for scripts to implement, and %s has none that does" % [method, path],
			"method"
		)
	return {}


## The script of the node, or one that it extends, that has the method.
static func _script_with(node: Node, method: String) -> Script:
	var script := node.get_script() as Script
	while script != null:
		for info in script.get_script_method_list():
			if info["name"] == method:
				return script
		script = script.get_base_script()
	return null


## {values} by the declared types, or {error}.
static func _arguments(info: Dictionary, given: Array, root: Node) -> Dictionary:
	var args: Array = info["args"]
	var least := args.size() - (info["default_args"] as Array).size()
	var is_open := (info["flags"] as int) & METHOD_FLAG_VARARG != 0
	if given.size() < least or (given.size() > args.size() and not is_open):
		var names: PackedStringArray = []
		for arg: Dictionary in args:
			names.append(str(arg["name"]))
		return {
			"error":
			(
				Result
				. fail(
					Result.VALIDATION,
					(
						"%s takes %s%d values (%s), was given %d"
						% [
							info["name"],
							(
								"at least "
								if is_open
								else ("%d to " % least if least < args.size() else "")
							),
							least if is_open else args.size(),
							", ".join(names),
							given.size(),
						]
					),
					"args"
				)
			)
		}
	var values := []
	for i in given.size():
		var arg: Dictionary = args[i] if i < args.size() else {"type": TYPE_NIL, "usage": 0}
		var decoded := Decode.decode(given[i], arg, _present_for(arg), root)
		if decoded.has(Decode.PROBLEM):
			return {
				"error":
				Result.fail(
					decoded.get("code", Result.VALIDATION) as String,
					(
						"the value %d (%s) of %s %s"
						% [i + 1, arg.get("name", "more"), info["name"], decoded[Decode.PROBLEM]]
					),
					"args"
				)
			}
		values.append(decoded[Decode.VALUE])
	return {"values": values}


## An empty container of the declared type: a container's elements take their types from one.
static func _present_for(arg: Dictionary) -> Variant:
	if arg["type"] == TYPE_DICTIONARY:
		return {}
	if arg["type"] != TYPE_ARRAY:
		return null
	var hint := str(arg.get("hint_string", ""))
	if arg.get("hint", PROPERTY_HINT_NONE) != PROPERTY_HINT_ARRAY_TYPE or hint == "":
		return []
	for type in TYPE_MAX:
		if type_string(type) == hint:
			return Array([], type, &"", null)
	if ClassDB.class_exists(hint):
		return Array([], TYPE_OBJECT, StringName(hint), null)
	return []
