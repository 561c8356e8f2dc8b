@tool
extends RefCounted
## The commands of a batch, one after the other. Edits are gathered into one undo step for each history; what
## undo does not take back is carried out between such steps. A preview carries out what acts on open scenes
## and takes it back, so that each command finds what those before it would have made; of the rest it asks
## for a preview.

const Context := preload("context.gd")
const Contract := preload("contract.gd")
const Result := preload("result.gd")
const Scenes := preload("scenes.gd")
const Slices := preload("slices.gd")
const Wire := preload("wire.gd")

const ACTION := "batch run"

## Each as {command, params, as}.
var steps: Array[Dictionary] = []
var stops := true
var atomic := false
var dry := false

var _context: Context
var _results: Array[Dictionary] = []
var _at := 0
var _failed_at := -1
var _undo_steps := 0
var _cancelled := false
## The command that waits, null when none does.
var _waiting: RefCounted
## The scene to bring to the front again, and the answer to give then.
var _front := ""
var _answer: Dictionary = {}


func _init(context: Context) -> void:
	_context = context


## Why this batch is not begun, empty when nothing speaks against it.
func refusal() -> Dictionary:
	if not atomic:
		return {}
	var scenes: PackedStringArray = []
	for step in steps:
		if Contract.SCENE.has(step["command"]) and not Contract.READING.has(step["command"]):
			var path := _scene_of(step)
			if not scenes.has(path):
				scenes.append(path)
	if scenes.size() < 2:
		return {}
	return (
		Result
		. fail(
			Result.VALIDATION,
			(
				"an atomic batch edits one scene, this one edits %s: make a batch for each: godot-mcp batch run --help"
				% " and ".join(scenes)
			),
			"atomic"
		)
	)


## Goes on as far as it can in this frame. The answer, empty while something is waited for.
func poll() -> Dictionary:
	if not _answer.is_empty():
		return _bring_back()
	if _waiting != null:
		var handed := _context.undo_redo.handed
		var answer: Dictionary = _waiting.call("poll")
		_undo_steps += _context.undo_redo.handed - handed
		if answer.is_empty():
			return {}
		_waiting = null
		_note(answer)
	if _at == 0 and _results.is_empty():
		_front = _front_path()
		_context.scenes.stay = dry
	while not _is_done():
		if _context.scenes.settling and _changes_tabs(steps[_at]):
			_hand_over()
			return {}
		if not _take_step(steps[_at]):
			return {}
	return _end()


## What was done stays, so the batch comes to its end as one that was cancelled, behind what the command that
## waits has begun.
func give_up() -> Dictionary:
	_cancelled = true
	if _waiting == null:
		return {}
	if (
		not _waiting.has_method("give_up")
		or not (_waiting.call("give_up") as Dictionary).is_empty()
	):
		_waiting = null
	return {}


func _is_done() -> bool:
	return _at >= steps.size() or _cancelled or (_failed_at >= 0 and stops)


## False when the command waits.
func _take_step(step: Dictionary) -> bool:
	var command: String = step["command"]
	var alone := _is_alone(step)
	if alone or _changes_tabs(step):
		_hand_over()
	if not alone and not _context.undo_redo.is_gathering():
		_context.undo_redo.gather()
	var mark := _context.undo_redo.count()
	var params: Dictionary = step["params"]
	if dry and not _is_carried_out(step):
		params = params.merged({"dry_run": true}, true)
	var answer: Dictionary = _context.carry_out.call(command, params)
	_context.begin(ACTION, {})
	if answer.has(Result.PARKED_KEY):
		if not atomic and not dry:
			_hand_over()
			_waiting = answer[Result.PARKED_KEY]
			return false
		var work := answer[Result.PARKED_KEY] as Slices
		answer = work.finish(_context.pace.is_given_up) if work != null else {}
		if answer.is_empty():
			answer = _waits(command)
	if Result.is_error(answer) and _context.undo_redo.is_gathering():
		_context.undo_redo.take_back(mark)
	_note(answer)
	return true


## A command that does not go into the gathered undo step: undo does not take it back, or it saves.
func _is_alone(step: Dictionary) -> bool:
	return not dry and (Contract.NO_UNDO.has(step["command"]) or _saves(step))


static func _saves(step: Dictionary) -> bool:
	return bool((step["params"] as Dictionary).get("save", false))


func _changes_tabs(step: Dictionary) -> bool:
	if dry or Contract.READING.has(step["command"]):
		return false
	return Contract.NO_UNDO.has(step["command"]) or _scene_of(step) != _front_path()


## Whether a preview carries the command out and takes it back.
func _is_carried_out(step: Dictionary) -> bool:
	var command: String = step["command"]
	if Contract.READING.has(command):
		return true
	return Contract.SCENE.has(command) and not Contract.NO_UNDO.has(command) and not _saves(step)


## The path of the scene that the command acts on.
static func _scene_of(step: Dictionary) -> String:
	var params: Dictionary = step["params"]
	var named := Scenes.normalise(str(params.get("scene_path", "")))
	return named if named != "" and Contract.SCENE.has(step["command"]) else _front_path()


static func _front_path() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


func _note(answer: Dictionary) -> void:
	var step := steps[_at]
	var result := {"command": step.get("as", step["command"]), "ok": not Result.is_error(answer)}
	if result["ok"]:
		result["result"] = _plain(answer)
		if dry and answer.has("dry_run"):
			result["result"]["dry_run"] = true
	else:
		result.merge(answer[Result.ERROR_KEY] as Dictionary)
		if _failed_at < 0:
			_failed_at = _at
			_explain_preview(result)
	_results.append(result)
	_at += 1
	_cancelled = _context.pace.is_given_up(_at, steps.size()) or _cancelled


## A command that fails in a preview may find, in the real run, what one before it made: those that are only
## asked for a preview make nothing.
func _explain_preview(result: Dictionary) -> void:
	if not dry:
		return
	for i in _at:
		if _is_carried_out(steps[i]):
			continue
		result["hint"] = (
			"%s (commands[%d], %s, is only previewed: what it would make is not there yet)"
			% [result["hint"], i, steps[i].get("as", steps[i]["command"])]
		)
		return


## A result one part of which is JSON text already, as a whole dictionary.
static func _plain(answer: Dictionary) -> Dictionary:
	if not answer.has(Result.JSON_KEY):
		return answer
	var plain := Wire.read_exact("{%s}" % answer[Result.JSON_KEY])
	for key: String in answer:
		if key != Result.JSON_KEY:
			plain[key] = answer[key]
	return plain


static func _waits(command: String) -> Dictionary:
	return Result.fail(
		Result.VALIDATION,
		"%s waits, which an atomic batch and a preview cannot: call it by itself" % command,
		"commands"
	)


func _hand_over() -> void:
	if _context.undo_redo.is_gathering():
		_undo_steps += _context.undo_redo.histories().size()
		_context.undo_redo.hand_over(Context.History.PREFIX + ACTION)


func _end() -> Dictionary:
	var rolls_back := atomic and (_failed_at >= 0 or _cancelled)
	if (dry or rolls_back) and _context.undo_redo.is_gathering():
		if not rolls_back:
			_undo_steps += _context.undo_redo.histories().size()
		_context.undo_redo.take_back(0)
	_hand_over_rest()
	_context.scenes.stay = false
	if _cancelled:
		_answer = _cancelled_answer(rolls_back)
	else:
		_answer = _summary(rolls_back)
	return _bring_back() if rolls_back and not dry else _answer


## What is gathered by now is handed over; after taking back that is nothing.
func _hand_over_rest() -> void:
	if dry:
		_context.undo_redo.hand_over("")
	else:
		_hand_over()


## The tab that was in front before comes to the front again, which takes a frame.
func _bring_back() -> Dictionary:
	if _context.scenes.settling:
		return {}
	if _front == "" or _front == _front_path():
		return _answer
	_context.scenes.bring_to_front(_front)
	_front = ""
	return {}


func _cancelled_answer(rolled_back: bool) -> Dictionary:
	var kept := (
		"all was taken back" if rolled_back or dry else "godot-mcp undo takes back what was done"
	)
	return Result.fail(
		Result.TIMEOUT, "cancelled after %d of %d commands: %s" % [_at, steps.size(), kept]
	)


func _summary(rolled_back: bool) -> Dictionary:
	var answer := {
		"results": _results,
		"ok_all": _failed_at < 0,
		"count": _results.size(),
		"dry_run": dry,
	}
	if _failed_at >= 0:
		answer["aborted_at"] = _failed_at
		if _at < steps.size():
			answer["skipped_count"] = steps.size() - _at
	if rolled_back:
		answer["rolled_back"] = true
	answer.merge({"persisted": null, "undoable": false} if rolled_back else _verdict())
	var hint := _hint(rolled_back)
	if hint != "" and answer.has("hint"):
		hint += "; " + str(answer["hint"])
	if hint != "":
		answer["hint"] = hint
	return answer


## What the commands say of saving and undoing, taken together: one that is lost makes all of it not kept.
func _verdict() -> Dictionary:
	var verdict := {"persisted": null, "undoable": _undo_steps > 0}
	for i in _results.size():
		var told: Dictionary = _results[i].get("result", {})
		if not told.has("persisted"):
			continue
		if Contract.NO_UNDO.has(steps[i]["command"]):
			verdict["undoable"] = false
		if told["persisted"] == false:
			verdict["persisted"] = false
			verdict["reason"] = told.get("reason", "")
			verdict["hint"] = told.get("hint", "")
			return verdict
		if told["persisted"] != null:
			verdict["persisted"] = true
	return verdict


func _hint(rolled_back: bool) -> String:
	if rolled_back:
		return "commands[%d] failed, and all was taken back" % _failed_at
	if _failed_at >= 0 and _undo_steps > 0:
		return "commands[%d] failed, what the others did stays: godot-mcp undo" % _failed_at
	if _failed_at >= 0:
		return "commands[%d] failed" % _failed_at
	if _undo_steps > 1:
		return (
			"it made %d undo steps, one for each history and stretch: godot-mcp undo --count %d"
			% [_undo_steps, _undo_steps]
		)
	return ""
