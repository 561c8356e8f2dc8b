@tool
extends RefCounted
## An instance turned into nodes of the edited scene, and back: who owns what is inside, connections that the
## instance's scene made, and built-in resources, of which the scene gets its own.

const Pace := preload("pace.gd")

const INHERITED := 32

## Unique names in the instance that another node of the edited scene has.
var lost_unique_names: PackedStringArray = []

var _node: Node
var _root: Node
var _source := ""
## What belonged to the instance and belongs to the scene then.
var _owned: Array[Node] = []
var _losing: Array[Node] = []
## {source, signal, callable, flags}
var _connections: Array[Dictionary] = []
## {node, property, old, new}
var _values: Array[Dictionary] = []
var _files: PackedStringArray = []
var _copies: Dictionary[Resource, Resource] = {}


## When the command was given up meanwhile, it is not to be used.
func _init(node: Node, root: Node, pace: Pace) -> void:
	_node = node
	_root = root
	_source = node.scene_file_path
	var packed := load(_source) as PackedScene
	var state := packed.get_state() if packed != null else null
	while state != null:
		_files.append(state.get_path())
		state = state.get_base_scene_state()
	_visit(node, pace)


func apply() -> void:
	for node in _losing:
		node.unique_name_in_owner = false
	_node.scene_file_path = ""
	for node in _owned:
		node.owner = _root
	for entry in _connections:
		_connect(entry, (entry["flags"] as int) & ~INHERITED)
	for entry in _values:
		(entry["node"] as Node).set(entry["property"] as String, entry["new"])


func take_back() -> void:
	for entry in _values:
		(entry["node"] as Node).set(entry["property"] as String, entry["old"])
	for entry in _connections:
		_connect(entry, entry["flags"] as int)
	for node in _owned:
		node.owner = _node
	_node.scene_file_path = _source
	for node in _losing:
		node.unique_name_in_owner = true


func _visit(node: Node, pace: Pace) -> void:
	if pace.tick("nodes read"):
		return
	if node.owner == _node:
		_owned.append(node)
		if node.unique_name_in_owner and _root.get_node_or_null("%" + str(node.name)) != null:
			_losing.append(node)
			lost_unique_names.append(str(node.name))
	_note_connections(node)
	for info in node.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE or info["name"] == "script":
			continue
		var name := info["name"] as String
		var old: Variant = node.get(name)
		var own: Variant = _own(old)
		if not is_same(own, old):
			_values.append({"node": node, "property": name, "old": old, "new": own})
	for child in node.get_children():
		_visit(child, pace)


## A save leaves out connections that are flagged as those of a base scene. What an instance inside connects
## within itself stays that one's.
func _note_connections(node: Node) -> void:
	for info in node.get_signal_list():
		for made in node.get_signal_connection_list(info["name"] as String):
			var flags := made["flags"] as int
			var callable: Callable = made["callable"]
			var to := callable.get_object() as Node
			if not flags & CONNECT_PERSIST or not flags & INHERITED or to == null:
				continue
			if _is_own(node) or _is_own(to):
				(
					_connections
					. append(
						{
							"source": node,
							"signal": info["name"],
							"callable": callable,
							"flags": flags,
						}
					)
				)


## Whether the instance's scene itself has the node; the root of an instance inside it is one.
func _is_own(node: Node) -> bool:
	return node == _node or node.owner == _node


static func _connect(entry: Dictionary, flags: int) -> void:
	var source: Node = entry["source"]
	var name := str(entry["signal"])
	var callable: Callable = entry["callable"]
	source.disconnect(name, callable)
	source.connect(name, callable, flags)


## The value with copies in place of resources that are kept in the instance's own file. The same object is
## given back when nothing in it is.
func _own(value: Variant) -> Variant:
	if value is Resource:
		return _own_resource(value as Resource)
	if value is Array:
		var list := value as Array
		var copied := list.duplicate()
		for i in list.size():
			copied[i] = _own(list[i])
		return copied if _differs(list, copied) else value
	if value is Dictionary:
		var entries := value as Dictionary
		var copied := entries.duplicate()
		for key: Variant in entries:
			copied[key] = _own(entries[key])
		return copied if _differs(entries.values(), copied.values()) else value
	return value


func _own_resource(resource: Resource) -> Resource:
	if _copies.has(resource):
		return _copies[resource]
	if resource is Script or not _is_kept_inside(resource):
		return resource
	var copy := resource.duplicate(false)
	_copies[resource] = copy
	for info in resource.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE or info["name"] == "script":
			continue
		var name := info["name"] as String
		var old: Variant = resource.get(name)
		var own: Variant = _own(old)
		if not is_same(own, old):
			copy.set(name, own)
	return copy


func _is_kept_inside(resource: Resource) -> bool:
	return resource.is_built_in() and _files.has(resource.resource_path.get_slice("::", 0))


static func _differs(before: Array, after: Array) -> bool:
	for i in before.size():
		if not is_same(before[i], after[i]):
			return true
	return false
