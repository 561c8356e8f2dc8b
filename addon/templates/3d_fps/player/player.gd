class_name Player
extends CharacterBody3D
## Walks, jumps, looks around with mouse or stick, and shoots at what is in the middle of the screen.

@export var walk_speed := 5.0
@export var sprint_speed := 8.0
@export var acceleration := 40.0
@export var jump_speed := 5.5
## Radians for one pixel of the mouse.
@export var mouse_sensitivity := 0.0025
## Radians a second with the stick held.
@export var stick_sensitivity := 2.5
@export var damage := 1
## Seconds between two shots.
@export var shot_interval := 0.2

var _until_shot := 0.0

@onready var _start := transform
@onready var _head: Node3D = $Head
@onready var _aim: RayCast3D = $Head/Camera/Aim
@onready var _flash: OmniLight3D = $Head/Camera/Gun/Flash


func _ready() -> void:
	Input.mouse_mode = Input.MOUSE_MODE_CAPTURED


func _exit_tree() -> void:
	Input.mouse_mode = Input.MOUSE_MODE_VISIBLE


func _unhandled_input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion != null and Input.mouse_mode == Input.MOUSE_MODE_CAPTURED:
		_turn(motion.relative * mouse_sensitivity)
	elif event.is_action_pressed("ui_cancel"):
		Input.mouse_mode = Input.MOUSE_MODE_VISIBLE
	elif event is InputEventMouseButton and Input.mouse_mode == Input.MOUSE_MODE_VISIBLE:
		Input.mouse_mode = Input.MOUSE_MODE_CAPTURED


func _physics_process(delta: float) -> void:
	var look := Input.get_vector("look_left", "look_right", "look_up", "look_down")
	_turn(look * stick_sensitivity * delta)
	_walk(delta)
	move_and_slide()
	_until_shot = maxf(_until_shot - delta, 0.0)
	_flash.visible = _until_shot > shot_interval * 0.5
	if Input.is_action_pressed("shoot") and _until_shot == 0.0:
		_shoot()


## Brings the player back to where it began.
func respawn() -> void:
	transform = _start
	velocity = Vector3.ZERO
	reset_physics_interpolation()


func _turn(by: Vector2) -> void:
	rotate_y(-by.x)
	_head.rotation.x = clampf(_head.rotation.x - by.y, -PI * 0.48, PI * 0.48)


func _walk(delta: float) -> void:
	var wish := Input.get_vector("move_left", "move_right", "move_forward", "move_back")
	var speed := sprint_speed if Input.is_action_pressed("sprint") else walk_speed
	var wanted := transform.basis * Vector3(wish.x, 0.0, wish.y) * speed
	var flat := Vector3(velocity.x, 0.0, velocity.z).move_toward(wanted, acceleration * delta)
	velocity = Vector3(flat.x, velocity.y, flat.z)
	if not is_on_floor():
		velocity += get_gravity() * delta
	elif Input.is_action_just_pressed("jump"):
		velocity.y = jump_speed


func _shoot() -> void:
	_until_shot = shot_interval
	_aim.force_raycast_update()
	var target := _aim.get_collider() as Target
	if target != null:
		target.hit(damage)
