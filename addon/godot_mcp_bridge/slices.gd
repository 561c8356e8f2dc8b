@tool
extends RefCounted
## Long work of our own that may be done over many frames, some milliseconds in each: neither the person at the
## editor nor other clients wait for it, it tells how far it is, and between two parts it can be given up. A
## handler returns start(). Inside a batch that must not wait it is done at once, by finish().

const Result := preload("result.gd")

## A frame is given back after this long.
const SLICE_USEC := 12000
## What takes less says nothing of how far it is.
const QUIET_MSEC := 1000

var _begun := Time.get_ticks_msec()


## One part of the work; false when none is left.
func step() -> bool:
	return false


## What there is to say once all is done.
func answer() -> Dictionary:
	return {}


## How far it is: {progress, total?, message}.
func state() -> Dictionary:
	return {}


func start() -> Dictionary:
	var done := poll()
	return done if not done.is_empty() else Result.park(self)


func poll() -> Dictionary:
	var until := Time.get_ticks_usec() + SLICE_USEC
	while step():
		if Time.get_ticks_usec() >= until:
			return {}
	return answer()


func progress() -> Dictionary:
	return state() if Time.get_ticks_msec() - _begun >= QUIET_MSEC else {}


## All that is left of it, without giving the frame back; empty when it must wait for the editor. `given_up` is
## asked after each part.
func finish(given_up: Callable) -> Dictionary:
	while step():
		if given_up.call(0):
			return Result.fail(Result.TIMEOUT, "cancelled")
	return answer()
