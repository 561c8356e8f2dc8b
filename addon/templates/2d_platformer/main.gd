extends Node2D
## The game: a level and what is shown above it.

@onready var _hud: Hud = $Hud


func _ready() -> void:
	Score.reset()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("restart"):
		get_tree().reload_current_scene()


func _on_level_finished() -> void:
	_hud.show_message("You made it with %d coins!\nR plays again." % Score.total)
