extends SceneTree
## Shoots down the target straight ahead, and walks to a wall.


func _initialize() -> void:
	change_scene_to_file("res://game.tscn")
	await scene_changed
	var player: CharacterBody3D = current_scene.get_node("Player")
	await create_timer(0.5).timeout
	print("stands ", player.is_on_floor())
	Input.action_press("shoot")
	await create_timer(1.5).timeout
	Input.action_release("shoot")
	print("points ", root.get_node("Score").get("total"))
	Input.action_press("move_back")
	Input.action_press("sprint")
	await create_timer(3.0).timeout
	print("stopped by the wall ", player.position.z > 13.0 and player.position.z < 15.0)
	for target: StaticBody3D in get_nodes_in_group("targets"):
		target.call("hit", 3)
	var message: Label = current_scene.get_node("Hud/%Message")
	print("cleared ", message.visible)
	quit()
