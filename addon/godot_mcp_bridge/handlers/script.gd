@tool
extends RefCounted
## Script files: read, list, for-node, write, patch, check.

const Check := preload("../script_check.gd")
const Context := preload("../context.gd")
const Files := preload("../files.gd")
const FileChecks := preload("../file_checks.gd")
const ProjectPaths := preload("../project_paths.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const ScriptFiles := preload("../script_files.gd")
const Slices := preload("../slices.gd")
const TextFile := preload("../text_file.gd")
const Writable := preload("../writable.gd")

## Languages by the extension of their files, and the names that they go by. C# files are text to an editor
## without .NET too.
const LANGUAGES: Dictionary[String, Array] = {
	"gd": ["gd", "gdscript"],
	"cs": ["cs", "c#", "csharp", "csharpscript"],
}
## Places of a text that a hint names.
const MAX_PLACES := 20

static var _gd_base: RegEx = RegEx.create_from_string(
	'(?m)^(?:class_name[ \\t]+\\w+[ \\t]+)?extends[ \\t]+("[^"\\n]*"(?:\\.\\w+)*|[\\w.]+)'
)
static var _cs_class: RegEx = RegEx.create_from_string(
	"\\bpartial\\s+class\\s+(\\w+)\\s*(?::\\s*([\\w.]+))?"
)

var _context: Context


## A check of every script.
class Checking:
	extends Slices
	var files: PackedStringArray = []
	var done := 0
	var errors: Array[Dictionary] = []
	var is_ok := true

	func step() -> bool:
		if done < files.size():
			_take(files[done])
			done += 1
		return done < files.size()

	func answer() -> Dictionary:
		return {
			"script_path": "",
			"ok": is_ok,
			"errors": errors,
			"rescan_pending":
			EditorInterface.get_resource_filesystem().is_scanning() or Files.is_behind(),
		}

	func state() -> Dictionary:
		return {"progress": done, "total": files.size(), "message": "scripts checked"}

	func _take(path: String) -> void:
		var file := TextFile.new(path)
		if file.problem != "":
			_add(
				{
					"message": file.problem,
					"source": path,
					"line": 1,
					"column": null,
					"severity": "error",
				}
			)
			return
		for error in Check.judge(path, file.text).errors:
			_add(error)

	func _add(error: Dictionary) -> void:
		is_ok = is_ok and error["severity"] != "error"
		if not errors.has(error):
			errors.append(error)


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {
		"script.read": read,
		"script.list": list,
		"script.for-node": _context.on_node_read(for_node),
		"script.write": write,
		"script.patch": patch,
		"script.check": check,
	}


func read(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("script_path", "")))
	var content := ""
	var digest := ""
	if path.contains("::"):
		var script := _built_in(path)
		if script == null:
			return _missing(path)
		content = script.source_code
		digest = TextFile.digest(content.to_utf8_buffer())
	else:
		var refused := _reason_not_a_script(path, true)
		if not refused.is_empty():
			return refused
		var file := TextFile.new(path)
		if file.problem != "":
			return Result.fail(Result.VALIDATION, file.problem, "script_path")
		content = file.text
		digest = file.sha256()
	var lines := TextFile.lines_of(content)
	var first := int(params.get("start_line", 1))
	var last := int(params.get("end_line", 0))
	if first < 1 or first > maxi(lines.size(), 1):
		return Result.fail(
			Result.VALIDATION, "%s has the lines 1 to %d" % [path, lines.size()], "start_line"
		)
	if last != 0 and last < first:
		return Result.fail(
			Result.VALIDATION, "end_line is before start_line; 0 is the end of the file", "end_line"
		)
	if first > 1 or last != 0:
		content = "".join(lines.slice(first - 1, last if last != 0 else lines.size()))
	return {"script_path": path, "content": content, "lines": lines.size(), "sha256": digest}


func list(params: Dictionary) -> Dictionary:
	var folder := Scenes.normalise(str(params.get("directory", "res://")))
	if not DirAccess.dir_exists_absolute(folder):
		return Result.fail(Result.NOT_FOUND, "there is no folder %s" % folder, "directory")
	var wanted := str(params.get("language", "")).to_lower()
	var extensions: Array[String] = []
	for extension in LANGUAGES:
		if wanted == "" or LANGUAGES[extension].has(wanted):
			extensions.append(extension)
	if extensions.is_empty():
		return Result.fail(
			Result.VALIDATION,
			"%s is no language of scripts here: %s" % [wanted, ", ".join(LANGUAGES.keys())],
			"language"
		)
	var paths: PackedStringArray = []
	Check.collect(folder.trim_suffix("/") if folder != "res://" else folder, extensions, paths)
	paths.sort()
	var offset := maxi(int(params.get("offset", 0)), 0)
	var limit := int(params.get("limit", 500))
	var last := mini(offset + limit, paths.size()) if limit > 0 else paths.size()
	var scripts: Array[Dictionary] = []
	for path in paths.slice(offset, last):
		scripts.append(_entry(path))
	var answer := {
		"directory": folder,
		"scripts": scripts,
		"total": paths.size(),
		"truncated": last < paths.size(),
	}
	if last < paths.size():
		answer["next_offset"] = last
	return answer


func for_node(_params: Dictionary, target: Scenes.Target) -> Dictionary:
	var answer := {
		"node_path": Scenes.path_of(target.root, target.node), "script_path": null, "content": null
	}
	var script := target.node.get_script() as Script
	if script != null:
		answer["script_path"] = script.resource_path
		answer["content"] = script.source_code
		if not script.is_built_in() and FileAccess.file_exists(script.resource_path):
			answer["content"] = TextFile.new(script.resource_path).text
	return target.add_to(answer)


func write(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("script_path", "")))
	var refused := _reason_not_to_write(path, bool(params.get("dry_run", false)))
	if not refused.is_empty():
		return refused
	var file := TextFile.new(path)
	var expected := str(params.get("expect_sha256", "")).to_lower()
	if expected != "" and (not FileAccess.file_exists(path) or expected != file.sha256()):
		return _changed(path)
	var there := FileAccess.file_exists(path)
	var bytes := file.bytes_of(str(params.get("content", "")))
	return _write(path, bytes, {"created": not there, "would_overwrite": there}, params)


func patch(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("script_path", "")))
	var refused := _reason_not_a_script(path, true)
	if refused.is_empty():
		refused = _reason_not_to_write(path, bool(params.get("dry_run", false)))
	if not refused.is_empty():
		return refused
	var file := TextFile.new(path)
	var find := file.in_own_line_ends(str(params.get("find", "")))
	var wanted := int(params.get("expect_count", 1))
	if find == "":
		return Result.fail(Result.VALIDATION, "find is empty", "find")
	if wanted < 1:
		return Result.fail(Result.VALIDATION, "expect_count must be at least 1", "expect_count")
	var places := _places(file.text, find)
	if places.size() != wanted:
		return _wrong_count(path, places, wanted)
	var text := file.text.replace(find, file.in_own_line_ends(str(params.get("replace", ""))))
	return _write(path, file.bytes_of(text), {"replacements": places.size()}, params)


func check(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("script_path", "")))
	var content := str(params.get("content", "")).trim_prefix("\ufeff")
	if path == "" and content == "":
		return _check_all()
	var refused := _reason_not_to_check(path, content == "")
	if not refused.is_empty():
		return refused
	if content == "":
		content = _built_in(path).source_code if path.contains("::") else TextFile.new(path).text
	var verdict := _judge(path.get_slice("::", 0) if path.contains("::") else path, content)
	return {
		"script_path": path,
		"ok": verdict.is_ok(),
		"errors": verdict.errors,
		"rescan_pending":
		EditorInterface.get_resource_filesystem().is_scanning() or Files.is_behind(),
	}


static func _reason_not_to_check(path: String, reads_file: bool) -> Dictionary:
	if path.get_extension() == "cs":
		return Result.fail(
			Result.VALIDATION,
			"%s is C#, which its build judges: godot-mcp script list --language gd" % path,
			"script_path"
		)
	if path.contains("::"):
		return {} if not reads_file or _built_in(path) != null else _missing(path)
	var refused := _reason_not_a_script(path, reads_file) if path != "" else {}
	if refused.is_empty() and reads_file:
		var problem := TextFile.new(path).problem
		if problem != "":
			return Result.fail(Result.VALIDATION, problem, "script_path")
	return refused


static func _check_all() -> Dictionary:
	var checking := Checking.new()
	checking.files = Check.files_of_project()
	return checking.start()


static func _judge(path: String, text: String) -> Check.Verdict:
	if path.get_extension() == "cs":
		return Check.Verdict.new()
	return Check.judge(path, text)


## Writes the bytes, or tells what writing them would do.
func _write(
	path: String, bytes: PackedByteArray, fields: Dictionary, params: Dictionary
) -> Dictionary:
	var file := TextFile.new(path)
	var same := FileAccess.file_exists(path) and file.bytes == bytes
	var content := bytes.get_string_from_utf8()
	var verdict := _judge(path, content)
	var dry := bool(params.get("dry_run", false))
	var answer := {"script_path": path}
	answer.merge(fields)
	answer["errors"] = verdict.own(path)
	answer["stale"] = _context.scripts.stale(path, verdict)
	answer["dry_run"] = dry
	answer["persisted"] = true
	answer["undoable"] = not same
	var hint := _hint(path, same, verdict, answer["stale"] as PackedStringArray)
	if hint != "":
		answer["hint"] = hint
	if dry or same:
		return answer
	var step := _context.scripts.write(path, bytes)
	if step == null:
		return Result.fail(
			Result.INTERNAL, "the engine did not write %s: godot-mcp editor status" % path
		)
	_context.open_step(_context.files)
	_context.undo_redo.add_do_method(step, "swap")
	_context.undo_redo.add_undo_method(step, "swap")
	_context.undo_redo.commit_action(false)
	_context.scripts.announce(path)
	_context.scripts.follow(path, content, verdict.is_ok())
	return answer


static func _hint(
	path: String, same: bool, verdict: Check.Verdict, stale: PackedStringArray
) -> String:
	var hints: PackedStringArray = []
	if same:
		hints.append("%s holds this text already, nothing was changed" % path)
	if path.get_extension() == "cs":
		hints.append("C# is not checked here: build the project")
	if not verdict.is_ok():
		hints.append(_hint_at_error(path, verdict))
	for name in stale:
		if name == ScriptFiles.GAME:
			hints.append("the running game takes the new text when it is started again")
	if verdict.is_ok() and not stale.is_empty() and stale[0] != ScriptFiles.GAME:
		(
			hints
			. append(
				(
					"new variables are null in %s until it is read again: godot-mcp scene reload %s --confirm"
					% [stale[0], stale[0].get_slice("::", 0)]
				)
			)
		)
	return "; ".join(hints)


static func _hint_at_error(path: String, verdict: Check.Verdict) -> String:
	var first: Dictionary = verdict.errors[verdict.errors.find_custom(
		func(error: Dictionary) -> bool: return error["severity"] == "error"
	)]
	var meanwhile := ""
	if FileAccess.file_exists(path):
		meanwhile = ", until then the editor has the script as it was"
	return (
		"the text does not compile (%s:%d: %s): mend it%s: godot-mcp script check %s"
		% [first["source"], first["line"], first["message"], meanwhile, path]
	)


static func _reason_not_a_script(path: String, must_be_there: bool) -> Dictionary:
	var why := ProjectPaths.problem(path)
	if why != "":
		return Result.fail(Result.VALIDATION, why, "script_path")
	if must_be_there and not FileAccess.file_exists(path):
		return _missing(path)
	if not LANGUAGES.has(path.get_extension().to_lower()):
		return Result.fail(
			Result.VALIDATION,
			"%s is no script: a script file ends in .gd or .cs: godot-mcp script list" % path,
			"script_path"
		)
	return {}


static func _reason_not_to_write(path: String, preview: bool) -> Dictionary:
	if path.contains("::"):
		return Result.fail(
			Result.VALIDATION,
			"%s is kept inside its scene; only script files are written" % path,
			"script_path"
		)
	var refused := _reason_not_a_script(path, false)
	if not refused.is_empty():
		return refused
	var unwritable := Writable.problem(path, preview)
	if path.to_lower().begins_with(Check.OWN_FOLDER):
		unwritable = "%s is a file of the addon that carries the tools out" % path
	if unwritable != "":
		return Result.fail(Result.VALIDATION, unwritable, "script_path")
	var file := TextFile.new(path)
	if file.problem != "":
		return Result.fail(Result.VALIDATION, file.problem, "script_path")
	if ScriptFiles.has_unsaved_text(path):
		return FileChecks.unsaved_text(path, "script_path")
	return {}


static func _missing(path: String) -> Dictionary:
	return Result.fail(
		Result.NOT_FOUND, "there is no script %s: godot-mcp script list" % path, "script_path"
	)


static func _changed(path: String) -> Dictionary:
	return Result.fail(
		Result.PRECONDITION,
		"%s is not what expect_sha256 says (any more): godot-mcp script read %s" % [path, path],
		"expect_sha256"
	)


## The lines, from 1, in which the text is found.
static func _places(text: String, find: String) -> PackedInt32Array:
	var out: PackedInt32Array = []
	var line := 1
	var seen := 0
	var at := text.find(find)
	while at >= 0:
		line += text.count("\n", seen, at) if at > seen else 0
		seen = at
		out.append(line)
		at = text.find(find, at + find.length())
	return out


static func _wrong_count(path: String, places: PackedInt32Array, wanted: int) -> Dictionary:
	var why := "%s does not hold the text to find: godot-mcp script read %s" % [path, path]
	if not places.is_empty():
		var lines := Array(places.slice(0, MAX_PLACES)).map(str)
		why = (
			"%s holds the text to find %d times (line %s%s), not %d: find more of it, or say --expect-count %d"
			% [
				path,
				places.size(),
				", ".join(lines),
				", ..." if places.size() > MAX_PLACES else "",
				wanted,
				places.size()
			]
		)
	return Result.fail(Result.VALIDATION, why, "expect_count")


## A script inside a scene or resource file that is loaded.
static func _built_in(path: String) -> Script:
	return load(path) as Script if ResourceLoader.has_cached(path) else null


static func _entry(path: String) -> Dictionary:
	var text := TextFile.new(path).text
	var entry := {"path": path}
	if path.get_extension().to_lower() == "cs":
		var found := _cs_class.search(text)
		if found != null and text.contains("[GlobalClass"):
			entry["class_name"] = found.get_string(1)
		if found != null and found.get_string(2) != "":
			entry["base"] = found.get_string(2)
		return entry
	var name := Check.class_name_in(text)
	if name != "":
		entry["class_name"] = name
	var base := _gd_base.search(text)
	entry["base"] = base.get_string(1).replace('"', "") if base != null else "RefCounted"
	return entry
