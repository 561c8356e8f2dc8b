@tool
extends RefCounted
## Gives a new node what a node of another class has: name, script, and each value that both can hold.

const Classes := preload("classes.gd")
const Values := preload("values.gd")

## Values of the old node that the new one does not take; "script" when its script does not fit.
var dropped: PackedStringArray = []

var _old: Node
var _fresh: Node
var _infos: Dictionary[String, Dictionary] = {}


func _init(old: Node, fresh: Node, _root: Node) -> void:
	_old = old
	_fresh = fresh
	fresh.name = old.name
	_give_script()
	for info in fresh.get_property_list():
		_infos[info["name"]] = info
	for info in old.get_property_list():
		if (info["usage"] as int) & PROPERTY_USAGE_STORAGE and info["name"] != "script":
			_give(info["name"] as String, info["type"] as int)
	if old is Control and fresh is Node2D:
		# A control keeps its place as offsets.
		(fresh as Node2D).position = (old as Control).position


func _give_script() -> void:
	var script := _old.get_script() as Script
	var own := _fresh.get_script() as Script
	if script == null:
		return
	if own == null and ClassDB.is_parent_class(_fresh.get_class(), script.get_instance_base_type()):
		_fresh.set_script(script)
		own = _fresh.get_script() as Script
	while own != null and own != script:
		own = own.get_base_script()
	if own == null:
		dropped.append("script")


func _give(name: String, type: int) -> void:
	var value: Variant = _old.get(name)
	if Values.same(value, Classes.default_of(_old, name)):
		return
	var is_free := name.begins_with("metadata/")
	if not is_free:
		var info: Dictionary = _infos.get(name, {})
		var usage: int = info.get("usage", 0)
		if (
			not usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR | PROPERTY_USAGE_CHECKABLE)
			or not info["type"] in [type, TYPE_NIL]
		):
			dropped.append(name)
			return
	var before: Variant = _fresh.get(name)
	_fresh.set(name, value)
	if not Values.is_taken(value, _fresh.get(name)):
		_fresh.set(name, before)
		dropped.append(name)
