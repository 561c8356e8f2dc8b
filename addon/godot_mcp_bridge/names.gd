@tool
extends RefCounted
## Names of nodes as the engine will have them.


## The name without the characters that the engine replaces, and without those that it keeps but then
## writes in a form that breaks paths or lines: backslashes and control characters.
static func clean(name: String) -> String:
	var valid := name.validate_node_name().replace("\\", "_")
	for code in range(1, 32):
		valid = valid.replace(char(code), "_")
	return valid.replace(char(127), "_")


## The name that the engine gives below this parent: found by asking it, on a copy of the names. `self_node`
## is the node that is renamed, whose present name does not count.
static func below(parent: Node, name: String, self_node: Node = null) -> String:
	var stand_in := Node.new()
	for child in parent.get_children(true):
		if child == self_node:
			continue
		var sibling := Node.new()
		sibling.name = child.name
		stand_in.add_child(sibling)
	var added := Node.new()
	added.name = name
	stand_in.add_child(added, true)
	var given := str(added.name)
	stand_in.free()
	return given


## The name that the node of the edited scene has after it was given this one; "" when that is no name.
static func after_rename(node: Node, root: Node, name: String) -> String:
	var wanted := clean(name)
	if wanted == "" or node == root or wanted == str(node.name):
		return wanted
	return below(node.get_parent(), wanted, node)


## The path of a node that then has this name.
static func path_after(path: String, name: String) -> String:
	if path == ".":
		return path
	return path.get_base_dir().path_join(name) if path.contains("/") else name


## The candidate that is spelled most like the name, "" when none is.
static func nearest(name: String, candidates: PackedStringArray) -> String:
	var best := ""
	var best_score := 0.5
	for candidate in candidates:
		var score := candidate.similarity(name)
		if score > best_score:
			best_score = score
			best = candidate
	return best
