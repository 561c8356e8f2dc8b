@tool
extends RefCounted
## What a scene's file has and the editor could not take over when it opened the scene: connections that it
## did not make, and nodes that it put below the root because their parent was not there. The next save
## would make that so in the file.

const Dependencies := preload("dependencies.gd")

## Each as {source, signal, target, method, broken}; broken names the script that has the signal or method
## in its text and that the engine could not read, "" when there is none.
var connections: Array[Dictionary] = []
## Each as {node, parent}: the node's name below the root, and the path of the parent that it had.
var moved: Array[Dictionary] = []
## Files that the scene's file named and that were there when the editor last read or wrote it: the open scene
## has them unless an edit took them out.
var present: PackedStringArray = []


## Compares a scene that was just read with its file.
func judge(root: Node) -> void:
	var packed := load(root.scene_file_path) as PackedScene
	if packed == null:
		return
	present = Dependencies.present_of(root.scene_file_path)
	var state := packed.get_state()
	_judge_connections(root, state)
	var strays: PackedStringArray = []
	for child in root.get_children():
		if str(child.name).contains("#"):
			strays.append(str(child.name))
	if not strays.is_empty():
		_judge_parents(root, state, strays)


func _judge_connections(root: Node, state: SceneState) -> void:
	for i in state.get_connection_count():
		var entry := {
			"source": str(state.get_connection_source(i)).trim_prefix("./"),
			"signal": str(state.get_connection_signal(i)),
			"target": str(state.get_connection_target(i)).trim_prefix("./"),
			"method": str(state.get_connection_method(i)),
			"broken": "",
		}
		if _is_made(root, entry):
			continue
		var source := root.get_node_or_null(NodePath(str(entry["source"])))
		var target := root.get_node_or_null(NodePath(str(entry["target"])))
		entry["broken"] = unread_script(target, "func", str(entry["method"]))
		if source != null and not source.has_signal(str(entry["signal"])):
			entry["broken"] = unread_script(source, "signal", str(entry["signal"]))
		connections.append(entry)


static func _is_made(root: Node, entry: Dictionary) -> bool:
	var source := root.get_node_or_null(NodePath(str(entry["source"])))
	var target := root.get_node_or_null(NodePath(str(entry["target"])))
	if source == null or target == null or not source.has_signal(str(entry["signal"])):
		return false
	for made in source.get_signal_connection_list(str(entry["signal"])):
		var callable: Callable = made["callable"]
		if callable.get_object() == target and callable.get_method() == entry["method"]:
			return true
	return false


## The node's script when its text has what the engine does not find in it.
static func unread_script(node: Node, keyword: String, name: String) -> String:
	var script := node.get_script() as Script if node != null else null
	if script == null:
		return ""
	var declared := RegEx.create_from_string("(?m)^(static\\s+)?%s\\s+%s\\b" % [keyword, name])
	if script.get_instance_base_type() == &"" or declared.search(script.source_code) != null:
		return script.resource_path
	return ""


## The engine names such a node "path_of_its_parent#name".
func _judge_parents(root: Node, state: SceneState, strays: PackedStringArray) -> void:
	for i in range(1, state.get_node_count()):
		var parent := str(state.get_node_path(i, true)).trim_prefix("./")
		var stray := parent.replace("/", "_") + "#" + str(state.get_node_name(i))
		if strays.has(stray) and root.get_node_or_null(NodePath(parent)) == null:
			moved.append({"node": stray, "parent": parent})


## What of it the open scene still lacks: a node that is gone by now, or was given another place, lacks
## nothing. Lines for people.
func still_lost(root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	for entry in connections:
		if entry["broken"] == "" or _is_made(root, entry):
			continue
		if root.has_node(str(entry["source"])) and root.has_node(str(entry["target"])):
			out.append(
				"the connection %s, since %s does not parse" % [_spell(entry), entry["broken"]]
			)
	return out


func still_moved(root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	for entry in moved:
		if root.has_node(str(entry["node"])):
			out.append("%s from below %s" % [entry["node"], entry["parent"]])
	return out


## Has the engine read the broken scripts again: it does not do so itself with scripts that another program
## has mended.
func read_scripts_again() -> void:
	for entry in connections:
		if entry["broken"] == "":
			continue
		var script := load(entry["broken"] as String) as Script
		if script != null and FileAccess.file_exists(script.resource_path):
			script.source_code = FileAccess.get_file_as_string(script.resource_path)
			script.reload(true)


func warnings() -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for entry in connections:
		var why := ""
		if entry["broken"] != "":
			why = ", since %s does not parse" % entry["broken"]
		(
			out
			. append(
				{
					"code": "lost_connection",
					"node_path": entry["source"],
					"text": "the engine did not make the connection %s%s" % [_spell(entry), why],
				}
			)
		)
	for entry in moved:
		(
			out
			. append(
				{
					"code": "missing_parent",
					"node_path": entry["node"],
					"text":
					(
						"%s stood below %s, which is not there: the engine put it below the root"
						% [entry["node"], entry["parent"]]
					),
				}
			)
		)
	return out


static func _spell(entry: Dictionary) -> String:
	return (
		"%s of %s to %s of %s"
		% [entry["signal"], entry["source"], entry["method"], entry["target"]]
	)
