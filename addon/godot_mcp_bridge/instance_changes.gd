@tool
extends RefCounted
## What the edited scene says of the inside of an instance, found by comparing it with a fresh one: values,
## groups, connections, nodes put in, and inner instances that were opened.

const Pace := preload("pace.gd")
const Values := preload("values.gd")

const INHERITED := 32

## One line each.
var found: PackedStringArray = []
## The command that takes the first one back.
var way_back := ""

var _instance: Node
var _root: Node


## Not all is found when the command was given up meanwhile.
func _init(instance: Node, root: Node, pace: Pace) -> void:
	_instance = instance
	_root = root
	var packed := load(instance.scene_file_path) as PackedScene
	var fresh := packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	for child in instance.get_children():
		_compare(child, fresh, pace)
	fresh.free()


## Nodes directly below the instance are kept without editable children, what is below its own nodes is not.
func _compare(node: Node, fresh_root: Node, pace: Pace) -> void:
	if pace.tick("nodes compared"):
		return
	if node.owner == _root:
		if node.get_parent() != _instance:
			_note("the node %s" % _path(node), "node move %s" % _path(node))
		return
	var fresh := fresh_root.get_node_or_null(_instance.get_path_to(node))
	if fresh == null or node.owner == null:
		return
	_compare_values(node, fresh, fresh_root)
	for group in node.get_groups():
		if node.is_in_group(group) and _is_kept_group(group) and not fresh.is_in_group(group):
			_note(
				"the group %s of %s" % [group, _path(node)],
				"node remove-from-group %s %s" % [_path(node), group]
			)
	_compare_connections(node)
	if _root.is_editable_instance(node) and not fresh_root.is_editable_instance(fresh):
		_note(
			"the editable children of %s" % _path(node),
			"node set-editable-children %s --editable=false" % _path(node)
		)
	for child in node.get_children():
		_compare(child, fresh_root, pace)


func _compare_values(node: Node, fresh: Node, fresh_root: Node) -> void:
	for info in node.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var name := info["name"] as String
		var now: Variant = _comparable(node.get(name), _instance)
		if not Values.same(now, _comparable(fresh.get(name), fresh_root)):
			_note(
				"%s of %s" % [name, _path(node)], "node reset-property %s %s" % [_path(node), name]
			)


## Connections that the base makes are flagged as such.
func _compare_connections(node: Node) -> void:
	for info in node.get_signal_list():
		for made in node.get_signal_connection_list(info["name"] as String):
			var flags := made["flags"] as int
			var callable: Callable = made["callable"]
			var to := callable.get_object() as Node
			if not flags & CONNECT_PERSIST or flags & INHERITED or to == null:
				continue
			if to != _root and not _root.is_ancestor_of(to):
				continue
			_note(
				"the connection of %s to %s" % [_path(node), _path(to)],
				(
					"signal disconnect %s %s %s %s"
					% [_path(node), info["name"], _path(to), callable.get_method()]
				)
			)


## Nodes as their paths, and resources that each instance has for itself as what they hold.
static func _comparable(value: Variant, top: Node) -> Variant:
	if value is Node:
		var node := value as Node
		return top.get_path_to(node) if top.is_ancestor_of(node) or top == node else node
	if value is Resource and (value as Resource).resource_local_to_scene:
		return Values.resource_properties(value as Resource, top)
	if value is Array:
		return (value as Array).map(
			func(element: Variant) -> Variant: return _comparable(element, top)
		)
	return value


static func _is_kept_group(group: StringName) -> bool:
	return not str(group).begins_with("_")


func _note(line: String, command: String) -> void:
	found.append(line)
	if way_back == "":
		way_back = "godot-mcp " + command


func _path(node: Node) -> String:
	return str(_root.get_path_to(node))
