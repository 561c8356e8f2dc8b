class_name Coin
extends Area2D
## Adds to the score when the player takes it. Only the player's layer is in its mask.

@export var worth := 1


func _on_body_entered(_body: Node2D) -> void:
	Score.add(worth)
	queue_free()
