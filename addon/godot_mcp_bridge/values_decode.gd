@tool
extends RefCounted
## JSON to Variants, by the contract's value table. Nothing becomes zero in silence: what does not fit is
## a problem in words, and the caller keeps the old value.

const Objects := preload("values_object.gd")
const Values := preload("values.gd")

const VALUE := "value"
const PROBLEM := "problem"

## The components of each compound type, in the order of its constructor's numbers.
const COMPONENTS: Dictionary[int, Array] = {
	TYPE_VECTOR2: ["x", "y"],
	TYPE_VECTOR2I: ["x", "y"],
	TYPE_VECTOR3: ["x", "y", "z"],
	TYPE_VECTOR3I: ["x", "y", "z"],
	TYPE_VECTOR4: ["x", "y", "z", "w"],
	TYPE_VECTOR4I: ["x", "y", "z", "w"],
	TYPE_QUATERNION: ["x", "y", "z", "w"],
	TYPE_RECT2: ["position", "size"],
	TYPE_RECT2I: ["position", "size"],
	TYPE_AABB: ["position", "size"],
	TYPE_PLANE: ["normal", "d"],
	TYPE_BASIS: ["x", "y", "z"],
	TYPE_PROJECTION: ["x", "y", "z", "w"],
	TYPE_TRANSFORM2D: ["x", "y", "origin"],
	TYPE_TRANSFORM3D: ["basis", "origin"],
}

## The type of each component.
const PARTS: Dictionary[int, Array] = {
	TYPE_VECTOR2: [TYPE_FLOAT, TYPE_FLOAT],
	TYPE_VECTOR2I: [TYPE_INT, TYPE_INT],
	TYPE_VECTOR3: [TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT],
	TYPE_VECTOR3I: [TYPE_INT, TYPE_INT, TYPE_INT],
	TYPE_VECTOR4: [TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT],
	TYPE_VECTOR4I: [TYPE_INT, TYPE_INT, TYPE_INT, TYPE_INT],
	TYPE_QUATERNION: [TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT],
	TYPE_RECT2: [TYPE_VECTOR2, TYPE_VECTOR2],
	TYPE_RECT2I: [TYPE_VECTOR2I, TYPE_VECTOR2I],
	TYPE_AABB: [TYPE_VECTOR3, TYPE_VECTOR3],
	TYPE_PLANE: [TYPE_VECTOR3, TYPE_FLOAT],
	TYPE_BASIS: [TYPE_VECTOR3, TYPE_VECTOR3, TYPE_VECTOR3],
	TYPE_PROJECTION: [TYPE_VECTOR4, TYPE_VECTOR4, TYPE_VECTOR4, TYPE_VECTOR4],
	TYPE_TRANSFORM2D: [TYPE_VECTOR2, TYPE_VECTOR2, TYPE_VECTOR2],
	TYPE_TRANSFORM3D: [TYPE_BASIS, TYPE_VECTOR3],
}

const PACKED_ELEMENTS: Dictionary[int, int] = {
	TYPE_PACKED_BYTE_ARRAY: TYPE_INT,
	TYPE_PACKED_INT32_ARRAY: TYPE_INT,
	TYPE_PACKED_INT64_ARRAY: TYPE_INT,
	TYPE_PACKED_FLOAT32_ARRAY: TYPE_FLOAT,
	TYPE_PACKED_FLOAT64_ARRAY: TYPE_FLOAT,
	TYPE_PACKED_STRING_ARRAY: TYPE_STRING,
	TYPE_PACKED_VECTOR2_ARRAY: TYPE_VECTOR2,
	TYPE_PACKED_VECTOR3_ARRAY: TYPE_VECTOR3,
	TYPE_PACKED_COLOR_ARRAY: TYPE_COLOR,
	TYPE_PACKED_VECTOR4_ARRAY: TYPE_VECTOR4,
}

static var _engine_text: RegEx = RegEx.create_from_string(
	"^\\s*[A-Z][A-Za-z0-9]*\\s*\\([-+0-9.eE,\\sinfa]*\\)\\s*$"
)


## {value} or {problem} for a property with this engine property info. `present` is its value now: typed
## arrays and dictionaries keep their element types from it. `root` resolves nodes; `typed` is the text
## from a command line, or null.
static func decode(
	json: Variant, info: Dictionary, present: Variant, root: Node, typed: Variant = null
) -> Dictionary:
	var decoded := _decode(json, info, present, root, typed)
	if decoded.has(VALUE) and info.get("component", false) and not _fits_component(decoded[VALUE]):
		return wrong(json, "%s of 32 bits" % type_string(info["type"] as int))
	return decoded


static func _decode(
	json: Variant, info: Dictionary, present: Variant, root: Node, typed: Variant
) -> Dictionary:
	var want := info["type"] as int
	json = _unpacked(json, want)
	if json is Dictionary and (json as Dictionary).has("$type"):
		return _tagged(json as Dictionary, want, root)
	match want:
		TYPE_NIL:
			return _untyped(json, root)
		TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH:
			if not json is String and typed is String:
				json = typed
			return _text(json, want)
		TYPE_ARRAY:
			return _array(json, present, root)
		TYPE_DICTIONARY:
			return _dictionary(json, present, root)
		TYPE_OBJECT:
			return Objects.decode(json, info, root)
	return simple(json, want)


## Some clients send every value as text. Where the property is none, text that is a JSON object or list is
## what it says; numbers keep their kind, as in wire.gd.
static func _unpacked(json: Variant, want: int) -> Variant:
	if not json is String or want in [TYPE_NIL, TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]:
		return json
	var text := (json as String).strip_edges()
	if not text.begins_with("{") and not text.begins_with("["):
		return json
	return str_to_var(text) if JSON.new().parse(text) == OK else json


static func ok(value: Variant) -> Dictionary:
	return {VALUE: value}


static func wrong(json: Variant, want: String) -> Dictionary:
	var given := JSON.stringify(_as_given(json))
	if given.length() > 120:
		given = given.left(117) + "..."
	return {PROBLEM: "wants %s, was given %s" % [want, given]}


## The problem of a part, told of the whole; what is not there stays not there.
static func inside(where: String, part: Dictionary) -> Dictionary:
	var problem := part.duplicate()
	problem[PROBLEM] = "%s %s" % [where, part[PROBLEM]]
	return problem


## The value as the caller wrote it: floats that came with their bits as numbers again.
static func _as_given(json: Variant) -> Variant:
	if json is Array:
		return (json as Array).map(_as_given)
	if not json is Dictionary:
		return json
	if (json as Dictionary).has("bits"):
		return str((json as Dictionary).get("value")).to_float()
	var out := {}
	for key: Variant in json as Dictionary:
		out[key] = _as_given(json[key])
	return out


## A value whose type says all: no objects, no typed containers.
static func simple(json: Variant, want: int) -> Dictionary:
	if json is Dictionary and (json as Dictionary).get("$type") == "float":
		if want == TYPE_FLOAT and json.get("bits") is String:
			return _from_bits(json as Dictionary)
	match want:
		TYPE_BOOL:
			return ok(json) if json is bool else wrong(json, "bool (true or false)")
		TYPE_INT:
			return _int(json)
		TYPE_FLOAT:
			return _float(json)
		TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH:
			return _text(json, want)
		TYPE_COLOR:
			return _color(json)
	if COMPONENTS.has(want):
		return _compound(json, want)
	if PACKED_ELEMENTS.has(want):
		return _packed(json, want)
	return wrong(json, "%s, which cannot be written" % type_string(want))


static func _tagged(json: Dictionary, want: int, root: Node) -> Dictionary:
	for type in range(TYPE_BOOL, TYPE_MAX):
		if type_string(type) != str(json["$type"]):
			continue
		if want != TYPE_NIL and want != type:
			return wrong(json, type_string(want))
		if type == TYPE_ARRAY or type == TYPE_DICTIONARY or type == TYPE_OBJECT:
			return decode(json.get("value"), {"type": type}, null, root)
		if type == TYPE_FLOAT and json.get("bits") is String:
			return _from_bits(json)
		return simple(json.get("value"), type)
	return wrong(json, "a $type that the engine has")


## A float whose text the engine's parser would read as a neighbour comes with its bits.
static func _from_bits(json: Dictionary) -> Dictionary:
	var bits := (json["bits"] as String).hex_decode()
	return ok(bits.decode_double(0)) if bits.size() == 8 else wrong(json, "float")


static func _untyped(json: Variant, root: Node) -> Dictionary:
	if json is Array:
		return _array(json, [], root)
	if not json is Dictionary:
		return ok(json)
	var given := json as Dictionary
	if given.has("$bytes"):
		return _packed(json, TYPE_PACKED_BYTE_ARRAY)
	if given.has("$resource") or given.has("$node"):
		return Objects.decode(json, {"type": TYPE_OBJECT}, root)
	return _dictionary(json, {}, root)


static func _int(json: Variant) -> Dictionary:
	if json is int:
		return ok(json)
	if json is float and is_finite(json as float) and json == floorf(json as float):
		if absf(json as float) <= Values.SAFE_INT:
			return ok(int(json as float))
	if (
		json is String
		and (json as String).is_valid_int()
		and str((json as String).to_int()) == json
	):
		return ok((json as String).to_int())
	return wrong(json, "int")


static func _float(json: Variant) -> Dictionary:
	if json is float or json is int:
		return ok(float(json))
	if json is String:
		match json as String:
			"inf":
				return ok(INF)
			"-inf":
				return ok(-INF)
			"nan":
				return ok(NAN)
		if (json as String).is_valid_float():
			return ok((json as String).to_float())
	return wrong(json, "float")


static func _text(json: Variant, want: int) -> Dictionary:
	if not json is String:
		return wrong(json, type_string(want))
	match want:
		TYPE_STRING_NAME:
			return ok(StringName(json as String))
		TYPE_NODE_PATH:
			return ok(NodePath(json as String))
	return ok(json)


static func _color(json: Variant) -> Dictionary:
	var shape := 'Color: {"r","g","b","a"}, "#rrggbb[aa]", a name or an array'
	if json is String:
		# A colour that no text stands for tells whether the text was one.
		var none := Color(-1, -1, -1, -1)
		var given := Color.from_string(json as String, none)
		var engine := _from_engine_text(json as String, TYPE_COLOR)
		if given != none and not (json as String).contains("("):
			return ok(given)
		return engine if engine.has(VALUE) else wrong(json, shape)
	var numbers: Array = []
	if json is Array:
		numbers = json
	elif json is Dictionary:
		for name: Variant in json as Dictionary:
			if not name in ["r", "g", "b", "a"]:
				return wrong(json, shape)
		for name: String in ["r", "g", "b"]:
			if not (json as Dictionary).has(name):
				return wrong(json, shape)
			numbers.append(json[name])
		if (json as Dictionary).has("a"):
			numbers.append(json["a"])
	if numbers.size() != 3 and numbers.size() != 4:
		return wrong(json, shape)
	var color := Color()
	for i in numbers.size():
		var part := simple(numbers[i], TYPE_FLOAT)
		if part.has(PROBLEM):
			return wrong(json, shape)
		color[i] = part[VALUE]
	return ok(color)


static func _compound(json: Variant, want: int) -> Dictionary:
	var names: Array = COMPONENTS[want]
	var shape := "%s: {%s}" % [type_string(want), ",".join(names)]
	if json is String:
		return _from_engine_text(json as String, want)
	var parts: Array = []
	if json is Dictionary:
		var other := _other_form(json as Dictionary, want)
		if not other.is_empty():
			return other
		if (json as Dictionary).size() != names.size():
			return wrong(json, shape)
		for name: String in names:
			if not (json as Dictionary).has(name):
				return wrong(json, shape)
			parts.append(json[name])
	elif json is Array:
		parts = _regroup(json as Array, want)
	if parts.size() != names.size():
		return wrong(json, shape)
	var value: Variant = type_convert(null, want)
	for i in names.size():
		var part := simple(parts[i], PARTS[want][i] as int)
		if part.has(PROBLEM) or not _fits_component(part[VALUE]):
			return wrong(json, shape)
		value[names[i]] = part[VALUE]
	return ok(value)


## A flat list of numbers as the parts of the type: [x,y,w,h] becomes [[x,y],[w,h]].
static func _regroup(numbers: Array, want: int) -> Array:
	var parts: Array = []
	var at := 0
	for type: int in PARTS[want]:
		var width := _width(type)
		if at < numbers.size() and (numbers[at] is Array or numbers[at] is Dictionary):
			parts.append(numbers[at])
			at += 1
			continue
		if at + width > numbers.size():
			return []
		parts.append(numbers[at] if width == 1 else numbers.slice(at, at + width))
		at += width
	return parts if at == numbers.size() else []


static func _width(type: int) -> int:
	if not COMPONENTS.has(type):
		return 1
	var sum := 0
	for part: int in PARTS[type]:
		sum += _width(part)
	return sum


## Forms that people think in: euler angles, rotation and scale. Empty when it is none of them.
static func _other_form(json: Dictionary, want: int) -> Dictionary:
	var three := want == TYPE_BASIS or want == TYPE_TRANSFORM3D
	if want == TYPE_BASIS and json.keys() == ["euler"]:
		var euler := simple(json["euler"], TYPE_VECTOR3)
		return euler if euler.has(PROBLEM) else ok(Basis.from_euler(euler[VALUE] as Vector3))
	if not json.has("rotation") or not (three or want == TYPE_TRANSFORM2D):
		return {}
	var vector := TYPE_VECTOR3 if three else TYPE_VECTOR2
	var one: Variant = Vector3.ONE if three else Vector2.ONE
	var zero: Variant = Vector3.ZERO if three else Vector2.ZERO
	var given := {
		"rotation": simple(json["rotation"], vector if three else TYPE_FLOAT),
		"scale": simple(json["scale"], vector) if json.has("scale") else ok(one),
		"skew": simple(json["skew"], TYPE_FLOAT) if json.has("skew") else ok(0.0),
		"origin": simple(json["origin"], vector) if json.has("origin") else ok(zero),
	}
	for name: Variant in json:
		if not given.has(name):
			return wrong(json, type_string(want))
	for name: String in given:
		if (given[name] as Dictionary).has(PROBLEM):
			return given[name]
	if not three:
		return ok(
			Transform2D(
				given["rotation"][VALUE] as float,
				given["scale"][VALUE] as Vector2,
				given["skew"][VALUE] as float,
				given["origin"][VALUE] as Vector2
			)
		)
	var basis := Basis.from_euler(given["rotation"][VALUE] as Vector3).scaled_local(
		given["scale"][VALUE] as Vector3
	)
	return (
		ok(basis)
		if want == TYPE_BASIS
		else ok(Transform3D(basis, given["origin"][VALUE] as Vector3))
	)


## "Vector2(1, 2)" and its like. Only a type name and numbers: the engine's parser would build objects too.
static func _from_engine_text(text: String, want: int) -> Dictionary:
	if _engine_text.search(text) != null:
		if text.strip_edges().get_slice("(", 0).strip_edges() == type_string(want):
			var numbers := text.get_slice("(", 1).get_slice(")", 0).split(",", false)
			if numbers.size() == (4 if want == TYPE_COLOR else _width(want)):
				var value: Variant = str_to_var(text)
				if typeof(value) == want:
					return ok(value)
	return wrong(text, "%s as JSON or as the engine's text" % type_string(want))


static func _packed(json: Variant, want: int) -> Dictionary:
	var value: Variant = type_convert([], want)
	if want == TYPE_PACKED_BYTE_ARRAY and json is Dictionary and (json as Dictionary).has("$bytes"):
		var encoded := str(json["$bytes"])
		var bytes := Marshalls.base64_to_raw(encoded)
		return ok(bytes) if Marshalls.raw_to_base64(bytes) == encoded else wrong(json, "base64")
	if not json is Array:
		return wrong(json, type_string(want))
	for i in (json as Array).size():
		var element := simple(json[i], PACKED_ELEMENTS[want])
		if element.has(PROBLEM) or not _fits(element[VALUE], want):
			return {PROBLEM: "element %d %s" % [i, wrong(json[i], _element_name(want))[PROBLEM]]}
		value.append(element[VALUE])
	return ok(value)


static func _fits(value: Variant, want: int) -> bool:
	match want:
		TYPE_PACKED_BYTE_ARRAY:
			return value >= 0 and value <= 255
		TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_FLOAT32_ARRAY:
			return _fits_component(value)
	return true


## Components have 32 bits: a larger number would become another one, or infinity.
static func _fits_component(value: Variant) -> bool:
	if value is int:
		return _is_int32(value as int)
	if value is float:
		return is_finite(Vector2(value as float, 0).x) == is_finite(value as float)
	return true


static func _is_int32(value: int) -> bool:
	return value >= -2147483648 and value <= 2147483647


static func _element_name(want: int) -> String:
	if want == TYPE_PACKED_BYTE_ARRAY:
		return "int from 0 to 255"
	return type_string(PACKED_ELEMENTS[want])


static func _array(json: Variant, present: Variant, root: Node) -> Dictionary:
	if not json is Array:
		return wrong(json, "Array")
	var value: Array = []
	var element_info := {"type": TYPE_NIL}
	if present is Array and (present as Array).is_typed():
		var like := present as Array
		value = Array(
			[], like.get_typed_builtin(), like.get_typed_class_name(), like.get_typed_script()
		)
		element_info = {
			"type": like.get_typed_builtin(),
			"class_name": like.get_typed_class_name(),
			"script": like.get_typed_script(),
		}
	for i in (json as Array).size():
		var element := decode(json[i], element_info, null, root)
		if element.has(PROBLEM):
			return inside("element %d" % i, element)
		value.append(element[VALUE])
	return ok(value)


static func _dictionary(json: Variant, present: Variant, root: Node) -> Dictionary:
	if not json is Dictionary:
		return wrong(json, "Dictionary")
	var value := {}
	var key_info := {"type": TYPE_NIL}
	var value_info := {"type": TYPE_NIL}
	if present is Dictionary and (present as Dictionary).is_typed():
		var like := present as Dictionary
		value = Dictionary(
			{},
			like.get_typed_key_builtin(),
			like.get_typed_key_class_name(),
			like.get_typed_key_script(),
			like.get_typed_value_builtin(),
			like.get_typed_value_class_name(),
			like.get_typed_value_script()
		)
		key_info = {
			"type": like.get_typed_key_builtin(), "class_name": like.get_typed_key_class_name()
		}
		value_info = {
			"type": like.get_typed_value_builtin(),
			"class_name": like.get_typed_value_class_name(),
			"script": like.get_typed_value_script(),
		}
	for pair: Variant in _pairs(json as Dictionary):
		if not pair is Array or (pair as Array).size() != 2:
			return wrong(json, "$dict with [key, value] pairs")
		var key := decode(pair[0], key_info, null, root)
		if key.has(PROBLEM):
			return inside("key", key)
		var element := decode(pair[1], value_info, null, root)
		if element.has(PROBLEM):
			return inside("value of %s" % pair[0], element)
		value[key[VALUE]] = element[VALUE]
	return ok(value)


static func _pairs(json: Dictionary) -> Array:
	if json.size() == 1 and json.has("$dict"):
		return json["$dict"] if json["$dict"] is Array else [null]
	var pairs := []
	for key: Variant in json:
		pairs.append([key, json[key]])
	return pairs
