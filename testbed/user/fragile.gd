@tool
class_name Fragile
extends Node
## Properties whose own code fails, as scripts at work do.

@export var breaks_on_set: int = 1:
	set(value):
		var nothing: Node = null
		nothing.name = str(value)

@export var breaks_on_get: int = 1:
	get:
		var nothing: Node = null
		return nothing.get_child_count()

@export var keeps_its_own: int = 1:
	set(_value):
		keeps_its_own = 1

@export var halves: int = 8:
	set(value):
		halves = value / 2

var gone: Variant = null


func _init() -> void:
	var short_lived := Node.new()
	gone = short_lived
	short_lived.free()


func _get_property_list() -> Array[Dictionary]:
	return [{"name": "gone", "type": TYPE_NIL, "usage": PROPERTY_USAGE_EDITOR}]
