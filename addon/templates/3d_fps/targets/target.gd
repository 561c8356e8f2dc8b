class_name Target
extends StaticBody3D
## Takes hits, and falls over with the last one.

signal fallen

@export var health := 3
@export var worth := 10

var _tween: Tween

@onready var _board: Node3D = $Board
@onready var _shape: CollisionShape3D = $Shape


func hit(damage: int) -> void:
	if health <= 0:
		return
	health -= damage
	if health > 0:
		_rock()
	else:
		_fall()


func _rock() -> void:
	_restart_tween()
	_tween.tween_property(_board, "rotation:x", -0.25, 0.05)
	_tween.tween_property(_board, "rotation:x", 0.0, 0.15)


func _fall() -> void:
	_shape.set_deferred("disabled", true)
	_restart_tween()
	_tween.tween_property(_board, "rotation:x", -PI / 2.0, 0.3)
	Score.add(worth)
	fallen.emit()


func _restart_tween() -> void:
	if _tween != null:
		_tween.kill()
	_tween = create_tween()
