@tool
extends RefCounted
## What every handler needs: the editor's parts, the books, and the command that is at work.

## An editor that a client started by itself is to stay from now on.
signal kept

const Console := preload("console.gd")
const DiskQuestion := preload("disk_question.gd")
const EditedResources := preload("edited_resources.gd")
const Files := preload("files.gd")
const GameLink := preload("game_link.gd")
const History := preload("history.gd")
const Log := preload("log.gd")
const Pace := preload("pace.gd")
const Result := preload("result.gd")
const Scenes := preload("scenes.gd")
const ScriptFiles := preload("script_files.gd")
const SettingsFile := preload("settings_file.gd")
const SettingsStep := preload("settings_step.gd")
const UndoSteps := preload("undo_steps.gd")

var plugin: EditorPlugin
var undo_redo: UndoSteps
var history: History
var scenes: Scenes
var files: Files = Files.new()
var scripts: ScriptFiles = ScriptFiles.new()
## What the editor printed.
var console: Console = Console.new()
var resources: EditedResources = EditedResources.new()
## The running game.
var game: GameLink = GameLink.new()
## The tool's CLI path, which names the undo step: "node set-property".
var action_name := ""
## Text as it was typed on a command line, by parameter.
var raw: Dictionary = {}
## What the command at work tells its client while it takes long.
var pace: Pace = Pace.new()
## Carries out another command inside this one: (command, params, raw = {}) -> answer.
var carry_out: Callable
## True while the editor imports resources. No API tells, two signals do.
var importing := false
## True when another version of the addon is about to take over, or the addon to end: no further command is
## taken.
var leaving := false
## Whether a command waits for something; the router alone knows.
var is_waited_for: Callable
var importing_files: PackedStringArray = []

var _log: Log = Log.new()
var _question: DiskQuestion


func _init(owner: EditorPlugin) -> void:
	plugin = owner
	undo_redo = UndoSteps.new(owner.get_undo_redo())
	history = History.new(owner.get_undo_redo())
	scenes = Scenes.new(history)
	_question = DiskQuestion.new(history)
	SettingsFile.note()
	OS.add_logger(_log)
	OS.add_logger(console)
	plugin.add_debugger_plugin(game)
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.resources_reimporting.connect(_on_import_begins)
	file_system.resources_reimported.connect(_on_import_ends)


func close() -> void:
	OS.remove_logger(_log)
	OS.remove_logger(console)
	game.close()
	plugin.remove_debugger_plugin(game)
	scripts.close()
	_question.close()
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.resources_reimporting.disconnect(_on_import_begins)
	file_system.resources_reimported.disconnect(_on_import_ends)
	history.close()


## What another version of the addon needs to go on from here, in plain values.
func keep() -> Dictionary:
	return {
		"history": history.keep(),
		"resources": resources.keep(),
		"importing": importing,
		"game": game.keep(),
	}


func take_back(kept: Dictionary) -> void:
	history.take_back(kept.get("history", {}) as Dictionary)
	resources.take_back(kept.get("resources", []) as Array)
	importing = bool(kept.get("importing", false))
	game.take_back(kept.get("game", {}) as Dictionary)


## Scenes and resource files with changes that were not written.
func unsaved() -> PackedStringArray:
	var out := scenes.unsaved()
	out.append_array(resources.unsaved())
	return out


## Called before a client's command is begun, and before it goes on after it waited.
func begin_turn() -> void:
	pace.begin()
	history.turn += 1


func begin(command: String, typed: Variant) -> void:
	action_name = command.replace(".", " ")
	raw = typed if typed is Dictionary else {}
	_log.clear()


## Ends the command and tells what the engine said of the last script error in it.
func finish() -> String:
	action_name = ""
	return _log.last()


## Opens the one undo step of this command in the history of the edited scene.
func open_step(target: Object) -> void:
	undo_redo.create_action(History.PREFIX + action_name, UndoRedo.MERGE_DISABLE, target)
	if target is Resource:
		resources.note(target as Resource)


## Has the running game carry out the command at work, by the function of that name in one of the topics in
## game/.
func ask_game(params: Dictionary, timeout_ms: int = GameLink.ANSWER_MSEC) -> Dictionary:
	return game.ask(action_name.replace(" ", "."), params, raw, timeout_ms)


func first_error() -> String:
	var texts := errors()
	return texts[0] if not texts.is_empty() else "the engine did not say why"


## The first script error of this command in the addon's own files, "" when there was none.
func own_error() -> String:
	return _log.own()


## The last script error of this command, in whosever script, "" when there was none.
func script_error() -> String:
	return _log.script_error()


## What the engine said went wrong during this command, at most the first twenty.
func errors() -> PackedStringArray:
	return _log.errors()


func forget_errors() -> void:
	_log.clear()


func _on_import_begins(resources_begun: PackedStringArray) -> void:
	importing = true
	importing_files = resources_begun


func _on_import_ends(_resources: PackedStringArray) -> void:
	importing = false
	importing_files = []


## A handler of commands that act on a scene: called with the parameters and the Scenes.Target, or not at
## all when there is none.
func on_scene(handler: Callable) -> Callable:
	return _on_scene.bind(handler)


## The same for commands that act on a node, named by this parameter.
func on_node(handler: Callable, parameter: String = "node_path") -> Callable:
	return _on_node.bind(handler, parameter)


## The same for commands that only read: the scene stays behind its tab.
func on_node_read(handler: Callable, parameter: String = "node_path") -> Callable:
	return _on_read.bind(handler, parameter)


func _on_scene(params: Dictionary, handler: Callable) -> Dictionary:
	var target := scenes.target(params)
	return handler.call(params, target) if target.error.is_empty() else target.error


func _on_node(params: Dictionary, handler: Callable, parameter: String) -> Dictionary:
	var target := scenes.target_node(params, parameter)
	return handler.call(params, target) if target.error.is_empty() else target.error


func _on_read(params: Dictionary, handler: Callable, parameter: String) -> Dictionary:
	var target := scenes.target_to_read(params)
	scenes.add_node(target, params, parameter)
	if not target.error.is_empty():
		return target.error
	var answer: Dictionary = handler.call(params, target)
	# Behind its tab a scene is in no tree, and some values are only known in one.
	if not target.root.is_inside_tree() and _says_outside_tree():
		var path := target.root.scene_file_path
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s is behind another tab, and the engine tells this only of the scene in front: godot-mcp scene open %s"
					% [path, path]
				),
				"active_scene"
			)
		)
	return answer


func _says_outside_tree() -> bool:
	for text in errors():
		if text.contains("is_inside_tree"):
			return true
	return false


## The fields that every answer of an edit ends with.
func finish_edit(answer: Dictionary, target: Scenes.Target, params: Dictionary) -> Dictionary:
	answer["dry_run"] = bool(params.get("dry_run", false))
	answer["undoable"] = true
	return target.add_to(answer)


## Makes the settings what these states say, as the undo step of the command, and ends the answer: an error
## instead of it, or what every edit tells. `unchanged` is the hint when there was nothing to change.
func change_settings(
	states: Dictionary[String, Dictionary],
	answer: Dictionary,
	params: Dictionary,
	unchanged: String
) -> Dictionary:
	var preview := bool(params.get("dry_run", false))
	var outcome := SettingsStep.carry_out(states, undo_redo, open_step, preview)
	if outcome.has("error"):
		return outcome["error"]
	answer["dry_run"] = preview
	answer["persisted"] = true
	answer["undoable"] = outcome["changed"]
	var hint := str(outcome["hint"]) if outcome["changed"] else unchanged
	if hint != "":
		answer["hint"] = hint
	return answer


## Adds to the open step what gives the branch its owners back: leaving the tree clears the owner of each
## node whose owner stays behind. `moves` says that the step itself brings the branch back into the tree.
func keep_owners(node: Node, moves: bool) -> void:
	if node.owner != null:
		if moves:
			undo_redo.add_do_property(node, "owner", node.owner)
		undo_redo.add_undo_property(node, "owner", node.owner)
	for child in node.get_children():
		keep_owners(child, moves)
