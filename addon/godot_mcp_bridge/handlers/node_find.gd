@tool
extends RefCounted
## Looking at nodes: what properties they have, where they are, their groups, snapshots and differences.

const Base := preload("../base_values.gd")
const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Pace := preload("../pace.gd")
const Persistence := preload("../persistence.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")

## Snapshots kept at a time; the oldest goes first.
const MAX_SNAPSHOTS := 50

var _context: Context
var _snapshots: Dictionary[String, Dictionary] = {}
var _next_snapshot := 1


## A snapshot in the making. It shows one moment, so it is taken in one piece.
class Taking:
	extends RefCounted
	var root: Node
	## Only these properties; those that differ from what they would be anyway when it is empty.
	var wanted: PackedStringArray = []
	var base: Base.Lookup
	var pace: Pace

	func take(node: Node, depth: int) -> Dictionary:
		if pace.tick("nodes read"):
			return {}
		var properties := {}
		for info in node.get_property_list():
			if (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
				_take_property(node, info, properties)
		var groups: PackedStringArray = []
		for group in node.get_groups():
			if not str(group).begins_with("_"):
				groups.append(str(group))
		groups.sort()
		var script := node.get_script() as Script
		var taken := {
			"name": str(node.name),
			"type": node.get_class(),
			"path": Scenes.path_of(root, node),
			"script": script.resource_path if script != null else "",
			"properties": properties,
			"groups": groups,
		}
		var children: Array[Dictionary] = []
		if depth != 0:
			for child in node.get_children():
				children.append(take(child, depth - 1))
		taken["children"] = children
		return taken

	func _take_property(node: Node, info: Dictionary, into: Dictionary) -> void:
		var name := info["name"] as String
		if not wanted.is_empty() and not wanted.has(name):
			return
		var value: Variant = node.get(name)
		if wanted.is_empty() and Values.same(value, base.of(node, name)):
			return
		into[name] = Values.encode(
			value, root, info["type"] == TYPE_NIL, Values.is_single(node, info)
		)


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.list-properties": _context.on_node_read(list_properties),
		"node.find": _context.on_node_read(find, "parent_path"),
		"node.list-groups": _context.on_node_read(list_groups),
		"node.add-to-group": _context.on_node(add_to_group),
		"node.remove-from-group": _context.on_node(remove_from_group),
		"node.snapshot": _context.on_node_read(snapshot),
		"node.diff": diff,
	}


func hand_over() -> Dictionary:
	return {"snapshots": _snapshots, "next_snapshot": _next_snapshot}


func take_over(kept: Dictionary) -> void:
	_snapshots.assign(kept.get("snapshots", {}) as Dictionary)
	_next_snapshot = int(kept.get("next_snapshot", 1))


func list_properties(_params: Dictionary, target: Scenes.Target) -> Dictionary:
	var properties: Array[Dictionary] = []
	for info in target.node.get_property_list():
		if Properties.is_heading(info):
			continue
		if not (info["usage"] as int) & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR):
			continue
		(
			properties
			. append(
				{
					"name": info["name"],
					"type": Properties.type_name(info),
					"hint": str(info["hint_string"]),
					"usage": info["usage"],
				}
			)
		)
	return (
		target
		. add_to(
			{
				"node_path": Scenes.path_of(target.root, target.node),
				"type": target.node.get_class(),
				"properties": properties,
			}
		)
	)


func find(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var found: Array[Node] = []
	var recursive := bool(params.get("recursive", true))
	for child in target.node.get_children():
		_collect(child, params, recursive, found)
	if not _context.pace.refusal().is_empty():
		return _context.pace.refusal()
	if target.node == target.root and _matches(target.root, params):
		found.push_front(target.root)
	var offset := maxi(int(params.get("offset", 0)), 0)
	var limit := int(params.get("limit", 200))
	var last := mini(offset + limit, found.size()) if limit > 0 else found.size()
	var nodes: Array[Dictionary] = []
	for i in range(offset, last):
		var node := found[i]
		(
			nodes
			. append(
				{
					"path": Scenes.path_of(target.root, node),
					"type": node.get_class(),
					"name": str(node.name),
				}
			)
		)
	var answer := {
		"nodes": nodes,
		"count": nodes.size(),
		"total": found.size(),
		"truncated": last < found.size(),
	}
	if last < found.size():
		answer["next_offset"] = last
	return target.add_to(answer)


func list_groups(_params: Dictionary, target: Scenes.Target) -> Dictionary:
	var groups: PackedStringArray = []
	for group in target.node.get_groups():
		# The engine's own groups begin with an underscore and are not of the scene.
		if not str(group).begins_with("_"):
			groups.append(str(group))
	groups.sort()
	return target.add_to({"node_path": Scenes.path_of(target.root, target.node), "groups": groups})


func add_to_group(params: Dictionary, target: Scenes.Target) -> Dictionary:
	return _change_group(params, target, true)


func remove_from_group(params: Dictionary, target: Scenes.Target) -> Dictionary:
	return _change_group(params, target, false)


func snapshot(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var wanted := PackedStringArray(params.get("properties", []) as Array)
	var depth := int(params.get("max_depth", -1))
	var taken := _take_all(target.node, target.root, wanted, depth)
	if taken.is_empty():
		return _context.pace.refusal()
	var id := "s%d" % _next_snapshot
	_next_snapshot += 1
	_snapshots[id] = {
		"tree": taken, "path": taken["path"], "properties": wanted, "max_depth": depth
	}
	if _snapshots.size() > MAX_SNAPSHOTS:
		_snapshots.erase(_snapshots.keys()[0])
	return (
		target
		. add_to(
			{
				"node_path": Scenes.path_of(target.root, target.node),
				"snapshot_id": id,
				"snapshot": taken,
			}
		)
	)


func diff(params: Dictionary) -> Dictionary:
	var before := _snapshots.get(str(params.get("before_id", "")), {}) as Dictionary
	if before.is_empty():
		return _no_snapshot(params, "before_id")
	var target := _context.scenes.target_to_read(params)
	if not target.error.is_empty():
		return target.error
	var after := {}
	var after_id := str(params.get("after_id", ""))
	if after_id == "":
		var node := Scenes.find(target.root, str(before["path"]))
		if node != null:
			after = _take_all(
				node,
				target.root,
				before["properties"] as PackedStringArray,
				before["max_depth"] as int
			)
			if after.is_empty():
				return _context.pace.refusal()
	elif _snapshots.has(after_id):
		after = _snapshots[after_id]["tree"]
	else:
		return _no_snapshot(params, "after_id")
	var below := Scenes.normalise_node(target.root, str(params.get("node_path", ".")))
	var old := {}
	var new := {}
	_flatten(before["tree"] as Dictionary, below, old)
	_flatten(after, below, new)
	if old.is_empty() and new.is_empty():
		return _not_pictured(target.root, below, before["path"] as String)
	return target.add_to(_difference(old, new))


static func _not_pictured(root: Node, path: String, top: String) -> Dictionary:
	if Scenes.find(root, path) == null:
		return Scenes.missing_node(root, path, "node_path")
	return Result.fail(
		Result.VALIDATION,
		(
			"the snapshot is of %s and does not hold %s: godot-mcp node snapshot %s"
			% [top, path, path]
		),
		"node_path"
	)


func _collect(node: Node, params: Dictionary, recursive: bool, found: Array[Node]) -> void:
	if _context.pace.tick("nodes searched"):
		return
	if _matches(node, params):
		found.append(node)
	if recursive:
		for child in node.get_children():
			_collect(child, params, true, found)


## Exact filters; a name may hold the wildcards * and ?.
static func _matches(node: Node, params: Dictionary) -> bool:
	var type := str(params.get("node_type", ""))
	if type != "" and not Classes.is_of(node, type):
		return false
	var name := str(params.get("name", ""))
	if name != "" and not str(node.name).match(name):
		return false
	var group := str(params.get("group", ""))
	if group != "" and not node.is_in_group(group):
		return false
	var script := str(params.get("script", ""))
	if script != "":
		var attached := node.get_script() as Script
		return attached != null and attached.resource_path == script
	return true


func _change_group(params: Dictionary, target: Scenes.Target, join: bool) -> Dictionary:
	var group := str(params.get("group", ""))
	if group == "":
		return Result.fail(Result.VALIDATION, "group is empty", "group")
	var changed := target.node.is_in_group(group) != join
	var answer := {
		"node_path": Scenes.path_of(target.root, target.node),
		"group": group,
		"in_group": join,
		"changed": changed,
	}
	answer.merge(Persistence.of_group(target.node, target.root, group, join))
	if changed and not params.get("dry_run", false):
		var undo_redo := _context.undo_redo
		_context.open_step(target.root)
		if join:
			undo_redo.add_do_method(target.node, "add_to_group", group, true)
			undo_redo.add_undo_method(target.node, "remove_from_group", group)
		else:
			undo_redo.add_do_method(target.node, "remove_from_group", group)
			undo_redo.add_undo_method(target.node, "add_to_group", group, true)
		undo_redo.commit_action()
		answer["in_group"] = target.node.is_in_group(group)
	return _context.finish_edit(answer, target, params)


## What the nodes at and below this one hold, empty when the command was given up.
func _take_all(node: Node, root: Node, wanted: PackedStringArray, depth: int) -> Dictionary:
	var taking := Taking.new()
	taking.root = root
	taking.wanted = wanted
	taking.base = Base.Lookup.new(root)
	taking.pace = _context.pace
	if depth < 0:
		_context.pace.total = Scenes.size_of(node)
	var taken := taking.take(node, depth)
	return taken if _context.pace.refusal().is_empty() else {}


## The nodes of a snapshot at and below a path, by their paths.
static func _flatten(tree: Dictionary, below: String, into: Dictionary) -> void:
	if tree.is_empty():
		return
	var path: String = tree["path"]
	if below == "." or path == below or path.begins_with(below + "/"):
		into[path] = tree
	for child: Dictionary in tree["children"]:
		_flatten(child, below, into)


static func _difference(old: Dictionary, new: Dictionary) -> Dictionary:
	var added: PackedStringArray = []
	var removed: PackedStringArray = []
	var changed: Array[Dictionary] = []
	for path: String in new:
		if not old.has(path):
			added.append(path)
	for path: String in old:
		if not new.has(path):
			removed.append(path)
			continue
		for what: String in ["type", "script", "groups"]:
			_compare(path, what, old[path][what], new[path][what], changed)
		var before: Dictionary = old[path]["properties"]
		var after: Dictionary = new[path]["properties"]
		for name: String in before:
			_compare(path, name, before[name], after.get(name), changed)
		for name: String in after:
			if not before.has(name):
				_compare(path, name, null, after[name], changed)
	return {"added": added, "removed": removed, "changed": changed}


static func _compare(
	path: String, what: String, before: Variant, after: Variant, changed: Array[Dictionary]
) -> void:
	if var_to_str(before) != var_to_str(after):
		changed.append({"node": path, "property": what, "before": before, "after": after})


static func _no_snapshot(params: Dictionary, parameter: String) -> Dictionary:
	return (
		Result
		. fail(
			Result.NOT_FOUND,
			(
				"there is no snapshot %s (the last %d are kept while the editor runs): godot-mcp node snapshot"
				% [params.get(parameter), MAX_SNAPSHOTS]
			),
			parameter
		)
	)
