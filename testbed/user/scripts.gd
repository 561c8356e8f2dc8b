@tool
extends RefCounted
## What the person does in the script editor, and what is seen there.


## False for an order that has nothing to do with scripts.
static func carry_out(what: String, text: String) -> bool:
	match what:
		"type":
			_current().insert_text_at_caret(text)
		"take back":
			_current().undo()
		"look up":
			# What the editor does when the person comes back to its window.
			EditorInterface.get_script_editor().notification(Node.NOTIFICATION_APPLICATION_FOCUS_IN)
		"print":
			print(text)
		"print elsewhere":
			var thread := Thread.new()
			thread.start(printerr.bind(text))
			thread.wait_to_finish()
		"print much":
			for i in text.to_int():
				print("line %d" % i)
		"warn":
			push_warning(text)
		"fail":
			push_error(text)
		_:
			return false
	return true


static func report() -> Dictionary:
	var edit := _current()
	var dialogs: PackedStringArray = []
	for node: Node in EditorInterface.get_script_editor().find_children(
		"*", "AcceptDialog", true, false
	):
		if (node as Window).visible:
			dialogs.append((node as Window).title)
	return {
		"text": edit.text if edit != null else "",
		"unsaved": edit != null and edit.get_version() != edit.get_saved_version(),
		"dialogs": dialogs,
	}


static func _current() -> CodeEdit:
	var editor := EditorInterface.get_script_editor().get_current_editor()
	return editor.get_base_editor() as CodeEdit if editor != null else null
