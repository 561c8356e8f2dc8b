@tool
extends RefCounted
## Variants as JSON, by the contract's value table. The way back is values_decode.gd.

const SAFE_INT := 9007199254740992
## Built-in resources inside built-in resources are followed this deep; then they are only named.
const MAX_DEPTH := 4
## Properties of a resource that only say where it is.
const PLACES: Array[String] = ["resource_path", "resource_scene_unique_id"]
## Containers are followed this deep: one may hold itself.
const MAX_NESTING := 64


## The JSON form of a value. `untyped` says that the place holds any Variant, so that what JSON cannot
## tell apart is tagged. `single` says that the engine keeps the number in 32 bits.
static func encode(
	value: Variant, root: Node, untyped: bool = false, single: bool = false, depth: int = 0
) -> Variant:
	match typeof(value):
		TYPE_NIL, TYPE_BOOL, TYPE_STRING:
			return value
		TYPE_INT:
			return _int(value as int, untyped)
		TYPE_FLOAT:
			return _float_in_place(value as float, untyped, single)
		TYPE_STRING_NAME, TYPE_NODE_PATH:
			return _tag(str(value), value, untyped)
		TYPE_ARRAY, TYPE_DICTIONARY:
			if depth >= MAX_NESTING:
				return {"$object": "nested too deep", "type": type_string(typeof(value))}
			if value is Array:
				return _array(value as Array, root, depth)
			return _dictionary(value as Dictionary, root, depth)
		TYPE_OBJECT:
			return _object(value as Object, root, depth)
		TYPE_CALLABLE, TYPE_SIGNAL, TYPE_RID:
			return {"$object": str(value), "type": type_string(typeof(value))}
		TYPE_PACKED_BYTE_ARRAY:
			return {"$bytes": Marshalls.raw_to_base64(value as PackedByteArray)}
	if typeof(value) >= TYPE_PACKED_BYTE_ARRAY:
		return _tag(_packed(value), value, untyped)
	return _tag(_compound(value), value, untyped)


## The shortest number that reads back as the same 32 bits: 0.1, not 0.10000000149011612.
static func number(value: float) -> Variant:
	if not is_finite(value):
		return _not_finite(value)
	# Whole numbers below 2^24 have no digits that 32 bits would not hold.
	if value == floorf(value) and absf(value) < 16777216.0:
		return value
	var text := var_to_str(Vector2(value, 0))
	var short := text.get_slice("(", 1).get_slice(",", 0).to_float()
	return short if Vector2(short, 0).x == value else value


## Equality as a write is checked by: NaN equals itself, an int equals the float it became.
static func same(a: Variant, b: Variant) -> bool:
	if typeof(a) == TYPE_FLOAT and typeof(b) == TYPE_FLOAT:
		return (is_nan(a as float) and is_nan(b as float)) or _close(a as float, b as float)
	if typeof(a) != typeof(b):
		return (
			(typeof(a) in [TYPE_INT, TYPE_FLOAT])
			and (typeof(b) in [TYPE_INT, TYPE_FLOAT])
			and a == b
		)
	return a == b or var_to_str(a) == var_to_str(b)


## True when what is read back is what was written, up to the rounding of 32 bits and of the engine's own
## conversions (a global position is kept as a local one).
static func is_taken(wanted: Variant, got: Variant) -> bool:
	if same(wanted, got):
		return true
	if typeof(wanted) != typeof(got):
		return false
	match typeof(wanted):
		TYPE_FLOAT:
			return is_equal_approx(wanted as float, got as float)
		TYPE_VECTOR2, TYPE_VECTOR3, TYPE_VECTOR4, TYPE_RECT2, TYPE_TRANSFORM2D, TYPE_PLANE:
			return wanted.is_equal_approx(got)
		TYPE_QUATERNION, TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_COLOR:
			return wanted.is_equal_approx(got)
	return false


## Properties kept in 32 bits come back rounded.
static func _close(a: float, b: float) -> bool:
	return a == b or Vector2(a, 0).x == Vector2(b, 0).x


static func _int(value: int, untyped: bool) -> Variant:
	if value <= SAFE_INT and value >= -SAFE_INT:
		return value
	return {"$type": "int", "value": str(value)} if untyped else str(value)


static func _float_in_place(value: float, untyped: bool, single: bool) -> Variant:
	if is_finite(value):
		return number(value) if single else value
	return {"$type": "float", "value": _not_finite(value)} if untyped else _not_finite(value)


static func _not_finite(value: float) -> String:
	if is_nan(value):
		return "nan"
	return "inf" if value > 0 else "-inf"


static func _tag(json: Variant, value: Variant, untyped: bool) -> Variant:
	return {"$type": type_string(typeof(value)), "value": json} if untyped else json


static func _array(value: Array, root: Node, depth: int) -> Array:
	var out := []
	for element: Variant in value:
		out.append(encode(element, root, not value.is_typed(), false, depth + 1))
	return out


static func _dictionary(value: Dictionary, root: Node, depth: int) -> Dictionary:
	var plain := true
	for key: Variant in value:
		if not key is String or (key as String).begins_with("$"):
			plain = false
			break
	var loose := not value.is_typed_value()
	if plain:
		var out := {}
		for key: String in value:
			out[key] = encode(value[key], root, loose, false, depth + 1)
		return out
	var pairs := []
	for key: Variant in value:
		pairs.append(
			[
				encode(key, root, not value.is_typed_key(), false, depth + 1),
				encode(value[key], root, loose, false, depth + 1)
			]
		)
	return {"$dict": pairs}


static func _packed(value: Variant) -> Array:
	var out := []
	for element: Variant in value:
		match typeof(value):
			TYPE_PACKED_FLOAT32_ARRAY:
				out.append(number(element as float))
			_:
				out.append(encode(element, null))
	return out


static func _object(value: Object, root: Node, depth: int) -> Variant:
	if value == null:
		return null
	if value is Node:
		var node := value as Node
		if root != null and (node == root or root.is_ancestor_of(node)):
			return {"$node": str(root.get_path_to(node))}
		return {"$object": str(node), "type": node.get_class()}
	if not value is Resource:
		return {"$object": str(value), "type": value.get_class()}
	var resource := value as Resource
	if not resource.is_built_in():
		return {"$resource": resource.resource_path, "type": resource.get_class()}
	var out := {
		"$resource": null,
		"$path": resource.resource_path if resource.resource_path != "" else null,
		"type": resource.get_class(),
	}
	if depth < MAX_DEPTH:
		out["properties"] = resource_properties(resource, root, depth)
	return out


## What the resource holds beyond its class's defaults, as JSON.
static func resource_properties(resource: Resource, root: Node, depth: int = 0) -> Dictionary:
	var out := {}
	for info in resource.get_property_list():
		var name := info["name"] as String
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE or PLACES.has(name):
			continue
		var value: Variant = resource.get(name)
		if same(value, ClassDB.class_get_property_default_value(resource.get_class(), name)):
			continue
		var untyped: bool = info["type"] == TYPE_NIL or name.begins_with("metadata/")
		out[name] = encode(value, root, untyped, is_single(resource, info), depth + 1)
	return out


## True for a float that the engine itself keeps in 32 bits: a script's own float has 64.
static func is_single(object: Object, info: Dictionary) -> bool:
	if info["type"] != TYPE_FLOAT:
		return false
	return not (info["usage"] as int) & PROPERTY_USAGE_SCRIPT_VARIABLE and object != null


static func _compound(value: Variant) -> Dictionary:
	match typeof(value):
		TYPE_COLOR:
			return _parts(value, ["r", "g", "b", "a"])
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return _parts(value, ["x", "y"])
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return _parts(value, ["x", "y", "z"])
		TYPE_VECTOR4, TYPE_VECTOR4I, TYPE_QUATERNION:
			return _parts(value, ["x", "y", "z", "w"])
		TYPE_RECT2, TYPE_RECT2I, TYPE_AABB:
			return _parts(value, ["position", "size"])
		TYPE_PLANE:
			return _parts(value, ["normal", "d"])
		TYPE_BASIS:
			return _parts(value, ["x", "y", "z"])
		TYPE_PROJECTION:
			return _parts(value, ["x", "y", "z", "w"])
		TYPE_TRANSFORM2D:
			return _parts(value, ["x", "y", "origin"])
		TYPE_TRANSFORM3D:
			return _parts(value, ["basis", "origin"])
	return {"$object": str(value), "type": type_string(typeof(value))}


static func _parts(value: Variant, names: Array[String]) -> Dictionary:
	var out := {}
	for name in names:
		var part: Variant = value[name]
		match typeof(part):
			TYPE_FLOAT:
				out[name] = number(part as float)
			TYPE_INT:
				out[name] = part
			_:
				out[name] = _compound(part)
	return out
