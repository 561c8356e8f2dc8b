@tool
extends RefCounted
## Whether an edit will be in the file after the next save. One walker for all tools, previews too.

const Base := preload("base_values.gd")

const OPEN_PARENT := "open the scene that it comes from: godot-mcp scene open %s"


## Fields for the answer: persisted, and reason and hint when it is false. `node` is the target of a
## property edit, the parent of a node to be made, or the new parent of one that moves.
static func of_node(node: Node, root: Node) -> Dictionary:
	var step := node
	while step != root and step != null:
		var owner := step.owner
		if owner == null:
			return _no(
				"node_not_owned",
				"%s has no owner in the scene, so saving leaves it out" % root.get_path_to(step)
			)
		if owner != root and not root.is_editable_instance(owner):
			return _no(
				"instanced_child_not_editable",
				(
					(
						"%s belongs to the instance %s of %s: edit it there (godot-mcp scene open %s) "
						+ "or make its children editable in this scene"
					)
					% [
						root.get_path_to(step),
						root.get_path_to(owner),
						owner.scene_file_path,
						owner.scene_file_path,
					]
				)
			)
		step = step.get_parent()
	return {"persisted": true}


## The verdict for deleting, renaming or moving a node: what a base scene or an instance brings in comes
## back with the next load.
static func of_removal(node: Node, root: Node) -> Dictionary:
	var verdict := of_node(node, root)
	if not verdict["persisted"]:
		return verdict
	var source := source_of(node, root)
	if source != "":
		return _no(
			"node_from_base_scene",
			(
				(
					"%s comes from %s and is back with the next load, beside what this leaves: "
					% [root.get_path_to(node), source]
				)
				+ OPEN_PARENT % source
			)
		)
	return verdict


## The scene file that brings this node into the edited scene, "" for a node of the scene's own.
static func source_of(node: Node, root: Node) -> String:
	if node == root:
		return ""
	if node.owner != root and node.owner != null:
		return node.owner.scene_file_path
	var base := _base_state(root)
	var path := "./" + str(root.get_path_to(node))
	while base != null:
		for i: int in base.get_node_count():
			if str(base.get_node_path(i)) == path:
				return base.get_path()
		base = base.get_base_scene_state()
	return ""


## The scene file that this one inherits from, "" for a scene of its own.
static func base_of(root: Node) -> String:
	var base := _base_state(root)
	return base.get_path() if base != null else ""


## What the scene inherits, as its file says; null for a scene of its own.
static func _base_state(root: Node) -> SceneState:
	if root.scene_file_path == "" or not ResourceLoader.exists(root.scene_file_path):
		return null
	var packed := load(root.scene_file_path) as PackedScene
	return packed.get_state().get_base_scene_state() if packed != null else null


## The verdict for a property reached through the node's resources: `chain` holds the resources on the
## way, the node's own first. The editor writes changed .tres and .res files when it saves a scene; what is
## kept inside another scene's file or was imported it does not write.
static func of_chain(node: Node, root: Node, chain: Array[Resource]) -> Dictionary:
	if chain.is_empty():
		return of_node(node, root)
	var holder: Resource = chain[-1]
	var home := holder.resource_path.get_slice("::", 0)
	if home.get_extension() in ["tres", "res"]:
		return {"persisted": true}
	if home == "" or (holder.is_built_in() and home == root.scene_file_path):
		return of_node(node, root)
	return _no(
		"embedded_in_other_resource",
		(
			(
				"the %s is kept in %s, which saving this scene does not write: "
				+ "edit it there, or give the node a resource of its own first"
			)
			% [holder.get_class(), home]
		)
	)


## The verdict for a property that the engine does not write into files.
static func of_unstored(object: Object, property: String) -> Dictionary:
	return _no(
		"property_not_stored",
		(
			"the engine does not write %s of a %s as it is now into files: it lasts until the scene is closed"
			% [property, object.get_class()]
		)
	)


## The verdict for joining or leaving a group. A scene can add groups to what it inherits, not take any away.
static func of_group(node: Node, root: Node, group: String, join: bool) -> Dictionary:
	var verdict := of_node(node, root)
	if verdict["persisted"] and not join and Base.groups_of(node, root).has(group):
		return _no(
			"group_from_base_scene",
			(
				"the base scene puts %s into %s and does so again with the next load: take it out there"
				% [root.get_path_to(node), group]
			)
		)
	return verdict


## The verdict for taking out a connection. A scene can add connections to what it inherits, not take any away.
static func of_connection(source: Node, root: Node, from_base: bool) -> Dictionary:
	var verdict := of_node(source, root)
	if verdict["persisted"] and from_base:
		return _no(
			"connection_from_base_scene",
			(
				"the base scene or instance makes this connection of %s and does so again with the next load: take it out there"
				% root.get_path_to(source)
			)
		)
	return verdict


static func _no(reason: String, hint: String) -> Dictionary:
	return {"persisted": false, "reason": reason, "hint": hint}
