extends Control
## The title, and the story behind it.

@onready var _title: Control = $Title
@onready var _name: Label = %Name
@onready var _start: Button = %Start
@onready var _resume: Button = %Resume
@onready var _story: StoryView = $StoryView


func _ready() -> void:
	_name.text = _story.story.title
	_show_title()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("leave") and _story.visible:
		_story.hide()
		_show_title()


func _show_title() -> void:
	_title.show()
	_resume.disabled = not Progress.is_kept()
	if _resume.disabled:
		_start.grab_focus()
	else:
		_resume.grab_focus()


func _on_start_pressed() -> void:
	_title.hide()
	_story.begin()


func _on_resume_pressed() -> void:
	_title.hide()
	_story.resume()


func _on_quit_pressed() -> void:
	get_tree().quit()


func _on_story_view_finished() -> void:
	_show_title()
