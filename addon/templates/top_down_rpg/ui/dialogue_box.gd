class_name DialogueBox
extends PanelContainer
## Shows what somebody says, line by line. The game stands still meanwhile.

## Characters a second.
@export var text_speed := 60.0

var _lines: PackedStringArray = []
var _shown := 0.0

@onready var _speaker: Label = %Speaker
@onready var _text: Label = %Text


func _process(delta: float) -> void:
	if visible and _text.visible_characters >= 0:
		_shown += text_speed * delta
		_text.visible_characters = int(_shown)
		if _text.visible_characters >= _text.get_total_character_count():
			_text.visible_characters = -1


func _unhandled_input(event: InputEvent) -> void:
	if visible and event.is_action_pressed("interact"):
		get_viewport().set_input_as_handled()
		_advance()


func open(speaker: String, lines: PackedStringArray) -> void:
	if lines.is_empty():
		return
	_lines = lines.duplicate()
	_speaker.text = speaker
	_speaker.visible = speaker != ""
	get_tree().paused = true
	show()
	_show_next()


## Shows the rest of the line, or the next one when all of it is there.
func _advance() -> void:
	if _text.visible_characters >= 0:
		_text.visible_characters = -1
	elif not _lines.is_empty():
		_show_next()
	else:
		hide()
		get_tree().paused = false


func _show_next() -> void:
	_text.text = _lines[0]
	_lines.remove_at(0)
	_shown = 0.0
	_text.visible_characters = 0
