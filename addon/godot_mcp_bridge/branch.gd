@tool
extends RefCounted
## A copy of a branch that stands alone, to be packed as a scene, and what of it leads out of the branch.

const Pace := preload("pace.gd")

## The editor's own flag: instances stay instances with their overrides.
const DUPLICATE_FROM_EDITOR := 32

var copy: Node
## Nodes that the new scene has.
var count := 0
## What the new scene cannot have, in words.
var losses: PackedStringArray = []

var _top: Node
var _root: Node


## When the command was given up meanwhile, only the copy is to be freed.
func _init(top: Node, root: Node, pace: Pace) -> void:
	_top = top
	_root = root
	copy = top.duplicate(Node.DUPLICATE_DEFAULT | DUPLICATE_FROM_EDITOR)
	copy.name = top.name
	copy.unique_name_in_owner = false
	_own(top, copy)
	_judge(top, copy, pace)


## The nodes of the branch with those of another copy of it, the top ones first.
func mapped_to(other: Node) -> Dictionary:
	var map := {_top: other}
	_map_below(_top, other, map)
	return map


## The unique names that the scene around no longer finds.
func lost_names(_made: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	for node: Node in _top.find_children("*", "", true, false):
		if node.unique_name_in_owner and node.owner == _root:
			out.append("the unique name %%%s" % node.name)
	return out


## Persistent connections between the branch and what is around it.
func crossing_connections(pace: Pace) -> PackedStringArray:
	var out: PackedStringArray = []
	var nodes := _top.find_children("*", "", true, false)
	nodes.push_front(_top)
	for node: Node in nodes:
		if pace.tick("nodes searched for connections"):
			return out
		for info in node.get_signal_list():
			for made in node.get_signal_connection_list(info["name"] as String):
				var to := (made["callable"] as Callable).get_object() as Node
				if (made["flags"] as int) & CONNECT_PERSIST and _is_around(to):
					out.append(_spell(node, str(info["name"]), made["callable"] as Callable))
		for made in node.get_incoming_connections():
			var from: Signal = made["signal"]
			var source := from.get_object() as Node
			if (made["flags"] as int) & CONNECT_PERSIST and _is_around(source):
				out.append(_spell(source, str(from.get_name()), made["callable"] as Callable))
	return out


func _spell(source: Node, name: String, callable: Callable) -> String:
	return (
		"the connection of %s of %s to %s of %s"
		% [
			name,
			_root.get_path_to(source),
			callable.get_method(),
			_root.get_path_to(callable.get_object() as Node),
		]
	)


## In the scene and not in the branch.
func _is_around(node: Node) -> bool:
	if node == null or node == _top or _top.is_ancestor_of(node):
		return false
	return node == _root or _root.is_ancestor_of(node)


func _own(source: Node, mine: Node) -> void:
	if source == _top or source.owner == _root:
		count += 1
		if mine != copy:
			mine.owner = copy
	elif mine.owner != null:
		count += 1
	if _root.is_editable_instance(source):
		copy.set_editable_instance(mine, true)
	for i in mini(source.get_child_count(), mine.get_child_count()):
		_own(source.get_child(i), mine.get_child(i))


## Takes out of the copy what leads to nodes around the branch, and tells of paths that do.
func _judge(source: Node, mine: Node, pace: Pace) -> void:
	if pace.tick("nodes searched for what leads out of the branch"):
		return
	for info in mine.get_signal_list():
		for made in mine.get_signal_connection_list(info["name"] as String):
			var callable: Callable = made["callable"]
			var to := callable.get_object() as Node
			if to != null and to != copy and not copy.is_ancestor_of(to):
				mine.disconnect(str(info["name"]), callable)
	for info in source.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var name := info["name"] as String
		if _leads_out(source, source.get(name)):
			losses.append("%s of %s" % [name, _root.get_path_to(source)])
			if info["type"] in [TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY]:
				mine.set(name, _without_others(mine.get(name)))
	for i in mini(source.get_child_count(), mine.get_child_count()):
		_judge(source.get_child(i), mine.get_child(i), pace)


func _leads_out(from: Node, value: Variant) -> bool:
	if value is Node:
		return _is_around(value as Node)
	if value is NodePath:
		return (
			not (value as NodePath).is_empty()
			and _is_around(from.get_node_or_null(value as NodePath))
		)
	if value is Array:
		return (value as Array).any(
			func(element: Variant) -> bool: return _leads_out(from, element)
		)
	if value is Dictionary:
		return _leads_out(from, (value as Dictionary).values())
	return false


func _without_others(value: Variant) -> Variant:
	if value is Node:
		var node := value as Node
		return node if node == copy or copy.is_ancestor_of(node) else null
	if value is Array:
		var list := (value as Array).duplicate()
		for i in list.size():
			list[i] = _without_others(list[i])
		return list
	if value is Dictionary:
		var entries := (value as Dictionary).duplicate()
		for key: Variant in entries:
			entries[key] = _without_others(entries[key])
		return entries
	return value


func _map_below(node: Node, other: Node, map: Dictionary) -> void:
	for child in node.get_children():
		var same := other.get_node_or_null(NodePath(str(child.name)))
		if same == null:
			continue
		map[child] = same
		_map_below(child, same, map)
