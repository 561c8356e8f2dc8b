@tool
extends RefCounted
## Changes of the tree itself: rename, move, duplicate; and going back to a property's default.

const Base := preload("../base_values.gd")
const Context := preload("../context.gd")
const Names := preload("../names.gd")
const Pace := preload("../pace.gd")
const Paths := preload("../node_paths.gd")
const Persistence := preload("../persistence.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")
const Write := preload("../property_write.gd")

## The editor's own flag: instances stay instances with their overrides. The class reference does not list
## it; without it an instance's own properties are written into the outer scene as overrides.
const DUPLICATE_FROM_EDITOR := 32

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.rename": _context.on_node(rename),
		"node.move": _context.on_node(move),
		"node.duplicate": _context.on_node(duplicate_node),
		"node.reset-property": _context.on_node(reset_property),
	}


func rename(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var old_name := str(node.name)
	var old_path := Scenes.path_of(target.root, node)
	var name := Names.after_rename(node, target.root, str(params.get("new_name", "")))
	if name == "":
		return Result.fail(Result.VALIDATION, "new_name is empty", "new_name")
	var answer := {"node_path": old_path, "old_name": old_name, "new_name": name, "renamed": true}
	answer.merge(Persistence.of_removal(node, target.root))
	var followers := Paths.broken_by(
		target.root, node, Names.path_after(old_path, name), false, _context.pace
	)
	var given_up := _context.pace.refusal()
	if not given_up.is_empty():
		return given_up
	if not params.get("dry_run", false):
		_context.open_step(target.root)
		_context.undo_redo.add_do_property(node, "name", name)
		_context.undo_redo.add_undo_property(node, "name", old_name)
		_context.undo_redo.add_do_method(followers, "follow")
		_context.undo_redo.add_undo_method(followers, "go_back")
		_context.undo_redo.commit_action()
		answer["new_name"] = str(node.name)
	answer["node_path"] = Names.path_after(old_path, name)
	answer["updated_paths"] = followers.report()
	if name != str(params.get("new_name", "")):
		_add_hint(answer, "the engine's rules made the name %s" % name)
	_add_hint(answer, followers.hint())
	return _context.finish_edit(answer, target, params)


func move(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var path := str(params.get("new_parent_path", "."))
	var parent := Scenes.find(target.root, path)
	if parent == null:
		return Scenes.missing_node(target.root, path, "new_parent_path")
	var refused := _reason_not_to_move(node, parent, target.root, path)
	if not refused.is_empty():
		return refused
	var verdict := Persistence.of_removal(node, target.root)
	if verdict["persisted"]:
		verdict = Persistence.of_node(parent, target.root)
	var index := int(params.get("index", -1))
	var last := parent.get_child_count() - (1 if parent == node.get_parent() else 0)
	if index < -1 or index > last:
		return Result.fail(
			Result.VALIDATION, "index must be from 0 to %d, or -1 for the end" % last, "index"
		)
	if parent == node.get_parent() and node.get_index() == (last if index < 0 else index):
		return _already_there(target, params)
	var name := str(node.name)
	if parent != node.get_parent():
		name = Names.below(parent, name)
	var path_then := _path_below(target.root, parent, name)
	var followers := Paths.broken_by(
		target.root, node, path_then, parent != node.get_parent(), _context.pace
	)
	var given_up := _context.pace.refusal()
	if not given_up.is_empty():
		return given_up
	var answer := {"node_path": path_then, "moved": true}
	answer.merge(verdict)
	if not params.get("dry_run", false):
		_commit_move(target.root, node, parent, params, followers)
		answer["node_path"] = Scenes.path_of(target.root, node)
		answer["moved"] = node.get_parent() == parent
	answer["updated_paths"] = followers.report()
	_add_hint(answer, followers.hint())
	return _context.finish_edit(answer, target, params)


static func _reason_not_to_move(node: Node, parent: Node, root: Node, path: String) -> Dictionary:
	if node == root:
		return Result.fail(Result.VALIDATION, "the root of a scene cannot be moved", "node_path")
	if parent == node or node.is_ancestor_of(parent):
		return Result.fail(
			Result.VALIDATION, "%s is the node itself or below it" % path, "new_parent_path"
		)
	return {}


func duplicate_node(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	if node == target.root:
		return Result.fail(
			Result.VALIDATION, "the root of a scene cannot be duplicated", "node_path"
		)
	var parent := node.get_parent()
	var wanted := Names.clean(str(params.get("node_name", "")))
	var name := Names.below(parent, wanted if wanted != "" else str(node.name))
	var refused := _context.pace.last_chance("copying the branch", Scenes.size_of(node))
	if not refused.is_empty():
		return refused
	var copy := node.duplicate(Node.DUPLICATE_DEFAULT | DUPLICATE_FROM_EDITOR)
	if params.get("unshare_resources", false):
		_unshare(copy, target.root)
	var shared := _shared(node, copy, "", _context.pace)
	var given_up := _context.pace.refusal()
	if not given_up.is_empty():
		copy.free()
		return given_up
	var answer := {
		"node_path": _path_below(target.root, parent, name),
		"source_path": Scenes.path_of(target.root, node),
		"shared_resources": shared,
		"lost_unique_names": _lost_unique_names(node, name, target.root),
	}
	answer.merge(Persistence.of_node(parent, target.root))
	if params.get("dry_run", false):
		copy.free()
		return _context.finish_edit(answer, target, params)
	copy.name = name
	var undo_redo := _context.undo_redo
	_context.open_step(target.root)
	undo_redo.add_do_method(parent, "add_child", copy, true)
	undo_redo.add_do_method(parent, "move_child", copy, node.get_index() + 1)
	_own_copies(node, copy, target.root, node.owner)
	undo_redo.add_do_reference(copy)
	undo_redo.add_undo_method(parent, "remove_child", copy)
	undo_redo.commit_action()
	answer["node_path"] = Scenes.path_of(target.root, copy)
	return _context.finish_edit(answer, target, params)


func reset_property(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var name := str(params.get("property", ""))
	var place := Properties.resolve(node, name)
	var problem := place.problem
	if problem == "" and name.contains(":"):
		problem = (
			"%s is a part of %s, and only a whole property has a value to go back to"
			% [name, name.get_slice(":", 0)]
		)
	if problem == "":
		problem = Write.refusal(node, name, Base.listed(node, place.info))
	if problem == "" and not Base.is_known(node, target.root, place.info):
		problem = "%s is not kept in scenes, so it has no value to go back to" % name
	if problem != "":
		return Result.fail(Result.VALIDATION, problem, "property")
	var previous: Variant = node.get(name)
	var base: Variant = Base.of(node, target.root, name)
	var single := Values.is_single(node, place.info)
	var untyped: bool = place.info["type"] == TYPE_NIL
	var answer := {
		"node_path": Scenes.path_of(target.root, node),
		"property": name,
		"value": Values.encode(base, target.root, untyped, single),
		"previous": Values.encode(previous, target.root, untyped, single),
	}
	answer.merge(Persistence.of_node(node, target.root))
	var dry := bool(params.get("dry_run", false))
	var outcome := (
		Write.preview(place, base)
		if dry
		else Write.run(place, base, _context.undo_redo, _context.open_step)
	)
	if outcome.problem != "":
		return Result.fail(Result.VALIDATION, outcome.problem, "property")
	if not dry:
		answer["value"] = Values.encode(node.get(name), target.root, untyped, single)
	return _context.finish_edit(answer, target, params)


func _commit_move(
	root: Node, node: Node, parent: Node, params: Dictionary, followers: Paths.Followers
) -> void:
	var undo_redo := _context.undo_redo
	var old_parent := node.get_parent()
	var index := int(params.get("index", -1))
	var keep := bool(params.get("keep_global_transform", true))
	var spatial := node is Node2D or node is Node3D or node is Control
	_context.open_step(root)
	if parent == old_parent:
		undo_redo.add_do_method(parent, "move_child", node, index)
		undo_redo.add_undo_method(parent, "move_child", node, node.get_index())
		undo_redo.commit_action()
		return
	undo_redo.add_do_method(old_parent, "remove_child", node)
	undo_redo.add_do_method(parent, "add_child", node, true)
	if index >= 0:
		undo_redo.add_do_method(parent, "move_child", node, mini(index, parent.get_child_count()))
	undo_redo.add_undo_method(parent, "remove_child", node)
	undo_redo.add_undo_method(old_parent, "add_child", node, true)
	undo_redo.add_undo_property(node, "name", str(node.name))
	undo_redo.add_undo_method(old_parent, "move_child", node, node.get_index())
	_context.keep_owners(node, true)
	if keep and spatial:
		if node is Control:
			undo_redo.add_do_property(node, "global_position", node.get("global_position"))
			# Not its position: setting that also writes the size, which may be the least that it needs.
			for side: String in ["offset_left", "offset_top", "offset_right", "offset_bottom"]:
				undo_redo.add_undo_property(node, side, node.get(side))
		else:
			undo_redo.add_do_property(node, "global_transform", node.get("global_transform"))
			undo_redo.add_undo_property(node, "transform", node.get("transform"))
	undo_redo.add_do_method(followers, "follow")
	undo_redo.add_undo_method(followers, "go_back")
	undo_redo.commit_action()


## The copy and what was owned beside its source belong to the edited scene; what an instance inside the
## branch owns stays that instance's.
func _own_copies(source: Node, copy: Node, root: Node, from: Node) -> void:
	if source.owner == root or source.owner == from:
		_context.undo_redo.add_do_property(copy, "owner", root)
	for i in mini(source.get_child_count(), copy.get_child_count()):
		_own_copies(source.get_child(i), copy.get_child(i), root, from)


## Built-in resources that the copy uses together with its source: {property, path, type}.
static func _shared(source: Node, copy: Node, below: String, pace: Pace) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	if pace.tick("nodes searched for shared resources"):
		return out
	for info in source.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE or info["type"] != TYPE_OBJECT:
			continue
		var name := info["name"] as String
		var resource := source.get(name) as Resource
		if resource == null or resource is Script or copy.get(name) != resource:
			continue
		(
			out
			. append(
				{
					"property": name if below == "" else below + ":" + name,
					"path": resource.resource_path,
					"type": resource.get_class(),
				}
			)
		)
	for i in mini(source.get_child_count(), copy.get_child_count()):
		var child := source.get_child(i)
		var child_path := str(child.name) if below == "" else below + "/" + str(child.name)
		out.append_array(_shared(child, copy.get_child(i), child_path, pace))
	return out


static func _unshare(copy: Node, root: Node) -> void:
	for info in copy.get_property_list():
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE or info["type"] != TYPE_OBJECT:
			continue
		var resource := copy.get(info["name"] as String) as Resource
		if resource != null and not resource is Script and resource.is_built_in():
			copy.set(info["name"] as String, resource.duplicate(true))
	for child in copy.get_children():
		_unshare(child, root)


## Unique names in the branch that its copy, which has this name, cannot have: one is unique once in a scene.
static func _lost_unique_names(node: Node, name: String, root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	if node.unique_name_in_owner and node.owner == root:
		if root.get_node_or_null("%" + name) != null:
			out.append(str(node.name))
	for child in node.get_children():
		out.append_array(_lost_unique_names(child, str(child.name), root))
	return out


func _already_there(target: Scenes.Target, params: Dictionary) -> Dictionary:
	var path := Scenes.path_of(target.root, target.node)
	var answer := {"node_path": path, "moved": false, "updated_paths": [], "persisted": true}
	answer["hint"] = "%s is there already, nothing was changed" % path
	answer = _context.finish_edit(answer, target, params)
	answer["undoable"] = false
	return answer


static func _path_below(root: Node, parent: Node, name: String) -> String:
	var path := Scenes.path_of(root, parent)
	return name if path == "." else path + "/" + name


static func _add_hint(answer: Dictionary, hint: String) -> void:
	if hint == "":
		return
	answer["hint"] = hint if not answer.has("hint") else "%s; %s" % [answer["hint"], hint]
