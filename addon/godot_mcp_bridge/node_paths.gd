@tool
extends RefCounted
## NodePath properties that point at a node which is about to be renamed or moved.


## The properties found, with the node that each points at; sets them to where that node is.
class Followers:
	extends RefCounted
	var root: Node
	## {node, property, target, old}
	var found: Array[Dictionary] = []

	func follow() -> void:
		for entry in found:
			var node: Node = entry["node"]
			var target: Node = entry["target"]
			var old: NodePath = entry["old"]
			var names := old.get_concatenated_subnames()
			var path := str(node.get_path_to(target))
			node.set(
				entry["property"] as String,
				NodePath(path if names == &"" else path + ":" + str(names))
			)

	func go_back() -> void:
		for entry in found:
			(entry["node"] as Node).set(entry["property"] as String, entry["old"])

	func report() -> Array[Dictionary]:
		var out: Array[Dictionary] = []
		for entry in found:
			(
				out
				. append(
					{
						"node_path": str(root.get_path_to(entry["node"] as Node)),
						"property": entry["property"],
					}
				)
			)
		return out


## All stored NodePath properties of the scene whose target is the node or something below it.
static func pointing_into(root: Node, node: Node) -> Followers:
	var followers := Followers.new()
	followers.root = root
	_search(root, node, followers.found)
	return followers


static func _search(from: Node, node: Node, found: Array[Dictionary]) -> void:
	for info in from.get_property_list():
		if info["type"] != TYPE_NODE_PATH or not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var path: NodePath = from.get(info["name"] as String)
		if path.is_empty() or path.is_absolute():
			continue
		var target := from.get_node_or_null(path)
		# A pair inside the moved branch keeps its relative path.
		if target == null or (target != node and not node.is_ancestor_of(target)):
			continue
		if from == node or node.is_ancestor_of(from):
			if target != node or from != node:
				continue
		found.append({"node": from, "property": info["name"], "target": target, "old": path})
	for child in from.get_children():
		_search(child, node, found)
