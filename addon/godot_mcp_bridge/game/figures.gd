@tool
extends RefCounted
## The engine's counters of the running game, and those that the game adds of its own.


func _init(_link: RefCounted) -> void:
	pass


func commands() -> Dictionary[String, Callable]:
	return {"game.performance": performance}


func performance(_params: Dictionary) -> Dictionary:
	var monitors: Dictionary[String, float] = {}
	for name in ClassDB.class_get_enum_constants("Performance", "Monitor"):
		var monitor := ClassDB.class_get_integer_constant("Performance", name)
		if name != "MONITOR_MAX":
			monitors[name] = Performance.get_monitor(monitor as Performance.Monitor)
	for name in Performance.get_custom_monitor_names():
		var value: Variant = Performance.get_custom_monitor(name)
		if value is int or value is float:
			monitors[str(name)] = value
	return {"playing": true, "connected": true, "ready": true, "monitors": monitors}
