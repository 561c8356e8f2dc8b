@tool
extends RefCounted
## The project as a whole.

const Context := preload("../context.gd")
const Discovery := preload("../discovery.gd")
const Scenes := preload("../scenes.gd")


func _init(_context: Context) -> void:
	pass


func commands() -> Dictionary[String, Callable]:
	return {"project.info": info}


func info(_params: Dictionary) -> Dictionary:
	var main := Scenes.normalise(str(ProjectSettings.get_setting("application/run/main_scene", "")))
	var autoloads: Array[Dictionary] = []
	var actions: PackedStringArray = []
	for setting in ProjectSettings.get_property_list():
		var name := setting["name"] as String
		if name.begins_with("autoload/"):
			var value := str(ProjectSettings.get_setting(name))
			(
				autoloads
				. append(
					{
						"name": name.trim_prefix("autoload/"),
						"path": Scenes.normalise(value.trim_prefix("*")),
						"enabled": value.begins_with("*"),
					}
				)
			)
		elif name.begins_with("input/") and not name.begins_with("input/ui_"):
			actions.append(name.trim_prefix("input/"))
	return {
		"name": str(ProjectSettings.get_setting("application/config/name", "")),
		"godot_version": Discovery.godot_version(),
		"main_scene": main if main != "" else null,
		"autoloads": autoloads,
		"input_actions": actions,
		"project_path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"csharp_supported": ClassDB.class_exists("CSharpScript"),
		"csharp_project": _has_csharp_project(),
	}


static func _has_csharp_project() -> bool:
	for file in DirAccess.get_files_at("res://"):
		if file.get_extension() == "csproj":
			return true
	return false
