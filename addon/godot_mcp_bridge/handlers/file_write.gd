@tool
extends RefCounted
## Text files and folders that are made: write, create-folder.

const Checks := preload("../file_checks.gd")
const Context := preload("../context.gd")
const LiveFiles := preload("../live_files.gd")
const ProjectPaths := preload("../project_paths.gd")
const ResourceFiles := preload("../resource_files.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const ScriptCheck := preload("../script_check.gd")
const ScriptFiles := preload("../script_files.gd")
const TextFile := preload("../text_file.gd")
const TreeFiles := preload("../tree_files.gd")
const Writable := preload("../writable.gd")

## Files that the engine does not read as text.
const BINARY: Array[String] = ["res", "scn", "import", "uid"]
## Texts that the engine imports, which only a scan does.
const IMPORTED: Array[String] = ["csv", "svg", "obj", "gltf", "dae", "glsl", "fnt"]

var _context: Context


## A folder that was made, as an undo step.
class Folder:
	extends RefCounted
	var path := ""
	## The innermost first.
	var made: PackedStringArray = []

	func make() -> void:
		DirAccess.make_dir_recursive_absolute(path)
		tell()

	func take_out() -> void:
		TreeFiles.remove_empty(made)
		tell()

	static func tell() -> void:
		if not EditorInterface.get_resource_filesystem().is_scanning():
			EditorInterface.get_resource_filesystem().scan()


func _init(context: Context) -> void:
	_context = context


func commands() -> Dictionary[String, Callable]:
	return {"file.write": write, "file.create-folder": create_folder}


func write(params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var dry := bool(params.get("dry_run", false))
	var refused := _reason_not_to_write(path, dry)
	if not refused.is_empty():
		return refused
	var file := TextFile.new(path)
	var there := FileAccess.file_exists(path)
	var expected := str(params.get("expect_sha256", "")).to_lower()
	if expected != "" and (not there or expected != file.sha256()):
		return Result.fail(
			Result.PRECONDITION,
			"%s is not what expect_sha256 says (any more): godot-mcp file read %s" % [path, path],
			"expect_sha256"
		)
	var bytes := file.bytes_of(str(params.get("content", "")))
	var same := there and file.bytes == bytes
	var answer := {
		"path": path,
		"created": not there,
		"would_overwrite": there,
		"bytes": bytes.size(),
		"dry_run": dry,
		"persisted": true,
		"undoable": not same,
	}
	var hint := _hint(path, bytes, same)
	if hint != "":
		answer["hint"] = hint
	return answer if dry or same else _written(path, bytes, answer)


func _written(path: String, bytes: PackedByteArray, answer: Dictionary) -> Dictionary:
	var step := ScriptFiles.step_of(path, self)
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	if not ScriptFiles.Step.put_bytes(path, bytes):
		step.swap()
		return Result.fail(
			Result.INTERNAL, "the engine did not write %s: godot-mcp editor status" % path
		)
	_context.open_step(_context.files)
	_context.undo_redo.add_do_method(step, "swap")
	_context.undo_redo.add_undo_method(step, "swap")
	_context.undo_redo.commit_action(false)
	refresh(path)
	return answer


## Makes the editor hold what the file is now.
func refresh(path: String) -> void:
	var live := LiveFiles.new(_context)
	if Scenes.is_open(path):
		# Opened after the write that is taken back now: its tab holds the text from before.
		live.show_again(PackedStringArray([path]))
	else:
		live.read_again(path)
	if FileAccess.file_exists(path):
		ResourceFiles.register(ResourceLoader.get_resource_uid(path), path)
	var kind := path.get_extension().to_lower()
	if kind in IMPORTED or FileAccess.file_exists(path + ".import"):
		Folder.tell()


static func _hint(path: String, bytes: PackedByteArray, same: bool) -> String:
	if same:
		return "%s holds this text already, nothing was changed" % path
	if path.get_extension() != "gd":
		return ""
	var verdict := ScriptCheck.judge(path, bytes.get_string_from_utf8().trim_prefix("\ufeff"))
	for error in verdict.own(path):
		if error["severity"] == "error":
			return (
				"it does not compile, line %d: %s: godot-mcp script check %s"
				% [error["line"], error["message"], path]
			)
	return ""


func _reason_not_to_write(path: String, preview: bool) -> Dictionary:
	var why := ProjectPaths.write_problem(path)
	if why == "" and path.contains("::"):
		why = "%s is a place inside a file: name the file" % path
	elif why == "" and path.get_extension().to_lower() in BINARY:
		why = "%s is written by the engine alone" % path
	if why == "":
		why = Writable.problem(path, preview)
	if why == "" and FileAccess.file_exists(path):
		why = TextFile.new(path).problem
	if why != "":
		return Checks.invalid(why, "path")
	if Scenes.is_open(path):
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s is open in a tab, which would not see it: edit it there, or godot-mcp scene close --scene-path %s --confirm"
					% [path, path]
				),
				"path"
			)
		)
	return Checks.unsaved(_context, PackedStringArray([path]))


func create_folder(params: Dictionary) -> Dictionary:
	var path := Checks.path_in(params, "path")
	var dry := bool(params.get("dry_run", false))
	var there := DirAccess.dir_exists_absolute(path)
	var why := ProjectPaths.write_problem(path)
	if why == "" and not there:
		why = Checks.reason_of_name(path)
	if why == "" and FileAccess.file_exists(path):
		why = "%s is a file: godot-mcp file read %s" % [path, path]
	if why == "" and not there:
		why = Writable.problem(path, dry)
	if why != "":
		return Checks.invalid(why, "path")
	var answer := {
		"path": path,
		"created": not there,
		"dry_run": dry,
		"persisted": true,
		"undoable": not there,
	}
	if there:
		answer["hint"] = "%s was there before" % path
	if dry or there:
		return answer
	var folder := Folder.new()
	folder.path = path
	folder.made = TreeFiles.missing_folders(path.path_join("x"))
	folder.make()
	if not DirAccess.dir_exists_absolute(path):
		return Result.fail(Result.INTERNAL, "%s could not be made: godot-mcp file tree" % path)
	_context.open_step(_context.files)
	_context.undo_redo.add_do_method(folder, "make")
	_context.undo_redo.add_undo_method(folder, "take_out")
	_context.undo_redo.commit_action(false)
	return Checks.settled(_context, answer)
