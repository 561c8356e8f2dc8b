extends Node2D
## Keeps the score of the level.

var _points: int = 0

@onready var _score: Label = %Score


func _on_enemy_defeated(points: int) -> void:
	_points += points
	_score.text = "Score: %d" % _points
