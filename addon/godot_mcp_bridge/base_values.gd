@tool
extends RefCounted
## The value that a property has when the edited scene says nothing about it: what the base scene or the
## instance says, else the script, else the class.

const Classes := preload("classes.gd")


static func of(node: Node, root: Node, property: String) -> Variant:
	for level in _levels(node, root):
		var state: SceneState = level["state"]
		while state != null:
			var index := _index_of(state, level["path"] as String)
			if index >= 0:
				for i in state.get_node_property_count(index):
					if state.get_node_property_name(index, i) == property:
						return state.get_node_property_value(index, i)
			state = state.get_base_scene_state()
	return Classes.default_of(node, property)


## Groups that the base scenes and instances of the node put it into.
static func groups_of(node: Node, root: Node) -> PackedStringArray:
	var groups: PackedStringArray = []
	for level in _levels(node, root):
		var state: SceneState = level["state"]
		while state != null:
			var index := _index_of(state, level["path"] as String)
			if index >= 0:
				groups.append_array(state.get_node_groups(index))
			state = state.get_base_scene_state()
	return groups


## The scenes that say something about the node, the nearest to the edited scene first: {state, path}.
static func _levels(node: Node, root: Node) -> Array[Dictionary]:
	var levels: Array[Dictionary] = []
	var holders: Array[Node] = []
	if node != root and node.scene_file_path != "":
		holders.append(node)
	var owner := node.owner
	while owner != null and owner != root:
		holders.append(owner)
		owner = owner.owner
	var base := _state_of(root)
	if base != null and base.get_base_scene_state() != null:
		levels.append({"state": base.get_base_scene_state(), "path": _state_path(root, node)})
	for i in range(holders.size() - 1, -1, -1):
		var state := _state_of(holders[i])
		if state != null:
			levels.append({"state": state, "path": _state_path(holders[i], node)})
	return levels


static func _state_of(scene_root: Node) -> SceneState:
	var path := scene_root.scene_file_path
	if path == "" or not ResourceLoader.exists(path):
		return null
	var packed := load(path) as PackedScene
	return packed.get_state() if packed != null else null


static func _state_path(from: Node, node: Node) -> String:
	return "." if from == node else "./" + str(from.get_path_to(node))


static func _index_of(state: SceneState, path: String) -> int:
	for i in state.get_node_count():
		if str(state.get_node_path(i)) == path:
			return i
	return -1
