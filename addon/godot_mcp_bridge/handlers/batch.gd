@tool
extends RefCounted
## Many edits at once: any tools in a row, composed nodes, many nodes, the same property of many.

const BatchRun := preload("../batch_run.gd")
const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")

const CHILD_KEYS: Array[String] = [
	"node_type", "node_name", "properties", "script_path", "children"
]

var _context: Context


## The commands of one call, gathered into one undo step, and what they answered.
class Together:
	extends RefCounted
	var context: Context
	var params: Dictionary
	var target: Scenes.Target
	## The first error, empty while there is none.
	var error: Dictionary = {}
	## Commands that will be carried out, 0 when that is not known.
	var total := 0
	## {node_path, persisted, reason, hint} by node.
	var verdicts: Array[Dictionary] = []
	var _is_outer := false
	var _begun := 0
	var _stayed := false
	var _action := ""
	var _raw: Dictionary = {}
	var _done := 0

	func begin() -> void:
		_action = context.action_name
		_raw = context.raw
		_is_outer = not context.undo_redo.is_gathering()
		_stayed = context.scenes.stay
		if _is_outer:
			context.undo_redo.gather()
		if params.get("dry_run", false):
			context.scenes.stay = true
		_begun = context.undo_redo.count()

	## The answer of one command on this call's scene.
	func carry_out(command: String, of: Dictionary) -> Dictionary:
		if target.root.scene_file_path != "":
			of["scene_path"] = target.root.scene_file_path
		var answer: Dictionary = context.carry_out.call(command, of, _raw)
		context.begin(_action, _raw)
		_done += 1
		if context.pace.is_given_up(_done, total) and error.is_empty():
			error = Result.fail(Result.TIMEOUT, "cancelled: all was taken back")
		return answer

	## Notes whether a save keeps what this answer tells of.
	func judge(answer: Dictionary) -> void:
		var verdict := {"node_path": answer["node_path"], "persisted": answer["persisted"]}
		for key: String in ["reason", "hint"]:
			if answer.has(key):
				verdict[key] = answer[key]
		var last: Dictionary = verdicts[-1] if not verdicts.is_empty() else {}
		if last.get("node_path") != verdict["node_path"]:
			verdicts.append(verdict)
		elif last["persisted"] and not verdict["persisted"]:
			verdicts[-1] = verdict

	## Ends it: the undo step, or none when there was an error or this is a preview. The error or the answer
	## with what all edits answer.
	func end(answer: Dictionary) -> Dictionary:
		var dry := bool(params.get("dry_run", false))
		context.scenes.stay = _stayed
		var changed := context.undo_redo.count() > _begun
		if not error.is_empty() or dry:
			context.undo_redo.take_back(_begun)
		if _is_outer:
			context.undo_redo.hand_over(Context.History.PREFIX + _action)
		if not error.is_empty():
			return error
		answer["persisted"] = true if changed else null
		for verdict in verdicts:
			if not verdict["persisted"]:
				for key: String in ["persisted", "reason", "hint"]:
					answer[key] = verdict[key]
				break
		answer = context.finish_edit(answer, target, params)
		answer["undoable"] = changed
		return answer


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"batch.run": run,
		"batch.compose-node": _context.on_node(compose_node, "parent_path"),
		"batch.add-nodes": _context.on_node(add_nodes, "parent_path"),
		"batch.apply-edits": _context.on_scene(apply_edits),
		"batch.set-property": _context.on_scene(set_property),
	}


func run(params: Dictionary) -> Dictionary:
	var batch := BatchRun.new(_context)
	for given: Variant in params.get("commands", []) as Array:
		var step: Dictionary = given if given is Dictionary else {}
		if not step.get("command") is String or not step.get("params", {}) is Dictionary:
			return Result.fail(
				Result.VALIDATION,
				"a command is {command, params}, was given %s" % [given],
				"commands"
			)
		if str(step["command"]) == "batch.run":
			return Result.fail(Result.VALIDATION, "a batch inside a batch", "commands")
		batch.steps.append(step.merged({"params": {}}))
	batch.stops = bool(params.get("stop_on_error", true))
	batch.atomic = bool(params.get("atomic", false))
	batch.dry = bool(params.get("dry_run", false))
	var refused := batch.refusal()
	if not refused.is_empty():
		return refused
	var answer := batch.poll()
	return answer if not answer.is_empty() else Result.park(batch)


func compose_node(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var together := _begin(params, target)
	if not together.error.is_empty():
		return together.error
	var top := _compose(together, params, Scenes.path_of(target.root, target.node), "")
	var below: PackedStringArray = []
	if together.error.is_empty():
		_compose_children(together, params, str(top["node_path"]), "", below)
	var properties: Dictionary = params.get("properties", {})
	return _end(
		together,
		{
			"node_path": top.get("node_path", ""),
			"created": true,
			"children": below,
			"script_attached": str(params.get("script_path", "")) != "",
			"properties_set": properties.keys(),
		}
	)


func add_nodes(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var together := _begin(params, target)
	if not together.error.is_empty():
		return together.error
	var created: PackedStringArray = []
	var names: Array = params.get("names", [])
	together.total = names.size()
	for i in names.size():
		var answer := (
			together
			. carry_out(
				"node.add",
				{
					"parent_path": Scenes.path_of(target.root, target.node),
					"node_type": params.get("node_type", ""),
					"node_name": names[i],
					"properties": params.get("properties", {}),
				}
			)
		)
		if Result.is_error(answer):
			together.error = answer
			break
		if not together.error.is_empty():
			break
		together.judge(answer)
		created.append(str(answer["node_path"]))
	return _end(together, {"created": created, "count": created.size()})


func apply_edits(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var problem := _edits_problem(params.get("edits", []) as Array)
	if not problem.is_empty():
		return problem
	var together := _begin(params, target)
	if not together.error.is_empty():
		return together.error
	var edited: Array[Dictionary] = []
	var skipped: Array[Dictionary] = []
	for edit: Dictionary in params.get("edits", []) as Array:
		together.total += (edit.get("properties", {}) as Dictionary).size()
	for edit: Dictionary in params.get("edits", []) as Array:
		var path := str(edit["node_path"])
		var done := _edit_node(together, path, edit.get("properties", {}) as Dictionary)
		if not together.error.is_empty():
			break
		if done.has("hint"):
			skipped.append(done)
		else:
			edited.append(done)
	if edited.is_empty() and not skipped.is_empty() and together.error.is_empty():
		together.error = _nothing_done(skipped, "edits")
	return _end(
		together,
		{
			"edited": edited,
			"skipped": skipped,
			"count": edited.size(),
			"persistence": together.verdicts,
		}
	)


func set_property(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var nodes := _nodes_to_set(params, target)
	if nodes.has("error"):
		return nodes["error"]
	var together := _begin(params, target)
	if not together.error.is_empty():
		return together.error
	var property := str(params.get("property", ""))
	var applied: PackedStringArray = []
	var skipped: Array[Dictionary] = nodes["skipped"]
	together.total = (nodes["paths"] as PackedStringArray).size()
	for path: String in nodes["paths"]:
		var done := _edit_node(together, path, {property: params.get("value")})
		if not together.error.is_empty():
			break
		if done.has("hint"):
			skipped.append(done)
		else:
			applied.append(str(done["node_path"]))
	if applied.is_empty() and not skipped.is_empty() and together.error.is_empty():
		var which := "node_paths" if str(params.get("node_type", "")) == "" else "node_type"
		together.error = _nothing_done(skipped, which)
	var answer := {
		"property": property,
		"applied": applied,
		"skipped": skipped,
		"count": applied.size(),
		"persistence": together.verdicts,
	}
	return together.end(answer)


## All nodes were skipped: nothing happened, and that is told as the first of them tells it.
static func _nothing_done(skipped: Array[Dictionary], parameter: String) -> Dictionary:
	var first := skipped[0]
	return Result.fail(str(first["error"]), "no node was edited: %s" % first["hint"], parameter)


func _begin(params: Dictionary, target: Scenes.Target) -> Together:
	var together := Together.new()
	together.context = _context
	together.params = params
	together.target = target
	if params.get("save", false):
		# Before anything is changed that could then not be saved.
		together.error = _save(target, true)
		if not Result.is_error(together.error):
			together.error = {}
	if together.error.is_empty():
		together.begin()
	return together


func _end(together: Together, answer: Dictionary) -> Dictionary:
	answer["saved"] = false
	answer = together.end(answer)
	if Result.is_error(answer) or not together.params.get("save", false):
		return answer
	var saved := _save(together.target, bool(together.params.get("dry_run", false)))
	answer["saved"] = not Result.is_error(saved)
	if not answer["saved"]:
		answer["hint"] = (saved[Result.ERROR_KEY] as Dictionary)["hint"]
	return answer


func _save(target: Scenes.Target, dry: bool) -> Dictionary:
	var action := _context.action_name
	var answer: Dictionary = _context.carry_out.call(
		"scene.save", {"scene_path": target.root.scene_file_path, "dry_run": dry}
	)
	_context.begin(action, {})
	return answer


## Adds one node; its answer, or the error in `together`.
func _compose(together: Together, of: Dictionary, parent: String, at: String) -> Dictionary:
	var properties := {}
	if str(of.get("script_path", "")) != "":
		# Before its own properties.
		properties["script"] = str(of["script_path"])
	properties.merge(of.get("properties", {}) as Dictionary)
	var answer := (
		together
		. carry_out(
			"node.add",
			{
				"parent_path": parent,
				"node_type": of.get("node_type", "Node"),
				"node_name": of.get("node_name", ""),
				"properties": properties,
			}
		)
	)
	if Result.is_error(answer):
		var body: Dictionary = answer[Result.ERROR_KEY]
		if at != "":
			body["hint"] = "%s: %s" % [at, body["hint"]]
			body["required"] = "children"
		elif str(body["hint"]).begins_with("script "):
			body["required"] = "script_path"
		together.error = answer
	elif together.error.is_empty():
		together.judge(answer)
	return answer


func _compose_children(
	together: Together, of: Dictionary, parent: String, at: String, into: PackedStringArray
) -> void:
	var children: Array = of.get("children", [])
	for i in children.size():
		var here := "%schildren[%d]" % [at + "." if at != "" else "", i]
		together.error = _child_problem(children[i], here)
		if not together.error.is_empty():
			return
		var child: Dictionary = children[i]
		var made := _compose(together, child, parent, here)
		if not together.error.is_empty():
			return
		into.append(str(made["node_path"]))
		_compose_children(together, child, str(made["node_path"]), here, into)
		if not together.error.is_empty():
			return


static func _child_problem(child: Variant, at: String) -> Dictionary:
	var why := ""
	if not child is Dictionary:
		why = "is no object"
	else:
		for key: String in child as Dictionary:
			if not CHILD_KEYS.has(key):
				why = "has no %s, only %s" % [key, ", ".join(CHILD_KEYS)]
		if not (child as Dictionary).get("properties", {}) is Dictionary:
			why = "has properties that are no object"
		if not (child as Dictionary).get("children", []) is Array:
			why = "has children that are no list"
	if why == "":
		return {}
	return Result.fail(Result.VALIDATION, "%s %s" % [at, why], "children")


static func _edits_problem(edits: Array) -> Dictionary:
	for i in edits.size():
		var edit: Variant = edits[i]
		if (
			not edit is Dictionary
			or not (edit as Dictionary).get("node_path") is String
			or not (edit as Dictionary).get("properties", {}) is Dictionary
			or (edit as Dictionary).size() > 2
		):
			return Result.fail(
				Result.VALIDATION,
				(
					"edits[%d] must be {node_path, properties}, was given %s"
					% [i, JSON.stringify(edit)]
				),
				"edits"
			)
	return {}


## Sets the properties of one node, or none of them: {node_path, properties}, or {node_path, error, hint}.
func _edit_node(together: Together, path: String, properties: Dictionary) -> Dictionary:
	var mark := _context.undo_redo.count()
	var judged := together.verdicts.duplicate()
	var values := {}
	var now := path
	for property: String in properties:
		var answer := together.carry_out(
			"node.set-property",
			{"node_path": now, "property": property, "value": properties[property]}
		)
		if Result.is_error(answer):
			_context.undo_redo.take_back(mark)
			together.verdicts = judged
			var body: Dictionary = answer[Result.ERROR_KEY]
			return {"node_path": path, "error": body["error"], "hint": body["hint"]}
		now = answer["node_path"]
		values[property] = answer["value"]
		together.judge(answer)
	if properties.is_empty():
		return {"node_path": path, "error": Result.VALIDATION, "hint": "no properties were given"}
	return {"node_path": now, "properties": values}


## {paths, skipped}, or {error}. By class only what a save keeps is taken.
func _nodes_to_set(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var type := str(params.get("node_type", ""))
	var given: Array = params.get("node_paths", [])
	if given.is_empty() == (type == ""):
		return {
			"error":
			Result.fail(
				Result.VALIDATION, "give node_paths or node_type, one of them", "node_paths"
			)
		}
	var skipped: Array[Dictionary] = []
	if type == "":
		return {"paths": PackedStringArray(given), "skipped": skipped}
	var problem := Classes.unknown_node(type, "node_type")
	if not problem.is_empty():
		return {"error": problem}
	var paths: PackedStringArray = []
	for node in Classes.nodes_of(target.root, type):
		var path := Scenes.path_of(target.root, node)
		var verdict := Persistence.of_node(node, target.root)
		if verdict["persisted"]:
			paths.append(path)
			continue
		skipped.append(
			{"node_path": path, "error": Result.VALIDATION, "hint": str(verdict["hint"])}
		)
	return {"paths": paths, "skipped": skipped}
