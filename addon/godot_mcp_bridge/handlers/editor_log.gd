@tool
extends RefCounted
## What the editor printed.

const Console := preload("../console.gd")
const Context := preload("../context.gd")
const Result := preload("../result.gd")

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"editor.log": read}


func read(params: Dictionary) -> Dictionary:
	var level := str(params.get("level", ""))
	if level != "" and not Console.LEVELS.has(level):
		return Result.fail(
			Result.VALIDATION, "level is one of %s" % ", ".join(Console.LEVELS), "level"
		)
	return _context.console.read(
		maxi(int(params.get("since_seq", 0)), 0), level, int(params.get("limit", 200))
	)
