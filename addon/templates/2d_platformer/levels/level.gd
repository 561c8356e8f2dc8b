class_name Level
extends Node2D
## A level: who falls out of it begins again, and who reaches the flag has finished it.

signal finished


func _on_flag_body_entered(_body: Node2D) -> void:
	finished.emit()


func _on_abyss_body_entered(body: Node2D) -> void:
	var player := body as Player
	if player != null:
		player.respawn()
