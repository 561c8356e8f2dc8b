@tool
extends RefCounted
## NodePaths that a node which is about to be renamed or moved would break: in properties, inside their
## arrays and dictionaries, in tracks of animations that the scene holds, and, in a branch that moves, those
## that lead out of it.

const Pace := preload("pace.gd")
const Persistence := preload("persistence.gd")

## Types of properties that can hold paths.
const HOLDING: Array[int] = [TYPE_NODE_PATH, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_NIL]


## One NodePath of a node: where it leads, and how it is written once the tree has changed.
class Link:
	extends RefCounted
	var from: Node
	var path: NodePath
	## The node at each name of the path.
	var passed: Array[Node] = []
	## Whether the path goes into the branch that moves, or out of it.
	var crosses := false

	func _init(base: Node, written: NodePath) -> void:
		from = base
		path = written

	## False when the path leads nowhere, and so has nothing to follow.
	func is_leading() -> bool:
		if path.is_empty() or path.is_absolute():
			return false
		passed.clear()
		var prefix := ""
		for i in path.get_name_count():
			prefix = str(path.get_name(i)) if i == 0 else prefix + "/" + str(path.get_name(i))
			var at := from.get_node_or_null(NodePath(prefix))
			if at == null:
				return false
			passed.append(at)
		return not passed.is_empty()

	## Whether some name in the path is the name of this node.
	func names(node: Node) -> bool:
		for i in passed.size():
			if passed[i] == node and not str(path.get_name(i)) in [".", ".."]:
				return true
		return false

	## The name of a node is unique in its scene, wherever the node is.
	func is_crossing(branch: Node) -> bool:
		var inside := 0
		var outside := 0
		for node: Node in passed if is_unique() else [from] + passed:
			if node == branch or branch.is_ancestor_of(node):
				inside += 1
			else:
				outside += 1
		return inside > 0 and outside > 0

	func is_unique() -> bool:
		return str(path.get_name(0)).begins_with("%")

	## The path with the present name of a node that was renamed.
	func with_name_of(node: Node) -> NodePath:
		var texts: PackedStringArray = []
		for i in passed.size():
			var text := str(path.get_name(i))
			if passed[i] == node and not text in [".", ".."]:
				text = ("%" if text.begins_with("%") else "") + str(node.name)
			texts.append(text)
		return _with_subnames("/".join(texts))

	## The path to where its target is now.
	func as_it_is() -> NodePath:
		var target := passed[-1]
		if not is_unique():
			return _with_subnames(str(from.get_path_to(target)))
		var text := "%" + str(passed[0].name)
		if target != passed[0]:
			text += "/" + str(passed[0].get_path_to(target))
		return _with_subnames(text)

	func _with_subnames(text: String) -> NodePath:
		var subnames := path.get_concatenated_subnames()
		return NodePath(text if subnames == &"" else text + ":" + str(subnames))


## What was found; sets it to where the nodes are, and back.
class Followers:
	extends RefCounted
	var root: Node
	var node: Node
	## Whether the node gets another name, another parent.
	var renamed := false
	var moved := false
	## The node's path after the change.
	var new_path := ""
	## {node, property, old, links by text}
	var found: Array[Dictionary] = []
	## {node, property, animation, track, link}
	var tracks: Array[Dictionary] = []
	## Animations in files of their own that say the old path: their paths.
	var left: PackedStringArray = []

	func follow() -> void:
		for entry in found:
			(entry["node"] as Node).set(
				entry["property"] as String, _rewritten(entry["old"], entry)
			)
		for entry in tracks:
			var link: Link = entry["link"]
			(entry["animation"] as Animation).track_set_path(entry["track"] as int, _now(link))

	func go_back() -> void:
		for entry in found:
			(entry["node"] as Node).set(entry["property"] as String, entry["old"])
		for entry in tracks:
			var link: Link = entry["link"]
			(entry["animation"] as Animation).track_set_path(entry["track"] as int, link.path)

	## The same before and after: nodes are named by the paths that they then have.
	func report() -> Array[Dictionary]:
		var out: Array[Dictionary] = []
		for entry in found + tracks:
			(
				out
				. append(
					{
						"node_path": _path_then(entry["node"] as Node),
						"property": entry["property"],
					}
				)
			)
		return out

	func _path_then(of: Node) -> String:
		if of == node:
			return new_path
		if node != root and node.is_ancestor_of(of):
			return new_path + "/" + str(node.get_path_to(of))
		return str(root.get_path_to(of))

	## What does not follow, in words; "" when all does.
	func hint() -> String:
		if left.is_empty():
			return ""
		return (
			"animations in files of their own still say the old path, set their tracks there: %s"
			% ", ".join(left)
		)

	## Whether the change that is about to be made breaks the path.
	func is_broken(link: Link) -> bool:
		if not link.is_leading():
			return false
		link.crosses = moved and link.is_crossing(node)
		return link.crosses or (renamed and link.names(node))

	## Notes the breaking paths in a value by their text.
	func note(from: Node, value: Variant, links: Dictionary[String, Link]) -> void:
		match typeof(value):
			TYPE_NODE_PATH:
				var link := Link.new(from, value as NodePath)
				if is_broken(link):
					links[str(value)] = link
			TYPE_ARRAY:
				for element: Variant in value as Array:
					note(from, element, links)
			TYPE_DICTIONARY:
				for key: Variant in value as Dictionary:
					note(from, key, links)
					note(from, (value as Dictionary)[key], links)

	func _now(link: Link) -> NodePath:
		return link.as_it_is() if link.crosses else link.with_name_of(node)

	## A copy of the value, containers keep their element types.
	func _rewritten(value: Variant, entry: Dictionary) -> Variant:
		match typeof(value):
			TYPE_NODE_PATH:
				var links: Dictionary[String, Link] = entry["links"]
				return _now(links[str(value)]) if links.has(str(value)) else value
			TYPE_ARRAY:
				var list := (value as Array).duplicate()
				for i in list.size():
					list[i] = _rewritten(list[i], entry)
				return list
			TYPE_DICTIONARY:
				var from := value as Dictionary
				var entries := from.duplicate()
				entries.clear()
				for key: Variant in from:
					entries[_rewritten(key, entry)] = _rewritten(from[key], entry)
				return entries
		return value


## What breaks in the scene when the node gets this path and, if it moves, another parent. Not all of it when
## the command was given up meanwhile.
static func broken_by(root: Node, node: Node, path: String, moves: bool, pace: Pace) -> Followers:
	var followers := Followers.new()
	followers.root = root
	followers.node = node
	followers.new_path = path
	followers.renamed = node != root and path.get_file() != str(node.name)
	followers.moved = moves
	if followers.renamed or moves:
		_search(root, followers, pace)
	return followers


static func _search(from: Node, followers: Followers, pace: Pace) -> void:
	if pace.tick("nodes searched for paths that change"):
		return
	for info in from.get_property_list():
		var type := info["type"] as int
		if not HOLDING.has(type):
			continue
		if not (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			continue
		var name := info["name"] as String
		var value: Variant = from.get(name)
		var links: Dictionary[String, Link] = {}
		followers.note(from, value, links)
		if links.is_empty() or _is_idle(from, name) or not _is_kept(from, followers.root):
			continue
		followers.found.append({"node": from, "property": name, "old": value, "links": links})
	if from is AnimationMixer:
		_search_tracks(from as AnimationMixer, followers)
	for child in from.get_children():
		_search(child, followers, pace)


## A mesh names its parent as its skeleton whether that is one or not.
static func _is_idle(node: Node, property: String) -> bool:
	if not node is MeshInstance3D or property != "skeleton":
		return false
	return not node.get_node_or_null((node as MeshInstance3D).skeleton) is Skeleton3D


static func _is_kept(node: Node, root: Node) -> bool:
	return Persistence.of_node(node, root)["persisted"]


static func _search_tracks(player: AnimationMixer, followers: Followers) -> void:
	var base := player.get_node_or_null(player.root_node)
	if base == null:
		return
	for name in player.get_animation_list():
		var animation := player.get_animation(name)
		for i in animation.get_track_count():
			var link := Link.new(base, animation.track_get_path(i))
			if not followers.is_broken(link) or _is_noted(followers, animation, i):
				continue
			var home := animation.resource_path.get_slice("::", 0)
			if home != "" and home != followers.root.scene_file_path:
				if not followers.left.has(animation.resource_path):
					followers.left.append(animation.resource_path)
				continue
			(
				followers
				. tracks
				. append(
					{
						"node": player,
						"property": "%s:tracks/%d/path" % [name, i],
						"animation": animation,
						"track": i,
						"link": link,
					}
				)
			)


## Players can share an animation.
static func _is_noted(followers: Followers, animation: Animation, track: int) -> bool:
	for entry in followers.tracks:
		if entry["animation"] == animation and entry["track"] == track:
			return true
	return false
