@tool
extends RefCounted
## Input for the running game, which puts it in itself.

const Context := preload("../context.gd")
const Result := preload("../result.gd")

## How long a sequence may take; the caller's own time-out ends it too.
const SEQUENCE_MSEC := 3600000

var _context: Context


func _init(context: Context) -> void:
	_context = context


## Each of them has a function of that name in game/input.gd.
func commands() -> Dictionary[String, Callable]:
	return {
		"input.key": ask,
		"input.text": ask,
		"input.mouse": ask,
		"input.action": ask,
		"input.joypad": ask,
		"input.touch": ask,
		"input.play-sequence": play_sequence,
		"input.stats": stats,
		"input.start-recording": ask,
		"input.stop-recording": stop_recording,
	}


func ask(params: Dictionary) -> Dictionary:
	return _context.ask_game(params)


func play_sequence(params: Dictionary) -> Dictionary:
	return _context.ask_game(params, SEQUENCE_MSEC)


## A game that does not run has got nothing, which is an answer.
func stats(params: Dictionary) -> Dictionary:
	if EditorInterface.is_playing_scene():
		return ask(params)
	return {"playing": false, "connected": false, "injected": 0}


func stop_recording(params: Dictionary) -> Dictionary:
	return _context.ask_game(params, int(params.get("timeout_ms", 2000)))
