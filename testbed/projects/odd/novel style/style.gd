class_name OddStyle
extends Resource
## A list of layers, and others by their ids.

@export var name: String = ""
@export var layers: Array[OddLayer] = []
@export var layer_info: Dictionary = {}
