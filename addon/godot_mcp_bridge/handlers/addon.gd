@tool
extends RefCounted
## The addon itself, for godot-mcp addon update and uninstall.

const Context := preload("../context.gd")
const Result := preload("../result.gd")
const TakeOver := preload("../takeover.gd")

const ENABLED := "editor_plugins/enabled"
const ENTRY := "res://addons/godot_mcp_bridge/plugin.cfg"

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"addon.reload": reload,
		"addon.retire": retire,
	}


## Has the files on the disk take over, in the frame after the answer. All clients greet anew then.
func reload(_params: Dictionary) -> Dictionary:
	if _context.is_waited_for.call():
		return Result.fail(
			Result.PRECONDITION,
			"a command is still at work in the editor: godot-mcp editor wait",
			"editor_ready"
		)
	var next := TakeOver.new(_context.plugin)
	var problem := next.prepare()
	if problem != "":
		# What the engine says of the new scripts is no error of this command.
		var errors := _context.errors()
		if not errors.is_empty():
			problem += ": " + errors[0]
		_context.forget_errors()
		return Result.fail(Result.PRECONDITION, problem, "addon_version")
	_context.leaving = true
	# Bound to itself, or nothing would keep it until then.
	_swap.bind(next).call_deferred()
	return {"taking_over": true}


static func _swap(next: TakeOver) -> void:
	next.swap()


## Ends the addon for this run of the editor. The engine's own list of plugins loses it in memory only: the
## file's line is the caller's, who leaves the rest of the file alone.
func retire(_params: Dictionary) -> Dictionary:
	var enabled: PackedStringArray = ProjectSettings.get_setting(ENABLED, PackedStringArray())
	var at := enabled.find(ENTRY)
	if at >= 0:
		enabled.remove_at(at)
		ProjectSettings.set_setting(ENABLED, enabled)
	_context.leaving = true
	_context.plugin.call_deferred("retire")
	return {"retired": true}
