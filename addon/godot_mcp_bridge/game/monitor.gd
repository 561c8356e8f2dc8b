@tool
extends RefCounted
## A property of the running game, noted in each frame.

const GameTree := preload("tree.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Values := preload("values.gd")

const MAX_SAMPLES := 10000

var _tree: SceneTree
var _node_id := 0
## {node_path, property, samples, ready, error}, empty before the first.
var _seen: Dictionary = {}
var _wanted := 0
var _on_change_only := false
var _epsilon := 0.0


func _init(link: RefCounted) -> void:
	_tree = link.get("tree")
	# Before the link, which pauses and goes on: each frame counts that was processed.
	_tree.process_frame.connect(_note)


func commands() -> Dictionary[String, Callable]:
	return {"game.start-monitor": start, "game.read-monitor": read}


func start(params: Dictionary) -> Dictionary:
	var path := str(params.get("node_path", ""))
	var node := GameTree.find(_tree, path)
	if node == null:
		return GameTree.missing(_tree, path)
	var property := str(params.get("property", ""))
	var place := Properties.resolve(node, property)
	if place.problem != "":
		return Result.fail(Result.VALIDATION, "%s: godot-mcp game tree" % place.problem, "property")
	var samples := int(params.get("samples", 30))
	if samples < 1 or samples > MAX_SAMPLES:
		return Result.fail(
			Result.VALIDATION,
			"samples must be from 1 to %d, was given %d" % [MAX_SAMPLES, samples],
			"samples"
		)
	_wanted = samples
	_on_change_only = params.get("on_change_only", false)
	_epsilon = float(params.get("epsilon", 0.0001))
	_node_id = node.get_instance_id()
	_seen = {
		"ready": false,
		"connected": true,
		"node_path": GameTree.path_of(node),
		"property": property,
		"samples": [],
	}
	return {
		"monitoring": true,
		"node_path": _seen["node_path"],
		"property": property,
		"samples": samples,
	}


func read(_params: Dictionary) -> Dictionary:
	if not _seen.is_empty():
		return _seen
	return {
		"ready": false,
		"connected": true,
		"node_path": "",
		"property": "",
		"samples": [],
		"error": "nothing is watched in this run: godot-mcp game start-monitor",
	}


## In a paused game no frame passes.
func _note() -> void:
	if _tree.paused or _seen.is_empty() or _seen["ready"]:
		return
	var node := instance_from_id(_node_id) as Node if is_instance_id_valid(_node_id) else null
	if node == null or not node.is_inside_tree():
		_end("the node is no longer in the game")
		return
	var place := Properties.resolve(node, str(_seen["property"]))
	if place.problem != "":
		_end(place.problem)
		return
	var value: Variant = Values.encode(_tree, place.value(), place)
	var samples: Array = _seen["samples"]
	if _on_change_only and not samples.is_empty() and _is_near(samples[-1]["value"], value):
		return
	samples.append({"frame": Engine.get_process_frames(), "value": value})
	if samples.size() >= _wanted:
		_end("")


func _end(error: String) -> void:
	_seen["ready"] = true
	if error != "":
		_seen["error"] = error


## Whether no number differs by more than epsilon, and nothing else at all.
func _is_near(a: Variant, b: Variant) -> bool:
	if (a is float or a is int) and (b is float or b is int):
		return absf(float(a) - float(b)) <= _epsilon
	if a is Array and b is Array and (a as Array).size() == (b as Array).size():
		return range((a as Array).size()).all(func(i: int) -> bool: return _is_near(a[i], b[i]))
	if a is Dictionary and b is Dictionary and (a as Dictionary).keys() == (b as Dictionary).keys():
		return (a as Dictionary).keys().all(
			func(key: Variant) -> bool: return _is_near(a[key], b[key])
		)
	return typeof(a) == typeof(b) and a == b
