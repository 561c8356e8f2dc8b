@tool
extends RefCounted
## Makes a hash of nodes: names, classes, scripts, stored properties and script variables. Objects count by
## what they hold, never by their numbers or places in memory, so that it is the same in another process.

const Properties := preload("../properties.gd")

const KEPT := PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE
const MAX_DEPTH := 32
## What a layout decides is stored nowhere.
const LAYOUT: Array[StringName] = [&"position", &"size"]
const METADATA := "metadata/"

var nodes := 0

var _scene: Node
var _hash: HashingContext = HashingContext.new()
## What is read of an object, by its class and script: one list each of names, since values of most types need
## no look inside.
var _plans: Dictionary[String, Plan] = {}
## Objects met, by their order.
var _met: Dictionary[int, int] = {}


class Plan:
	extends RefCounted

	## Class and script.
	var head: Array = []
	var plain: Array[StringName] = []
	var deep: Array[StringName] = []
	## Other objects of the class may have other properties.
	var varies := false


func _init(scene: Node) -> void:
	_scene = scene
	_hash.start(HashingContext.HASH_SHA256)


func finish() -> String:
	return _hash.finish().hex_encode()


func add_branch(node: Node, depth: int = 0) -> void:
	nodes += 1
	_hash.update(var_to_bytes([depth, String(node.name), _contents(node, 0)]))
	for child in node.get_children():
		add_branch(child, depth + 1)


## How many nodes have it.
func add_everywhere(node: Node, property: String) -> int:
	var count := 0
	if add_value(node, property) == "":
		count += 1
	for child in node.get_children():
		count += add_everywhere(child, property)
	return count


## "" or why there is no such value.
func add_value(node: Node, property: String) -> String:
	var place := Properties.resolve(node, property)
	if place.problem != "":
		return place.problem
	nodes += 1
	_hash.update(var_to_bytes([_path_of(node), property, _flat(place.value(), 0)]))
	return ""


func _contents(object: Object, depth: int) -> Array:
	var plan := _plan_of(object)
	var out: Array = plan.head.duplicate()
	for name in plan.plain:
		out.append(object.get(name))
	for name in plan.deep:
		out.append(_flat(object.get(name), depth))
	for name in object.get_meta_list():
		out.append([name, _flat(object.get_meta(name), depth)])
	return out


func _plan_of(object: Object) -> Plan:
	var script := object.get_script() as Script
	var key := object.get_class()
	if script != null:
		key += str(script.get_instance_id())
	var known: Plan = _plans.get(key)
	if known != null and not known.varies:
		return known
	var plan := _new_plan(object, script)
	_plans[key] = plan
	return plan


static func _new_plan(object: Object, script: Script) -> Plan:
	var plan := Plan.new()
	plan.head = [object.get_class(), script.resource_path if script != null else ""]
	plan.varies = object is Control or (script != null and object.has_method("_get_property_list"))
	if object is Control:
		plan.plain.append_array(LAYOUT)
	for info in object.get_property_list():
		var name: StringName = info["name"]
		if (
			not (info["usage"] as int) & KEPT
			or name == &"script"
			or name in LAYOUT and object is Control
		):
			continue
		if String(name).begins_with(METADATA) or Properties.is_heading(info):
			continue
		if not (info["usage"] as int) & PROPERTY_USAGE_SCRIPT_VARIABLE:
			plan.varies = plan.varies or not Properties.is_native(object, name)
		if _is_plain(info["type"] as int):
			plan.plain.append(name)
		else:
			plan.deep.append(name)
	if plan.varies:
		plan.head.append([plan.plain, plan.deep])
	return plan


static func _is_plain(type: int) -> bool:
	return (type > TYPE_NIL and type < TYPE_RID) or type >= TYPE_PACKED_BYTE_ARRAY


## The value without any object in it.
func _flat(value: Variant, depth: int) -> Variant:
	if _is_plain(typeof(value)) or value == null:
		return value
	if depth >= MAX_DEPTH:
		return "deep"
	if value is Array:
		return _array(value as Array, depth)
	if value is Dictionary:
		var entries := {}
		for key: Variant in value as Dictionary:
			entries[_flat(key, depth + 1)] = _flat(value[key], depth + 1)
		return entries
	if typeof(value) == TYPE_OBJECT:
		return _object(value, depth)
	return _name_of(value)


func _array(value: Array, depth: int) -> Array:
	if _is_plain(value.get_typed_builtin()):
		return value
	var list: Array = []
	for element: Variant in value:
		list.append(_flat(element, depth + 1))
	return list


## What has a number of its own in each run.
static func _name_of(value: Variant) -> Dictionary:
	match typeof(value):
		TYPE_CALLABLE:
			return {"callable": (value as Callable).get_method()}
		TYPE_SIGNAL:
			return {"signal": (value as Signal).get_name()}
	return {"type": type_string(typeof(value))}


func _object(value: Variant, depth: int) -> Dictionary:
	if not is_instance_valid(value):
		return {"freed": true}
	if value is Node:
		return {"node": _path_of(value as Node)}
	var object: Object = value
	if object is Resource and _is_file(object as Resource):
		return {"file": (object as Resource).resource_path}
	var id := object.get_instance_id()
	if _met.has(id):
		return {"again": _met[id]}
	_met[id] = _met.size()
	# Its picture is with the graphics card.
	if object is ImageTexture:
		return {"texture": (object as ImageTexture).get_size()}
	return {"object": _contents(object, depth + 1)}


## Whether its file says all of it.
static func _is_file(resource: Resource) -> bool:
	if resource is Script or resource is PackedScene:
		return true
	var path := resource.resource_path
	return path != "" and not path.contains("::") and resource.get_script() == null


func _path_of(node: Node) -> String:
	if node == _scene or _scene.is_ancestor_of(node):
		return str(_scene.get_path_to(node))
	return str(node.get_path()) if node.is_inside_tree() else node.get_class()
