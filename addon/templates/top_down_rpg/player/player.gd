class_name Player
extends CharacterBody2D
## Walks in all directions and turns to where it walks. What is before it can be used with one button.

@export var speed := 180.0

@onready var _reach: Area2D = $Reach
@onready var _body: Node2D = $Body


func _physics_process(_delta: float) -> void:
	velocity = Input.get_vector("move_left", "move_right", "move_up", "move_down") * speed
	if velocity != Vector2.ZERO:
		_reach.rotation = velocity.angle()
		if velocity.x != 0.0:
			_body.scale.x = signf(velocity.x)
	move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	if not event.is_action_pressed("interact"):
		return
	var thing := _nearest_thing()
	if thing != null:
		get_viewport().set_input_as_handled()
		thing.interact()


func _nearest_thing() -> Thing:
	var nearest: Thing = null
	for body in _reach.get_overlapping_bodies():
		var thing := body as Thing
		if thing != null and (nearest == null or _distance_to(thing) < _distance_to(nearest)):
			nearest = thing
	return nearest


func _distance_to(thing: Thing) -> float:
	return global_position.distance_squared_to(thing.global_position)
