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
const LiveFiles := preload("../live_files.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const SceneEdit := preload("../scene_edit.gd")
const ScriptCheck := preload("../script_check.gd")
const Scenes := preload("../scenes.gd")
const Slices := preload("../slices.gd")

const ACTION := "batch set-property-in-scenes"

var _context: Context


## One call. It waits where scenes behind other tabs have to come to the front.
class Work:
	extends Slices
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
	## Scenes that are to be looked at, the next one last.
	var _to_plan: PackedStringArray = []
	var _all := 0
	var _planned := 0
	## The scene that is looked at, null between two.
	var _edit: SceneEdit
	var _is_changing := false
	var _outcome: Dictionary = {}

	func begin() -> void:
		var root := EditorInterface.get_edited_scene_root()
		_front = root.scene_file_path if root != null else ""
		for path: String in results:
			if not open.has(path):
				_to_plan.append(path)
		_to_plan.reverse()
		_all = _to_plan.size()

	func poll() -> Dictionary:
		return _go_on(SLICE_USEC)

	func finish(_given_up: Callable) -> Dictionary:
		return _go_on(1 << 62)

	## Until the first change it can be given up.
	func give_up() -> Dictionary:
		return {} if _is_changing else Result.fail(Result.TIMEOUT, "cancelled: nothing was changed")

	func state() -> Dictionary:
		var done := _planned + (_edit.part() if _edit != null else 0.0)
		return {"progress": done, "total": _all, "message": "scenes looked at"}

	func _go_on(usec: int) -> Dictionary:
		context.begin(ACTION, raw)
		var answer := {}
		if _plan(Time.get_ticks_usec() + usec):
			_is_changing = not dry
			answer = _change()
		context.finish()
		return answer

	## Whether all is planned.
	func _plan(until: int) -> bool:
		while _edit != null or not _to_plan.is_empty():
			if Time.get_ticks_usec() >= until:
				return false
			if _edit == null:
				_plan_file(_to_plan[-1])
				_to_plan.remove_at(_to_plan.size() - 1)
			elif not _edit.step():
				_edit.finish()
				results[_edit.path] = _result(_edit.path, _edit.modified, _edit.error)
				if _edit.error.is_empty() and _edit.modified > 0:
					_edits.append(_edit)
				_edit = null
				_planned += 1
		return true

	func _change() -> Dictionary:
		# Open scenes first: the engine brings a changed file into the scenes that show it when it likes.
		while not open.is_empty():
			if context.scenes.settling and not dry:
				return {}
			var path := open[0]
			open.remove_at(0)
			results[path] = _edit_open(path)
		if _outcome.is_empty():
			if not dry:
				_write_files()
			_outcome = _summary()
		return _bring_back()

	func _bring_back() -> Dictionary:
		var root := EditorInterface.get_edited_scene_root()
		if dry or _front == "" or root == null or root.scene_file_path == _front:
			return _outcome
		if not context.scenes.settling:
			context.scenes.bring_to_front(_front)
			_front = ""
		return {}

	func _plan_file(path: String) -> void:
		if Scenes.is_open(path):
			# It was opened since.
			open.append(path)
			return
		_edit = SceneEdit.new()
		_edit.path = path
		_edit.node_type = str(params.get("node_type", ""))
		_edit.property = str(params.get("property", ""))
		_edit.json = params.get("value")
		_edit.typed = raw.get("value")
		_edit.begin(_said, dry)

	## What the engine said since the last time.
	func _said() -> PackedStringArray:
		var errors := context.errors()
		context.forget_errors()
		return errors

	func _write_files() -> void:
		var exchange := Files.Exchange.new()
		exchange.put = Files.put_scene
		exchange.live = LiveFiles.new(context)
		for edit in _edits:
			context.pace.tick("scenes written")
			if Scenes.is_open(edit.path) or FileAccess.get_file_as_bytes(edit.path) != edit.before:
				results[edit.path] = _result(edit.path, 0, _changed_meanwhile(edit.path))
				continue
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

	static func _changed_meanwhile(path: String) -> Dictionary:
		return Result.fail(
			Result.PRECONDITION,
			"%s was changed or opened by others meanwhile, and was left as it is: call again" % path
		)

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
			var needs := Dependencies.new()
			if scene != "":
				needs.follow(scene)
			if _edits.any(func(edit: SceneEdit) -> bool: return needs.needs(edit.path)):
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
	work.begin()
	return work.start()


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
