@tool
extends RefCounted
## A node, or a branch, exchanged for another one, and back. Connections and exported nodes of the scene that
## lead to the old nodes then lead to the new ones. The undo step calls exchange and exchange_back.

const Objects := preload("values_object.gd")
const Pace := preload("pace.gd")

const INHERITED := 32

static var _dock: Node

## What the new nodes cannot have, in words.
var dropped: PackedStringArray = []

var _root: Node
var _map: Dictionary[Node, Node] = {}
## The old and the new node at the top.
var _old: Node
var _fresh: Node
## False when the new nodes come with what is below and among them.
var _keeps_children := true
## The owners in the old branch: leaving the tree clears those that stay behind.
var _owners: Dictionary[Node, Node] = {}
## {source, signal, callable, flags} before and after.
var _before: Array[Dictionary] = []
var _after: Array[Dictionary] = []
## {node, holder, property, old, new}
var _references: Array[Dictionary] = []


## `map` has the new node of each old one, the top ones first. When the command was given up meanwhile, it is
## not to be used.
func _init(root: Node, map: Dictionary, keeps_children: bool, pace: Pace) -> void:
	_root = root
	_map.assign(map)
	_old = _map.keys()[0]
	_fresh = _map[_old]
	_keeps_children = keeps_children
	_note_owners(_old)
	for node: Node in _map:
		if pace.tick("nodes searched for connections"):
			return
		_note_connections(node)
	_note_references(root, pace)


## Whether the editor has the way to exchange the root of a scene.
static func can_change_root() -> bool:
	return _scene_dock() != null


func exchange() -> void:
	_unplug(_before)
	_put(_old, _fresh)
	_plug(_after)
	for entry in _references:
		(entry["holder"] as Node).set(entry["property"] as String, entry["new"])


func exchange_back() -> void:
	_unplug(_after)
	_put(_fresh, _old)
	for node in _owners:
		if node != _root:
			node.owner = _owners[node]
	_plug(_before)
	for entry in _references:
		(entry["node"] as Node).set(entry["property"] as String, entry["old"])


func _put(from: Node, to: Node) -> void:
	if from == EditorInterface.get_edited_scene_root():
		# Only the scene dock can tell the editor of another root.
		_scene_dock().call("replace_node", from, to, false, false)
		return
	if _keeps_children:
		from.replace_by(to, true)
		return
	var parent := from.get_parent()
	var index := from.get_index()
	var owner := from.owner
	parent.remove_child(from)
	parent.add_child(to)
	parent.move_child(to, index)
	to.owner = owner


static func _scene_dock() -> Node:
	if not is_instance_valid(_dock):
		_dock = null
		for found: Node in EditorInterface.get_base_control().find_children(
			"*", "SceneTreeDock", true, false
		):
			if found.has_method("replace_node"):
				_dock = found
	return _dock


func _note_owners(node: Node) -> void:
	if node.owner != null:
		_owners[node] = node.owner
	for child in node.get_children():
		_note_owners(child)


func _note_connections(node: Node) -> void:
	for info in node.get_signal_list():
		for made in node.get_signal_connection_list(info["name"] as String):
			_note_connection(node, str(info["name"]), made)
	for made in node.get_incoming_connections():
		var from: Signal = made["signal"]
		var source := from.get_object() as Node
		if source != null and not _map.has(source):
			_note_connection(source, str(from.get_name()), made)


func _note_connection(source: Node, name: String, made: Dictionary) -> void:
	var callable: Callable = made["callable"]
	var target := callable.get_object() as Node
	var flags := made["flags"] as int
	if not flags & CONNECT_PERSIST or not _is_in_scene(source) or not _is_in_scene(target):
		return
	if not _keeps_children and _map.has(source) and _map.has(target):
		return
	var entry := {"source": source, "signal": name, "callable": callable, "flags": flags}
	_before.append(entry)
	var then: Node = _map.get(source, source)
	var to: Node = _map.get(target, target)
	var is_kept := then.has_signal(name) and to.has_method(callable.get_method())
	# A save leaves out what nodes inside an instance connect.
	if not is_kept or (not _keeps_children and _map.has(source) and source != _old):
		dropped.append(
			(
				"the connection of %s of %s to %s of %s"
				% [name, _path(source), callable.get_method(), _path(target)]
			)
		)
		return
	var made_then := Callable(to, callable.get_method())
	if callable.get_unbound_arguments_count() > 0:
		made_then = made_then.unbind(callable.get_unbound_arguments_count())
	if callable.get_bound_arguments_count() > 0:
		made_then = made_then.bindv(callable.get_bound_arguments())
	_after.append(
		{"source": then, "signal": name, "callable": made_then, "flags": flags & ~INHERITED}
	)


func _is_in_scene(node: Node) -> bool:
	return node != null and (node == _root or _root.is_ancestor_of(node))


static func _unplug(connections: Array[Dictionary]) -> void:
	for entry in connections:
		var source: Node = entry["source"]
		if source.is_connected(str(entry["signal"]), entry["callable"] as Callable):
			source.disconnect(str(entry["signal"]), entry["callable"] as Callable)


static func _plug(connections: Array[Dictionary]) -> void:
	for entry in connections:
		var source: Node = entry["source"]
		if not source.is_connected(str(entry["signal"]), entry["callable"] as Callable):
			source.connect(
				str(entry["signal"]), entry["callable"] as Callable, entry["flags"] as int
			)


func _note_references(node: Node, pace: Pace) -> void:
	if pace.tick("nodes searched for what names it"):
		return
	if _keeps_children or not _map.has(node):
		for info in node.get_property_list():
			if (
				(info["usage"] as int) & PROPERTY_USAGE_STORAGE
				and info["type"] in [TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY]
			):
				_note_reference(node, info)
	for child in node.get_children():
		_note_references(child, pace)


func _note_reference(node: Node, info: Dictionary) -> void:
	var name := info["name"] as String
	var old: Variant = node.get(name)
	var fresh: Variant = _mapped(old, _wanted(info))
	if is_same(fresh, old):
		return
	var holder: Node = _map.get(node, node)
	_references.append({"node": node, "holder": holder, "property": name, "old": old, "new": fresh})
	if _lacks(fresh):
		dropped.append("%s of %s" % [name, _path(node)])


## The class that the property, or each element of its list, is declared with. A script that the editor does not
## run says it in the hint alone.
static func _wanted(info: Dictionary) -> Dictionary:
	var text := str(info.get("hint_string", ""))
	if info.get("hint", PROPERTY_HINT_NONE) == PROPERTY_HINT_NODE_TYPE and text != "":
		return {"class_name": text}
	if text.begins_with("%d/%d:" % [TYPE_OBJECT, PROPERTY_HINT_NODE_TYPE]):
		return {"class_name": text.get_slice(":", 1)}
	return info if info["type"] == TYPE_OBJECT else {}


## The value with the new nodes in place of the old ones, null where a new one does not fit; the same value
## when it holds none.
func _mapped(value: Variant, info: Dictionary) -> Variant:
	if value is Node and _map.has(value as Node):
		var to := _map[value as Node]
		return to if info.is_empty() or Objects.fits(to, info) else null
	if value is Array:
		var list := value as Array
		var copy := list.duplicate()
		var differs := false
		for i in list.size():
			var element := info
			if list.get_typed_class_name() != &"":
				element = {
					"class_name": list.get_typed_class_name(), "script": list.get_typed_script()
				}
			var mapped: Variant = _mapped(list[i], element)
			if not is_same(mapped, list[i]):
				copy[i] = mapped
				differs = true
		return copy if differs else value
	if value is Dictionary:
		var entries := value as Dictionary
		var copy := entries.duplicate()
		var differs := false
		for key: Variant in entries:
			var mapped: Variant = _mapped(entries[key], {})
			if not is_same(mapped, entries[key]):
				copy[key] = mapped
				differs = true
		return copy if differs else value
	return value


static func _lacks(value: Variant) -> bool:
	return value == null or (value is Array and (value as Array).has(null))


func _path(node: Node) -> String:
	return str(_root.get_path_to(node))
