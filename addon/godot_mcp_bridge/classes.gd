@tool
extends RefCounted
## Classes by name, the engine's and the project's own.

const Properties := preload("properties.gd")
const Result := preload("result.gd")


## {node} of this class, or {error} about the parameter that names it. A script class gives a node of its
## base with the script attached.
static func make_node(type: String, parameter: String) -> Dictionary:
	if ClassDB.class_exists(type):
		if not ClassDB.is_parent_class(type, "Node"):
			return {"error": _not_a_node(parameter, type, "is no Node")}
		if not ClassDB.can_instantiate(type):
			return {"error": _not_a_node(parameter, type, "is abstract")}
		return {"node": ClassDB.instantiate(type)}
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == type:
			return _make_scripted(parameter, type, entry["path"] as String)
	return {"error": _not_a_node(parameter, type, "is no class of this engine or project")}


## The error about a class that no node can be of, empty when one can.
static func unknown_node(type: String, parameter: String) -> Dictionary:
	if ClassDB.class_exists(type):
		if type == "Node" or ClassDB.is_parent_class(type, "Node"):
			return {}
		return _not_a_node(parameter, type, "is no Node")
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == type:
			return {}
	return _not_a_node(parameter, type, "is no class of this engine or project")


## Whether the node is of this class or one below it, the engine's or the project's.
static func is_of(node: Node, type: String) -> bool:
	return node.is_class(type) or is_kind("", node.get_script() as Script, type)


## All nodes at and below this one that are of the class.
static func nodes_of(node: Node, type: String) -> Array[Node]:
	var found: Array[Node] = []
	if is_of(node, type):
		found.append(node)
	for child in node.get_children():
		found.append_array(nodes_of(child, type))
	return found


## Whether a node of this engine class with this script is of the class, the engine's or the project's.
static func is_kind(type: String, script: Script, wanted: String) -> bool:
	if type == wanted or ClassDB.is_parent_class(type, wanted):
		return true
	while script != null:
		if script.get_global_name() == wanted:
			return true
		script = script.get_base_script()
	return false


## The script of a class of the project, null when there is none.
static func script_of(type: String) -> Script:
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == type:
			return load(entry["path"] as String) as Script
	return null


## Info of a variable of the script or of those that it extends, empty when they have none of this name.
static func script_info(script: Script, name: String) -> Dictionary:
	while script != null:
		for info in script.get_script_property_list():
			if info["name"] == name and not Properties.is_heading(info):
				return info
		script = script.get_base_script()
	return {}


## Whether values of the property are nodes, alone or in a list.
static func holds_nodes(info: Dictionary) -> bool:
	var as_element := "%d/%d:" % [TYPE_OBJECT, PROPERTY_HINT_NODE_TYPE]
	return info["hint"] == PROPERTY_HINT_NODE_TYPE or str(info["hint_string"]).contains(as_element)


## The names of the properties of such a node in the order in which the engine writes them.
static func stored_order(type: String, script: Script) -> PackedStringArray:
	var names: PackedStringArray = []
	var list: Array[Dictionary] = ClassDB.class_get_property_list(type)
	if ClassDB.can_instantiate(type):
		var stand_in: Node = ClassDB.instantiate(type)
		list = stand_in.get_property_list()
		stand_in.free()
	if script != null:
		list.append_array(script.get_script_property_list())
	for info in list:
		names.append(info["name"] as String)
	return names


## The class below this one that is spelled most like the name and can be made, "" when none is.
static func nearest(type: String, base: String) -> String:
	var best := ""
	var best_score := 0.5
	var names := ClassDB.get_inheriters_from_class(base)
	names.append(base)
	for name in names:
		if name == type or not ClassDB.can_instantiate(name):
			continue
		var score := name.similarity(type)
		if score > best_score:
			best_score = score
			best = name
	return best


## The value that the property has when nobody set it: the script's, else the class's.
static func default_of(object: Object, name: String) -> Variant:
	return default_in(object.get_script() as Script, object.get_class(), name)


static func default_in(script: Script, type: String, name: String) -> Variant:
	while script != null:
		var below := script.get_base_script()
		for info in script.get_script_property_list():
			if info["name"] == name:
				# Of what it inherits a script that was just read again does not know the default.
				var value: Variant = script.get_property_default_value(name)
				if value != null or below == null or not _lists(below, name):
					return value
		script = below
	return ClassDB.class_get_property_default_value(type, name)


## The arguments of a method or signal: {name, type} each.
static func args_of(info: Dictionary) -> Array[Dictionary]:
	var args: Array[Dictionary] = []
	for arg: Dictionary in info["args"]:
		args.append({"name": arg["name"], "type": Properties.type_name(arg)})
	return args


static func _lists(script: Script, name: String) -> bool:
	return script.get_script_property_list().any(
		func(info: Dictionary) -> bool: return info["name"] == name
	)


static func _make_scripted(parameter: String, type: String, path: String) -> Dictionary:
	var script := load(path) as Script
	if script == null:
		return {"error": _not_a_node(parameter, type, "has a script that does not load: %s" % path)}
	var base := script.get_instance_base_type()
	if not ClassDB.is_parent_class(base, "Node"):
		return {"error": _not_a_node(parameter, type, "is no Node")}
	var node: Node = ClassDB.instantiate(base)
	node.set_script(script)
	if node.get_script() != script:
		node.free()
		return {"error": _not_a_node(parameter, type, "cannot be made: its script needs arguments")}
	node.name = type
	return {"node": node}


static func _not_a_node(parameter: String, type: String, why: String) -> Dictionary:
	var best := nearest(type, "Node")
	var more := ", did you mean %s?" % best if best != "" else ""
	return Result.fail(Result.VALIDATION, "%s: %s %s%s" % [parameter, type, why, more], parameter)
