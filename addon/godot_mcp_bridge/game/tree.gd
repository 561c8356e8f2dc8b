@tool
extends RefCounted
## The tree of the running game, and how its nodes are named: absolute, or relative to the current scene.

const Names := preload("../names.gd")
const Result := preload("../result.gd")
const ROOT := "/root"

var _tree: SceneTree


func _init(link: RefCounted) -> void:
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {"game.tree": describe}


func describe(params: Dictionary) -> Dictionary:
	return {
		"playing": true,
		"connected": true,
		"tree": _branch(_tree.root, int(params.get("max_depth", -1))),
	}


static func _branch(node: Node, depth: int) -> Dictionary:
	var out := {"name": str(node.name), "type": node.get_class(), "path": path_of(node)}
	var script := node.get_script() as Script
	if script != null and script.resource_path != "":
		out["script"] = script.resource_path
	if depth == 0:
		if node.get_child_count() > 0:
			out["child_count"] = node.get_child_count()
		return out
	var children: Array[Dictionary] = []
	for child in node.get_children():
		children.append(_branch(child, depth - 1))
	if not children.is_empty():
		out["children"] = children
	return out


## Null when there is none.
static func find(tree: SceneTree, path: String) -> Node:
	if path == ROOT or path.begins_with(ROOT + "/"):
		return tree.root.get_node_or_null(path)
	var scene := tree.current_scene
	var rest := path.trim_prefix("/")
	if scene == null or rest == "":
		return null
	return scene.get_node_or_null(rest)


static func path_of(node: Node) -> String:
	return str(node.get_path()) if node.is_inside_tree() else str(node.name)


static func words_of_missing(tree: SceneTree, path: String) -> String:
	if tree.current_scene == null and not path.begins_with(ROOT):
		return "%s: the game has no current scene now, so a path begins with /root" % path
	return "there is no node %s in the game now" % path


static func missing(tree: SceneTree, path: String, parameter: String = "node_path") -> Dictionary:
	return Result.fail(
		Result.NOT_FOUND, "%s: godot-mcp game tree" % words_of_missing(tree, path), parameter
	)
