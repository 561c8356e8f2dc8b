@tool
extends RefCounted
## What scene files say of their nodes, without making any: a node's class, script and properties, those that
## come from a base scene or an instance too.

const MAX_DEPTH := 64

## The index of each node by its path, by state.
var _indices: Dictionary[SceneState, Dictionary] = {}


## One scene that says something about a node: the node's index in its state.
class Level:
	extends RefCounted
	var state: SceneState
	var index := 0

	func _init(of: SceneState, at: int) -> void:
		state = of
		index = at

	func properties() -> Dictionary:
		var out := {}
		for i in state.get_node_property_count(index):
			out[str(state.get_node_property_name(index, i))] = state.get_node_property_value(
				index, i
			)
		return out


## The levels of the node with this path, the nearest first; empty when the scene has no such node.
func of(state: SceneState, path: String, depth: int = 0) -> Array[Level]:
	var levels: Array[Level] = []
	if depth > MAX_DEPTH:
		return levels
	var index := index_of(state, path)
	if index >= 0:
		levels.append(Level.new(state, index))
		var own := _instance_of(state, index)
		if own != null:
			levels.append_array(of(own, ".", depth + 1))
			return levels
		if state.get_node_type(index) != &"":
			return levels
	var above := path
	while above != ".":
		above = above.get_base_dir() if above.contains("/") else "."
		var holder := index_of(state, above)
		var held := _instance_of(state, holder) if holder >= 0 else null
		if held == null:
			continue
		var below := of(held, path if above == "." else path.substr(above.length() + 1), depth + 1)
		if not below.is_empty():
			levels.append_array(below)
			break
	return levels


static func path_of(state: SceneState, index: int) -> String:
	return str(state.get_node_path(index)).trim_prefix("./")


## The class that the engine makes the node of, "" when no scene says.
static func type_of(levels: Array[Level]) -> String:
	for level in levels:
		var type := str(level.state.get_node_type(level.index))
		if type != "":
			return type
	return ""


## All properties that the levels say, the nearest last.
static func values_of(levels: Array[Level]) -> Dictionary:
	var out := {}
	for i in range(levels.size() - 1, -1, -1):
		out.merge(levels[i].properties(), true)
	return out


## -1 when the state has no such node. What was found is kept, for those who ask of many.
func index_of(state: SceneState, path: String) -> int:
	if not _indices.has(state):
		var by_path := {}
		# Of two with one path the first counts, as for the engine.
		for i in range(state.get_node_count() - 1, -1, -1):
			by_path[path_of(state, i)] = i
		_indices[state] = by_path
	return _indices[state].get(path, -1)


static func _instance_of(state: SceneState, index: int) -> SceneState:
	var packed := state.get_node_instance(index)
	if packed == null and state.is_node_instance_placeholder(index):
		packed = load(state.get_node_instance_placeholder(index)) as PackedScene
	return packed.get_state() if packed != null else null
