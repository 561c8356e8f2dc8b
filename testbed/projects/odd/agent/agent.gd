extends CharacterBody2D
## Holds what a scene can export of nodes and typed arrays.

@export var eyes: Node2D
@export var marks: Array[Node2D] = []
@export var tags: Array[StringName] = []
