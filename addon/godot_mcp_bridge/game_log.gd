@tool
extends RefCounted
## What the last run of the game printed. Numbers go on from run to run, so that `since_seq` of an earlier run
## leaves out nothing of this one.

## Entries kept, and characters of each.
const MAX_ENTRIES := 5000
const MAX_TEXT := 8192

## Calls of ours are no part of a stack of the game's.
const OWN_FOLDER := "res://addons/godot_mcp_bridge/"

## Of the present run.
var total := 0

var _entries: Array[Dictionary] = []
var _last := 0
## The game's own number of the last entry.
var _last_of_game := 0


func keep() -> Dictionary:
	return {"entries": _entries, "last": _last, "total": total}


func take_back(kept: Dictionary) -> void:
	_entries.assign(kept.get("entries", []) as Array)
	_last = int(kept.get("last", 0))
	total = int(kept.get("total", 0))


func begin_run() -> void:
	_entries.clear()
	total = 0
	_last_of_game = 0


## Entries as game/log.gd sends them; `lost` are those before them that it could not keep.
func take(entries: Array, lost: int) -> void:
	_last += lost
	total += lost
	for entry: Dictionary in entries:
		_last_of_game = int(entry["n"])
		entry.erase("n")
		_add(entry)


## What a game that ended before its first frame has left in its file, as far as it has not been sent.
func take_file(path: String) -> void:
	var text := FileAccess.get_file_as_string(path)
	for line in text.split("\n", false):
		var entry: Variant = JSON.parse_string(line)
		if entry is Dictionary and int((entry as Dictionary).get("n", 0)) > _last_of_game:
			for name: String in ["time_ms", "line"]:
				if entry[name] != null:
					entry[name] = int(entry[name] as float)
			take([entry], 0)


## An error that stopped the game in the debugger.
func take_error(text: String, place: Dictionary, stack: PackedStringArray, time_ms: int) -> void:
	_add(
		{
			"kind": "error",
			"text": text.left(MAX_TEXT),
			"time_ms": time_ms,
			"script": place.get("file"),
			"line": place.get("line"),
			"stack": stack,
		}
	)


func _add(entry: Dictionary) -> void:
	_last += 1
	total += 1
	entry["seq"] = _last
	_entries.append(entry)
	if _entries.size() > MAX_ENTRIES + MAX_ENTRIES / 10:
		_entries = _entries.slice(_entries.size() - MAX_ENTRIES)


## {entries, next_seq, total, dropped}: those later than the number.
func read(since: int) -> Dictionary:
	var found: Array[Dictionary] = []
	for entry in _entries:
		if int(entry["seq"]) > since:
			found.append(entry)
	var first := _last - total + 1
	return {
		"entries": found,
		"next_seq": _last,
		"total": total,
		"dropped": maxi(_last - maxi(since, first - 1), 0) - found.size(),
	}


## The errors among them, at most the first of them.
func errors(most: int) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for entry in _entries:
		if entry["kind"] == "error" and found.size() < most:
			found.append(entry)
	return found
