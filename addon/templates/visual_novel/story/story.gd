class_name Story
extends Resource
## A story is a list of lines. It ends behind the last one, or where a target is called "end".

const END := &"end"

@export var title := ""
@export var lines: Array[StoryLine]


## Where the line with this label is, -1 for the end.
func index_of(label: StringName) -> int:
	if label == END:
		return -1
	for i in lines.size():
		if lines[i].label == label:
			return i
	push_error("The story has no line with the label %s." % label)
	return -1


## The line behind this one, -1 for the end.
func next_of(at: int) -> int:
	if lines[at].target != &"":
		return index_of(lines[at].target)
	return at + 1 if at + 1 < lines.size() else -1
