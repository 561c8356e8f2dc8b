@tool
extends RefCounted
## A property of the running game that is looked at in each frame until it is as wanted.

const Decode := preload("../values_decode.gd")
const GameTree := preload("tree.gd")
const JsonValues := preload("../values.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Values := preload("values.gd")

const ORDERS: Array[String] = ["<", "<=", ">", ">="]

var _link: RefCounted
var _tree: SceneTree


class Wait:
	extends RefCounted

	var tree: SceneTree
	var node_path := ""
	var property := ""
	var op := "=="
	var expected: Variant
	## The text of it, as it was typed.
	var typed: Variant
	var timeout_msec := 0

	var _begun := Time.get_ticks_msec()
	var _actual: Variant = null
	## Why there is no value.
	var _why := ""
	var _error: Dictionary = {}

	func poll() -> Dictionary:
		var passed := _look()
		if not _error.is_empty():
			return _error
		var waited := Time.get_ticks_msec() - _begun
		if not passed and waited < timeout_msec:
			return {}
		var answer := {
			"passed": passed,
			"actual": _actual,
			"frame": Engine.get_process_frames(),
			"waited_ms": waited,
		}
		if not passed and _why != "":
			answer["hint"] = _why
		elif not passed and tree.paused:
			answer["hint"] = "the game is paused: godot-mcp game resume"
		return answer

	func _look() -> bool:
		_actual = null
		_why = ""
		var node := GameTree.find(tree, node_path)
		if node == null:
			_why = GameTree.words_of_missing(tree, node_path)
			return op == "exists" and expected == false
		var place := Properties.resolve(node, property)
		if place.problem != "":
			_why = place.problem
			return op == "exists" and expected == false
		var value: Variant = place.value()
		_actual = Values.encode(tree, value, place)
		if op == "exists":
			return expected == true
		if op == "contains":
			return _contains(value)
		return _compares(value, place)

	func _contains(value: Variant) -> bool:
		if value is String or value is StringName:
			var part: Variant = typed if typed is String and not expected is String else expected
			return str(value).contains(str(part))
		var parts: Array = []
		if value is Dictionary:
			parts = (value as Dictionary).keys()
		elif value is Array or typeof(value) >= TYPE_PACKED_BYTE_ARRAY:
			parts = Array(value)
		else:
			_refuse("op", "%s holds nothing that it could contain" % type_string(typeof(value)))
			return false
		for part: Variant in parts:
			var info := {"type": typeof(part), "usage": PROPERTY_USAGE_DEFAULT}
			var decoded := Decode.decode(expected, info, part, tree.current_scene, typed)
			if decoded.has(Decode.VALUE) and _is_same(part, decoded[Decode.VALUE]):
				return true
		return false

	func _compares(value: Variant, place: Properties.Place) -> bool:
		var decoded := Decode.decode(expected, place.info, value, tree.current_scene, typed)
		# Between two whole numbers there are others.
		if decoded.has(Decode.PROBLEM) and value is int and op in ORDERS:
			decoded = Decode.decode(expected, {"type": TYPE_FLOAT}, value, null, typed)
		if decoded.has(Decode.PROBLEM):
			_refuse("expected", "%s %s" % [property, decoded[Decode.PROBLEM]])
			return false
		var wanted: Variant = decoded[Decode.VALUE]
		if op == "==" or op == "!=":
			return _is_same(value, wanted) == (op == "==")
		if value == null:
			return false
		if not _has_order(value, wanted):
			_refuse(
				"op",
				(
					"%s and %s have no order: compare a part (position:x), or use =="
					% [type_string(typeof(value)), type_string(typeof(wanted))]
				)
			)
			return false
		if value is StringName or wanted is StringName:
			value = str(value)
			wanted = str(wanted)
		var is_less: bool = value < wanted
		var is_more: bool = value > wanted
		# NaN is neither, and not equal.
		var is_equal: bool = value == wanted
		return (
			is_equal and op.ends_with("=")
			or is_less and op.begins_with("<")
			or is_more and op.begins_with(">")
		)

	func _is_same(a: Variant, b: Variant) -> bool:
		if a is Object or b is Object:
			var scene := tree.current_scene
			return JsonValues.encode(a, scene) == JsonValues.encode(b, scene)
		return JsonValues.same(a, b)

	static func _has_order(a: Variant, b: Variant) -> bool:
		if a is int or a is float:
			return b is int or b is float
		return (a is String or a is StringName) and (b is String or b is StringName)

	func _refuse(parameter: String, why: String) -> void:
		_error = Result.fail(
			Result.VALIDATION, "%s: godot-mcp game get-property shows the value" % why, parameter
		)


func _init(link: RefCounted) -> void:
	_link = link
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {"game.wait-for": wait_for}


func wait_for(params: Dictionary) -> Dictionary:
	var wait := Wait.new()
	wait.tree = _tree
	wait.node_path = params.get("node_path", "")
	wait.property = params.get("property", "")
	wait.op = params.get("op", "==")
	wait.expected = params.get("expected")
	wait.typed = (_link.get("raw") as Dictionary).get("expected")
	wait.timeout_msec = int(params.get("timeout_ms", 0))
	if wait.op == "exists" and not wait.expected is bool:
		return Result.fail(
			Result.VALIDATION, "expected must be true or false with the op exists", "expected"
		)
	return Result.park(wait)
