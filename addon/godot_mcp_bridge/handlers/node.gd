@tool
extends RefCounted
## Nodes of an open scene: add, get, get-property, set-property, delete.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
const Names := preload("../names.gd")
const Persistence := preload("../persistence.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")
const Write := preload("../property_write.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.add": _context.on_node(add, "parent_path"),
		"node.get": _context.on_node_read(get_node_state),
		"node.get-property": _context.on_node_read(get_property),
		"node.set-property": _context.on_node(set_property),
		"node.delete": _context.on_node(delete),
	}


func add(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var index := int(params.get("index", -1))
	var count := target.node.get_child_count()
	if index < -1 or index > count:
		return Result.fail(
			Result.VALIDATION, "index must be from 0 to %d, or -1 for the end" % count, "index"
		)
	var type := str(params.get("node_type", "Node"))
	var made := Classes.make_node(type, "node_type")
	if made.has("error"):
		return made["error"]
	var node: Node = made["node"]
	var problem := _apply(node, params.get("properties", {}), target.root)
	if not problem.is_empty():
		node.free()
		return problem
	node.name = _name_for(node, str(params.get("node_name", "")), type)
	if node.unique_name_in_owner and target.root.get_node_or_null("%" + str(node.name)) != null:
		problem = _name_is_taken(node)
		node.free()
		return problem
	var verdict := Persistence.of_node(target.node, target.root)
	if params.get("dry_run", false):
		var name := Names.below(target.node, str(node.name))
		node.free()
		return _added(target, name, type, verdict, true)
	_commit_add(target, node, index)
	return _added(target, str(node.name), type, verdict, false)


func get_node_state(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var include := PackedStringArray(params.get("include", []) as Array)
	var changed_only := bool(params.get("changed_only", false))
	var properties := {}
	for info in node.get_property_list():
		var name := info["name"] as String
		if not (info["usage"] as int) & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR):
			continue
		if not include.is_empty() and not include.has(name):
			continue
		if Properties.is_heading(info):
			continue
		var value: Variant = node.get(name)
		if changed_only and Values.same(value, Classes.default_of(node, name)):
			continue
		properties[name] = _encode(value, node, info, target.root)
	for name in include:
		if not properties.has(name) and Properties.info_of(node, name).is_empty():
			return _no_property(Properties.resolve(node, name), "include")
	var children: Array[String] = []
	for child in node.get_children():
		children.append(Scenes.path_of(target.root, child))
	var answer := {
		"node_path": Scenes.path_of(target.root, node),
		"type": node.get_class(),
		"properties": properties,
		"children": children,
	}
	var script := node.get_script() as Script
	if script != null:
		answer["script"] = script.resource_path
	return target.add_to(answer)


func get_property(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := str(params.get("property", ""))
	var place := Properties.resolve(target.node, path)
	var answer := {
		"node_path": Scenes.path_of(target.root, target.node),
		"property": path,
		"value": null,
		"exists": place.problem == "",
		"type": "",
	}
	if place.problem == "":
		answer["value"] = _encode(place.value(), place.object, place.info, target.root)
		answer["type"] = type_string(place.info["type"] as int)
	return target.add_to(answer)


func set_property(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := str(params.get("property", ""))
	var place := Properties.resolve(target.node, path)
	if place.problem != "":
		return _no_property(place, "property")
	var refusal := Write.refusal(place.object, place.property, place.info)
	if refusal != "":
		return Result.fail(Result.VALIDATION, refusal, "property")
	var previous: Variant = place.value()
	var decoded := Decode.decode(
		params.get("value"), place.info, previous, target.root, _context.raw.get("value")
	)
	if not decoded.has(Decode.PROBLEM):
		decoded = Write.fitting_script(place, decoded)
	if decoded.has(Decode.PROBLEM):
		return _wrong_value(path, decoded)
	var wanted: Variant = decoded[Decode.VALUE]
	if place.object == target.node and path == "name":
		wanted = StringName(Names.after_rename(target.node, target.root, str(wanted)))
		if wanted == &"":
			return Result.fail(Result.VALIDATION, "name is empty", "value")
	var answer := {
		"node_path": "",
		"property": path,
		"value": null,
		"previous": _encode(previous, place.object, place.info, target.root),
		"set": true,
	}
	var dry := bool(params.get("dry_run", false))
	if dry:
		answer["value"] = _encode(wanted, place.object, place.info, target.root)
	# Of a name before it changes: the words of the verdict have the path in them.
	var of_name := Persistence.of_removal(target.node, target.root) if path == "name" else {}
	var outcome := _write(place, wanted, dry)
	if outcome.problem != "":
		return Result.fail(Result.VALIDATION, outcome.problem, "value")
	answer.merge(of_name if not of_name.is_empty() else _verdict(target, place, outcome))
	if not dry:
		answer["value"] = _encode(place.value(), place.object, place.info, target.root)
	answer["node_path"] = Scenes.path_of(target.root, target.node)
	if place.object == target.node and path == "name":
		answer["node_path"] = Names.path_after(answer["node_path"] as String, str(wanted))
	return _context.finish_edit(answer, target, params)


func delete(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	if node == target.root:
		return Result.fail(
			Result.VALIDATION,
			"the root of a scene cannot be deleted: name a node below it",
			"node_path"
		)
	var answer := {"node_path": Scenes.path_of(target.root, node), "deleted": true}
	answer.merge(Persistence.of_removal(node, target.root))
	if not params.get("dry_run", false):
		var given_up := _context.pace.last_chance("deleting the branch", Scenes.size_of(node))
		if not given_up.is_empty():
			return given_up
		_commit_delete(target.root, node)
		answer["deleted"] = not node.is_inside_tree()
	return _context.finish_edit(answer, target, params)


func _added(
	target: Scenes.Target, name: String, type: String, verdict: Dictionary, dry: bool
) -> Dictionary:
	var parent := Scenes.path_of(target.root, target.node)
	var answer := {
		"node_path": name if parent == "." else parent + "/" + name,
		"created": true,
		"node_type": type,
	}
	answer.merge(verdict)
	return _context.finish_edit(answer, target, {"dry_run": dry})


## Sets the properties of a node that is not in the scene yet. The answer is an error or empty.
func _apply(node: Node, properties: Variant, root: Node) -> Dictionary:
	if not properties is Dictionary:
		return {}
	for path: String in properties as Dictionary:
		var place := Properties.resolve(node, path)
		if place.problem != "":
			return _no_property(place, "properties")
		var refusal := Write.refusal(place.object, place.property, place.info)
		if refusal == "" and path.begins_with("global_"):
			refusal = "%s is known once the node has a place: godot-mcp node set-property" % path
		if refusal != "":
			return Result.fail(Result.VALIDATION, refusal, "properties")
		var decoded := Decode.decode(properties[path], place.info, place.value(), root)
		if not decoded.has(Decode.PROBLEM):
			decoded = Write.fitting_script(place, decoded)
		if decoded.has(Decode.PROBLEM):
			return _wrong_value(path, decoded, "properties")
		place.object.set(place.property, place.whole_with(decoded[Decode.VALUE]))
		if not Values.is_taken(decoded[Decode.VALUE], place.value()):
			return _not_taken(path, place, "properties")
	return {}


func _commit_add(target: Scenes.Target, node: Node, index: int) -> void:
	var undo_redo := _context.undo_redo
	_context.open_step(target.root)
	undo_redo.add_do_method(target.node, "add_child", node, true)
	if index >= 0 and index < target.node.get_child_count():
		undo_redo.add_do_method(target.node, "move_child", node, index)
	undo_redo.add_do_property(node, "owner", target.root)
	undo_redo.add_do_reference(node)
	undo_redo.add_undo_method(target.node, "remove_child", node)
	undo_redo.commit_action()


func _write(place: Properties.Place, wanted: Variant, dry: bool) -> Write.Outcome:
	if dry:
		return Write.preview(place, wanted)
	return Write.run(place, wanted, _context.undo_redo, _context.open_step)


## Whether a save holds the new value: the node's own verdict, and the property's.
static func _verdict(
	target: Scenes.Target, place: Properties.Place, outcome: Write.Outcome
) -> Dictionary:
	var verdict := Persistence.of_chain(target.node, target.root, place.chain)
	if verdict["persisted"] and not outcome.is_stored:
		return Persistence.of_unstored(place.object, place.property)
	return verdict


func _commit_delete(root: Node, node: Node) -> void:
	var undo_redo := _context.undo_redo
	var parent := node.get_parent()
	_context.open_step(root)
	undo_redo.add_do_method(parent, "remove_child", node)
	undo_redo.add_undo_method(parent, "add_child", node, true)
	undo_redo.add_undo_method(parent, "move_child", node, node.get_index())
	_context.keep_owners(node, false)
	undo_redo.add_undo_reference(node)
	undo_redo.commit_action()


func _encode(value: Variant, object: Object, info: Dictionary, root: Node) -> Variant:
	return Values.encode(value, root, info["type"] == TYPE_NIL, Values.is_single(object, info))


static func _name_is_taken(node: Node) -> Dictionary:
	return Result.fail(
		Result.VALIDATION,
		"unique_name_in_owner: %%%s is another node of the scene already" % node.name,
		"properties"
	)


static func _no_property(place: Properties.Place, parameter: String) -> Dictionary:
	return Result.fail(Result.VALIDATION, place.problem, parameter)


static func _wrong_value(
	path: String, decoded: Dictionary, parameter: String = "value"
) -> Dictionary:
	var code: String = decoded.get("code", Result.VALIDATION)
	return Result.fail(code, "%s %s" % [path, decoded[Decode.PROBLEM]], parameter)


static func _not_taken(path: String, place: Properties.Place, parameter: String) -> Dictionary:
	return Result.fail(
		Result.VALIDATION,
		(
			"%s did not take the value and still is %s"
			% [path, JSON.stringify(Values.encode(place.value(), null))]
		),
		parameter
	)


static func _name_for(node: Node, wanted: String, type: String) -> String:
	if wanted != "":
		return Names.clean(wanted)
	return str(node.name) if str(node.name) != "" else type
