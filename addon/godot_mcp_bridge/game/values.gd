@tool
extends RefCounted
## Nodes of the running game: reading and setting their properties, calling their methods.

const Calls := preload("../method_call.gd")
const Decode := preload("../values_decode.gd")
const GameTree := preload("tree.gd")
const Names := preload("../names.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Values := preload("../values.gd")
const Write := preload("../property_write.gd")

## link.gd, which makes these.
var _link: RefCounted
var _tree: SceneTree


func _init(link: RefCounted) -> void:
	_link = link
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {
		"game.get-property": get_property,
		"game.query": query,
		"game.set-property": set_property,
		"game.call": call_method,
	}


func get_property(params: Dictionary) -> Dictionary:
	var path := str(params.get("node_path", ""))
	if GameTree.find(_tree, path) == null:
		return _missing(params)
	var answer := read(_tree, path, str(params.get("property", "")))
	answer["ready"] = not answer.has("error")
	return answer


func query(params: Dictionary) -> Dictionary:
	var values: Array[Dictionary] = []
	for entry: Dictionary in params.get("queries", []) as Array:
		values.append(read(_tree, str(entry.get("node_path", "")), str(entry.get("property", ""))))
	return {"values": values, "frame": Engine.get_process_frames()}


func set_property(params: Dictionary) -> Dictionary:
	var node := GameTree.find(_tree, str(params.get("node_path", "")))
	if node == null:
		return _missing(params)
	var path := str(params.get("property", ""))
	var place := Properties.resolve(node, path)
	if place.problem != "":
		return Result.fail(Result.VALIDATION, "%s: godot-mcp game tree" % place.problem, "property")
	var refusal := Write.refusal(place.object, place.property, place.info)
	if refusal != "":
		return Result.fail(Result.VALIDATION, refusal, "property")
	var previous: Variant = place.value()
	var whole: Variant = place.object.get(place.property)
	var typed: Variant = (_link.get("raw") as Dictionary).get("value")
	var decoded := Decode.decode(
		params.get("value"), place.info, previous, _tree.current_scene, typed
	)
	if not decoded.has(Decode.PROBLEM):
		decoded = Write.fitting_script(place, decoded)
	if decoded.has(Decode.PROBLEM):
		return Result.fail(
			decoded.get("code", Result.VALIDATION) as String,
			"%s %s" % [path, decoded[Decode.PROBLEM]],
			"value"
		)
	var answer := {
		"property": path,
		"previous": encode(_tree, previous, place),
	}
	var outcome := Write.try_on(place, decoded[Decode.VALUE])
	if outcome.problem != "":
		place.object.set(place.property, whole)
		return Result.fail(Result.VALIDATION, outcome.problem, "value")
	answer["value"] = encode(_tree, place.value(), place)
	answer["node_path"] = GameTree.path_of(node)
	return answer


func call_method(params: Dictionary) -> Dictionary:
	var node := GameTree.find(_tree, str(params.get("node_path", "")))
	if node == null:
		return _missing(params)
	var method := str(params.get("method", ""))
	var info := Calls.method_of(node, method)
	if info.is_empty():
		var near := Names.nearest(method, Calls.methods_of(node))
		var hint := ", did you mean %s?" % near if near != "" else ""
		return Result.fail(
			Result.VALIDATION,
			"%s has no method %s%s: godot-mcp game tree" % [node.get_class(), method, hint],
			"method"
		)
	if Calls.is_unwritten(node, method, info):
		return Result.fail(
			Result.VALIDATION,
			"%s is for scripts to implement, and the node has none that does" % method,
			"method"
		)
	var given: Array = params.get("args", [])
	var decoded := Calls.arguments(info, given, _tree.current_scene)
	if decoded.has("error"):
		return decoded["error"]
	var path := GameTree.path_of(node)
	var value: Variant = node.callv(method, decoded["values"] as Array)
	var answer := {"node_path": path, "method": method, "value": null}
	if value is Object and is_instance_valid(value as Object):
		if (value as Object).get_class() == "GDScriptFunctionState":
			answer["hint"] = "the method waits for something (await) and goes on in the game"
			return answer
	answer["value"] = Values.encode(value, _tree.current_scene, Calls.is_untyped(info))
	return answer


## {node_path, property, value}, with `error` when there is no value.
static func read(tree: SceneTree, node_path: String, property: String) -> Dictionary:
	var answer := {"node_path": node_path, "property": property, "value": null}
	var node := GameTree.find(tree, node_path)
	if node == null:
		answer["error"] = GameTree.words_of_missing(tree, node_path)
		return answer
	answer["node_path"] = GameTree.path_of(node)
	var place := Properties.resolve(node, property)
	if place.problem != "":
		answer["error"] = place.problem
		return answer
	answer["value"] = encode(tree, place.value(), place)
	return answer


static func encode(tree: SceneTree, value: Variant, place: Properties.Place) -> Variant:
	return Values.encode(
		value,
		tree.current_scene,
		place.info["type"] == TYPE_NIL,
		Values.is_single(place.object, place.info)
	)


func _missing(params: Dictionary) -> Dictionary:
	return GameTree.missing(_tree, str(params.get("node_path", "")))
