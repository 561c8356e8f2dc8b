class_name StoryChoice
extends Resource
## Something that can be answered.

@export var text := ""
## Label of the line to go on with.
@export var target := &""
