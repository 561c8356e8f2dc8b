class_name Arena
extends Node3D
## A place with targets. It is cleared when the last of them has fallen.

signal cleared

var _standing := 0


func _ready() -> void:
	for node in get_tree().get_nodes_in_group("targets"):
		var target := node as Target
		if target != null and is_ancestor_of(target):
			_standing += 1
			target.fallen.connect(_on_target_fallen)


func _on_target_fallen() -> void:
	_standing -= 1
	if _standing == 0:
		cleared.emit()


func _on_abyss_body_entered(body: Node3D) -> void:
	var player := body as Player
	if player != null:
		player.respawn()
