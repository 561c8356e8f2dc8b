class_name StoryView
extends Control
## Tells a story line by line, and keeps how far the player is.

signal finished

@export var story: Story
## Characters a second.
@export var text_speed := 50.0

var _at := -1
var _shown := 0.0

@onready var _backdrop: ColorRect = $Backdrop
@onready var _speaker: Label = %Speaker
@onready var _text: RichTextLabel = %Text
@onready var _choices: VBoxContainer = %Choices


func _process(delta: float) -> void:
	if not visible or not _is_typing():
		return
	_shown += text_speed * delta
	_text.visible_characters = int(_shown)
	if _text.visible_characters >= _text.get_total_character_count():
		_show_all()


func _unhandled_input(event: InputEvent) -> void:
	if visible and event.is_action_pressed("advance"):
		get_viewport().set_input_as_handled()
		_advance()


func begin() -> void:
	_backdrop.color = Color.BLACK
	show()
	_go_to(0)


## Goes on where the player left the last time.
func resume() -> void:
	_backdrop.color = Progress.kept_backdrop()
	show()
	_go_to(Progress.kept_line())


## Shows the rest of the line, or the next one when all of it is there.
func _advance() -> void:
	if _is_typing():
		_show_all()
	elif _choices.get_child_count() == 0:
		_go_to(story.next_of(_at))


func _go_to(at: int) -> void:
	_at = at
	_clear_choices()
	if at < 0 or at >= story.lines.size():
		Progress.forget()
		hide()
		finished.emit()
		return
	var line := story.lines[at]
	if line.backdrop.a > 0.0:
		_backdrop.color = line.backdrop
	_speaker.text = line.speaker
	_text.text = line.text
	_text.visible_characters = 0
	_shown = 0.0
	Progress.keep(at, _backdrop.color)


func _is_typing() -> bool:
	return _text.visible_characters >= 0


func _show_all() -> void:
	_text.visible_characters = -1
	for choice in story.lines[_at].choices:
		var button := Button.new()
		button.text = choice.text
		button.pressed.connect(_on_chosen.bind(choice.target))
		_choices.add_child(button)
	if _choices.get_child_count() > 0:
		(_choices.get_child(0) as Button).grab_focus()


func _clear_choices() -> void:
	for child in _choices.get_children():
		_choices.remove_child(child)
		child.queue_free()


func _on_chosen(target: StringName) -> void:
	_go_to(story.index_of(target))
