@tool
extends RefCounted
## The script of a node: attach, detach.

const Check := preload("../script_check.gd")
const Context := preload("../context.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Sharp := preload("../sharp.gd")
const TextFile := preload("../text_file.gd")
const Values := preload("../values.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"node.attach-script": _context.on_node(attach),
		"node.detach-script": _context.on_node(detach),
	}


func attach(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var path := Scenes.normalise(str(params.get("script_path", "")))
	var refused := _reason_not_a_script(path)
	if not refused.is_empty():
		return refused
	var problem := _problem_of(path)
	var script := load(path) as Script
	if script == null:
		return Result.fail(
			Result.VALIDATION,
			"%s does not load as a script: godot-mcp script check %s" % [path, path],
			"script_path"
		)
	refused = _reason_not_to_attach(script, path, target.node)
	if not refused.is_empty():
		return refused
	var answer := {
		"node_path": Scenes.path_of(target.root, target.node),
		"script_path": path,
		"attached": true,
		"class_found": problem == "",
	}
	answer.merge(Persistence.of_node(target.node, target.root))
	if target.node.get_script() == script:
		return _unchanged(
			answer, "%s has this script already" % answer["node_path"], target, params
		)
	_hint(answer, problem)
	var lost := _values(target.node).keys()
	for info in script.get_script_property_list():
		lost.erase(info["name"])
	if not lost.is_empty():
		_hint(answer, "lost with the script before, until undo: " + ", ".join(lost))
	if not params.get("dry_run", false):
		_commit(target, script)
		answer["attached"] = target.node.get_script() == script
	return _context.finish_edit(answer, target, params)


func detach(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var script := target.node.get_script() as Script
	var answer := {
		"node_path": Scenes.path_of(target.root, target.node),
		"script_path": script.resource_path if script != null else null,
		"detached": script != null,
	}
	answer.merge(Persistence.of_node(target.node, target.root))
	if script == null:
		return _unchanged(answer, "%s has no script" % answer["node_path"], target, params)
	var lost := _values(target.node).keys()
	if not lost.is_empty():
		_hint(answer, "lost with the script, until undo: " + ", ".join(lost))
	if not params.get("dry_run", false):
		_commit(target, null)
		answer["detached"] = target.node.get_script() == null
	return _context.finish_edit(answer, target, params)


## Changes the script in one step. What both have keeps its value, and undo gives the values back that the
## script before had.
func _commit(target: Scenes.Target, script: Script) -> void:
	var node := target.node
	var undo_redo := _context.undo_redo
	var values := _values(node)
	_context.open_step(target.root)
	undo_redo.add_do_method(node, "set_script", script)
	undo_redo.add_undo_method(node, "set_script", node.get_script())
	var kept: PackedStringArray = []
	if script != null:
		for info in script.get_script_property_list():
			kept.append(info["name"] as String)
	for name: String in values:
		if kept.has(name):
			undo_redo.add_do_property(node, name, values[name])
		undo_redo.add_undo_property(node, name, values[name])
	undo_redo.add_do_method(node, "notify_property_list_changed")
	undo_redo.add_undo_method(node, "notify_property_list_changed")
	undo_redo.commit_action()


## What the node's script made it keep: the values that a save writes.
static func _values(node: Node) -> Dictionary:
	var out := {}
	var script := node.get_script() as Script
	if script == null:
		return out
	# The script's own list: a placeholder's properties do not say that they are variables.
	for info in script.get_script_property_list():
		var name := info["name"] as String
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var value: Variant = node.get(name)
		if not Values.same(value, script.get_property_default_value(name)):
			out[name] = value.duplicate() if value is Array or value is Dictionary else value
	return out


static func _reason_not_a_script(path: String) -> Dictionary:
	if not path.contains("::") and not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no script %s: godot-mcp script list" % path, "script_path"
		)
	var sharp := Sharp.problem(path) if Sharp.is_script(path) else {}
	if sharp.is_empty():
		return {}
	var is_ours: bool = sharp["code"] == Result.VALIDATION
	var required := "script_path" if is_ours else "godot_binary"
	return Result.fail(sharp["code"] as String, sharp["why"] as String, required)


## Why the script's class is not there yet, "" when it is.
static func _problem_of(path: String) -> String:
	if Sharp.is_script(path):
		return _sharp_problem(load(path) as Script, path)
	if path.contains("::"):
		return ""
	var verdict := Check.judge(path, TextFile.new(path).text)
	if verdict.is_ok():
		return ""
	var first := verdict.errors[0]
	return (
		"the script does not compile (line %d: %s), so the node has none of its properties yet: godot-mcp script check %s"
		% [first["line"], first["message"], path]
	)


static func _sharp_problem(script: Script, path: String) -> String:
	if script == null or script.get_instance_base_type() != &"":
		return ""
	if OS.execute("dotnet", ["--version"]) != OK:
		return (
			"the class of %s is not built, and there is no .NET SDK to build it with: install one, then build the project"
			% path
		)
	return "the class of %s is not built yet: build the project (dotnet build)" % path


## A script goes with the class that it extends and those below it.
static func _reason_not_to_attach(script: Script, path: String, node: Node) -> Dictionary:
	var why := ""
	var base := script.get_instance_base_type()
	if base != &"" and not ClassDB.is_parent_class(node.get_class(), base):
		why = "%s extends %s, and the node is a %s" % [path, base, node.get_class()]
	elif script.is_abstract():
		why = "%s is abstract: attach a script that extends it" % path
	return {} if why == "" else Result.fail(Result.VALIDATION, why, "script_path")


func _unchanged(
	answer: Dictionary, why: String, target: Scenes.Target, params: Dictionary
) -> Dictionary:
	answer["hint"] = why + ", nothing was changed"
	answer["persisted"] = true
	answer.erase("reason")
	answer = _context.finish_edit(answer, target, params)
	answer["undoable"] = false
	return answer


static func _hint(answer: Dictionary, hint: String) -> void:
	if hint == "":
		return
	answer["hint"] = hint if not answer.has("hint") else "%s; %s" % [answer["hint"], hint]
