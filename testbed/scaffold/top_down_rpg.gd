extends SceneTree
## Walks to the elder, listens to what he says, and opens the chest.


func _initialize() -> void:
	change_scene_to_file("res://game.tscn")
	await scene_changed
	var player: CharacterBody2D = current_scene.get_node("Village/Sorted/Player")
	var box: Control = current_scene.get_node("Hud/%Dialogue")
	await _walk(["move_left", "move_up"], 1.0)
	print("stopped by the elder ", player.position.distance_to(Vector2(-120, -60)) < 40.0)
	await _press()
	var speaker: Label = current_scene.get_node("Hud/%Speaker")
	print("hears ", speaker.text, " ", box.visible and paused)
	while box.visible:
		await _press()
	print("free again ", not box.visible and not paused)
	player.position = Vector2(280, -40)
	await _walk(["move_up"], 0.3)
	await _press()
	while box.visible:
		await _press()
	print("carries ", root.get_node("Inventory").call("count_of", "Potion"))
	var items: Label = current_scene.get_node("Hud/%Items")
	print("sees ", items.text)
	quit()


func _walk(actions: Array[String], seconds: float) -> void:
	for action in actions:
		Input.action_press(action)
	await create_timer(seconds).timeout
	for action in actions:
		Input.action_release(action)
	await physics_frame


func _press() -> void:
	for is_down: bool in [true, false]:
		var event := InputEventAction.new()
		event.action = "interact"
		event.pressed = is_down
		Input.parse_input_event(event)
		await create_timer(0.1).timeout
