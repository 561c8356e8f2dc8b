class_name Chest
extends Thing
## Gives what is in it, once.

@export var item := "Potion"
@export var count := 1

var _is_open := false

@onready var _lid: Node2D = $Lid


func interact() -> void:
	if _is_open:
		spoke.emit(speaker, PackedStringArray(["It is empty."]))
		return
	_is_open = true
	_lid.position.y -= 12.0
	Inventory.add(item, count)
	spoke.emit(speaker, PackedStringArray(["You found %d × %s!" % [count, item]]))
