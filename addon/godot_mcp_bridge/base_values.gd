@tool
extends RefCounted
## The value that a property has when the edited scene says nothing about it: what the base scene or the
## instance says, else the script, else the class.

const Classes := preload("classes.gd")
const Levels := preload("packed_levels.gd")


## The base values of nodes of one scene. What is found out is kept, for those who ask of many.
class Lookup:
	extends RefCounted
	var _root: Node
	## The state of each scene by its path; of one that does not load it is null.
	var _states: Dictionary[String, SceneState] = {}
	var _places: Levels = Levels.new()
	## What the scenes say of the node that was last asked of, by property.
	var _node: Node
	var _said: Dictionary = {}

	func _init(root: Node) -> void:
		_root = root

	func of(node: Node, property: String) -> Variant:
		if node != _node:
			_node = node
			_said.clear()
			for level in _levels(node):
				_note(level["state"] as SceneState, level["path"] as String)
		var value: Variant = (
			_said[property] if _said.has(property) else Classes.default_of(node, property)
		)
		return _live(node, property, value)

	## What the nearest scene says counts.
	func _note(state: SceneState, path: String) -> void:
		while state != null:
			var index := _places.index_of(state, path)
			if index >= 0:
				for i in state.get_node_property_count(index):
					var name := str(state.get_node_property_name(index, i))
					if not _said.has(name):
						_said[name] = state.get_node_property_value(index, i)
			state = state.get_base_scene_state()

	func groups_of(node: Node) -> PackedStringArray:
		var groups: PackedStringArray = []
		for level in _levels(node):
			var state: SceneState = level["state"]
			while state != null:
				var index := _places.index_of(state, level["path"] as String)
				if index >= 0:
					groups.append_array(state.get_node_groups(index))
				state = state.get_base_scene_state()
		return groups

	## The scenes that say something about the node, the nearest to the edited scene first: {state, path}.
	func _levels(node: Node) -> Array[Dictionary]:
		var levels: Array[Dictionary] = []
		var holders: Array[Node] = []
		if node != _root and node.scene_file_path != "":
			holders.append(node)
		var owner := node.owner
		while owner != null and owner != _root:
			holders.append(owner)
			owner = owner.owner
		var base := _state_of(_root)
		if base != null and base.get_base_scene_state() != null:
			levels.append({"state": base.get_base_scene_state(), "path": path_in(_root, node)})
		for i in range(holders.size() - 1, -1, -1):
			var state := _state_of(holders[i])
			if state != null:
				levels.append({"state": state, "path": path_in(holders[i], node)})
		return levels

	func _state_of(scene_root: Node) -> SceneState:
		var path := scene_root.scene_file_path
		if not _states.has(path):
			_states[path] = state_in(path)
		return _states[path]

	## What files and scripts keep is shared, and nodes are kept as paths from the node.
	static func _live(node: Node, property: String, value: Variant) -> Variant:
		var present: Variant = node.get(property)
		if value is NodePath and (present == null or present is Object):
			for info in node.get_property_list():
				if info["name"] == property and info["type"] == TYPE_OBJECT:
					return node.get_node_or_null(value as NodePath)
		if value is Array and present is Array and (present as Array).is_typed():
			var list := (present as Array).duplicate()
			list.clear()
			for element: Variant in value as Array:
				var is_path := element is NodePath and list.get_typed_builtin() == TYPE_OBJECT
				list.append(node.get_node_or_null(element as NodePath) if is_path else element)
			return list
		return value.duplicate(true) if value is Array or value is Dictionary else value

	## The state of a scene file, null when there is none.
	static func state_in(path: String) -> SceneState:
		if path == "" or not ResourceLoader.exists(path):
			return null
		var packed := load(path) as PackedScene
		return packed.get_state() if packed != null else null

	static func path_in(from: Node, node: Node) -> String:
		return str(from.get_path_to(node))


static func of(node: Node, root: Node, property: String) -> Variant:
	return Lookup.new(root).of(node, property)


## Whether the property has such a value at all: name, owner and what is worked out, like the place in the
## world, have none.
static func is_known(node: Node, root: Node, info: Dictionary) -> bool:
	const KEPT := PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR | PROPERTY_USAGE_SCRIPT_VARIABLE
	var usage := info["usage"] as int
	if not usage & KEPT:
		return false
	# A class says null for what it has no default of; removing is the way back for overrides and metadata.
	return (
		info["type"] in [TYPE_NIL, TYPE_OBJECT]
		or usage & (PROPERTY_USAGE_CHECKABLE | PROPERTY_USAGE_SCRIPT_VARIABLE) != 0
		or (info["name"] as String).begins_with("metadata/")
		or of(node, root, info["name"] as String) != null
	)


## The property as the node itself lists it now: a container makes places of its children read only.
static func listed(node: Node, info: Dictionary) -> Dictionary:
	for own in node.get_property_list():
		if own["name"] == info["name"]:
			return own
	return info


## Groups that the base scenes and instances of the node put it into.
static func groups_of(node: Node, root: Node) -> PackedStringArray:
	return Lookup.new(root).groups_of(node)


## Whether a base scene or an instance makes this connection, so that it is back with the next load.
static func has_connection(
	source: Node, target: Node, signal_name: StringName, method: StringName, root: Node
) -> bool:
	var base := Lookup.state_in(root.scene_file_path)
	if (
		base != null
		and _connects(base.get_base_scene_state(), root, source, target, signal_name, method)
	):
		return true
	var holder := source if source.scene_file_path != "" else source.owner
	while holder != null and holder != root:
		if _connects(
			Lookup.state_in(holder.scene_file_path), holder, source, target, signal_name, method
		):
			return true
		holder = holder.owner
	return false


static func _connects(
	state: SceneState,
	holder: Node,
	source: Node,
	target: Node,
	signal_name: StringName,
	method: StringName
) -> bool:
	if target != holder and not holder.is_ancestor_of(target):
		return false
	var from := Lookup.path_in(holder, source)
	var to := Lookup.path_in(holder, target)
	while state != null:
		for i in state.get_connection_count():
			if (
				state.get_connection_signal(i) == signal_name
				and state.get_connection_method(i) == method
				and str(state.get_connection_source(i)).trim_prefix("./") == from
				and str(state.get_connection_target(i)).trim_prefix("./") == to
			):
				return true
		state = state.get_base_scene_state()
	return false
