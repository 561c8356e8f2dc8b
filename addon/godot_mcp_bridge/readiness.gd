@tool
extends RefCounted
## Whether the editor can take a command now, and if not, what is going on.
##
## Reading is safe at all times but before the first scan, when the editor has not opened its scenes yet.
## Scanning later on is done beside and disturbs nothing. While resources are imported the engine pumps
## frames inside its own work, and a dialog keeps what it will do when it is answered: for another tab, or
## for a scene that is no longer the one in front. What changes something waits for both.

const Contract := preload("contract.gd")
const Result := preload("result.gd")
const Scenes := preload("scenes.gd")

## Commands about the editor itself, which are how one waits for it.
const ALWAYS: Array[String] = [
	"get-server-info",
	"health-check",
	"editor.status",
	"editor.wait",
	"editor.log",
	"editor.stop",
	"addon.retire",
	"addon.reload",
	"editor.keep",
]
const MAX_WORDS := 200


## The answer that refuses the command, empty when it can be carried out.
static func problem(command: String, importing: PackedStringArray) -> Dictionary:
	if ALWAYS.has(command):
		return {}
	if not Scenes.is_scanned():
		return _not_ready(
			"the editor looks through the project for the first time and has not opened its scenes yet"
		)
	if Contract.READING.has(command):
		return {}
	if not importing.is_empty():
		return _not_ready(
			(
				"the editor imports %d files (%s)"
				% [importing.size(), ", ".join(importing.slice(0, 3))]
			)
		)
	# In a headless editor nobody will ever answer, so a dialog will never act either.
	if DisplayServer.get_name() == "headless":
		return {}
	var waiting := dialogs()
	if waiting.is_empty():
		return {}
	return _not_ready(
		(
			"the editor shows a dialog that a person must answer first: %s; reading still works"
			% "; ".join(waiting)
		)
	)


static func _not_ready(what: String) -> Dictionary:
	return Result.fail(
		Result.PRECONDITION, what + "; nothing was changed: godot-mcp editor wait", "editor_ready"
	)


## The windows that hold up the rest of the editor until a person answers: "title: text".
static func dialogs() -> PackedStringArray:
	var out: PackedStringArray = []
	for window in open_windows():
		if window.visible and window.exclusive:
			out.append(_words_of(window))
	return out


## Windows of the system's own, and those that are drawn inside the main one.
static func open_windows() -> Array[Window]:
	var main := EditorInterface.get_base_control().get_window()
	var out: Array[Window] = main.get_embedded_subwindows()
	for id in DisplayServer.get_window_list():
		var window := instance_from_id(DisplayServer.window_get_attached_instance_id(id)) as Window
		if window != null and window != main:
			out.append(window)
	return out


static func _words_of(window: Window) -> String:
	var text := window.title
	var dialog := window as AcceptDialog
	if dialog != null and dialog.dialog_text != "":
		text += ": " + dialog.dialog_text
	text = text.replace("\n", " ").strip_edges()
	return text.left(MAX_WORDS) if text != "" else window.get_class()
