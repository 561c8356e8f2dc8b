@tool
extends RefCounted
## The life of an editor that a client started by itself (--autostart): it ends when no command came for a
## while, and it makes way for an editor that a person opened on the same project. Never with unsaved work.

const Context := preload("context.gd")
const Discovery := preload("discovery.gd")

## Set by the client in the editor's process: seconds without a command after which the editor ends.
const VARIABLE := "GODOT_MCP_AUTOSTARTED"
const STARTED_BY := "autostart"
const LOOK_USEC := 500000
## A neighbour that has not answered after so many looks is asked anew.
const PATIENCE := 10

var _context: Context
var _idle_usec := 0
var _next_look_usec := 0
## The bridge file of the person's editor, once that has answered.
var _neighbour := ""
var _knock: WebSocketPeer = null
var _knock_file := ""
var _knock_looks := 0
## Files whose editor did not answer; asked again when all others were.
var _refused: PackedStringArray = []
var _told: PackedStringArray = []


func _init(context: Context) -> void:
	_context = context
	_idle_usec = int(OS.get_environment(VARIABLE).to_float() * 1e6)


static func is_on() -> bool:
	return OS.get_environment(VARIABLE).to_float() > 0.0


## Why the editor should end now, "" when it should not. `quiet_usec` is how long no command came.
func reason_to_end(now: int, quiet_usec: int) -> String:
	if now < _next_look_usec:
		return ""
	_next_look_usec = now + LOOK_USEC
	_look_for_neighbour()
	if _neighbour != "":
		return "another editor was opened for the project"
	if quiet_usec >= _idle_usec:
		return "no command came for %d s" % (quiet_usec / 1000000)
	return ""


func has_neighbour() -> bool:
	return _neighbour != ""


## True once for each list of files: says in the log why the editor stays.
func tell_unsaved(why: String, unsaved: PackedStringArray) -> bool:
	if unsaved == _told:
		return false
	_told = unsaved
	if not unsaved.is_empty():
		print(
			(
				(
					"godot-mcp: %s, but there is unsaved work in %s, so this editor stays: "
					+ "godot-mcp editor stop --editor %d --save, or --confirm to lose it"
				)
				% [why, ", ".join(unsaved), OS.get_process_id()]
			)
		)
	return true


func _look_for_neighbour() -> void:
	if _neighbour != "" and not FileAccess.file_exists(_neighbour):
		_neighbour = ""
		_told = []
	if _neighbour != "":
		return
	if _knock != null:
		_wait_for_answer()
		return
	var folder := Discovery.folder()
	for name in DirAccess.get_files_at(folder):
		var file := folder.path_join(name)
		if name.get_extension() != "json" or name == "%d.json" % OS.get_process_id():
			continue
		if not _refused.has(file) and _ask(file):
			return
	_refused.clear()


## Begins a handshake with the editor of a bridge file: only the one that wrote it takes the token.
func _ask(file: String) -> bool:
	var text := FileAccess.get_file_as_string(file)
	var data: Variant = JSON.parse_string(text) if text != "" else null
	if not data is Dictionary:
		return false
	var fields: Dictionary = data
	if str(fields.get("started_by", "")) == STARTED_BY or not fields.has("token"):
		return false
	_knock = WebSocketPeer.new()
	_knock.supported_protocols = PackedStringArray([str(fields["token"])])
	_knock_file = file
	_knock_looks = 0
	if _knock.connect_to_url("ws://127.0.0.1:%d/" % int(fields.get("port", 0))) != OK:
		_knock = null
	return _knock != null


func _wait_for_answer() -> void:
	_knock.poll()
	_knock_looks += 1
	match _knock.get_ready_state():
		WebSocketPeer.STATE_OPEN:
			_neighbour = _knock_file
			_told = []
			_knock.close()
			_knock.poll()
			_knock = null
		WebSocketPeer.STATE_CLOSED:
			_give_up()
		_:
			if _knock_looks > PATIENCE:
				_give_up()


func _give_up() -> void:
	_refused.append(_knock_file)
	_knock = null
