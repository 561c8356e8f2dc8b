@tool
extends RefCounted
## A hash over what the nodes of the current scene hold, which two runs of the same game have alike.

const Digest := preload("digest.gd")
const GameTree := preload("tree.gd")
const Result := preload("../result.gd")

var _tree: SceneTree


## Taken before the nodes of a frame are processed, not in the middle of one.
class Taking:
	extends RefCounted

	var tree: SceneTree
	var include: Array = []

	func poll() -> Dictionary:
		if tree.current_scene == null:
			return Result.fail(
				Result.NOT_FOUND, "the game has no current scene: godot-mcp game tree", "include"
			)
		var digest := Digest.new(tree.current_scene)
		if include.is_empty():
			digest.add_branch(tree.current_scene)
		for entry: Variant in include:
			var problem := _add(digest, str(entry))
			if not problem.is_empty():
				return problem
		return {
			"hash": digest.finish(),
			"frame": Engine.get_process_frames(),
			"nodes": digest.nodes,
		}

	## A path is the node with all below it, "path:property" one value, ":property" that of all nodes.
	func _add(digest: Digest, entry: String) -> Dictionary:
		var path := entry.get_slice(":", 0)
		var property := entry.substr(path.length() + 1)
		if path == "":
			if property != "" and digest.add_everywhere(tree.current_scene, property) > 0:
				return {}
			return _wrong("no node of the scene has a property %s" % property)
		var node := GameTree.find(tree, path)
		if node == null:
			return GameTree.missing(tree, path, "include")
		if property == "":
			digest.add_branch(node)
			return {}
		var problem := digest.add_value(node, property)
		return _wrong(problem) if problem != "" else {}

	static func _wrong(why: String) -> Dictionary:
		return Result.fail(Result.VALIDATION, "%s: godot-mcp game tree" % why, "include")


func _init(link: RefCounted) -> void:
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {"game.state-hash": state_hash}


func state_hash(params: Dictionary) -> Dictionary:
	var taking := Taking.new()
	taking.tree = _tree
	taking.include = params.get("include", [])
	return Result.park(taking)
