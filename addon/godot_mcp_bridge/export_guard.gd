@tool
extends EditorExportPlugin
## Keeps the addon out of what is exported: a game has no use for it.

const FOLDER := "res://addons/godot_mcp_bridge/"


## The engine asks in the order of the names, and its own plugin, GDScript, would have taken the scripts.
func _get_name() -> String:
	return "Addon godot_mcp_bridge"


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if path.begins_with(FOLDER):
		skip()
