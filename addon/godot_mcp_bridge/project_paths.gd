@tool
extends RefCounted
## Which paths the file tools take. The client checks them too; this side does not rely on it.

const Discovery := preload("discovery.gd")

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
