class_name Hud
extends CanvasLayer
## What is shown above the level.

@onready var _total: Label = %Total
@onready var _message: Label = %Message


func _ready() -> void:
	Score.changed.connect(_on_score_changed)
	_on_score_changed(Score.total)


func show_message(text: String) -> void:
	_message.text = text
	_message.show()


func _on_score_changed(total: int) -> void:
	_total.text = "Coins: %d" % total
