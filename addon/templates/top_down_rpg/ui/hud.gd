class_name Hud
extends CanvasLayer
## What is shown above the map.

@onready var dialogue: DialogueBox = %Dialogue
@onready var _items: Label = %Items


func _ready() -> void:
	Inventory.changed.connect(_on_inventory_changed)
	_on_inventory_changed()


func _on_inventory_changed() -> void:
	var rows: PackedStringArray = []
	for item: String in Inventory.items():
		rows.append("%d × %s" % [Inventory.count_of(item), item])
	_items.text = "\n".join(rows)
