@tool
extends RefCounted
## The three things a handler can return: a result, an error, or a command that waits.
##
## A handler returns a plain, non-empty dictionary for success. A GDScript error inside a handler makes
## the engine return the empty dictionary of its return type, which is how the router knows that it died.

const ERROR_KEY := "$error"
const PARKED_KEY := "$parked"
const JSON_KEY := "$json"

const Contract := preload("contract.gd")

const PRECONDITION := Contract.PRECONDITION_FAILED
const NOT_FOUND := Contract.RESOURCE_NOT_FOUND
const VALIDATION := Contract.VALIDATION_ERROR
const INTERNAL := Contract.INTERNAL_ERROR
const TIMEOUT := Contract.TIMEOUT


## An error with its code, the hint that names the way out and, where one applies, the missing
## precondition or the offending parameter.
static func fail(
	code: String, hint: String, required: String = "", data: Dictionary = {}
) -> Dictionary:
	var body := {"error": code, "hint": hint}
	if required != "":
		body["required"] = required
	if not data.is_empty():
		body["result"] = data
	return {ERROR_KEY: body}


## A result one field of which is JSON text already. That field comes first, and only the router reads it.
static func with_json(answer: Dictionary, field: String, json: String) -> Dictionary:
	answer[JSON_KEY] = '"%s":' % field + json
	return answer


## A command that waits: looked at each frame until its poll() returns something.
static func park(waiting: RefCounted) -> Dictionary:
	return {PARKED_KEY: waiting}


static func is_error(answer: Dictionary) -> bool:
	return answer.has(ERROR_KEY)
