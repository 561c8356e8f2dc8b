@tool
extends "slices.gd"
## A look at many files in slices, and then, in one go, the change that it was made for. What changed while the
## editor was at other things is looked at once more before.

const Context := preload("context.gd")
const Readiness := preload("readiness.gd")

var _context: Context
var _command := ""
## Has step(), look_again() and state().
var _work: RefCounted
## Makes the change and gives the answer, or that of what it waits for.
var _change: Callable
var _slices := 0
## What the change waits for when it is made.
var _rest: RefCounted


func _init(context: Context, command: String, work: RefCounted, change: Callable) -> void:
	_context = context
	_command = command
	_work = work
	_change = change


func step() -> bool:
	return _work.call("step")


func state() -> Dictionary:
	return _work.call("state")


func poll() -> Dictionary:
	if _rest != null:
		return _rest.call("poll")
	_slices += 1
	return _or_wait(super())


func progress() -> Dictionary:
	return super() if _rest == null else {}


func finish(given_up: Callable) -> Dictionary:
	return _or_wait(super(given_up))


func _or_wait(done: Dictionary) -> Dictionary:
	_rest = done.get(Result.PARKED_KEY)
	return done if _rest == null else {}


func answer() -> Dictionary:
	if _slices < 2:
		return _change.call()
	var not_ready := Readiness.problem(_command, _context.importing_files)
	if not not_ready.is_empty():
		return not_ready
	_context.begin(_command, {})
	_work.call("look_again")
	var done: Dictionary = _change.call()
	_context.finish()
	return done


## What is changed must come to its end.
func give_up() -> Dictionary:
	return {} if _rest != null else Result.fail(Result.TIMEOUT, "cancelled: nothing was changed")
