@tool
extends RefCounted
## Methods of nodes by name, and the values that they are called with.

const Decode := preload("values_decode.gd")
const Result := preload("result.gd")


## The engine's info of the method, a script's own before that of the class; empty when there is none.
static func method_of(node: Node, method: String) -> Dictionary:
	for info in node.get_method_list():
		if info["name"] == method:
			return info
	var script := node.get_script() as Script
	if script != null:
		for info in script.get_script_method_list():
			if info["name"] == method:
				return info
	return {}


static func methods_of(node: Node) -> PackedStringArray:
	var names: PackedStringArray = []
	for known in node.get_method_list():
		names.append(known["name"] as String)
	return names


## The script of the node, or one that it extends, that has the method.
static func script_with(node: Node, method: String) -> Script:
	var script := node.get_script() as Script
	while script != null:
		for info in script.get_script_method_list():
			if info["name"] == method:
				return script
		script = script.get_base_script()
	return null


## True for what only scripts implement, when none does.
static func is_unwritten(node: Node, method: String, info: Dictionary) -> bool:
	return (info["flags"] as int) & METHOD_FLAG_VIRTUAL != 0 and script_with(node, method) == null


static func is_untyped(info: Dictionary) -> bool:
	return (info["return"] as Dictionary).get("type", TYPE_NIL) == TYPE_NIL


## {values} by the declared types, or {error}.
static func arguments(info: Dictionary, given: Array, root: Node) -> Dictionary:
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
