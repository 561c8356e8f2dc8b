class_name Player
extends CharacterBody2D
## Runs and jumps. A jump counts shortly after the edge and shortly before the ground too, and letting go early
## makes it a low one.

@export var speed := 280.0
@export var acceleration := 2000.0
@export var jump_speed := 560.0
## Seconds after the edge in which a jump still counts.
@export var coyote_time := 0.1
## Seconds before the ground in which a jump already counts.
@export var jump_buffer := 0.1

var _since_ground := INF
var _since_press := INF

@onready var _start := position
@onready var _body: Node2D = $Body


func _physics_process(delta: float) -> void:
	_since_ground = 0.0 if is_on_floor() else _since_ground + delta
	_since_press = 0.0 if Input.is_action_just_pressed("jump") else _since_press + delta
	_run(delta)
	_jump_and_fall(delta)
	move_and_slide()


## Brings the player back to where it began.
func respawn() -> void:
	position = _start
	velocity = Vector2.ZERO
	reset_physics_interpolation()


func _run(delta: float) -> void:
	var direction := Input.get_axis("move_left", "move_right")
	velocity.x = move_toward(velocity.x, direction * speed, acceleration * delta)
	if direction != 0.0:
		_body.scale.x = signf(direction)


func _jump_and_fall(delta: float) -> void:
	if not is_on_floor():
		velocity += get_gravity() * delta
	if _since_press <= jump_buffer and _since_ground <= coyote_time:
		velocity.y = -jump_speed
		_since_press = INF
		_since_ground = INF
	elif Input.is_action_just_released("jump") and velocity.y < 0.0:
		velocity.y *= 0.5
