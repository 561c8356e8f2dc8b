class_name StoryLine
extends Resource
## One line of a story: who says what, and what can be answered.

## What choices call this line; empty for one that none leads to.
@export var label := &""
@export var speaker := ""
@export_multiline var text := ""
## Colour of the place from here on; a transparent one leaves it as it is.
@export var backdrop := Color.TRANSPARENT
@export var choices: Array[StoryChoice]
## Label of the line to go on with; empty for the next one.
@export var target := &""
