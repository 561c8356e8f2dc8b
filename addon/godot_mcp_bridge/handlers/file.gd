@tool
extends RefCounted
## Files of the project, read: tree, search, read, resolve-uid, rescan.

const Context := preload("../context.gd")
const Contract := preload("../contract.gd")
const Files := preload("../files.gd")
const ProjectPaths := preload("../project_paths.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const Slices := preload("../slices.gd")
const TextFile := preload("../text_file.gd")

const MAX_ENTRIES := 20000
## Bigger files are not looked into.
const MAX_SEARCHED := 8 * 1024 * 1024
const MAX_READ := 64 * 1024 * 1024
const MAX_TEXT := 200
const MAX_LIMIT := 10000
const MAX_SKIPPED := 100
const QUIET_FRAMES := 2
## Extensions of files that hold no text, so that they need not be read.
const NO_TEXT: Array[String] = [
	"png",
	"jpg",
	"jpeg",
	"webp",
	"bmp",
	"tga",
	"exr",
	"hdr",
	"ktx",
	"dds",
	"ogg",
	"wav",
	"mp3",
	"ttf",
	"otf",
	"woff",
	"woff2",
	"glb",
	"fbx",
	"blend",
	"res",
	"scn",
	"zip",
	"pck",
	"so",
	"dll",
	"exe",
	"mesh",
]

var _context: Context


## A walk through the files below a folder.
class Searching:
	extends Slices
	var folder := ""
	var glob := ""
	var content := ""
	var limit := 0
	var matches: Array[Dictionary] = []
	var skipped: PackedStringArray = []
	var is_cut := false

	var _folders: PackedStringArray = []
	var _files: PackedStringArray = []
	var _looked := 0

	func begin(at: String) -> void:
		folder = at
		_folders = [at]

	func step() -> bool:
		if not _files.is_empty():
			var path := _files[-1]
			_files.remove_at(_files.size() - 1)
			_looked += 1
			_take(path)
		elif not _folders.is_empty():
			var next := _folders[-1]
			_folders.remove_at(_folders.size() - 1)
			_enter(next)
		else:
			return false
		return not is_cut

	func state() -> Dictionary:
		return {"progress": _looked, "message": "files searched, %d matches" % matches.size()}

	func answer() -> Dictionary:
		var found := {"matches": matches, "truncated": is_cut or not skipped.is_empty()}
		if not skipped.is_empty():
			found["skipped"] = skipped
		return found

	## Taken from the end, so the last comes first.
	func _enter(at: String) -> void:
		for name in below(at):
			_folders.append(at.path_join(name))
		_files = DirAccess.get_files_at(at)
		for i in _files.size():
			_files[i] = at.path_join(_files[i])
		_files.sort()
		_files.reverse()

	func _take(path: String) -> void:
		if glob != "":
			var name := path.get_file()
			if glob.contains("/"):
				name = path.trim_prefix(folder).trim_prefix("/")
			if not name.matchn(glob):
				return
		if content == "":
			_add({"path": path})
		else:
			_look_into(path)

	func _look_into(path: String) -> void:
		if path.get_extension().to_lower() in NO_TEXT:
			return
		if FileAccess.get_size(path) > MAX_SEARCHED:
			if skipped.size() < MAX_SKIPPED:
				skipped.append(path)
			return
		var bytes := FileAccess.get_file_as_bytes(path)
		if bytes.has(0):
			return
		var text := bytes.get_string_from_utf8().trim_prefix("\ufeff")
		var line := 1
		var seen := 0
		var at := text.find(content)
		while at >= 0 and not is_cut:
			line += text.count("\n", seen, at) if at > seen else 0
			seen = at
			var begin := text.rfind("\n", at) + 1 if at > 0 else 0
			var end := text.find("\n", at)
			end = end if end >= 0 else text.length()
			var from := maxi(begin, at - MAX_TEXT / 2)
			var shown := text.substr(from, mini(end - from, MAX_TEXT)).trim_suffix("\r")
			_add({"path": path, "line": line, "text": shown})
			# One match a line.
			at = text.find(content, maxi(end, at + content.length()))

	func _add(found: Dictionary) -> void:
		if matches.size() == limit:
			is_cut = true
			return
		matches.append(found)

	static func below(folder: String) -> PackedStringArray:
		var out: PackedStringArray = []
		var dir := DirAccess.open(folder)
		if dir == null:
			return out
		for name in dir.get_directories():
			if is_shown(folder, name, dir):
				out.append(name)
		out.sort()
		out.reverse()
		return out

	## Whether the folder belongs to what the editor shows. One behind a link can lead in a circle.
	static func is_shown(folder: String, name: String, dir: DirAccess) -> bool:
		return (
			not name.begins_with(".")
			and not dir.is_link(name)
			and not FileAccess.file_exists(folder.path_join(name).path_join(".gdignore"))
		)


## A wait for the editor to have scanned and imported.
class Rescanning:
	extends RefCounted
	var context: Context
	var until_msec := 0
	## A scan was under way when this one was asked for, which can have passed by the newest files.
	var is_late := false
	## Frames in which nothing was at work. The engine's scan has ended a frame before it brings in what it found.
	var quiet := -1

	func poll() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		var is_busy := files.is_scanning() or context.importing or Files.is_behind()
		quiet = 0 if is_busy else quiet + 1
		if quiet >= QUIET_FRAMES and is_late:
			is_late = false
			quiet = -1
			files.scan()
		elif quiet >= QUIET_FRAMES:
			return {"scanning": false, "scanned": true}
		if Time.get_ticks_msec() > until_msec:
			return {"scanning": true, "scanned": false}
		return {}

	func progress() -> Dictionary:
		var files := EditorInterface.get_resource_filesystem()
		return {"progress": files.get_scanning_progress(), "total": 1, "message": "scanning"}


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"file.tree": tree,
		"file.search": search,
		"file.read": read,
		"file.resolve-uid": resolve_uid,
		"file.rescan": rescan,
	}


func tree(params: Dictionary) -> Dictionary:
	var folder := _folder(params)
	var refused := _reason_no_folder(folder)
	if not refused.is_empty():
		return refused
	var depth := int(params.get("max_depth", -1))
	if depth < -1:
		return Result.fail(Result.VALIDATION, "max_depth is -1 for all, or 0 and more", "max_depth")
	var count: Array[int] = [0]
	var top := _entry_of_folder(folder, depth, count)
	return {"tree": top, "total": mini(count[0], MAX_ENTRIES), "truncated": count[0] > MAX_ENTRIES}


func search(params: Dictionary) -> Dictionary:
	var folder := _folder(params)
	var refused := _reason_no_folder(folder)
	if not refused.is_empty():
		return refused
	var limit := int(params.get("limit", 200))
	if limit < 1 or limit > MAX_LIMIT:
		return Result.fail(Result.VALIDATION, "limit must be 1 to %d" % MAX_LIMIT, "limit")
	var searching := Searching.new()
	searching.begin(folder)
	searching.glob = str(params.get("name_glob", ""))
	searching.content = str(params.get("content", ""))
	searching.limit = limit
	if searching.content.contains("\n"):
		return Result.fail(Result.VALIDATION, "content is looked for within lines", "content")
	return searching.start()


func read(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("path", "")))
	var refused := _reason_not_to_read(path)
	if not refused.is_empty():
		return refused
	var file := TextFile.new(path)
	if file.problem != "":
		return Result.fail(
			Result.VALIDATION,
			(
				"%s, but %s of %d bytes: this tool reads text only"
				% [file.problem, _kind_of(path), file.bytes.size()]
			),
			"path"
		)
	var lines := TextFile.lines_of(file.text)
	var first := int(params.get("offset", 0))
	var limit := int(params.get("limit", 0))
	if first < 0 or first > lines.size():
		return Result.fail(Result.VALIDATION, "%s has %d lines" % [path, lines.size()], "offset")
	if limit < 0:
		return Result.fail(Result.VALIDATION, "limit is 0 for all, or more", "limit")
	var last := mini(first + limit, lines.size()) if limit > 0 else lines.size()
	var content := file.text
	if first > 0 or last < lines.size():
		content = "".join(lines.slice(first, last))
	var answer := {
		"path": path,
		"content": content,
		"bytes": file.bytes.size(),
		"sha256": file.sha256(),
		"lines": lines.size(),
		"truncated": last < lines.size(),
	}
	if last < lines.size():
		answer["next_offset"] = last
	return answer


func resolve_uid(params: Dictionary) -> Dictionary:
	var value := str(params.get("value", ""))
	if value.begins_with("uid://"):
		var id := ResourceUID.text_to_id(value)
		if id == ResourceUID.INVALID_ID:
			return Result.fail(Result.VALIDATION, "%s is no uid" % value, "value")
		var known := ResourceUID.has_id(id)
		var at := ResourceUID.get_id_path(id) if known else ""
		return {"uid": value, "path": at if known and FileAccess.file_exists(at) else null}
	var path := Scenes.normalise(value)
	var why := ProjectPaths.problem(path)
	if why != "":
		return Result.fail(Result.VALIDATION, why, "value")
	if not FileAccess.file_exists(path):
		return missing(path, "value")
	var uid := ResourceLoader.get_resource_uid(path)
	return {
		"uid": ResourceUID.id_to_text(uid) if uid != ResourceUID.INVALID_ID else null, "path": path
	}


func rescan(params: Dictionary) -> Dictionary:
	var timeout := int(params.get("timeout_ms", 5000))
	if timeout < 0:
		return Result.fail(Result.VALIDATION, "timeout_ms must not be negative", "timeout_ms")
	var files := EditorInterface.get_resource_filesystem()
	var rescanning := Rescanning.new()
	rescanning.context = _context
	rescanning.until_msec = Time.get_ticks_msec() + timeout
	rescanning.is_late = files.is_scanning() or _context.importing or Files.is_behind()
	if not rescanning.is_late:
		files.scan()
		# One that has ended and was not brought in yet keeps the engine from another.
		rescanning.is_late = not files.is_scanning()
	if not bool(params.get("wait", true)):
		return {"scanning": files.is_scanning() or _context.importing, "scanned": false}
	return Result.park(rescanning)


static func missing(path: String, parameter: String) -> Dictionary:
	return Result.fail(
		Result.NOT_FOUND,
		"there is no %s: godot-mcp file search %s" % [path, path.get_file().replace(" ", "?")],
		parameter
	)


static func _reason_not_to_read(path: String) -> Dictionary:
	var why := ProjectPaths.problem(path)
	if why == "" and DirAccess.dir_exists_absolute(path):
		why = "%s is a folder: godot-mcp file tree %s" % [path, path]
	elif why == "" and not FileAccess.file_exists(path):
		return missing(path, "path")
	elif why == "" and FileAccess.get_size(path) > MAX_READ:
		why = (
			"%s has %d bytes, more than the %d that are read"
			% [path, FileAccess.get_size(path), MAX_READ]
		)
	return Result.fail(Result.VALIDATION, why, "path") if why != "" else {}


static func _folder(params: Dictionary) -> String:
	var folder := Scenes.normalise(str(params.get("directory", "res://")))
	return folder.trim_suffix("/") if folder != "res://" else folder


static func _reason_no_folder(folder: String) -> Dictionary:
	var why := ProjectPaths.problem(folder)
	if why != "":
		return Result.fail(Result.VALIDATION, why, "directory")
	if FileAccess.file_exists(folder):
		return Result.fail(
			Result.VALIDATION,
			"%s is a file: godot-mcp file read %s" % [folder, folder],
			"directory"
		)
	if not DirAccess.dir_exists_absolute(folder):
		return Result.fail(
			Result.NOT_FOUND, "there is no folder %s: godot-mcp file tree" % folder, "directory"
		)
	return {}


static func _entry_of_folder(path: String, depth: int, count: Array[int]) -> Dictionary:
	count[0] += 1
	var name := path.get_file() if path != "res://" else "res://"
	var entry := {"name": name, "path": path, "type": "directory"}
	if depth == 0:
		return entry
	var children: Array[Dictionary] = []
	var folders := Searching.below(path)
	folders.reverse()
	for folder in folders:
		if count[0] < MAX_ENTRIES:
			children.append(_entry_of_folder(path.path_join(folder), depth - 1, count))
		else:
			count[0] += 1
	for file in DirAccess.get_files_at(path):
		count[0] += 1
		if count[0] <= MAX_ENTRIES:
			var at := path.path_join(file)
			children.append({"name": file, "path": at, "type": _kind_of(at)})
	entry["children"] = children
	return entry


## The engine's class of what the file holds; "file" for one that it does not know.
static func _kind_of(path: String) -> String:
	var type := EditorInterface.get_resource_filesystem().get_file_type(path)
	return type if type != "" else "file"
