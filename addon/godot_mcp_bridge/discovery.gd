@tool
extends RefCounted
## The two files by which clients find this editor. Written beside their place and renamed, so that a
## reader never sees half a file; private, since one of them holds the token.

const Contract := preload("contract.gd")

const FOLDER_MODE := 448  # 0700
const FILE_MODE := 384  # 0600

var _fields: Dictionary = {}
var _bridge_file := ""
var _registry_file := ""


func publish(port: int, token: String, started_by: String) -> void:
	var project := ProjectSettings.globalize_path("res://").trim_suffix("/")
	var file_name := "%d.json" % OS.get_process_id()
	_bridge_file = ProjectSettings.globalize_path(folder().path_join(file_name))
	_fields = {
		"port": port,
		"token": token,
		"pid": OS.get_process_id(),
		"started": int(Time.get_unix_time_from_system()),
		"project_path": project,
		"godot_version": godot_version(),
		"addon_version": Contract.ADDON_VERSION,
		"contract_version": Contract.CONTRACT_VERSION,
		"headless": DisplayServer.get_name() == "headless",
	}
	if display() == "virtual":
		_fields["display"] = "virtual"
	if started_by != "":
		_fields["started_by"] = started_by
	_write_private(_bridge_file, _fields)
	# Who started this process need not wait for it any more.
	DirAccess.remove_absolute(ProjectSettings.globalize_path(folder().path_join("starting")))
	_registry_file = _registry_folder().path_join(file_name)
	_write_private(
		_registry_file,
		{
			"pid": OS.get_process_id(),
			"project_path": project,
			"bridge_file": _bridge_file,
		}
	)


## Tells the clients of unsaved work that keeps an editor which should have made way; none takes it back.
func tell_unsaved(files: PackedStringArray) -> void:
	_fields["unsaved"] = files
	if _bridge_file != "":
		_write_private(_bridge_file, _fields)


## Takes away the mark of an editor that nobody asked for.
func keep() -> void:
	_fields.erase("started_by")
	_fields.erase("unsaved")
	if _bridge_file != "":
		_write_private(_bridge_file, _fields)


func withdraw() -> void:
	for path: String in [_bridge_file, _registry_file]:
		if path != "" and FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)
	_bridge_file = ""
	_registry_file = ""


## The addon's own folder among the files that the engine hides.
static func folder() -> String:
	return _hidden_folder().path_join("godot_mcp_bridge")


## "4.6.3.stable" without the build's own suffixes.
static func godot_version() -> String:
	var info := Engine.get_version_info()
	return "%d.%d.%d.%s" % [info["major"], info["minor"], info["patch"], info["status"]]


## Where the editor draws: screen, virtual (a screen that nobody sees; who started the editor says so) or
## headless.
static func display() -> String:
	if DisplayServer.get_name() == "headless":
		return "headless"
	return "virtual" if OS.get_environment("GODOT_MCP_DISPLAY") == "virtual" else "screen"


static func _hidden_folder() -> String:
	var setting := "application/config/use_hidden_project_data_directory"
	return "res://.godot" if ProjectSettings.get_setting(setting, true) else "res://godot"


static func _registry_folder() -> String:
	var base := OS.get_environment("XDG_RUNTIME_DIR")
	if base == "":
		base = OS.get_cache_dir()
	return base.path_join("godot-mcp").path_join("editors")


static func _write_private(path: String, data: Dictionary) -> void:
	var folder := path.get_base_dir()
	DirAccess.make_dir_recursive_absolute(folder)
	FileAccess.set_unix_permissions(folder, FOLDER_MODE)
	var beside := path + ".new"
	var file := FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		push_warning(
			"godot-mcp: cannot write %s: %s" % [path, error_string(FileAccess.get_open_error())]
		)
		return
	file.store_string(JSON.stringify(data))
	file.close()
	# Only now: an open file may still be a temporary one. Nobody else gets into the folder meanwhile.
	FileAccess.set_unix_permissions(beside, FILE_MODE)
	DirAccess.rename_absolute(beside, path)
