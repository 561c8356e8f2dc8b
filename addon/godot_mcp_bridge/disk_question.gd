@tool
extends RefCounted
## Spares the person the editor's question about files that were modified outside it, where that is about open
## scenes whose files tools wrote: the tabs were read from what is in them, and either answer could cost edits
## made since.
##
## The engine takes each file that is newer than its tab for the work of another program, lists them in a dialog
## (EditorNode._scan_external_changes) and shows that a little later. A window that leaves the tree while it is
## about to be shown is not shown.

const History := preload("history.gd")

## What one of the answers does. The dialog is found by it: its title is translated.
const ANSWER := "_reload_modified_scenes"

var _history: History
var _dialog: Window


func _init(history: History) -> void:
	_history = history
	_dialog = _find()
	if _dialog != null:
		_dialog.about_to_popup.connect(_on_about_to_popup)


func close() -> void:
	if is_instance_valid(_dialog):
		_dialog.about_to_popup.disconnect(_on_about_to_popup)


static func _find() -> Window:
	for child in EditorInterface.get_base_control().get_children():
		if not child is ConfirmationDialog:
			continue
		for connection in child.get_signal_connection_list("confirmed"):
			if str(connection["callable"]).ends_with(ANSWER):
				return child as Window
	return null


func _on_about_to_popup() -> void:
	var names := _listed()
	if names.is_empty() or not Array(names).all(_is_needless):
		return
	var parent := _dialog.get_parent()
	parent.remove_child(_dialog)
	_bring_back.call_deferred(_dialog, parent)


static func _bring_back(dialog: Window, parent: Node) -> void:
	dialog.hide()
	parent.add_child(dialog)


## The names of the files, without their folders.
func _listed() -> PackedStringArray:
	var names: PackedStringArray = []
	for found: Node in _dialog.find_children("*", "Tree", true, false):
		var tree := found as Tree
		if tree.get_root() != null:
			for item in tree.get_root().get_children():
				names.append(item.get_text(0))
	return names


## False when it may be the name of a scene that somebody else changed, or of another file.
func _is_needless(name: String) -> bool:
	var is_scene := false
	for path in EditorInterface.get_open_scenes():
		if path.get_file() == name:
			is_scene = true
			if _history.is_changed_outside(path):
				return false
	return is_scene
