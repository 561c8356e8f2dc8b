@tool
extends RefCounted
## The tools that stand alone: get-server-info, health-check, undo, redo.

const Context := preload("../context.gd")
const Contract := preload("../contract.gd")
const Discovery := preload("../discovery.gd")
const Result := preload("../result.gd")

## Steps that history list names.
const MAX_RECENT := 20

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"get-server-info": info,
		"health-check": info,
		"undo": undo,
		"redo": redo,
		"history.list": list_history,
	}


func info(_params: Dictionary) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	return {
		"godot_version": Discovery.godot_version(),
		"addon_version": Contract.ADDON_VERSION,
		"project_path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"active_scene": root.scene_file_path if root != null else null,
	}


func undo(params: Dictionary) -> Dictionary:
	return _replay(params, "Undo")


func redo(params: Dictionary) -> Dictionary:
	return _replay(params, "Redo")


func list_history(_params: Dictionary) -> Dictionary:
	var recent := _context.history.plan_undo(MAX_RECENT)
	var answer := _context.history.current()
	answer["can_redo"] = answer["has_redo"]
	answer["current_action"] = recent[0]["name"] if not recent.is_empty() else ""
	answer["recent"] = recent
	return answer


func _replay(params: Dictionary, item: String) -> Dictionary:
	var count := int(params.get("count", 1))
	if count < 1:
		return Result.fail(Result.VALIDATION, "count must be at least 1", "count")
	var answer := {"requested": count}
	var path := ""
	if str(params.get("scene_path", "")) != "":
		var target := _context.scenes.target(params)
		if not target.error.is_empty():
			return target.error
		if target.activated:
			answer["activated"] = true
		path = target.root.scene_file_path
	var include_user := item == "Redo" or bool(params.get("include_user", false))
	var allowed: Array[Dictionary] = []
	var stopped := {}
	for step: Dictionary in _plan(item, count, path):
		if step["by"] == "user" and not include_user:
			stopped = step
			break
		allowed.append(step)
	if allowed.is_empty() and not stopped.is_empty():
		return Result.fail(
			Result.PRECONDITION,
			(
				'the youngest step is the user\'s own "%s" in %s: godot-mcp undo --include-user'
				% [stopped["name"], stopped["history"]]
			),
			"include_user"
		)
	if params.get("dry_run", false):
		return _report(answer, item, allowed, stopped, path, true)
	var taken: Array[Dictionary] = []
	for wanted in allowed:
		# Those that were taken count, whoever gave up.
		if _context.pace.is_given_up(taken.size(), allowed.size(), "steps"):
			break
		var step := _context.history.press(item)
		if step.is_empty():
			return (
				Result
				. fail(
					Result.PRECONDITION,
					(
						"the editor took %d of %d steps and refuses the next one (a mouse button is down, or a dialog is open)"
						% [taken.size(), allowed.size()]
					),
					"editor_ready"
				)
			)
		taken.append(step)
		if step["by"] == "user" and not include_user:
			# The books and the editor differed: what belongs to the user goes back at once.
			_context.history.press("Redo")
			taken.pop_back()
			break
	return _report(answer, item, taken, stopped, path, false)


func _plan(item: String, count: int, path: String) -> Array[Dictionary]:
	if item == "Undo":
		return _context.history.plan_undo(count, path)
	return _context.history.plan_redo(count, path)


func _report(
	answer: Dictionary,
	item: String,
	steps: Array[Dictionary],
	stopped: Dictionary,
	path: String,
	dry: bool
) -> Dictionary:
	var word := "undo" if item == "Undo" else "redo"
	var done := "undone" if item == "Undo" else "redone"
	answer["dry_run"] = dry
	answer[done] = steps.size()
	answer["actions"] = steps.map(func(step: Dictionary) -> String: return step["name"])
	answer["nothing_to_" + word] = steps.is_empty()
	answer["last_action"] = null
	if not steps.is_empty():
		var last: Dictionary = steps[-1]
		answer["last_action"] = last["name"]
		answer["history"] = last["history"]
		answer["by"] = last["by"]
	# A preview tells what the real run would leave: the step behind the ones it would take.
	var ahead := _plan(item, 1 + (steps.size() if dry else 0), path)
	var next: Dictionary = ahead[-1] if ahead.size() > (steps.size() if dry else 0) else {}
	answer["has_" + word] = not next.is_empty()
	answer["would_%s_next" % word] = next.get("name")
	answer["persisted"] = null
	answer["undoable"] = not steps.is_empty()
	for text in _context.errors():
		# What a step says that could not be done.
		if text.begins_with("godot-mcp: "):
			answer["hint"] = text.trim_prefix("godot-mcp: ")
	if not stopped.is_empty():
		answer["hint"] = 'the next step is the user\'s own "%s": --include-user' % stopped["name"]
	return answer
