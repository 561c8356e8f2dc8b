@tool
extends RefCounted
## Which scene a call acts on, and which node in it.

const Dependencies := preload("dependencies.gd")
const History := preload("history.gd")
const LoadLosses := preload("load_losses.gd")
const Result := preload("result.gd")
const Writable := preload("writable.gd")

## What a scene's own file may end in; imported ones end in much else.
const EXTENSIONS: Array[String] = ["tscn", "scn"]

## Siblings named in the hint of a missing node.
const MAX_NAMES := 12
## How a scene without a file is called in lists.
const NAMELESS := "unsaved scene"

static var _bar: TabBar

## True from a change of tabs until the engine has finished it, one frame later. Until then it takes no
## other change of tabs, so commands wait.
var settling := false
## True while changes are made only to be taken back: no tab is changed for them.
var stay := false
## Scenes that the last reload should have read and did not.
var not_reloaded: PackedStringArray = []

var _history: History
var _to_reload: PackedStringArray = []
## The scene that was in front when a reload began.
var _front := ""


## The scene and node that a call found, or the answer that says why not.
class Target:
	extends RefCounted
	var root: Node
	var node: Node
	var activated := false
	## The file was changed from outside since the editor read or wrote it.
	var changed_on_disk := false
	var error: Dictionary = {}

	## Fields that every answer about an open scene carries.
	func add_to(answer: Dictionary) -> Dictionary:
		answer["scene_path"] = root.scene_file_path
		if activated:
			answer["activated"] = true
		if changed_on_disk:
			answer["changed_on_disk"] = true
		return answer


func _init(history: History) -> void:
	_history = history


## The scene named by scene_path, brought to the front when it is open behind another tab; the active
## one when none is named. A preview leaves the tabs alone, so it can only say that it would activate.
func target(params: Dictionary) -> Target:
	return _target(params, true)


## The same for a command that only reads. It needs no change of tabs: those are the user's.
func target_to_read(params: Dictionary) -> Target:
	return _target(params, false)


func _target(params: Dictionary, edits: bool) -> Target:
	var found := Target.new()
	var wanted := normalise(str(params.get("scene_path", "")))
	var root := EditorInterface.get_edited_scene_root()
	if wanted == "":
		if root == null:
			found.error = Result.fail(
				Result.PRECONDITION, "no scene is open: godot-mcp scene list", "active_scene"
			)
		return _found(found, root)
	if root != null and root.scene_file_path == wanted:
		return _found(found, root)
	if not is_open(wanted):
		found.error = not_open(wanted)
		return found
	found.activated = edits
	if not edits or stay or params.get("dry_run", false):
		return _found(found, open_root(wanted))
	bring_to_front(wanted)
	found.root = EditorInterface.get_edited_scene_root()
	if found.root == null or found.root.scene_file_path != wanted:
		found.error = Result.fail(
			Result.PRECONDITION,
			"the editor did not bring %s to the front: godot-mcp editor status" % wanted,
			"editor_ready"
		)
		return found
	_history.note_scene(found.root)
	return _found(found, found.root)


func _found(found: Target, root: Node) -> Target:
	found.root = root
	if root != null and root.scene_file_path != "":
		found.changed_on_disk = _history.looks_changed_outside(root.scene_file_path)
	return found


## Opens the scene or changes to its tab.
func bring_to_front(path: String) -> void:
	EditorInterface.open_scene_from_path(path)
	settle()


## To be called after a change of tabs.
func settle() -> void:
	settling = true
	# The engine's own second half of the change was put into the same queue before.
	_settled.call_deferred()


func _settled() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if not _to_reload.is_empty():
		var next := _to_reload[0]
		_to_reload.remove_at(0)
		if not _reload(next):
			not_reloaded.append(next)
		return
	var front := _front
	_front = ""
	if front != "" and root != null and root.scene_file_path != front:
		bring_to_front(front)
	else:
		settling = false


## The scene and, in it, the node named by the parameter.
func target_node(params: Dictionary, parameter: String) -> Target:
	var found := target(params)
	add_node(found, params, parameter)
	return found


## Puts the node named by the parameter into the target, or the error that says why not.
func add_node(found: Target, params: Dictionary, parameter: String) -> void:
	if not found.error.is_empty():
		return
	var path := str(params.get(parameter, "."))
	found.node = find(found.root, path)
	if found.node == null:
		found.error = missing_node(found.root, path, parameter)


## A node by its path from the root: "." is the root, "%Name" a unique name, one leading slash is taken
## off. Null when there is none or when the path leaves the scene.
static func find(root: Node, path: String) -> Node:
	var plain := path.trim_prefix("/")
	if plain == "" or plain == ".":
		return root
	var node := root.get_node_or_null(NodePath(plain))
	if node == null and plain.get_slice("/", 0) == str(root.name):
		# The root's own name in front, as the scene dock shows it.
		var rest := plain.trim_prefix(str(root.name)).trim_prefix("/")
		node = root if rest == "" else root.get_node_or_null(NodePath(rest))
	if node != null and (node == root or root.is_ancestor_of(node)):
		return node
	return null


## The path as results spell it; unchanged when no such node is there.
static func normalise_node(root: Node, path: String) -> String:
	var node := find(root, path)
	return path_of(root, node) if node != null else path.trim_prefix("/")


static func path_of(root: Node, node: Node) -> String:
	return str(root.get_path_to(node))


static func missing_node(root: Node, path: String, parameter: String) -> Dictionary:
	var parent_path := path.get_base_dir() if path.contains("/") else "."
	var parent := find(root, parent_path)
	while parent == null:
		parent_path = parent_path.get_base_dir() if parent_path.contains("/") else "."
		parent = find(root, parent_path)
	var names: PackedStringArray = []
	for child in parent.get_children():
		if names.size() == MAX_NAMES:
			names.append("...")
			break
		names.append(str(child.name))
	var below := ", ".join(names) if not names.is_empty() else "no children"
	return Result.fail(
		Result.NOT_FOUND,
		(
			"%s: no node %s in %s; %s has: %s. godot-mcp scene tree"
			% [parameter, path, scene_name(root), path_of(root, parent), below]
		),
		"node_exists"
	)


static func scene_name(root: Node) -> String:
	return root.scene_file_path if root.scene_file_path != "" else "the unsaved scene"


## Whether the editor has looked through the project once; the addon alone makes one folder.
static func is_scanned() -> bool:
	var top := EditorInterface.get_resource_filesystem().get_filesystem()
	return top != null and top.get_subdir_count() > 0


## Whether the file is a scene by what the editor knows of it, else by its name.
static func is_scene_file(path: String) -> bool:
	var type := EditorInterface.get_resource_filesystem().get_file_type(path)
	return type == "PackedScene" if type != "" else path.get_extension() in EXTENSIONS


## Whether the engine can read the file. Opening one that it cannot read waits in a dialog.
static func loads(path: String) -> bool:
	var packed := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	return packed != null and packed.can_instantiate()


## Reads an open scene again, and then the users, open scenes with instances of it. False when the editor
## still shows the old one; whether it took the users tells not_reloaded, when no longer settling.
##
## The engine changes the scene in its cache in place. It then does not see that instances of it in other
## open scenes are out of date, and their next save would write the old values as overrides of the new ones.
func reload(path: String, users: PackedStringArray) -> bool:
	not_reloaded = []
	_to_reload = users.duplicate()
	_front = EditorInterface.get_edited_scene_root().scene_file_path
	return _reload(path)


## The same for scenes that nobody has changed, when the engine is done with what it does now.
func reload_soon(paths: PackedStringArray) -> void:
	not_reloaded = []
	_to_reload = paths.duplicate()
	var root := EditorInterface.get_edited_scene_root()
	_front = root.scene_file_path if root != null else ""
	settle()


func _reload(path: String) -> bool:
	var old := open_root(path)
	var losses := _history.losses_of(path)
	if losses != null:
		losses.read_scripts_again()
	EditorInterface.reload_scene_from_path(path)
	settle()
	var fresh := open_root(path)
	if fresh == null or fresh == old:
		return false
	_history.note_reloaded(path, fresh)
	return true


## The other open scenes that need this one.
static func users_of(path: String) -> PackedStringArray:
	var users: PackedStringArray = []
	for open in EditorInterface.get_open_scenes():
		if open != path and Dependencies.uses(open, path):
			users.append(open)
	return users


## How many nodes the scene has, those inside instances too.
static func size_of(root: Node) -> int:
	return root.find_children("*", "", true, false).size() + 1


static func is_open(path: String) -> bool:
	return EditorInterface.get_open_scenes().has(path)


static func not_open(path: String) -> Dictionary:
	if not FileAccess.file_exists(path):
		return Result.fail(
			Result.NOT_FOUND, "there is no %s: godot-mcp scene list" % path, "scene_path"
		)
	return Result.fail(
		Result.PRECONDITION, "%s is not open: godot-mcp scene open %s" % [path, path], "scene_open"
	)


## uid:// and res:// spellings of one file are the same scene.
static func normalise(path: String) -> String:
	return Dependencies.plain(path)


## Scenes with changes that their file does not have.
func unsaved() -> PackedStringArray:
	var out: PackedStringArray = []
	for path in EditorInterface.get_open_scenes():
		if is_dirty(path):
			out.append(path if path != "" else NAMELESS)
	return out


## The books know at once; the tab's mark, which the editor draws a frame later, also knows of changes
## that made no undo step.
func is_dirty(path: String) -> bool:
	return _history.is_ahead_of_file(path) or _is_marked(path)


static func _is_marked(path: String) -> bool:
	var index := EditorInterface.get_open_scenes().find(path)
	var bar := _tab_bar()
	if bar == null or index < 0 or index >= bar.tab_count:
		return false
	return bar.get_tab_title(index).ends_with("(*)")


## The bar of scene tabs. Looked for once: the editor's own tree has some ten thousand nodes.
static func _tab_bar() -> TabBar:
	if not is_instance_valid(_bar):
		_bar = null
		for tabs: Node in EditorInterface.get_base_control().find_children(
			"*", "EditorSceneTabs", true, false
		):
			for bar: Node in tabs.find_children("*", "TabBar", true, false):
				_bar = bar as TabBar
	return _bar


## The root of an open scene, null when it is not open.
static func open_root(path: String) -> Node:
	for root: Node in EditorInterface.get_open_scene_roots():
		if root.scene_file_path == path:
			return root
	return null


## Each open scene as {path, dirty, active}.
func open_scenes() -> Array[Dictionary]:
	var root := EditorInterface.get_edited_scene_root()
	var out: Array[Dictionary] = []
	for open in EditorInterface.get_open_scene_roots():
		(
			out
			. append(
				{
					"path": open.scene_file_path,
					"dirty": is_dirty(open.scene_file_path),
					"active": open == root,
				}
			)
		)
	return out


## Why no scene file can be made there, "" when it can.
static func problem_of_new(path: String, preview: bool) -> String:
	var unwritable := Writable.problem(path, preview)
	if not path.get_extension() in EXTENSIONS:
		return "%s must end in .tscn or .scn" % path
	if FileAccess.file_exists(path) or is_open(path):
		return "%s is already there: godot-mcp scene open %s" % [path, path]
	return unwritable


## The answer that refuses to save this scene, empty when nothing speaks against it.
func save_problem(path: String, preview: bool) -> Dictionary:
	if not path.begins_with("res://"):
		return {}
	var unwritable := Writable.problem(path, preview)
	if unwritable != "":
		return Result.fail(
			Result.PRECONDITION,
			"%s, so saving would not write it: mend that, then godot-mcp scene save" % unwritable,
			"scene_path"
		)
	var dropped := drop_problem(path)
	if not FileAccess.file_exists(path):
		return dropped
	if dropped.is_empty() and _history.is_changed_outside(path):
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					(
						"%s was changed on disk since it was opened or saved here, and saving would undo that: "
						+ "godot-mcp scene reload %s --confirm to take the file, or godot-mcp scene save-as for another"
					)
					% [path, path]
				),
				"scene_saved"
			)
		)
	return dropped


## The same for several scenes: the first problem.
func save_problem_of(paths: PackedStringArray, preview: bool) -> Dictionary:
	for path in paths:
		var problem := save_problem(path, preview)
		if not problem.is_empty():
			return problem
	return {}


## Makes the folders of files that are to be written: of an open scene it can have been deleted.
static func make_folders(paths: PackedStringArray) -> void:
	for path in paths:
		if path.begins_with("res://"):
			DirAccess.make_dir_recursive_absolute(path.get_base_dir())


## The answer that refuses to write this scene anywhere, since the engine would leave out what it could not
## load; empty when it could load all.
func drop_problem(path: String) -> Dictionary:
	var losses := _history.losses_of(path)
	var open := open_root(path)
	if losses != null and open != null:
		var unread := losses.still_lost(open)
		if not unread.is_empty():
			return (
				Result
				. fail(
					Result.PRECONDITION,
					(
						"saving would drop %s: mend the script, then godot-mcp scene reload %s --confirm"
						% ["; ".join(unread), path]
					),
					"dependencies"
				)
			)
		var moved := losses.still_moved(open)
		if not moved.is_empty():
			return (
				Result
				. fail(
					Result.PRECONDITION,
					(
						(
							"the parent of some nodes was not there, and saving would leave them below the root: %s. "
							+ "Bring the parent back in the file, then godot-mcp scene reload %s --confirm; "
							+ "or give them another place with godot-mcp node move, rename or delete"
						)
						% ["; ".join(moved), path]
					),
					"dependencies"
				)
			)
	if not FileAccess.file_exists(path):
		return {}
	var missing := _missing_of(path, open, losses)
	if not missing.is_empty():
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"saving would drop the references to %s: bring the files back first, then godot-mcp scene save"
					% ", ".join(missing)
				),
				"dependencies"
			)
		)
	var lost := Dependencies.lost_node_paths(open_root(path))
	if not lost.is_empty():
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"saving would drop %s: bring the extension with the class back first, then godot-mcp scene save"
					% ", ".join(lost)
				),
				"dependencies"
			)
		)
	return {}


## What the scene's file names and is not there, without what an edit has taken out of the open scene since.
static func _missing_of(path: String, open: Node, losses: LoadLosses) -> PackedStringArray:
	var missing := Dependencies.missing_of(path)
	if missing.is_empty() or open == null or losses == null:
		return missing
	var held := Dependencies.held_by(open)
	var out: PackedStringArray = []
	for file in missing:
		if held.has(file) or not losses.present.has(file):
			out.append(file)
	return out
