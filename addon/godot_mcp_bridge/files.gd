@tool
extends RefCounted
## Files made by tools, as undo steps of the global history. Undo takes the file out and keeps its bytes
## as they are then, so that a redo brings back what was there, not what once was written.

var _kept: Dictionary[String, PackedByteArray] = {}


## Adds the making of this file, which is already there, to the open action.
func add_created(undo_redo: EditorUndoRedoManager, path: String) -> void:
	undo_redo.add_do_method(self, "put_back", path)
	undo_redo.add_undo_method(self, "take_out", path)


func take_out(path: String) -> void:
	_kept[path] = FileAccess.get_file_as_bytes(path)
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	EditorInterface.get_resource_filesystem().update_file(path)


func put_back(path: String) -> void:
	if not _kept.has(path):
		return
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		push_error("godot-mcp: cannot write %s again" % path)
		return
	file.store_buffer(_kept[path])
	file.close()
	_kept.erase(path)
	EditorInterface.get_resource_filesystem().update_file(path)
