extends Node3D
## The game: an arena, the player in it, and what is shown above it.

@onready var _hud: Hud = $Hud


func _ready() -> void:
	Score.reset()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("restart"):
		get_tree().reload_current_scene()


func _on_arena_cleared() -> void:
	_hud.show_message("All targets are down!\nR plays again.")
