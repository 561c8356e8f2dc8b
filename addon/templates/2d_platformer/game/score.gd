extends Node
## The coins of the player. Being an autoload it outlives the level.

signal changed(total: int)

var total := 0:
	set(value):
		total = value
		changed.emit(total)


func add(points: int) -> void:
	total += points


func reset() -> void:
	total = 0
