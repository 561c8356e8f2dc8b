class_name Thing
extends StaticBody2D
## What the player can do something with: it says something.

signal spoke(speaker: String, lines: PackedStringArray)

@export var speaker := ""
@export_multiline var lines: PackedStringArray


## Called when the player stands before it and presses the button.
func interact() -> void:
	spoke.emit(speaker, lines)
