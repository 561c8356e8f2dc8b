class_name EnemyStats
extends Resource
## The figures that one kind of enemy shares.

@export var display_name: String = "Enemy"
@export_range(1, 100) var health: int = 3
@export var speed: float = 40.0
