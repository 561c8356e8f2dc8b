@tool
extends RefCounted
## Seeing and timing the running game: questions that the game itself answers, in a topic of game/ each.

const Context := preload("../context.gd")
const GameLink := preload("../game_link.gd")

const NOT_PLAYING := "no game is running: godot-mcp game play"

var _context: Context


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"game.pause": ask,
		"game.resume": ask,
		"game.step": ask,
		"game.time-scale": ask,
		"game.state-hash": ask,
		"game.wait-for": wait,
		"game.screenshot": wait,
		"game.start-monitor": ask,
		"game.read-monitor": read_monitor,
		"game.performance": performance,
	}


func ask(params: Dictionary) -> Dictionary:
	return _context.ask_game(params)


## The wait is the game's own.
func wait(params: Dictionary) -> Dictionary:
	return _context.ask_game(params, int(params.get("timeout_ms", 0)) + GameLink.ANSWER_MSEC)


func read_monitor(params: Dictionary) -> Dictionary:
	if EditorInterface.is_playing_scene():
		return ask(params)
	return {
		"ready": false,
		"connected": false,
		"node_path": "",
		"property": "",
		"samples": [],
		"error": NOT_PLAYING,
	}


func performance(params: Dictionary) -> Dictionary:
	if EditorInterface.is_playing_scene():
		return _context.ask_game(params, int(params.get("timeout_ms", GameLink.ANSWER_MSEC)))
	return {
		"playing": false,
		"connected": false,
		"ready": false,
		"monitors": {},
		"hint": NOT_PLAYING,
	}
