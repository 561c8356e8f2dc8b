class_name Enemy
extends Area2D
## Walks to and fro and tells its level when it is beaten.

signal defeated(points: int)

@export var stats: EnemyStats
@export var walk_distance: float = 48.0
@export var points: int = 10

var _walked: float = 0.0
var _direction: float = 1.0


func _physics_process(delta: float) -> void:
	if stats == null:
		return
	var step: float = stats.speed * delta
	position.x += step * _direction
	_walked += step
	if _walked >= walk_distance:
		_walked = 0.0
		_direction = -_direction


func hit() -> void:
	defeated.emit(points)
	queue_free()
