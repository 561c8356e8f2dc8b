@tool
extends RefCounted
## Classes of the engine and of the project.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Properties := preload("../properties.gd")
const Result := preload("../result.gd")
const Values := preload("../values.gd")


func _init(_context: Context) -> void:
	pass


func commands() -> Dictionary[String, Callable]:
	return {
		"class.describe": describe,
		"class.list": list,
	}


func describe(params: Dictionary) -> Dictionary:
	var name := str(params.get("class_name", ""))
	var script := _script_of(name)
	if script == null and not ClassDB.class_exists(name):
		return _unknown(name)
	var native := name if script == null else str(script.get_instance_base_type())
	var inherited := bool(params.get("include_inherited", false))
	var private := bool(params.get("include_private", false))
	var chain := _chain(name, script)
	var members := _native_members(native, inherited) if script == null else _script_members(script)
	if script != null and inherited:
		var below := _native_members(native, true)
		for kind: String in members:
			(members[kind] as Array).append_array(below[kind] as Array)
	if not private:
		for kind: String in ["properties", "methods", "signals"]:
			members[kind] = (members[kind] as Array).filter(_is_public)
	var answer := {
		"class_name": name,
		"inherits": chain[0] if not chain.is_empty() else "",
		"inherits_chain": chain,
		"can_instantiate": script != null or ClassDB.can_instantiate(name),
	}
	answer.merge(members)
	return answer


func list(params: Dictionary) -> Dictionary:
	var base := str(params.get("base", ""))
	if base != "" and not ClassDB.class_exists(base) and _script_of(base) == null:
		return _unknown(base, "base")
	var classes: Array[Dictionary] = []
	for name in ClassDB.get_class_list():
		if base == "" or ClassDB.is_parent_class(name, base):
			classes.append(
				{"class_name": name, "path": "", "base": ClassDB.get_parent_class(name), "icon": ""}
			)
	for entry in ProjectSettings.get_global_class_list():
		if base == "" or _chain(str(entry["class"]), _script_of(str(entry["class"]))).has(base):
			(
				classes
				. append(
					{
						"class_name": entry["class"],
						"path": entry["path"],
						"base": entry["base"],
						"icon": entry["icon"],
					}
				)
			)
	classes.sort_custom(
		func(a: Dictionary, b: Dictionary) -> bool:
			return str(a["class_name"]) < str(b["class_name"])
	)
	var total := classes.size()
	var offset := maxi(int(params.get("offset", 0)), 0)
	var limit := int(params.get("limit", 500))
	var last := mini(offset + limit, total) if limit > 0 else total
	var answer := {
		"classes": classes.slice(offset, last), "total": total, "truncated": last < total
	}
	if last < total:
		answer["next_offset"] = last
	return answer


static func _script_of(name: String) -> Script:
	for entry in ProjectSettings.get_global_class_list():
		if entry["class"] == name:
			return load(entry["path"] as String) as Script
	return null


## The classes above, the nearest first.
static func _chain(name: String, script: Script) -> PackedStringArray:
	var chain: PackedStringArray = []
	var at := script
	while at != null:
		var base := at.get_base_script()
		if base == null:
			chain.append(str(at.get_instance_base_type()))
			name = str(at.get_instance_base_type())
		else:
			chain.append(
				str(base.get_global_name()) if base.get_global_name() != &"" else base.resource_path
			)
		at = base
	var parent := ClassDB.get_parent_class(name)
	while parent != &"":
		chain.append(str(parent))
		parent = ClassDB.get_parent_class(parent)
	return chain


static func _is_public(member: Dictionary) -> bool:
	return not str(member["name"]).begins_with("_")


static func _native_members(name: String, inherited: bool) -> Dictionary:
	var own := not inherited
	var properties: Array[Dictionary] = []
	for info in ClassDB.class_get_property_list(name, own):
		if not Properties.is_heading(info):
			var default: Variant = ClassDB.class_get_property_default_value(
				name, info["name"] as String
			)
			properties.append(_property(info, default))
	var constants: Array[Dictionary] = []
	for constant in ClassDB.class_get_integer_constant_list(name, own):
		(
			constants
			. append(
				{
					"name": constant,
					"value": ClassDB.class_get_integer_constant(name, constant),
					"enum": str(ClassDB.class_get_integer_constant_enum(name, constant, own)),
				}
			)
		)
	var enums: Array[Dictionary] = []
	for group in ClassDB.class_get_enum_list(name, own):
		enums.append({"name": group, "values": ClassDB.class_get_enum_constants(name, group, own)})
	return {
		"properties": properties,
		"methods": ClassDB.class_get_method_list(name, own).map(_method),
		"signals": ClassDB.class_get_signal_list(name, own).map(_signal),
		"constants": constants,
		"enums": enums,
	}


static func _script_members(script: Script) -> Dictionary:
	var properties: Array[Dictionary] = []
	for info in script.get_script_property_list():
		if (info["usage"] as int) & PROPERTY_USAGE_SCRIPT_VARIABLE:
			properties.append(
				_property(info, script.get_property_default_value(info["name"] as String))
			)
	var constants: Array[Dictionary] = []
	var enums: Array[Dictionary] = []
	var map := script.get_script_constant_map()
	for name: String in map:
		if map[name] is Dictionary:
			enums.append({"name": name, "values": (map[name] as Dictionary).keys()})
		elif map[name] is int:
			constants.append({"name": name, "value": map[name], "enum": ""})
	return {
		"properties": properties,
		"methods": script.get_script_method_list().map(_method),
		"signals": script.get_script_signal_list().map(_signal),
		"constants": constants,
		"enums": enums,
	}


static func _property(info: Dictionary, default: Variant) -> Dictionary:
	return {
		"name": info["name"],
		"type": Properties.type_name(info),
		"default": Values.encode(default, null, info["type"] == TYPE_NIL, true),
	}


static func _method(info: Dictionary) -> Dictionary:
	var returned: Dictionary = info["return"]
	var void_type: bool = returned["type"] == TYPE_NIL
	void_type = void_type and not (returned["usage"] as int) & PROPERTY_USAGE_NIL_IS_VARIANT
	return {
		"name": info["name"],
		"args": Classes.args_of(info),
		"return_type": "void" if void_type else Properties.type_name(returned),
	}


static func _signal(info: Dictionary) -> Dictionary:
	return {"name": info["name"], "args": Classes.args_of(info)}


static func _unknown(name: String, parameter: String = "class_name") -> Dictionary:
	var best := ""
	var best_score := 0.5
	for candidate in ClassDB.get_class_list():
		var score := candidate.similarity(name)
		if score > best_score:
			best_score = score
			best = candidate
	var more := ", did you mean %s?" % best if best != "" else ":"
	return Result.fail(
		Result.NOT_FOUND,
		"%s: there is no class %s%s godot-mcp class list" % [parameter, name, more],
		parameter
	)
