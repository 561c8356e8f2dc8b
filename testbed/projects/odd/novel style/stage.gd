extends Node
## Uses a style.

@export var style: OddStyle
