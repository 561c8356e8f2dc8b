@tool
extends EditorPlugin
## Stands for the person at the editor. The tests write one order into a file; it is carried out as a
## person's own doing, not through the bridge, and answered in a second file.

const Scripts := preload("scripts.gd")

const ORDER := "res://.godot/user/order.json"
const ANSWER := "res://.godot/user/answer.json"

var _dialog: AcceptDialog = null
## What the shader editor showed when it was last looked at.
var _shader: String = ""


func _process(_delta: float) -> void:
	if not FileAccess.file_exists(ORDER):
		return
	var order: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(ORDER))
	DirAccess.remove_absolute(ORDER)
	# Behind what the engine has put off, as a person's click would be.
	_serve.call_deferred(order)


func _serve(order: Dictionary) -> void:
	_carry_out(order)
	_report.call_deferred()


func _report() -> void:
	var root := EditorInterface.get_edited_scene_root()
	_answer(
		{
			"active": root.scene_file_path if root != null else "",
			"description": root.editor_description if root != null else "",
			"open": EditorInterface.get_open_scenes(),
			"roots": EditorInterface.get_open_scene_roots().size(),
			"sleep_usec": OS.low_processor_usage_mode_sleep_usec,
			"script": Scripts.report(),
			"shader": _shader,
		}
	)


func _carry_out(order: Dictionary) -> void:
	var text := str(order.get("text", ""))
	if Scripts.carry_out(order["do"] as String, text):
		return
	match order["do"]:
		"look":
			pass
		"step":
			_step(EditorInterface.get_edited_scene_root(), "Move Node", text)
		"global step":
			_step(self, "Change Setting", text)
		"key":
			_press(text)
		"unowned":
			# As a tool script adds one: in the tree, and in no file.
			var loose := Node.new()
			loose.name = text
			EditorInterface.get_edited_scene_root().add_child(loose)
		"tab":
			EditorInterface.open_scene_from_path(text)
		"close":
			EditorInterface.close_scene()
		"new":
			EditorInterface.add_root_node(Node2D.new())
		"save":
			EditorInterface.save_scene()
		"named step":
			_step(EditorInterface.get_edited_scene_root(), text, "named")
		"select":
			EditorInterface.get_selection().clear()
			EditorInterface.get_selection().add_node(
				EditorInterface.get_edited_scene_root().get_node(text)
			)
		"play":
			EditorInterface.play_custom_scene(text)
		"stop":
			EditorInterface.stop_playing_scene()
		"edit script":
			EditorInterface.edit_script(load(text) as Script)
		"come back":
			var main := EditorInterface.get_base_control().get_parent()
			main.notification(Node.NOTIFICATION_APPLICATION_FOCUS_IN)
		"edit":
			EditorInterface.edit_resource(load(text))
		"look at shader":
			_shader = ""
			for edit in _shader_edits():
				_shader = edit.text
		"type in shader":
			for edit in _shader_edits():
				edit.insert_text_at_caret(text)
		"take all back":
			for found: Node in EditorInterface.get_base_control().find_children(
				"*", "CodeEdit", true, false
			):
				var edit := found as CodeEdit
				while edit.has_undo() and edit.get_version() != edit.get_saved_version():
					edit.undo()
		"reload by itself":
			# Whether the editor reads texts again that another program changed, or asks.
			EditorInterface.get_editor_settings().set_setting(
				"text_editor/behavior/files/auto_reload_scripts_on_external_change", text == "true"
			)
		"focus":
			# What the engine does when the window is the one in front again.
			get_tree().notification(NOTIFICATION_APPLICATION_FOCUS_IN)
		"turn away":
			# The editor's own questions, unanswered.
			for window in EditorInterface.get_base_control().find_children(
				"*", "Window", true, false
			):
				if (window as Window).visible and (window as Window).exclusive:
					(window as Window).hide()
		"save settings":
			ProjectSettings.save()
		"import begins":
			# What the engine tells of an import; a real one is over before a test could call.
			EditorInterface.get_resource_filesystem().resources_reimporting.emit([text])
		"import ends":
			EditorInterface.get_resource_filesystem().resources_reimported.emit([text])
		"screen":
			EditorInterface.set_main_screen_editor(text)
		"dialog":
			_ask(text)
		"answer":
			_dialog.queue_free()
		"scan":
			EditorInterface.get_resource_filesystem().scan()


## Those of the tab in front.
func _shader_edits() -> Array[CodeEdit]:
	var out: Array[CodeEdit] = []
	for found: Node in EditorInterface.get_base_control().find_children(
		"*", "TextShaderEditor", true, false
	):
		if (found as Control).visible:
			for edit: Node in found.find_children("*", "CodeEdit", true, false):
				out.append(edit as CodeEdit)
	return out


## A question that holds up the rest of the editor, as the editor's own ones do.
func _ask(text: String) -> void:
	_dialog = ConfirmationDialog.new()
	_dialog.title = "A question"
	_dialog.dialog_text = text
	EditorInterface.get_base_control().add_child(_dialog)
	_dialog.popup_centered()


## One undo step as the editor's own docks make them. A plugin is no part of a scene: its steps are global.
func _step(target: Node, action: String, text: String) -> void:
	var undo_redo := get_undo_redo()
	undo_redo.create_action(action, UndoRedo.MERGE_DISABLE, target)
	undo_redo.add_do_property(target, "editor_description", text)
	undo_redo.add_undo_property(target, "editor_description", target.editor_description)
	undo_redo.commit_action()


## "Z" is Ctrl+Z, "Y" is Ctrl+Shift+Z.
func _press(key: String) -> void:
	# The screen of a game that plays keeps the keys for itself.
	EditorInterface.set_main_screen_editor("2D")
	var event := InputEventKey.new()
	event.keycode = KEY_Z
	event.physical_keycode = KEY_Z
	event.ctrl_pressed = true
	event.shift_pressed = key == "Y"
	event.pressed = true
	EditorInterface.get_base_control().get_viewport().push_input(event)


func _answer(answer: Dictionary) -> void:
	var beside := ANSWER + ".new"
	var file := FileAccess.open(beside, FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	file.close()
	DirAccess.rename_absolute(beside, ANSWER)
