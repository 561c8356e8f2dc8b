@tool
extends RefCounted
## How a command at work keeps in touch with its client while it takes long: it tells how far it is, and hears
## when it is given up.

const Result := preload("result.gd")

## Between two words to the client, with a look for a cancel.
const PULSE_MSEC := 100
## From so many nodes on the engine takes a part of a second to read or write a scene.
const LONG_NODES := 2000

## Tells the client and looks for a cancel: (done, total or 0, message) -> true when it was given up. Without it
## nobody is told, and what is begun comes to its end.
var pulse: Callable

## Steps that all walks of the command will take together, 0 when that is not known.
var total := 0

var _done := 0
var _next_msec := 0
var _given_up := false


## Called before a command is begun, and before it goes on after it waited.
func begin() -> void:
	total = 0
	_done = 0
	_given_up = false
	_next_msec = Time.get_ticks_msec() + PULSE_MSEC


## One step of a walk, of which each is short; true when the client gave the command up.
func tick(message: String) -> bool:
	_done += 1
	return is_given_up(_done, total, message)


## To be asked as often as one likes: true when the client gave the command up.
func is_given_up(done: int, total: int = 0, message: String = "") -> bool:
	if not _given_up and Time.get_ticks_msec() >= _next_msec and pulse.is_valid():
		_given_up = pulse.call(done, total, message)
		_next_msec = Time.get_ticks_msec() + PULSE_MSEC
	return _given_up


## To be asked before a call of the engine that cannot be interrupted: where the nodes make it long, the client
## is told. The answer when it has given the command up by then, empty otherwise.
func last_chance(what: String, nodes: int) -> Dictionary:
	if nodes >= LONG_NODES and not _given_up:
		var message := "%s, %d nodes: this cannot be interrupted" % [what, nodes]
		_given_up = pulse.call(_done, total, message)
	return refusal()


## The answer when the client has given the command up, before anything was changed; empty otherwise.
func refusal() -> Dictionary:
	if not _given_up:
		return {}
	return Result.fail(Result.TIMEOUT, "cancelled: nothing was changed")
