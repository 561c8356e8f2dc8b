@tool
extends RefCounted
## Which paths the file tools take. The client checks them too; this side does not rely on it.

const Discovery := preload("discovery.gd")

const OWN_FOLDER := "res://addons/godot_mcp_bridge"
## Settings have tools of their own.
const PROTECTED: Array[String] = [
	"res://godot-mcp.toml", "res://project.godot", "res://override.cfg", "res://export_presets.cfg"
]
## Symbolic links followed for one path at most.
const MAX_LINKS := 40


## Why the path is no file or folder of the project that may be read, "" when it is.
static func problem(path: String) -> String:
	if not path.begins_with("res://") or path.contains("\\"):
		return "%s leads to no file of the project: give a path below res://" % path
	for spelling: String in [path, path.uri_decode()]:
		for part in spelling.trim_prefix("res://").replace("\\", "/").split("/"):
			if part == "..":
				return "%s climbs out with .." % path
			if part.to_lower() in [".godot", Discovery.folder().get_base_dir().get_file()]:
				return "%s is in the engine's own folder" % path
	if path.trim_prefix("res://").begins_with("/"):
		return "%s is absolute" % path
	if _real(path) == "":
		return "%s leads out of the project by a symbolic link" % path
	return ""


## The same for a path that is to be written, moved or deleted.
static func problem_to_write(path: String) -> String:
	var why := problem(path)
	if why != "":
		return why
	for spelling: String in [path, path.uri_decode(), _real(path)]:
		var plain := spelling.to_lower().trim_suffix("/")
		var is_in_git := plain.trim_prefix("res://").split("/").has(".git")
		if is_in_git or plain in PROTECTED or (plain + "/").begins_with(OWN_FOLDER + "/"):
			return (
				(
					"%s is protected: settings have tools of their own (godot-mcp config list), "
					+ "and no tool writes into its addon or into .git"
				)
				% path
			)
	return ""


## The same for one that is taken away with all that is in it.
static func problem_to_take(path: String) -> String:
	var why := problem_to_write(path)
	if why != "":
		return why
	var plain := path.to_lower().trim_suffix("/")
	if path.trim_suffix("/") == "res:" or (OWN_FOLDER + "/").begins_with(plain + "/"):
		return "%s holds the addon that carries the tools out, which stays where it is" % path
	if DirAccess.dir_exists_absolute(path) and _holds_git(path):
		return "%s holds a .git, which no tool moves or deletes" % path
	return ""


## Why a new file or folder must not be called so, "" when it may: what another system or the engine itself
## reads as something else.
static func problem_of_name(path: String) -> String:
	for part in path.trim_prefix("res://").split("/"):
		if not part.is_valid_filename() or part.ends_with(".") or part.begins_with(" "):
			return (
				'%s cannot be the name of a file everywhere: none of : / \\ ? * " | %% < > in it, no point or space at its ends'
				% part
			)
	return ""


static func _holds_git(folder: String) -> bool:
	if DirAccess.dir_exists_absolute(folder + "/.git") or FileAccess.file_exists(folder + "/.git"):
		return true
	var dir := DirAccess.open(folder)
	for name in DirAccess.get_directories_at(folder):
		if not dir.is_link(name) and _holds_git(folder.path_join(name)):
			return true
	return false


## The path below res:// with all links followed, "" when that is not in the project.
static func _real(path: String) -> String:
	var root := _followed(ProjectSettings.globalize_path("res://").trim_suffix("/"))
	var at := _followed(ProjectSettings.globalize_path(path).trim_suffix("/"))
	if at == root:
		return "res://"
	return "res://" + at.trim_prefix(root + "/") if at.begins_with(root + "/") else ""


static func _followed(path: String) -> String:
	var dir := DirAccess.open("res://")
	var rest := Array(path.split("/", false))
	var is_absolute := path.begins_with("/")
	var done := ""
	var links := 0
	while not rest.is_empty():
		var part: String = rest.pop_front()
		var next := done + "/" + part if done != "" or is_absolute else part
		if links > MAX_LINKS or not dir.is_link(next):
			done = next
			continue
		links += 1
		var target := dir.read_link(next)
		if target.is_relative_path():
			target = (done + "/" + target).simplify_path()
		rest = Array(target.split("/", false)) + rest
		done = ""
	return done if links <= MAX_LINKS else ""
