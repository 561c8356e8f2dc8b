@tool
extends RefCounted
## What happens in the editor, gathered from its signals. Whoever listens gets each event once, in the order
## in which things happened.

signal happened(name: String, data: Dictionary)

const History := preload("history.gd")
const Scenes := preload("scenes.gd")

## Nodes named in one selection_changed; more are only counted.
const MAX_SELECTED := 100

var _plugin: EditorPlugin
var _history: History
var _open: Dictionary[String, bool] = {}
var _playing := false


func _init(plugin: EditorPlugin, history: History) -> void:
	_plugin = plugin
	_history = history
	for path in EditorInterface.get_open_scenes():
		_open[path] = true
	_playing = EditorInterface.is_playing_scene()
	plugin.scene_changed.connect(_on_scene_changed)
	plugin.scene_saved.connect(_on_scene_saved)
	plugin.scene_closed.connect(_on_scene_closed)
	history.stepped.connect(_on_stepped)
	EditorInterface.get_selection().selection_changed.connect(_on_selection_changed)
	EditorInterface.get_resource_filesystem().filesystem_changed.connect(_on_filesystem_changed)
	ProjectSettings.settings_changed.connect(_on_settings_changed)


func close() -> void:
	_plugin.scene_changed.disconnect(_on_scene_changed)
	_plugin.scene_saved.disconnect(_on_scene_saved)
	_plugin.scene_closed.disconnect(_on_scene_closed)
	_history.stepped.disconnect(_on_stepped)
	EditorInterface.get_selection().selection_changed.disconnect(_on_selection_changed)
	EditorInterface.get_resource_filesystem().filesystem_changed.disconnect(_on_filesystem_changed)
	ProjectSettings.settings_changed.disconnect(_on_settings_changed)
	happened.emit("editor_closing", {})


## Once a frame: no signal tells that the game was started or has ended.
func look() -> void:
	var playing := EditorInterface.is_playing_scene()
	if playing == _playing:
		return
	_playing = playing
	if playing:
		happened.emit("play_started", {"scene_path": EditorInterface.get_playing_scene()})
	else:
		happened.emit("play_stopped", {})


func _on_scene_changed(root: Node) -> void:
	_compare_open()
	happened.emit("scene_changed", {"scene_path": _path_of(root)})


func _on_scene_saved(path: String) -> void:
	happened.emit("scene_saved", {"scene_path": path})
	# A scene that is saved as another file has its new path a little later.
	_compare_open.call_deferred()


func _on_scene_closed(path: String) -> void:
	_open.erase(path)
	happened.emit("scene_closed", {"scene_path": path})


## No signal tells of a scene that was opened, nor of one that goes on as another file after save as.
func _compare_open() -> void:
	var now := EditorInterface.get_open_scenes()
	for path: String in _open.keys():
		if not now.has(path):
			_on_scene_closed(path)
	for path in now:
		if path != "" and not _open.has(path):
			_open[path] = true
			happened.emit("scene_opened", {"scene_path": path})


func _on_stepped(history: String, step: Dictionary) -> void:
	var data := {"history": history}
	data.merge(step)
	happened.emit("history_changed", data)


func _on_selection_changed() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	var paths: PackedStringArray = []
	for node: Node in nodes.slice(0, MAX_SELECTED):
		if root != null and (node == root or root.is_ancestor_of(node)):
			paths.append(Scenes.path_of(root, node))
	happened.emit(
		"selection_changed",
		{"scene_path": _path_of(root), "selected": paths, "count": nodes.size()}
	)


func _on_filesystem_changed() -> void:
	happened.emit("filesystem_changed", {})


func _on_settings_changed() -> void:
	happened.emit("settings_changed", {})


static func _path_of(root: Node) -> String:
	return root.scene_file_path if root != null else ""
