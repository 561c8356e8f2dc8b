@tool
extends RefCounted
## Properties by name, and properties inside properties: "shape:radius", "items:0:damage", "scores:alice".

const Decode := preload("values_decode.gd")

## Native properties by class, so that reading one does not list them all.
static var _native: Dictionary[String, Dictionary] = {}


## Where a property path leads: the last object on the way, its property, and the keys inside that
## property's value. An undo step sets the whole property of that object.
class Place:
	extends RefCounted
	var object: Object
	var property := ""
	var keys: PackedStringArray = []
	## The resources passed on the way from the node, the node's own first.
	var chain: Array[Resource] = []
	## Info of the value at the end of the path.
	var info: Dictionary = {}
	var problem := ""

	func value() -> Variant:
		var at: Variant = object.get(property)
		for key in keys:
			at = at[_key_of(at, key)]
		return at

	## The whole property with the value at the end of the path replaced.
	func whole_with(value_at_end: Variant) -> Variant:
		return _replaced(object.get(property), keys, value_at_end)

	static func _replaced(at: Variant, rest: PackedStringArray, value_at_end: Variant) -> Variant:
		if rest.is_empty():
			return value_at_end
		# Containers are shared: the old one must stay as it is for undo.
		var copy: Variant = at.duplicate() if at is Array or at is Dictionary else at
		var key: Variant = _key_of(at, rest[0])
		copy[key] = _replaced(at[key], rest.slice(1), value_at_end)
		return copy

	static func _key_of(at: Variant, key: String) -> Variant:
		if at is Dictionary:
			var entries := at as Dictionary
			return StringName(key) if not entries.has(key) and entries.has(StringName(key)) else key
		return key.to_int() if key.is_valid_int() else key


## True for a property of the engine's own class.
static func is_native(object: Object, name: String) -> bool:
	return _native_of(object.get_class()).has(name)


static func _native_of(type: String) -> Dictionary:
	if not _native.has(type):
		var by_name := {}
		for info in ClassDB.class_get_property_list(type):
			by_name[info["name"]] = info
		_native[type] = by_name
	return _native[type]


## Those of these properties that the object's class has.
static func native_infos(object: Object, names: Array[String]) -> Array[Dictionary]:
	var known := _native_of(object.get_class())
	var infos: Array[Dictionary] = []
	for name in names:
		if known.has(name):
			infos.append(known[name] as Dictionary)
	return infos


## The properties that the class itself lists for files.
static func stored_infos(type: String) -> Array[Dictionary]:
	var infos: Array[Dictionary] = []
	for info: Dictionary in _native_of(type).values():
		if (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			infos.append(info)
	return infos


static func info_of(object: Object, name: String) -> Dictionary:
	var known: Variant = _native_of(object.get_class()).get(name)
	if known is Dictionary and not is_heading(known as Dictionary):
		return known
	for info in object.get_property_list():
		if info["name"] == name and not is_heading(info):
			return info
	return {}


static func is_heading(info: Dictionary) -> bool:
	return (
		(
			(info["usage"] as int)
			& (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP)
		)
		!= 0
	)


static func resolve(object: Object, path: String) -> Place:
	var place := Place.new()
	var names := path.split(":")
	place.object = object
	place.property = names[0]
	place.info = info_of(object, names[0])
	if place.info.is_empty():
		place.problem = (
			"%s has no property %s%s" % [object.get_class(), names[0], _nearest(object, names[0])]
		)
		return place
	for i in range(1, names.size()):
		_descend(place, names[i])
		if place.problem != "":
			return place
	return place


static func _descend(place: Place, key: String) -> void:
	var at: Variant = place.value()
	if at is Resource:
		place.chain.append(at as Resource)
		place.object = at
		place.property = key
		place.keys = []
		place.info = info_of(at as Object, key)
		if place.info.is_empty():
			place.problem = (
				"%s has no property %s%s"
				% [(at as Object).get_class(), key, _nearest(at as Object, key)]
			)
		return
	var type := _type_inside(at, key)
	if type < 0:
		place.problem = "%s has nothing at %s" % [type_string(typeof(at)), key]
		return
	place.keys.append(key)
	place.info = {"type": type, "usage": place.info["usage"]}
	# A number inside a vector, colour or transform has 32 bits.
	place.info["component"] = not at is Array and not at is Dictionary
	if at is Array and (at as Array).is_typed():
		place.info["class_name"] = (at as Array).get_typed_class_name()
		place.info["script"] = (at as Array).get_typed_script()
	if at is Dictionary and (at as Dictionary).is_typed_value():
		place.info["class_name"] = (at as Dictionary).get_typed_value_class_name()
		place.info["script"] = (at as Dictionary).get_typed_value_script()


## The declared type of an element or component, TYPE_NIL for an untyped place, -1 when there is none.
static func _type_inside(at: Variant, key: String) -> int:
	if at is Array:
		return (at as Array).get_typed_builtin() if _in_range(key, (at as Array).size()) else -1
	if at is Dictionary:
		var entries := at as Dictionary
		if entries.has(key) or entries.has(StringName(key)):
			return entries.get_typed_value_builtin()
		return -1
	if Decode.PACKED_ELEMENTS.has(typeof(at)):
		return Decode.PACKED_ELEMENTS[typeof(at)] if _in_range(key, at.size() as int) else -1
	if typeof(at) == TYPE_COLOR:
		return TYPE_FLOAT if key in ["r", "g", "b", "a"] else -1
	if Decode.COMPONENTS.has(typeof(at)):
		var index := (Decode.COMPONENTS[typeof(at)] as Array).find(key)
		return Decode.PARTS[typeof(at)][index] if index >= 0 else -1
	return -1


static func _in_range(key: String, size: int) -> bool:
	return key.is_valid_int() and key.to_int() >= 0 and key.to_int() < size


static func _nearest(object: Object, name: String) -> String:
	var best := ""
	var best_score := 0.5
	for info in object.get_property_list():
		if is_heading(info):
			continue
		var score := (info["name"] as String).similarity(name)
		if score > best_score:
			best_score = score
			best = info["name"]
	return ", did you mean %s?" % best if best != "" else ""


## The declared type in the engine's spelling; for objects the class.
static func type_name(info: Dictionary) -> String:
	if info["type"] == TYPE_OBJECT and str(info.get("class_name", "")) != "":
		return str(info["class_name"])
	if info["type"] == TYPE_NIL:
		return "Variant"
	return type_string(info["type"] as int)
