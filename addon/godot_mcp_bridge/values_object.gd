@tool
extends RefCounted
## Resources and nodes as values: by path, by uid, the same built-in object, or a new one by type.

const Sharp := preload("sharp.gd")


## {value} or {problem, code?} for a property that holds an object. Preloading values_decode.gd here would
## be a circle, so the few shared words are spelled out.
static func decode(json: Variant, info: Dictionary, root: Node) -> Dictionary:
	if json == null:
		return {"value": null}
	if _wants_node(info):
		return _node(json, info, root)
	var found := _resource(json, root)
	if found.has("problem"):
		return found
	var value: Variant = found["value"]
	if value is Object and not fits(value as Object, info):
		return {
			"problem":
			"wants %s, was given a %s" % [wanted_class(info), (value as Object).get_class()]
		}
	return found


## The class or classes that the property takes, as the engine spells them.
static func wanted_class(info: Dictionary) -> String:
	var script := info.get("script") as Script
	if script != null:
		return str(script.get_global_name()) if script.get_global_name() else script.resource_path
	if info.get("hint", PROPERTY_HINT_NONE) == PROPERTY_HINT_RESOURCE_TYPE:
		return str(info["hint_string"])
	var name := str(info.get("class_name", ""))
	return name if name != "" else "Object"


static func fits(value: Object, info: Dictionary) -> bool:
	var script: Variant = info.get("script")
	if script is Script:
		return is_instance_of(value, script)
	var wanted := wanted_class(info)
	if wanted == "Object":
		return true
	for name in wanted.split(","):
		var plain := name.strip_edges()
		if value.is_class(plain) or _has_script_class(value, plain):
			return true
	return false


static func _has_script_class(value: Object, name: String) -> bool:
	var script := value.get_script() as Script
	while script != null:
		if script.get_global_name() == name:
			return true
		script = script.get_base_script()
	return false


static func _wants_node(info: Dictionary) -> bool:
	if info.get("hint", PROPERTY_HINT_NONE) == PROPERTY_HINT_NODE_TYPE:
		return true
	var name := str(info.get("class_name", ""))
	return name == "Node" or (ClassDB.class_exists(name) and ClassDB.is_parent_class(name, "Node"))


static func _node(json: Variant, info: Dictionary, root: Node) -> Dictionary:
	var path: Variant = json
	if json is Dictionary:
		path = (json as Dictionary).get("$node")
	if not path is String:
		return {
			"problem":
			'wants a node: {"$node":"Path/From/Root"}, was given %s' % JSON.stringify(json)
		}
	var node := root.get_node_or_null(NodePath(path as String)) if root != null else null
	if node == null or (node != root and not root.is_ancestor_of(node)):
		return {
			"problem": "names the node %s, which is not in the scene" % path,
			"code": "RESOURCE_NOT_FOUND"
		}
	if info.get("hint") == PROPERTY_HINT_NODE_TYPE and not str(info["hint_string"]).is_empty():
		if not fits(node, {"class_name": info["hint_string"]}):
			return {
				"problem": "wants a %s, %s is a %s" % [info["hint_string"], path, node.get_class()]
			}
	elif not fits(node, info):
		return {"problem": "wants a %s, %s is a %s" % [wanted_class(info), path, node.get_class()]}
	return {"value": node}


static func _resource(json: Variant, root: Node) -> Dictionary:
	if json is String:
		return _load(json as String)
	if not json is Dictionary:
		return {
			"problem":
			"wants a resource: a path, null or an object, was given %s" % JSON.stringify(json)
		}
	var given := json as Dictionary
	if given.get("$resource") is String:
		return _load(given["$resource"] as String)
	if given.get("$path") is String:
		return _built_in(given["$path"] as String)
	if given.get("type") is String:
		return _make(given["type"] as String, given.get("properties", {}), root)
	return {"problem": 'wants {"$resource":"res://.."} or {"type":"..","properties":{..}}'}


static func _load(path: String) -> Dictionary:
	if not (path.begins_with("res://") or path.begins_with("uid://")):
		return {"problem": "wants a path that begins with res:// or uid://, was given %s" % path}
	if path.contains("::"):
		return _built_in(path)
	if not ResourceLoader.exists(path):
		return _why_not_loaded(path)
	var resource := ResourceLoader.load(path)
	if resource == null:
		return {"problem": "names %s, which the engine cannot load" % path}
	return {"value": resource}


## The engine says of what it cannot load, as of C# scripts without .NET, that it is not there.
static func _why_not_loaded(path: String) -> Dictionary:
	if not FileAccess.file_exists(path):
		return {"problem": "names %s, which is not there" % path, "code": "RESOURCE_NOT_FOUND"}
	var sharp := Sharp.problem(path) if Sharp.is_script(path) else {}
	if sharp.is_empty():
		return {
			"problem": "names %s, which is no resource to the engine" % path,
			"code": "RESOURCE_NOT_FOUND"
		}
	return {"problem": "names a script: %s" % sharp["why"], "code": sharp["code"]}


static func _built_in(path: String) -> Dictionary:
	if ResourceLoader.has_cached(path):
		return {"value": ResourceLoader.get_cached_ref(path)}
	return {
		"problem": "names the built-in %s, which no open scene holds" % path,
		"code": "RESOURCE_NOT_FOUND"
	}


static func _make(type: String, properties: Variant, root: Node) -> Dictionary:
	var made := instantiate(type)
	if made.has("problem"):
		return {"problem": "names the type %s, which %s" % [type, made["problem"]]}
	var resource: Resource = made["value"]
	if not properties is Dictionary:
		return {"problem": "wants properties as an object"}
	# Loaded here, since the two scripts need each other.
	var decoder: GDScript = load("res://addons/godot_mcp_bridge/values_decode.gd")
	for name: Variant in script_first(properties as Dictionary):
		var info := property_info(resource, str(name))
		if info.is_empty():
			return {"problem": "names %s, which %s does not have" % [name, type]}
		var part: Dictionary = decoder.call(
			"decode", properties[name], info, resource.get(str(name)), root, null
		)
		if part.has("problem"):
			return decoder.call("inside", str(name), part)
		resource.set(str(name), part["value"])
	return {"value": resource}


## The names of properties to set, in an order that works: a script brings properties with it.
static func script_first(properties: Dictionary) -> Array:
	var names := properties.keys()
	if names.has("script"):
		names.erase("script")
		names.push_front("script")
	return names


## {value}: a new resource of this class of the engine or of the project, or of the script with this path; or
## {problem}. As in the inspector, a script that is no tool does not run.
static func instantiate(type: String) -> Dictionary:
	if ClassDB.class_exists(type):
		if not ClassDB.is_parent_class(type, "Resource"):
			return {"problem": "is no Resource"}
		if not ClassDB.can_instantiate(type):
			return {"problem": "is abstract"}
		return {"value": ClassDB.instantiate(type)}
	var path := type
	if not type.contains("://"):
		path = ""
		for entry in ProjectSettings.get_global_class_list():
			if entry["class"] == type:
				path = entry["path"]
	if path == "":
		return {"problem": "is no class of this engine or project"}
	var script := load(path) as Script if ResourceLoader.exists(path) else null
	return _scripted(script) if script != null else {"problem": "has no script that loads"}


static func _scripted(script: Script) -> Dictionary:
	var base := script.get_instance_base_type()
	if base == &"":
		return {"problem": "has a script that does not compile"}
	if not ClassDB.is_parent_class(base, "Resource"):
		return {"problem": "is no Resource, it extends %s" % base}
	if script.is_abstract():
		return {"problem": "is abstract"}
	if not ClassDB.can_instantiate(base):
		return {"problem": "extends %s, which is abstract" % base}
	var resource: Resource = ClassDB.instantiate(base)
	resource.set_script(script)
	if resource.get_script() != script:
		return {"problem": "cannot be made: its script needs arguments"}
	return {"value": resource}


## The engine's info of one property of an object, or an empty dictionary.
static func property_info(object: Object, name: String) -> Dictionary:
	if is_new_metadata(object, name):
		return {"name": name, "type": TYPE_NIL, "usage": PROPERTY_USAGE_DEFAULT}
	for info in object.get_property_list():
		if info["name"] == name:
			return info
	return {}


## Metadata that is not there yet: setting it makes it.
static func is_new_metadata(object: Object, name: String) -> bool:
	var key := name.trim_prefix("metadata/")
	return key != name and key.is_valid_ascii_identifier() and not object.has_meta(key)
