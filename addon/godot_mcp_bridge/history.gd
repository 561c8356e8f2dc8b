@tool
extends RefCounted
## The books that the engine does not keep for us: which history has the youngest step, whether a tool or
## the user made it, and whether a scene differs from its file.
##
## A step is known by its history and the version that it made. Undo and redo go through the editor's own
## menu items, since an UndoRedo that is undone behind EditorUndoRedoManager's back puts the user's next
## Ctrl+Z one step off.

## A step was made, undone or redone: {action, by, change}.
signal stepped(history: String, step: Dictionary)

const Dependencies := preload("dependencies.gd")
const LoadLosses := preload("load_losses.gd")
const Writable := preload("writable.gd")

const GLOBAL := 0
## Steps counted at most.
const MAX_DEPTH := 10000
const PREFIX := "godot-mcp: "

## Where the editor's own undo and redo are, by the name of their shortcut: [menu, index]. Looked for once: the
## editor's own tree has some ten thousand nodes.
static var _items: Dictionary[String, Array] = {}

## Counts the commands of clients: those inside one need not look at the files again.
var turn := 0

var _undo_redo: EditorUndoRedoManager
## History id by scene path; paths of scenes that were looked at since the addon started.
var _ids: Dictionary[String, int] = {}
var _saved: Dictionary[int, int] = {}
var _seen: Dictionary[int, int] = {}
## Order of arrival by "history:version".
var _order: Dictionary[String, int] = {}
## Fingerprints of scene files as the editor last read or wrote them: {md5, time, sure}.
var _prints: Dictionary[String, Dictionary] = {}
## Scenes that the engine took for saved and whose file it did not write. Its own mark is gone then.
var _unwritten: Dictionary[String, bool] = {}
var _losses: Dictionary[String, LoadLosses] = {}
var _clock := 0
var _expected := ""
var _written := ""


func _init(undo_redo: EditorUndoRedoManager) -> void:
	_undo_redo = undo_redo
	_undo_redo.history_changed.connect(_on_history_changed)
	_undo_redo.version_changed.connect(_on_version_changed)
	_seen[GLOBAL] = _version(GLOBAL)
	for root: Node in EditorInterface.get_open_scene_roots():
		if root.scene_file_path != "":
			_note_read(root)


func close() -> void:
	_undo_redo.history_changed.disconnect(_on_history_changed)
	_undo_redo.version_changed.disconnect(_on_version_changed)


## The books for another version of the addon, in plain values.
func keep() -> Dictionary:
	var losses := {}
	for path in _losses:
		losses[path] = [_losses[path].connections, _losses[path].moved, _losses[path].present]
	return {
		"ids": _ids,
		"saved": _saved,
		"seen": _seen,
		"order": _order,
		"prints": _prints,
		"unwritten": _unwritten,
		"losses": losses,
		"clock": _clock,
	}


func take_back(kept: Dictionary) -> void:
	_ids.assign(kept.get("ids", {}) as Dictionary)
	_saved.assign(kept.get("saved", {}) as Dictionary)
	_seen.merge(kept.get("seen", {}) as Dictionary, true)
	_order.assign(kept.get("order", {}) as Dictionary)
	_prints.assign(kept.get("prints", {}) as Dictionary)
	_unwritten.assign(kept.get("unwritten", {}) as Dictionary)
	_clock = int(kept.get("clock", 0))
	var losses: Dictionary = kept.get("losses", {})
	for path: String in losses:
		var known := LoadLosses.new()
		known.connections.assign(losses[path][0] as Array)
		known.moved.assign(losses[path][1] as Array)
		if (losses[path] as Array).size() > 2:
			known.present = losses[path][2]
		_losses[path] = known


## Called when a scene becomes the edited one.
func note_scene(root: Node) -> void:
	if root == null:
		return
	var id := _undo_redo.get_object_history_id(root)
	if root.scene_file_path != "":
		# A scene that was saved as another file keeps its history.
		var before: Variant = _ids.find_key(id)
		if before is String and before != root.scene_file_path:
			_forget(before as String)
		_ids[root.scene_file_path] = id
		if not _prints.has(root.scene_file_path):
			_note_read(root)
		if _unwritten.has(root.scene_file_path):
			EditorInterface.mark_scene_as_unsaved()
	if not _seen.has(id):
		_seen[id] = _version(id)
		_saved[id] = _version(id)


## The engine says that it saved this scene, which it also does when it could not put the file in its place.
func note_saved(path: String) -> void:
	if _looks_written(path):
		note_written(path)
		return
	_unwritten[path] = true
	_mark_again.call_deferred(path)


func note_written(path: String) -> void:
	_prints[path] = _print_of(path)
	if _losses.has(path):
		_losses[path].present = Dependencies.present_of(path)
	_unwritten.erase(path)
	if path == _expected:
		_written = path
	if _ids.has(path):
		_saved[_ids[path]] = _version(_ids[path])
		return
	var root := EditorInterface.get_edited_scene_root()
	if root != null and root.scene_file_path == path:
		note_scene(root)
		_saved[_ids[path]] = _version(_ids[path])


## Every save writes the whole file: other bytes, or at least a newer time. Soon after the last write the
## time does not tell, but whether the file can be written does.
func _looks_written(path: String) -> bool:
	if not FileAccess.file_exists(path):
		return false
	if not _prints.has(path):
		return true
	var now := _print_of(path)
	if not _is_same(now, _prints[path]):
		return true
	return not now["sure"] and Writable.problem(path, false) == ""


static func _is_same(one: Dictionary, other: Dictionary) -> bool:
	return one["md5"] == other["md5"] and one["time"] == other["time"]


## A scene behind another tab gets its mark when it comes to the front: the engine marks no other.
func _mark_again(path: String) -> void:
	var root := EditorInterface.get_edited_scene_root()
	if _unwritten.has(path) and root != null and root.scene_file_path == path:
		EditorInterface.mark_scene_as_unsaved()


func _note_read(root: Node) -> void:
	_prints[root.scene_file_path] = _print_of(root.scene_file_path)
	var losses := LoadLosses.new()
	losses.judge(root)
	_losses[root.scene_file_path] = losses


## What the engine did not take over from the file when it read the scene; null when the scene was not seen.
func losses_of(path: String) -> LoadLosses:
	return _losses.get(path)


func _forget(path: String) -> void:
	_ids.erase(path)
	_prints.erase(path)
	_unwritten.erase(path)
	_losses.erase(path)


func note_closed(path: String) -> void:
	if not _ids.has(path):
		return
	var id := _ids[path]
	_forget(path)
	_saved.erase(id)
	_seen.erase(id)


## The scene's file has another path now and the same content; or, with the same path, other paths in its text,
## which the open scene has too.
func note_moved(path: String, new_path: String) -> void:
	if path != new_path:
		for book: Dictionary in [_ids, _prints, _unwritten, _losses]:
			if book.has(path):
				book[new_path] = book[path]
				book.erase(path)
		return
	if _prints.has(path):
		_prints[path] = _print_of(path)
	if _losses.has(path):
		_losses[path].present = Dependencies.present_of(path)


## After a reload the scene has a new history or an emptied one, and equals its file.
func note_reloaded(path: String, root: Node) -> void:
	_unwritten.erase(path)
	_note_read(root)
	var id: int = _ids.get(path, -1)
	if root == EditorInterface.get_edited_scene_root():
		id = _undo_redo.get_object_history_id(root)
		_ids[path] = id
	if id >= 0:
		_seen[id] = _version(id)
		_saved[id] = _version(id)


## True when the scene's file is not what the editor last read or wrote.
func is_changed_outside(path: String) -> bool:
	if not _prints.has(path) or not FileAccess.file_exists(path):
		return false
	var now := _print_of(path)
	if now["md5"] != _prints[path]["md5"]:
		return true
	_prints[path] = now
	return false


## The look of every call: reads the file only when its time does not tell.
func looks_changed_outside(path: String) -> bool:
	if not _prints.has(path):
		return false
	var known := _prints[path]
	if known.get("looked") == turn:
		return false
	if known["sure"] and known["time"] == FileAccess.get_modified_time(path):
		known["looked"] = turn
		return false
	if is_changed_outside(path):
		return true
	_prints[path]["looked"] = turn
	return false


## Times are in whole seconds, on some file systems in even ones: a change soon after the last look does not
## show in them.
static func _print_of(path: String) -> Dictionary:
	if not FileAccess.file_exists(path):
		return {"md5": "", "time": 0, "sure": false}
	var time := FileAccess.get_modified_time(path)
	return {
		"md5": FileAccess.get_md5(path),
		"time": time,
		"sure": Time.get_unix_time_from_system() >= time + 2,
	}


## Remembers that a save of this scene is under way, so that was_saved() can tell whether it happened.
func expect_save(path: String) -> void:
	_written = ""
	_expected = path


func was_saved(path: String) -> bool:
	return _written == path


## True when the books say that the scene has steps beyond its last save.
func is_ahead_of_file(path: String) -> bool:
	if _unwritten.has(path):
		return true
	if not _ids.has(path):
		return false
	var id := _ids[path]
	return _saved.get(id, _version(id)) != _version(id)


## The steps that undo would take next, youngest first: {history, name, by}.
## Of the scene in front, or of the one named.
func plan_undo(count: int, path: String = "") -> Array[Dictionary]:
	return _plan(count, -1, path)


func plan_redo(count: int, path: String = "") -> Array[Dictionary]:
	return _plan(count, 1, path)


## One step through the editor's own menu. Returns the step taken, or an empty dictionary when the editor
## took none (it refuses while a mouse button is down).
func press(item: String) -> Dictionary:
	var before := {GLOBAL: _version(GLOBAL)}
	var id := _scene_id()
	before[id] = _version(id)
	var forward := item == "Redo"
	if not _press_menu(item):
		return {}
	for history: int in before:
		if _version(history) == before[history]:
			continue
		_seen[history] = _version(history)
		return _step(history, before[history] as int, 1 if forward else 0)
	return {}


func label(id: int) -> String:
	if id == GLOBAL:
		return "global"
	for path in _ids:
		if _ids[path] == id:
			return path
	return "unsaved scene"


func _scene_id() -> int:
	var root := EditorInterface.get_edited_scene_root()
	return _undo_redo.get_object_history_id(root) if root != null else GLOBAL


func _plan(count: int, direction: int, path: String = "") -> Array[Dictionary]:
	var cursors := {GLOBAL: _version(GLOBAL)}
	# The engine tells the history of the scene in front only.
	var scene: int = _ids.get(path, GLOBAL) if path != "" else _scene_id()
	cursors[scene] = _version(scene)
	var steps: Array[Dictionary] = []
	while steps.size() < count:
		var best := -1
		var best_order := 0
		for id: int in cursors:
			var version := (cursors[id] as int) + (1 if direction > 0 else 0)
			if _name_at(id, version) == "":
				continue
			var order: int = _order.get("%d:%d" % [id, version], 0)
			# Undo takes the youngest, redo the oldest, as the editor does.
			if best < 0 or (order - best_order) * -direction > 0:
				best = id
				best_order = order
		if best < 0:
			break
		steps.append(_step(best, cursors[best] as int, 1 if direction > 0 else 0))
		cursors[best] = (cursors[best] as int) + direction
	return steps


func _step(id: int, version: int, offset: int) -> Dictionary:
	var name := _name_at(id, version + offset)
	return {
		"history": label(id),
		"name": name.trim_prefix(PREFIX),
		"by": "tool" if name.begins_with(PREFIX) else "user",
	}


## The name of the action that made this version, "" when there is none.
func _name_at(id: int, version: int) -> String:
	var history := _undo_redo.get_history_undo_redo(id)
	if history == null:
		return ""
	var index := history.get_current_action() + version - history.get_version()
	if index < 0 or index >= history.get_history_count():
		return ""
	return history.get_action_name(index)


func _version(id: int) -> int:
	var history := _undo_redo.get_history_undo_redo(id)
	return history.get_version() if history != null else 0


## A step was made, or a history was emptied.
func _on_history_changed() -> void:
	for id: int in [GLOBAL, _scene_id()]:
		var version := _version(id)
		var last: int = _seen.get(id, version)
		_seen[id] = version
		if version <= last:
			continue
		_remember("%d:%d" % [id, version])
		_tell(id, version, "do")


## Steps that are older than any that is counted need no place in the order.
func _remember(step: String) -> void:
	_clock += 1
	_order[step] = _clock
	if _order.size() <= 2 * MAX_DEPTH:
		return
	for known: String in _order.keys():
		if _order[known] <= _clock - MAX_DEPTH:
			_order.erase(known)


## Undo or redo, by the user's hand or through press().
func _on_version_changed() -> void:
	for id: int in [GLOBAL, _scene_id()]:
		var version := _version(id)
		var last: int = _seen.get(id, version)
		_seen[id] = version
		if version < last:
			_tell(id, last, "undo")
		elif version > last:
			_tell(id, version, "redo")


func _tell(id: int, version: int, change: String) -> void:
	var step := _step(id, version, 0)
	stepped.emit(label(id), {"action": step["name"], "by": step["by"], "change": change})


static func _press_menu(item: String) -> bool:
	if not _is_item(item):
		_find_item(item)
	if not _is_item(item):
		return false
	var menu: PopupMenu = _items[item][0]
	menu.id_pressed.emit(menu.get_item_id(_items[item][1] as int))
	return true


static func _is_item(item: String) -> bool:
	var found: Array = _items.get(item, [])
	if found.is_empty() or not is_instance_valid(found[0]):
		return false
	var menu: PopupMenu = found[0]
	return (found[1] as int) < menu.item_count and _is_named(menu, found[1] as int, item)


## The shortcut's resource name is not translated, the item's text is.
static func _is_named(menu: PopupMenu, index: int, item: String) -> bool:
	var shortcut := menu.get_item_shortcut(index)
	return shortcut != null and shortcut.resource_name == item


static func _find_item(item: String) -> void:
	for bar: Node in EditorInterface.get_base_control().find_children("*", "MenuBar", true, false):
		for child in bar.get_children():
			var menu := child as PopupMenu
			if menu == null:
				continue
			for i in menu.item_count:
				if _is_named(menu, i, item):
					_items[item] = [menu, i]
					return


func current() -> Dictionary:
	return {
		"version": _version(_scene_id()),
		"has_undo": not _plan(1, -1).is_empty(),
		"has_redo": not _plan(1, 1).is_empty(),
		"depth": _plan(MAX_DEPTH, -1).size(),
	}
