extends SceneTree
## Runs to the right, and falls into the gap.


func _initialize() -> void:
	change_scene_to_file("res://game.tscn")
	await scene_changed
	var player: CharacterBody2D = current_scene.get_node("Level/Player")
	var begin := player.position
	await create_timer(0.5).timeout
	print("stands ", player.is_on_floor())
	Input.action_press("move_right")
	await create_timer(1.2).timeout
	print("coins ", root.get_node("Score").get("total"))
	Input.action_press("jump")
	await create_timer(0.1).timeout
	print("jumps ", player.velocity.y < 0.0)
	Input.action_release("jump")
	await create_timer(3.0).timeout
	Input.action_release("move_right")
	await create_timer(2.0).timeout
	print("respawned ", player.position.x < 900.0 and player.position.y <= begin.y + 1.0)
	player.position = Vector2(1860, 500)
	await create_timer(0.2).timeout
	var message: Label = current_scene.get_node("Hud/%Message")
	print("finished ", message.visible)
	quit()
