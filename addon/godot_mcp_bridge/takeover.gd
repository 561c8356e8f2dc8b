@tool
extends RefCounted
## Puts the addon's files as they are on the disk now in the place of the running ones, while the editor
## stays open. The plugin's node stays too and gets the new script: switching a plugin off and on makes the
## engine write the whole of project.godot anew, and it would read the old scripts from its cache.
##
## The running scripts are moved to another path in the engine's cache, so that the true paths are read
## afresh. Undo steps that hold objects of the old scripts keep them alive, and keep working.

const FOLDER := "res://addons/godot_mcp_bridge"
const PLUGIN := FOLDER + "/plugin.gd"

var _plugin: EditorPlugin
var _old: Script
var _fresh: Script
## The true path by where the script is now.
var _moved: Dictionary[GDScript, String] = {}


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin
	_old = plugin.get_script()


## Reads the new scripts. Returns why they cannot take over, "" when they can; then nothing has changed yet
## but the paths of the running ones.
func prepare() -> String:
	for script in EditorInterface.get_script_editor().get_open_scripts():
		if script.resource_path.begins_with(FOLDER + "/"):
			return "%s is open in the script editor" % script.resource_path
	if not FileAccess.file_exists(PLUGIN):
		return "%s is not there" % PLUGIN
	_move_away(FOLDER)
	_fresh = ResourceLoader.load(PLUGIN) as Script
	if _is_sound():
		return ""
	_move_back()
	return "the addon's files on the disk cannot take over"


## Called when no function of the plugin is at work: its script goes.
func swap() -> void:
	var kept: Dictionary = _plugin.call("hand_over")
	_plugin.set_script(_fresh)
	if _plugin.call("take_over", kept) == true:
		return
	push_error(
		"godot-mcp: the new addon did not start, the old one goes on until the editor restarts"
	)
	_plugin.set_script(_old)
	_plugin.call("take_over", kept)


func _is_sound() -> bool:
	if _fresh == null or _fresh == _old or not _fresh.can_instantiate():
		return false
	# The engine may well load a script whose parts it could not.
	for path: String in _moved.values():
		if ResourceLoader.has_cached(path) and not (load(path) as Script).can_instantiate():
			return false
	for method in _fresh.get_script_method_list():
		if method["name"] == "take_over":
			return true
	return false


func _move_away(folder: String) -> void:
	for file in DirAccess.get_files_at(folder):
		var path := folder.path_join(file)
		if path.get_extension() == "gd" and ResourceLoader.has_cached(path):
			_moved[ResourceLoader.load(path) as GDScript] = path
	for inner in DirAccess.get_directories_at(folder):
		_move_away(folder.path_join(inner))
	if folder != FOLDER:
		return
	for script in _moved:
		script.resource_path = "%s.%d" % [_moved[script], Time.get_ticks_usec()]


func _move_back() -> void:
	_fresh = null
	for script in _moved:
		var path := _moved[script]
		if ResourceLoader.has_cached(path):
			# What was read of the new ones must not be found in the place of the old.
			ResourceLoader.load(path).resource_path = "%s.%d" % [path, Time.get_ticks_usec()]
		script.resource_path = path
	_moved.clear()
