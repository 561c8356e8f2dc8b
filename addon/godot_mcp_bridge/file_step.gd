@tool
extends RefCounted
## A change of files that can be undone: renames on the disk, texts that name other paths then, and settings. A
## file that is taken out is renamed too, to a place where an undo finds it.
##
## Nothing that somebody else wrote since is lost: a file in the way stops the step, and a text that is not what
## this step left gets the paths in it changed, and keeps the rest.

const Context := preload("context.gd")
const LiveFiles := preload("live_files.gd")
const PathChange := preload("path_change.gd")
const References := preload("references.gd")
const ScriptFiles := preload("script_files.gd")
const SettingsStep := preload("settings_step.gd")
const TextFile := preload("text_file.gd")
const TreeFiles := preload("tree_files.gd")


## The text of one file, with the path that the file has when the step is not done.
class Edit:
	extends RefCounted
	var path := ""
	var before: PackedByteArray = []
	var after: PackedByteArray = []
	var values := 0
	## Another program wrote the file since the tab of it, an open scene, was read or saved.
	var is_foreign := false

	## False when it could not be written. `now` is the change of paths that was just made.
	func swap(forward: bool, now: PathChange) -> bool:
		var old_place: String = path if forward else now.reversed().of(path)
		var place := now.of(old_place)
		if not FileAccess.file_exists(place):
			return true
		var file := TextFile.new(place)
		var next := after if forward else before
		var is_known := file.bytes == (before if forward else after)
		# How a file is imported the engine writes anew with each import.
		if not is_known and file.problem == "" and path.get_extension() != "import":
			next = file.bytes_as_is(References.rewritten(file.text, old_place, now).text)
		if not ScriptFiles.Step.put_bytes(place, next):
			return false
		before = file.bytes if forward else next
		after = next if forward else file.bytes
		return true


var context: Context
## Null where nothing gets another path in the project.
var change: PathChange
## [from, to] each, in the order in which they are done.
var moves: Array[PackedStringArray] = []
var edits: Array[Edit] = []
var settings: SettingsStep
## Files, without those beside them, by their paths when the step is not done; when it is done they have another path.
var moved: PackedStringArray = []
## Files that are there only when it is done, and only when it is not.
var made: PackedStringArray = []
var removed: PackedStringArray = []
## Scripts of whose class name a made one is too: the engine knows one of them only, the last that it saw.
var namesakes: PackedStringArray = []
## uids by the paths in the three lists.
var ids: Dictionary[String, int] = {}
var is_done := false
## Scripts that need each other, which the editor reads at their new paths only when it starts.
var stuck: PackedStringArray = []
## Folders made for it, the innermost first.
var folders: PackedStringArray = []


## Does the step or takes it back. Called by the history, which does not ask whether it can be.
func swap() -> void:
	var problem := carry_out()
	if problem != "":
		push_error("godot-mcp: %s" % problem)


## Returns why it was not done, "" when it was.
func carry_out() -> String:
	var forward := not is_done
	var pairs := _pairs(forward)
	var problem := _reason_not_to_rename(pairs)
	var heirs := LiveFiles.heirs_of(_now(forward))
	for path in heirs:
		if problem == "" and context.scenes.is_dirty(path):
			problem = "%s inherits from it and has unsaved changes: save it first" % path
	if problem != "":
		return problem
	var new_folders: PackedStringArray = []
	for pair in pairs:
		new_folders.append_array(TreeFiles.missing_folders(pair[1]))
		DirAccess.make_dir_recursive_absolute(pair[1].get_base_dir())
	for edit in edits:
		edit.is_foreign = context.history.is_changed_outside(_place(edit.path, not forward))
	problem = _rename(pairs)
	if problem == "":
		problem = _write(forward, pairs)
	if problem != "":
		TreeFiles.remove_empty(new_folders)
		return problem
	is_done = forward
	if forward:
		folders = new_folders
	else:
		TreeFiles.remove_empty(folders)
	follow(forward)
	LiveFiles.new(context).bring_up(_places_of(heirs, forward))
	return ""


func _places_of(paths: PackedStringArray, forward: bool) -> PackedStringArray:
	var now := _now(forward)
	var out: PackedStringArray = []
	for path in paths:
		out.append(now.of(path))
	return out


## Puts the step, which is done, into the history.
func commit() -> void:
	context.open_step(context.files)
	context.undo_redo.add_do_method(self, "swap")
	context.undo_redo.add_undo_method(self, "swap")
	context.undo_redo.commit_action(false)


func _pairs(forward: bool) -> Array[PackedStringArray]:
	_take_sidecars_along(0 if forward else 1)
	var pairs: Array[PackedStringArray] = []
	for pair in moves:
		var oriented := pair if forward else PackedStringArray([pair[1], pair[0]])
		var is_beside := "." + oriented[0].get_extension() in TreeFiles.SIDECARS
		if TreeFiles.exists(oriented[0]) or not is_beside:
			pairs.append(oriented)
	return pairs


## The engine puts files beside others when it likes.
func _take_sidecars_along(side: int) -> void:
	for pair: PackedStringArray in moves.duplicate():
		for beside in TreeFiles.with_sidecars(pair[side]).slice(1):
			var ending := beside.substr(pair[side].length())
			var both: PackedStringArray = [pair[0] + ending, pair[1] + ending]
			if not moves.has(both):
				moves.append(both)


static func _reason_not_to_rename(pairs: Array[PackedStringArray]) -> String:
	for pair in pairs:
		if not TreeFiles.exists(pair[0]):
			return "%s is not there any more" % pair[0]
		if TreeFiles.is_in_the_way(pair[0], pair[1]):
			return "%s is there by now" % pair[1]
	return ""


static func _rename(pairs: Array[PackedStringArray]) -> String:
	for i in pairs.size():
		var status := DirAccess.rename_absolute(pairs[i][0], pairs[i][1])
		if status == OK and TreeFiles.exists(pairs[i][1]):
			continue
		_rename_back(pairs.slice(0, i))
		return "%s cannot be renamed to %s (%s)" % [pairs[i][0], pairs[i][1], error_string(status)]
	return ""


static func _rename_back(pairs: Array[PackedStringArray]) -> void:
	for i in range(pairs.size() - 1, -1, -1):
		DirAccess.rename_absolute(pairs[i][1], pairs[i][0])


## Writes texts and settings, or brings everything back.
func _write(forward: bool, pairs: Array[PackedStringArray]) -> String:
	var now := _now(forward)
	for i in edits.size():
		if edits[i].swap(forward, now):
			continue
		_rename_back(pairs)
		for done: Edit in edits.slice(0, i):
			done.swap(not forward, now.reversed())
		return "%s cannot be written" % edits[i].path
	if settings != null and not settings.swaps():
		_rename_back(pairs)
		for done in edits:
			done.swap(not forward, now.reversed())
		return "project.godot cannot be written"
	return ""


## The change of paths as it is made now; one that changes nothing where there is none.
func _now(forward: bool) -> PathChange:
	if change == null:
		return PathChange.new()
	return change if forward else change.reversed()


## Makes the editor follow.
func follow(forward: bool) -> void:
	var live := LiveFiles.new(context)
	live.leave(removed if forward else made, ids)
	if change != null:
		_follow_moved(live, forward)
	live.arrive(made if forward else removed, ids)
	live.announce(namesakes)
	var now := _now(forward)
	var scripts: PackedStringArray = []
	for path in moved:
		if path.get_extension() in LiveFiles.SCRIPTS:
			scripts.append(_place(path, forward))
	for edit in edits:
		if edit.path.get_extension() in LiveFiles.SCRIPTS:
			scripts.append(_place(edit.path, forward))
	stuck = live.read_scripts_again(scripts)
	for edit in edits:
		var place := _place(edit.path, forward)
		if edit.is_foreign:
			context.scripts.announce(place)
		elif not scripts.has(place):
			live.read_again(place)
		if edit.values > 0:
			live.change_values(place, now)


func _place(path: String, forward: bool) -> String:
	return change.of(path) if change != null and forward else path


func _follow_moved(live: LiveFiles, forward: bool) -> void:
	var now := _now(forward)
	if forward:
		live.rename(now, moved, ids)
		return
	var places: PackedStringArray = []
	var theirs: Dictionary[String, int] = {}
	for path in moved:
		places.append(change.of(path))
		theirs[places[-1]] = ids.get(path, ResourceUID.INVALID_ID)
	live.rename(now, places, theirs)
