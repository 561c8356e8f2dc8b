extends Node2D
## The game: a map, and what is shown above it.

@onready var _hud: Hud = $Hud


func _ready() -> void:
	for node in get_tree().get_nodes_in_group("things"):
		var thing := node as Thing
		if thing != null:
			thing.spoke.connect(_hud.dialogue.open)
