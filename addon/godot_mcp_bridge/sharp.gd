@tool
extends RefCounted
## What a C# script needs before the engine can load it, and what is missing of that.

const Result := preload("result.gd")
const TextFile := preload("text_file.gd")

static var _classes: RegEx = RegEx.create_from_string("\\bclass\\s+(\\w+)")


static func is_script(path: String) -> bool:
	return path.get_extension().to_lower() == "cs"


## {why, code} of what keeps this script from being loaded; empty when nothing does.
static func problem(path: String) -> Dictionary:
	var names: PackedStringArray = []
	for found in _classes.search_all(TextFile.new(path).text):
		names.append(found.get_string(1))
	var wanted := path.get_file().get_basename()
	if not names.has(wanted):
		var others := ", ".join(names) if not names.is_empty() else "no class at all"
		return {
			"why":
			(
				"%s has no class %s (%s): in C# the class must be named as its file"
				% [path, wanted, others]
			),
			"code": Result.VALIDATION
		}
	if not ClassDB.class_exists("CSharpScript"):
		return {
			"why":
			(
				"%s needs Godot's .NET build, which this editor is not: set GODOT_BIN to one, then godot-mcp editor start"
				% path
			),
			"code": Result.PRECONDITION
		}
	return {}
