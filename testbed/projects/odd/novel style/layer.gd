class_name OddLayer
extends Resource
## One layer of a style: a scene and what it overrides.

@export var scene: PackedScene
@export var overrides: Dictionary = {}
