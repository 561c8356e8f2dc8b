@tool
extends RefCounted
## Which paths the file tools take. The client checks them too; this side does not rely on it.

const Discovery := preload("discovery.gd")

const OWN := "addons/godot_mcp_bridge/"
const PROTECTED: Array[String] = [
	"godot-mcp.toml", "project.godot", "override.cfg", "export_presets.cfg"
]
## Symbolic links followed for one path at most.
const MAX_LINKS := 40


## Why the path is no file or folder of the project that may be read, "" when it is.
static func problem(path: String) -> String:
	if not path.begins_with("res://") or path.contains("\\"):
		return "%s leads to no file of the project: give a path below res://" % path
	for spelling: String in [path, path.uri_decode()]:
		var rest := spelling.trim_prefix("res://").replace("\\", "/")
		if rest.begins_with("/"):
			return "%s is absolute" % path
		for part in rest.split("/"):
			if part == "..":
				return "%s climbs out with .." % path
			if part.to_lower() in [".godot", Discovery.folder().get_base_dir().get_file()]:
				return "%s is in the engine's own folder" % path
	if _real(path) == "":
		return "%s leads out of the project by a symbolic link" % path
	return ""


## Why no tool may write there, "" when one may. What is taken `whole` must not hold anything protected either.
static func write_problem(path: String, whole: bool = false) -> String:
	var why := problem(path)
	if why != "":
		return why
	for spelling: String in [path, path.uri_decode(), _real(path)]:
		var plain := spelling.trim_prefix("res://").trim_suffix("/").to_lower()
		var is_own := (plain + "/").begins_with(OWN)
		if is_own or plain in PROTECTED or plain.split("/").has(".git"):
			return "%s is protected: settings have tools of their own" % path
		if whole and (plain == "" or OWN.begins_with(plain + "/")):
			return "%s holds the addon that carries the tools out: name what is in it" % path
	if whole and _holds_git(path):
		return "%s holds a .git folder, which no tool touches: name what is beside it" % path
	return ""


static func _holds_git(folder: String) -> bool:
	var dir := DirAccess.open(folder)
	if dir == null:
		return false
	dir.include_hidden = true
	for name in dir.get_directories():
		if name.to_lower() == ".git":
			return true
		if not dir.is_link(name) and _holds_git(folder.path_join(name)):
			return true
	return dir.get_files().has(".git")


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
