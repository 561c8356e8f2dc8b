@tool
extends RefCounted
## Signals of nodes: which there are, what they are connected to, connecting and taking connections out.

const Base := preload("../base_values.gd")
const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
const LoadLosses := preload("../load_losses.gd")
const Names := preload("../names.gd")
const Persistence := preload("../persistence.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Values := preload("../values.gd")

## The flags by name. The engine sets the last one on what a base scene connects and does not export it.
const FLAGS: Dictionary[String, int] = {
	"deferred": CONNECT_DEFERRED,
	"persist": CONNECT_PERSIST,
	"one_shot": CONNECT_ONE_SHOT,
	"reference_counted": CONNECT_REFERENCE_COUNTED,
	"append_source": CONNECT_APPEND_SOURCE_OBJECT,
	"inherited": 32,
}

var _context: Context


## A signal of one node and a method of another, as a call names them.
class Pair:
	extends RefCounted
	var source: Node
	var target: Node
	var signal_name: StringName
	var method: StringName

	func callable() -> Callable:
		return Callable(target, method)

	## {callable, flags} of the connection, empty when there is none.
	func connection() -> Dictionary:
		for made in source.get_signal_connection_list(signal_name):
			var to: Callable = made["callable"]
			if to.get_object() == target and to.get_method() == method:
				return made
		return {}

	func answer(root: Node) -> Dictionary:
		return {
			"source_path": str(root.get_path_to(source)),
			"signal_name": str(signal_name),
			"target_path": str(root.get_path_to(target)),
			"method_name": str(method),
		}


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"signal.list": _context.on_node_read(list),
		"signal.list-connections": _context.on_node_read(list_connections),
		"signal.connect": _context.on_node(connect_signal, "source_path"),
		"signal.disconnect": _context.on_node(disconnect_signal, "source_path"),
	}


func list(_params: Dictionary, target: Scenes.Target) -> Dictionary:
	var node := target.node
	return (
		target
		. add_to(
			{
				"node_path": Scenes.path_of(target.root, node),
				"signals": _with_args(node.get_signal_list()),
				"methods": _with_args(_methods_of(node)),
			}
		)
	)


## Connections to what is not of the scene, such as the editor's own docks, are left out, and those that the
## engine's classes make among themselves: their methods have no name that a script could call.
func list_connections(_params: Dictionary, target: Scenes.Target) -> Dictionary:
	var connections: Array[Dictionary] = []
	for info in target.node.get_signal_list():
		for made in target.node.get_signal_connection_list(info["name"] as String):
			var to: Callable = made["callable"]
			var node := to.get_object() as Node
			if node == null or not node.has_method(to.get_method()):
				continue
			if node == target.root or target.root.is_ancestor_of(node):
				connections.append(_shown(str(info["name"]), node, made, target.root))
	var path := Scenes.path_of(target.root, target.node)
	return target.add_to({"node_path": path, "connections": connections})


func connect_signal(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var pair := Pair.new()
	var problem := _find(pair, params, target)
	if problem.is_empty():
		problem = _refusal(pair, target)
	if not problem.is_empty():
		return problem
	var binds := _binds(params.get("binds", []) as Array, target.root)
	if binds.has("error"):
		return binds["error"]
	var values: Array = binds["values"]
	var flags := CONNECT_PERSIST
	flags |= CONNECT_DEFERRED if params.get("deferred", false) else 0
	flags |= CONNECT_ONE_SHOT if params.get("one_shot", false) else 0
	var answer := pair.answer(target.root)
	answer["connected"] = true
	var made := pair.connection()
	answer["already_connected"] = not made.is_empty()
	answer.merge(Persistence.of_node(pair.source, target.root))
	if not made.is_empty():
		return _already(answer, made, flags, values, target, params)
	var hint := _arity_hint(pair, values.size())
	if hint != "" and not answer.has("hint"):
		answer["hint"] = hint
	if not params.get("dry_run", false):
		var callable := pair.callable()
		if not values.is_empty():
			callable = callable.bindv(values)
		_context.open_step(target.root)
		var undo_redo := _context.undo_redo
		undo_redo.add_do_method(pair.source, "connect", pair.signal_name, callable, flags)
		undo_redo.add_undo_method(pair.source, "disconnect", pair.signal_name, callable)
		undo_redo.commit_action()
		if pair.connection().is_empty():
			return Result.fail(
				Result.INTERNAL, "the engine did not connect it: %s" % _context.first_error()
			)
	return _context.finish_edit(answer, target, params)


func disconnect_signal(params: Dictionary, target: Scenes.Target) -> Dictionary:
	var pair := Pair.new()
	var problem := _find(pair, params, target)
	if not problem.is_empty():
		return problem
	var made := pair.connection()
	if made.is_empty():
		return _not_connected(pair, target.root)
	var answer := pair.answer(target.root)
	answer["disconnected"] = true
	answer.merge(
		Persistence.of_connection(
			pair.source,
			target.root,
			Base.has_connection(
				pair.source, pair.target, pair.signal_name, pair.method, target.root
			)
		)
	)
	if not params.get("dry_run", false):
		var undo_redo := _context.undo_redo
		var callable: Callable = made["callable"]
		_context.open_step(target.root)
		undo_redo.add_do_method(pair.source, "disconnect", pair.signal_name, callable)
		undo_redo.add_undo_method(
			pair.source, "connect", pair.signal_name, callable, made["flags"] as int
		)
		undo_redo.commit_action()
		answer["disconnected"] = pair.connection().is_empty()
	return _context.finish_edit(answer, target, params)


## Fills the pair. The answer is an error or empty.
func _find(pair: Pair, params: Dictionary, target: Scenes.Target) -> Dictionary:
	pair.source = target.node
	pair.signal_name = str(params.get("signal_name", ""))
	pair.method = str(params.get("method_name", ""))
	var path := str(params.get("target_path", "."))
	pair.target = Scenes.find(target.root, path)
	if pair.target == null:
		return Scenes.missing_node(target.root, path, "target_path")
	if not pair.source.has_signal(pair.signal_name):
		return _no_such("signal", str(pair.signal_name), pair.source, target.root)
	return {}


## Why this connection cannot be made: the engine would write a line into the file that leads nowhere.
func _refusal(pair: Pair, target: Scenes.Target) -> Dictionary:
	for parameter: String in ["source_path", "target_path"]:
		var node := pair.source if parameter == "source_path" else pair.target
		var verdict := Persistence.of_node(node, target.root)
		if verdict.get("reason") == "node_not_owned":
			return Result.fail(
				Result.VALIDATION,
				"%s: %s: godot-mcp scene tree" % [parameter, verdict["hint"]],
				parameter
			)
	if not pair.target.has_method(pair.method):
		return _no_such("method", str(pair.method), pair.target, target.root)
	return {}


static func _no_such(what: String, name: String, node: Node, root: Node) -> Dictionary:
	var path := Scenes.path_of(root, node)
	var keyword := "signal" if what == "signal" else "func"
	var broken := LoadLosses.unread_script(node, keyword, name)
	if broken != "":
		return Result.fail(
			Result.PRECONDITION,
			"%s has %s in %s, which does not parse: mend the script first" % [path, name, broken],
			what + "_name"
		)
	var names: PackedStringArray = []
	for info: Dictionary in node.get_signal_list() if what == "signal" else _methods_of(node):
		names.append(str(info["name"]))
	var near := Names.nearest(name, names)
	return (
		Result
		. fail(
			Result.VALIDATION,
			(
				"%s (%s) has no %s %s%s: godot-mcp signal list %s"
				% [
					path,
					node.get_class(),
					what,
					name,
					", did you mean %s?" % near if near != "" else "",
					path,
				]
			),
			what + "_name"
		)
	)


## It is there: with the same flags and values nothing is to be done, else it must go first.
func _already(
	answer: Dictionary,
	made: Dictionary,
	flags: int,
	values: Array,
	target: Scenes.Target,
	params: Dictionary
) -> Dictionary:
	var to: Callable = made["callable"]
	var theirs := (made["flags"] as int) & (CONNECT_DEFERRED | CONNECT_PERSIST | CONNECT_ONE_SHOT)
	if theirs != flags or var_to_str(to.get_bound_arguments()) != var_to_str(values):
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"%s of %s is connected to %s of %s with other flags or values: godot-mcp signal disconnect first"
					% [
						answer["signal_name"],
						answer["source_path"],
						answer["method_name"],
						answer["target_path"],
					]
				),
				"method_name"
			)
		)
	answer["hint"] = "it was connected before, nothing was changed"
	answer = _context.finish_edit(answer, target, params)
	answer["undoable"] = false
	return answer


static func _not_connected(pair: Pair, root: Node) -> Dictionary:
	var source := str(root.get_path_to(pair.source))
	return Result.fail(
		Result.NOT_FOUND,
		(
			"%s of %s is not connected to %s of %s: godot-mcp signal list-connections %s"
			% [pair.signal_name, source, pair.method, root.get_path_to(pair.target), source]
		),
		"method_name"
	)


## {values}, or {error}. What a scene file cannot hold is refused.
static func _binds(given: Array, root: Node) -> Dictionary:
	var values := []
	for json: Variant in given:
		var decoded := Decode.decode(json, {"type": TYPE_NIL, "usage": 0}, null, root)
		var problem: String = decoded.get(Decode.PROBLEM, "")
		var value: Variant = decoded.get(Decode.VALUE)
		if problem == "" and value is Object and not value is Resource:
			problem = "cannot be kept in a scene's file"
		if problem != "":
			return {
				"error": Result.fail(Result.VALIDATION, "%s %s" % [json, problem], "binds"),
			}
		values.append(value)
	return {"values": values}


## What is said when the method takes another number of values than it will be given.
static func _arity_hint(pair: Pair, bound: int) -> String:
	var given := bound
	for info in pair.source.get_signal_list():
		if info["name"] == pair.signal_name:
			given += (info["args"] as Array).size()
			break
	for info in pair.target.get_method_list():
		if info["name"] != pair.method:
			continue
		var most := (info["args"] as Array).size()
		var least := most - (info["default_args"] as Array).size()
		if given >= least and (given <= most or (info["flags"] as int) & METHOD_FLAG_VARARG):
			return ""
		return (
			"%s will be given %d values and takes %d: the call fails when the signal comes"
			% [pair.method, given, most]
		)
	return ""


static func _shown(name: String, node: Node, made: Dictionary, root: Node) -> Dictionary:
	var callable: Callable = made["callable"]
	var bits := made["flags"] as int
	var flags: PackedStringArray = []
	for flag in FLAGS:
		if bits & FLAGS[flag]:
			flags.append(flag)
	return {
		"signal": name,
		"target_path": str(root.get_path_to(node)),
		"method": str(callable.get_method()),
		"persistent": bits & CONNECT_PERSIST != 0,
		"flags": flags,
		"binds":
		callable.get_bound_arguments().map(
			func(value: Variant) -> Variant: return Values.encode(value, root, true)
		),
	}


## What the script and the classes implement; a script's own stand for those that they replace.
static func _methods_of(node: Node) -> Array[Dictionary]:
	var seen: Dictionary[String, bool] = {}
	var out: Array[Dictionary] = []
	var script := node.get_script() as Script
	var own: Array[Dictionary] = []
	if script != null:
		own = script.get_script_method_list()
	for info: Dictionary in own + node.get_method_list():
		var name := str(info["name"])
		var is_empty := seen.size() >= own.size() and (info["flags"] as int) & METHOD_FLAG_VIRTUAL
		if not seen.has(name) and not is_empty and not name.begins_with("@"):
			out.append(info)
		seen[name] = true
	return out


static func _with_args(infos: Array[Dictionary]) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for info in infos:
		out.append({"name": str(info["name"]), "args": Classes.args_of(info)})
	return out
