extends Node
## How far the player has read, kept in a file of the user's from one start to the next.

const FILE := "user://progress.cfg"
const SECTION := "story"


func is_kept() -> bool:
	return kept_line() >= 0


## The line that was shown last, -1 when there is none.
func kept_line() -> int:
	return int(_value("line", -1))


func kept_backdrop() -> Color:
	return _value("backdrop", Color.BLACK)


func keep(line: int, backdrop: Color) -> void:
	var file := ConfigFile.new()
	file.set_value(SECTION, "line", line)
	file.set_value(SECTION, "backdrop", backdrop)
	if file.save(FILE) != OK:
		push_warning("The progress could not be saved in %s." % FILE)


func forget() -> void:
	if FileAccess.file_exists(FILE):
		DirAccess.remove_absolute(FILE)


func _value(key: String, otherwise: Variant) -> Variant:
	var file := ConfigFile.new()
	if not FileAccess.file_exists(FILE) or file.load(FILE) != OK:
		return otherwise
	return file.get_value(SECTION, key, otherwise)
