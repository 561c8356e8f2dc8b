@tool
extends RefCounted
## Instances of other scenes: put in, opened for changes, turned into nodes of the scene's own.

const Context := preload("../context.gd")
const Dependencies := preload("../dependencies.gd")
const InstanceChanges := preload("../instance_changes.gd")
const Localise := preload("../localise.gd")
const Names := preload("../names.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")

## What a refusal names at most.
const MAX_TOLD := 12

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.instance": _context.on_node(instance, "parent_path"),
		"node.make-local": _context.on_node(make_local),
		"node.set-editable-children": _context.on_node(set_editable_children),
	}


func instance(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var source := Scenes.normalise(str(params.get("source_scene", "")))
	var needs := Dependencies.new()
	var refused := _reason_not_to_instance(source, target.root, needs)
	if not refused.is_empty():
		return refused
	var packed := load(source) as PackedScene
	var node := packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE) if packed != null else null
	if node == null:
		return Result.fail(
			Result.VALIDATION,
			"%s cannot be instanced: %s" % [source, _context.first_error()],
			"source_scene"
		)
	var wanted := Names.clean(str(params.get("node_name", "")))
	node.name = Names.below(target.node, wanted if wanted != "" else str(node.name))
	var parent := Scenes.path_of(target.root, target.node)
	var answer := {
		"node_path": str(node.name) if parent == "." else parent + "/" + str(node.name),
		"source_scene": source,
		"instanced": true,
	}
	answer.merge(Persistence.of_node(target.node, target.root))
	if Scenes.is_open(source) and _context.scenes.is_dirty(source):
		_add_hint(
			answer,
			(
				"%s has unsaved changes, which the instance gets when they are saved: godot-mcp scene save --scene-path %s"
				% [source, source]
			)
		)
	for warning in needs.missing_classes():
		_add_hint(answer, warning["text"] as String)
	var given_up := _context.pace.last_chance("putting in " + source, Scenes.size_of(node))
	if not given_up.is_empty() or params.get("dry_run", false):
		node.free()
		return given_up if not given_up.is_empty() else _context.finish_edit(answer, target, params)
	var undo_redo := _context.undo_redo
	_context.open_step(target.root)
	undo_redo.add_do_method(target.node, "add_child", node, true)
	undo_redo.add_do_property(node, "owner", target.root)
	undo_redo.add_do_reference(node)
	undo_redo.add_undo_method(target.node, "remove_child", node)
	undo_redo.commit_action()
	answer["node_path"] = Scenes.path_of(target.root, node)
	answer["instanced"] = node.scene_file_path == source and node.owner == target.root
	return _context.finish_edit(answer, target, params)


func make_local(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var refused := _reason_not_an_instance(target)
	if not refused.is_empty():
		return refused
	var change := Localise.new(node, target.root, _context.pace)
	refused = _context.pace.refusal()
	if not refused.is_empty():
		return refused
	var answer := {
		"node_path": Scenes.path_of(target.root, node),
		"source_scene": node.scene_file_path,
		"made_local": true,
		"lost_unique_names": change.lost_unique_names,
	}
	answer.merge(Persistence.of_removal(node, target.root))
	if not params.get("dry_run", false):
		_context.open_step(target.root)
		_context.undo_redo.add_do_method(change, "apply")
		_context.undo_redo.add_undo_method(change, "take_back")
		_context.undo_redo.commit_action()
		answer["made_local"] = node.scene_file_path == ""
	return _context.finish_edit(answer, target, params)


func set_editable_children(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	var refused := _reason_not_an_instance(target)
	if not refused.is_empty():
		return refused
	var editable := bool(params.get("editable", true))
	var answer := {"node_path": Scenes.path_of(target.root, node), "editable": editable}
	answer.merge(Persistence.of_node(node, target.root))
	if target.root.is_editable_instance(node) == editable:
		answer["hint"] = (
			"the children of %s are %s already, nothing was changed"
			% [answer["node_path"], "editable" if editable else "not editable"]
		)
		answer["persisted"] = true
		answer.erase("reason")
		answer = _context.finish_edit(answer, target, params)
		answer["undoable"] = false
		return answer
	if not editable:
		refused = _reason_not_to_shut(node, target.root)
		if not refused.is_empty():
			return refused
	if not params.get("dry_run", false):
		var undo_redo := _context.undo_redo
		var is_placeholder := node.get_scene_instance_load_placeholder()
		_context.open_step(target.root)
		undo_redo.add_do_method(target.root, "set_editable_instance", node, editable)
		undo_redo.add_undo_method(target.root, "set_editable_instance", node, not editable)
		if is_placeholder and editable:
			# A placeholder has no children in a running game.
			undo_redo.add_do_method(node, "set_scene_instance_load_placeholder", false)
			undo_redo.add_undo_method(node, "set_scene_instance_load_placeholder", true)
		undo_redo.commit_action()
		answer["editable"] = target.root.is_editable_instance(node)
	return _context.finish_edit(answer, target, params)


static func _reason_not_to_instance(source: String, root: Node, needs: Dependencies) -> Dictionary:
	if not FileAccess.file_exists(source):
		return Result.fail(
			Result.NOT_FOUND, "there is no scene %s: godot-mcp scene list" % source, "source_scene"
		)
	if not Scenes.is_scene_file(source):
		return Result.fail(Result.VALIDATION, "%s is no scene" % source, "source_scene")
	var edited := root.scene_file_path
	if edited != "" and (source == edited or holds(source, edited)):
		return Result.fail(
			Result.VALIDATION,
			(
				"%s %s, so an instance of it in there would hold itself without end"
				% [source, "is the scene itself" if source == edited else "uses " + edited]
			),
			"source_scene"
		)
	needs.follow(source)
	if not needs.missing.is_empty():
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s needs files that are not there: %s; bring them back first, then godot-mcp scene open %s shows what is left"
					% [source, ", ".join(needs.missing), source]
				),
				"dependencies"
			)
		)
	if needs.reason != "":
		return Result.fail(Result.PRECONDITION, "%s: %s" % [source, needs.reason], "dependencies")
	if not Scenes.loads(source):
		return Result.fail(
			Result.VALIDATION,
			"%s does not load as a scene: godot-mcp scene open %s" % [source, source],
			"source_scene"
		)
	return {}


## Whether the scene uses the other one, by its file or, when it is open, as it is now.
static func holds(source: String, wanted: String) -> bool:
	if Dependencies.uses(source, wanted):
		return true
	var open := Scenes.open_root(source)
	if open == null:
		return false
	for node: Node in open.find_children("*", "", true, false):
		var file := node.scene_file_path
		if file == wanted or (file != "" and Dependencies.uses(file, wanted)):
			return true
	return false


static func _reason_not_an_instance(target: Scenes.Target) -> Dictionary:
	var node := target.node
	var path := Scenes.path_of(target.root, node)
	var why := ""
	if node == target.root:
		why = "the root is the scene itself, not an instance in it"
	elif node.scene_file_path == "":
		why = "%s is no instance of a scene: godot-mcp scene tree" % path
	return {} if why == "" else Result.fail(Result.VALIDATION, why, "node_path")


## What this scene says of the inside of the instance is lost once it is shut: a save leaves it out.
func _reason_not_to_shut(node: Node, root: Node) -> Dictionary:
	var changes := InstanceChanges.new(node, root, _context.pace)
	if not _context.pace.refusal().is_empty():
		return _context.pace.refusal()
	if changes.found.is_empty():
		return {}
	var told := changes.found.slice(0, MAX_TOLD)
	if changes.found.size() > MAX_TOLD:
		told.append("%d more" % (changes.found.size() - MAX_TOLD))
	return Result.fail(
		Result.VALIDATION,
		(
			"what this scene changed inside %s would be lost: %s; take it back first: %s"
			% [Scenes.path_of(root, node), "; ".join(told), changes.way_back]
		),
		"editable"
	)


static func _add_hint(answer: Dictionary, hint: String) -> void:
	answer["hint"] = hint if not answer.has("hint") else "%s; %s" % [answer["hint"], hint]
