@tool
extends RefCounted
## The same property of all nodes of a class in several scenes. Files that are not open are changed in their
## text, open scenes in their tabs.

const Batch := preload("batch.gd")
const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
const Dependencies := preload("../dependencies.gd")
const Files := preload("../files.gd")
const Levels := preload("../packed_levels.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const SceneEdit := preload("../scene_edit.gd")
const ScriptCheck := preload("../script_check.gd")
const Scenes := preload("../scenes.gd")

const ACTION := "batch set-property-in-scenes"

var _context: Context


## One call. It waits only where scenes behind other tabs have to come to the front.
class Work:
	extends RefCounted
	var context: Context
	var params: Dictionary
	var raw: Dictionary
	var dry := false
	var results: Dictionary[String, Dictionary] = {}
	## Open scenes that are still to be edited.
	var open: PackedStringArray = []
	var _edits: Array[SceneEdit] = []
	## Scenes that were edited in their tabs.
	var _unsaved: PackedStringArray = []
	var _steps := 0
	var _front := ""
	var _is_begun := false
	var _answer: Dictionary = {}

	func poll() -> Dictionary:
		context.begin(ACTION, raw)
		var answer := _go_on()
		context.finish()
		return answer

	func _go_on() -> Dictionary:
		if not _is_begun:
			_is_begun = true
			var root := EditorInterface.get_edited_scene_root()
			_front = root.scene_file_path if root != null else ""
			_plan_files()
		# Open scenes first: the engine brings a changed file into the scenes that show it when it likes.
		while not open.is_empty():
			if context.scenes.settling and not dry:
				return {}
			var path := open[0]
			open.remove_at(0)
			results[path] = _edit_open(path)
		if _answer.is_empty():
			if not dry:
				_write_files()
			_answer = _summary()
		return _bring_back()

	func _bring_back() -> Dictionary:
		var root := EditorInterface.get_edited_scene_root()
		if dry or _front == "" or root == null or root.scene_file_path == _front:
			return _answer
		if not context.scenes.settling:
			context.scenes.bring_to_front(_front)
			_front = ""
		return {}

	func _plan_files() -> void:
		for path: String in results.keys():
			if open.has(path):
				continue
			var edit := SceneEdit.new()
			edit.path = path
			edit.node_type = str(params.get("node_type", ""))
			edit.property = str(params.get("property", ""))
			edit.json = params.get("value")
			edit.typed = raw.get("value")
			edit.plan(_said, dry)
			results[path] = _result(path, edit.modified, edit.error)
			if edit.error.is_empty() and edit.modified > 0:
				_edits.append(edit)

	## What the engine said since the last time.
	func _said() -> PackedStringArray:
		var errors := context.errors()
		context.forget_errors()
		return errors

	func _write_files() -> void:
		var exchange := Files.Exchange.new()
		exchange.put = Files.put_scene
		for edit in _edits:
			if Files.put_scene(edit.path, edit.after):
				exchange.contents[edit.path] = edit.before
				continue
			var why := "the engine did not write %s: godot-mcp editor status" % edit.path
			results[edit.path] = _result(edit.path, 0, Result.fail(Result.INTERNAL, why))
		if exchange.contents.is_empty():
			return
		context.open_step(context.files)
		context.undo_redo.add_do_method(exchange, "swap")
		context.undo_redo.add_undo_method(exchange, "swap")
		context.undo_redo.commit_action(false)
		_steps += 1

	func _edit_open(path: String) -> Dictionary:
		var of := {"scene_path": path, "dry_run": dry}
		var target := context.scenes.target(of)
		if not target.error.is_empty():
			return _result(path, 0, target.error)
		var together := Batch.Together.new()
		together.context = context
		together.params = of
		together.target = target
		together.begin()
		var modified := 0
		for node_path in _own_nodes(target.root):
			modified += _edit_node(together, node_path)
			if not together.error.is_empty():
				break
		var done := together.end({})
		if Result.is_error(done):
			return _result(path, 0, done)
		if modified > 0:
			_unsaved.append(path)
			_steps += 1
		return _result(path, modified, {})

	## How many nodes changed.
	func _edit_node(together: Batch.Together, node_path: String) -> int:
		var mark := context.undo_redo.count()
		var answer := (
			together
			. carry_out(
				"node.set-property",
				{
					"node_path": node_path,
					"property": params.get("property"),
					"value": params.get("value"),
				}
			)
		)
		if Result.is_error(answer):
			together.error = answer
			return 0
		if JSON.stringify(answer["value"]) != JSON.stringify(answer["previous"]):
			together.judge(answer)
			return 1
		context.undo_redo.take_back(mark)
		return 0

	## Nodes that the scene itself has or says something about, as in a file that is not open.
	func _own_nodes(root: Node) -> PackedStringArray:
		var said: Dictionary[String, bool] = {}
		var based: Dictionary[String, bool] = {}
		var packed := load(root.scene_file_path) as PackedScene
		var state := packed.get_state() if packed != null else null
		if state != null:
			for i in state.get_node_count():
				said[Levels.path_of(state, i)] = true
			state = state.get_base_scene_state()
		while state != null:
			for i in state.get_node_count():
				based[Levels.path_of(state, i)] = true
			state = state.get_base_scene_state()
		var paths: PackedStringArray = []
		for node in Classes.nodes_of(root, str(params.get("node_type", ""))):
			var path := Scenes.path_of(root, node)
			if node == root or said.has(path) or (node.owner == root and not based.has(path)):
				paths.append(path)
		return paths

	func _result(path: String, modified: int, error: Dictionary) -> Dictionary:
		var result := {"scene": path, "modified": modified, "open": Scenes.is_open(path)}
		if not error.is_empty():
			var body: Dictionary = error[Result.ERROR_KEY]
			result["modified"] = 0
			for key: String in ["error", "hint", "required"]:
				if body.has(key):
					result[key] = body[key]
		return result

	func _summary() -> Dictionary:
		var total := 0
		for path in results:
			total += results[path]["modified"] as int
		var answer := {
			"results": results.values(),
			"total_modified": total,
			"scene_count": results.size(),
			"stale": _stale(),
			"dry_run": dry,
			"persisted": true if total > 0 else null,
			"undoable": total > 0,
		}
		var hints: PackedStringArray = []
		if not _unsaved.is_empty():
			hints.append(
				(
					"edited in their tabs and not saved: %s: godot-mcp scene save-all"
					% ", ".join(_unsaved)
				)
			)
			if _edits.size() > 0 or _unsaved.size() > 1:
				hints.append(
					(
						"undo takes the files back as one step and each open scene as one: "
						+ "godot-mcp undo --scene-path %s" % _unsaved[0]
					)
				)
		if not (answer["stale"] as PackedStringArray).is_empty():
			hints.append(
				(
					"open scenes show instances as they were: godot-mcp scene reload %s --confirm"
					% answer["stale"][0]
				)
			)
		if not hints.is_empty():
			answer["hint"] = "; ".join(hints)
		return answer

	## Open scenes that hold one of the changed files.
	func _stale() -> PackedStringArray:
		var out: PackedStringArray = []
		for scene in EditorInterface.get_open_scenes():
			for edit in _edits:
				if scene != "" and not out.has(scene) and Dependencies.uses(scene, edit.path):
					out.append(scene)
		return out


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"batch.set-property-in-scenes": set_property_in_scenes}


func set_property_in_scenes(params: Dictionary) -> Dictionary:
	var refused := _problem(params)
	if not refused.is_empty():
		return refused
	var work := Work.new()
	work.context = _context
	work.params = params
	work.raw = _context.raw
	work.dry = bool(params.get("dry_run", false))
	for given: Variant in params.get("scenes", []) as Array:
		var path := Scenes.normalise(str(given))
		if path.to_lower().begins_with(ScriptCheck.OWN_FOLDER) or not path.begins_with("res://"):
			return Result.fail(
				Result.VALIDATION, "%s is no scene of the project's own" % path, "scenes"
			)
		work.results[path] = {}
		if Scenes.is_open(path) and not work.open.has(path):
			work.open.append(path)
	var answer := work.poll()
	return answer if not answer.is_empty() else Result.park(work)


## What is wrong with the call whatever the scenes hold, empty for nothing.
func _problem(params: Dictionary) -> Dictionary:
	var type := str(params.get("node_type", ""))
	var property := str(params.get("property", ""))
	if (params.get("scenes", []) as Array).is_empty():
		return Result.fail(Result.VALIDATION, "name at least one scene", "scenes")
	var problem := Classes.unknown_node(type, "node_type")
	if not problem.is_empty():
		return problem
	if property.contains(":") or property in ["name", "script", "owner", "scene_file_path"]:
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%s is not set here: only whole properties that are no part of the scene's structure"
					% property
				),
				"property"
			)
		)
	var script := Classes.script_of(type)
	var info := Classes.script_info(script, property)
	if not info.is_empty():
		if Classes.holds_nodes(info):
			return Result.fail(
				Result.VALIDATION,
				"%s holds nodes of its scene: godot-mcp node set-property" % property,
				"property"
			)
		return _value_problem(params, info, Classes.default_in(script, "", property))
	return _native_problem(params, type if script == null else str(script.get_instance_base_type()))


func _native_problem(params: Dictionary, type: String) -> Dictionary:
	var property := str(params.get("property", ""))
	if property.begins_with("metadata/"):
		return {}
	for info in ClassDB.class_get_property_list(type):
		if info["name"] == property and not Properties.is_heading(info):
			return _value_problem(
				params, info, ClassDB.class_get_property_default_value(type, property)
			)
	if not ClassDB.can_instantiate(type):
		return Result.fail(
			Result.VALIDATION, "%s has no property %s" % [type, property], "property"
		)
	var stand_in: Node = ClassDB.instantiate(type)
	var place := Properties.resolve(stand_in, property)
	stand_in.free()
	if place.problem != "":
		return Result.fail(Result.VALIDATION, place.problem, "property")
	return _value_problem(params, place.info, null)


func _value_problem(params: Dictionary, info: Dictionary, present: Variant) -> Dictionary:
	var decoded := Decode.decode(
		params.get("value"), info, present, null, _context.raw.get("value")
	)
	if not decoded.has(Decode.PROBLEM):
		return {}
	var code: String = decoded.get("code", Result.VALIDATION)
	return Result.fail(code, "%s %s" % [info["name"], decoded[Decode.PROBLEM]], "value")
