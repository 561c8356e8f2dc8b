extends SceneTree
## Reads the story, leaves, goes on, and answers the question.


func _initialize() -> void:
	change_scene_to_file("res://game.tscn")
	await scene_changed
	var title: Control = current_scene.get_node("Title")
	var resume: Button = current_scene.get_node("%Resume")
	var view: Control = current_scene.get_node("StoryView")
	var text: RichTextLabel = view.get_node("%Text")
	var choices: VBoxContainer = view.get_node("%Choices")
	print("nothing kept ", resume.disabled)
	(current_scene.get_node("%Start") as Button).pressed.emit()
	print("reads ", text.get_parsed_text().left(5))
	await _press("advance")
	await _press("advance")
	await _press("leave")
	print("title ", title.visible, ", kept ", not resume.disabled)
	resume.pressed.emit()
	await _press("advance")
	print("choices ", choices.get_child_count())
	await _press("advance")
	print("waits for an answer ", choices.get_child_count() == 2)
	(choices.get_child(1) as Button).pressed.emit()
	print("reads ", text.get_parsed_text().left(10))
	for i in 4:
		await _press("advance")
	print("title ", title.visible, ", kept ", not resume.disabled)
	quit()


func _press(action: String) -> void:
	for is_down: bool in [true, false]:
		var event := InputEventAction.new()
		event.action = action
		event.pressed = is_down
		Input.parse_input_event(event)
		await create_timer(0.1).timeout
