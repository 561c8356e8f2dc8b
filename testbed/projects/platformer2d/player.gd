class_name Player
extends CharacterBody2D
## Runs and jumps.

signal jumped

enum Facing { LEFT, RIGHT }

@export var speed: float = 200.0
@export var jump_velocity: float = -320.0
@export_range(1, 10) var lives: int = 3
@export var facing: Facing = Facing.RIGHT
@export var display_name: String = "Hero"
@export var tint: Color = Color.WHITE
@export var spawn_point: NodePath
@export var inventory: Array[String] = []

var _gravity: float = ProjectSettings.get_setting("physics/2d/default_gravity")


func _physics_process(delta: float) -> void:
	if not is_on_floor():
		velocity.y += _gravity * delta
	elif Input.is_action_just_pressed("ui_accept"):
		velocity.y = jump_velocity
		jumped.emit()
	var direction: float = Input.get_axis("ui_left", "ui_right")
	velocity.x = direction * speed
	if direction != 0.0:
		facing = Facing.LEFT if direction < 0.0 else Facing.RIGHT
	move_and_slide()
