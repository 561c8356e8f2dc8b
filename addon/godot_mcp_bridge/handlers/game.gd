@tool
extends RefCounted
## The running game: play, stop, status, what it printed, and questions that the game itself answers.

const Context := preload("../context.gd")
const GamePlay := preload("../game_play.gd")
const GameStop := preload("../game_stop.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")

const CURRENT := "res://current"
const MAIN_SCENE := "application/run/main_scene"

var _context: Context


func _init(context: Context) -> void:
	_context = context


## What the game answers has a function of that name in one of the topics in game/.
func commands() -> Dictionary[String, Callable]:
	return {
		"game.play": play,
		"game.stop": stop,
		"game.status": status,
		"game.output": output,
		"game.tree": tree,
		"game.get-property": ask,
		"game.query": ask,
		"game.set-property": ask,
		"game.call": ask,
		"game.find-ui": find_ui,
		"game.click-ui": ask,
	}


func play(params: Dictionary) -> Dictionary:
	var scene := _scene_to_play(str(params.get("scene_path", "")))
	if scene.has("error"):
		return scene["error"]
	var unsaved := _context.scenes.unsaved()
	var save := bool(params.get("save", false))
	if save:
		var problem := _save_all(unsaved)
		if not problem.is_empty():
			return problem
	var playing := GamePlay.new(_context.game, scene["path"] as String, params)
	if save:
		playing.saved = unsaved
	elif unsaved.has(scene["path"]):
		playing.hint = (
			"%s has changes that are not in this run: godot-mcp game play --save" % scene["path"]
		)
	return playing.start()


func stop(_params: Dictionary) -> Dictionary:
	return GameStop.new(_context.game).start()


func status(_params: Dictionary) -> Dictionary:
	var link := _context.game
	var playing := EditorInterface.is_playing_scene()
	var run := link.run if playing else null
	var answer := {
		"playing": playing,
		"scene": EditorInterface.get_playing_scene() if playing else null,
		"connected": run != null and run.is_connected_now(),
		"paused": run != null and run.paused,
		"breaked": run != null and not run.at_break.is_empty(),
		"break": null,
		"pid": null,
	}
	if run != null and run.pid > 0:
		answer["pid"] = run.pid
	if answer["breaked"]:
		answer["break"] = run.break_fields()
	if run != null and run.no_probe != "":
		answer["hint"] = run.no_probe
	return answer


func output(params: Dictionary) -> Dictionary:
	var link := _context.game
	var answer := link.log.read(maxi(int(params.get("since_seq", 0)), 0))
	var playing := EditorInterface.is_playing_scene()
	answer["playing"] = playing
	answer["connected"] = playing and link.run != null and link.run.is_connected_now()
	return answer


## A game that does not run has no tree, which is an answer.
func tree(params: Dictionary) -> Dictionary:
	if EditorInterface.is_playing_scene():
		return ask(params)
	return {
		"playing": false,
		"connected": false,
		"tree": null,
		"hint": "no game is running: godot-mcp game play",
	}


func find_ui(params: Dictionary) -> Dictionary:
	return _context.ask_game(params, int(params.get("timeout_ms", 2000)))


func ask(params: Dictionary) -> Dictionary:
	return _context.ask_game(params)


## {path} or {error}.
func _scene_to_play(given: String) -> Dictionary:
	var path := Scenes.normalise(given)
	if given == CURRENT:
		var root := EditorInterface.get_edited_scene_root()
		path = root.scene_file_path if root != null else ""
		if path == "":
			return {
				"error":
				Result.fail(
					Result.PRECONDITION,
					"the scene in front has no file: godot-mcp scene save-as",
					"scene_saved"
				)
			}
	elif given == "":
		path = Scenes.normalise(str(ProjectSettings.get_setting(MAIN_SCENE, "")))
		if path == "":
			return {
				"error":
				Result.fail(
					Result.VALIDATION,
					"the project has no main scene: godot-mcp scene list, then name one",
					"scene_path"
				)
			}
	var kinds := ResourceLoader.get_recognized_extensions_for_type("PackedScene")
	if not kinds.has(path.get_extension().to_lower()) or not ResourceLoader.exists(path):
		return {
			"error":
			Result.fail(
				Result.NOT_FOUND,
				"%s is no scene of the project: godot-mcp scene list" % path,
				"scene_path"
			)
		}
	return {"path": path}


func _save_all(unsaved: PackedStringArray) -> Dictionary:
	var problem := _context.scenes.save_problem_of(unsaved, false)
	if not problem.is_empty():
		return problem
	if unsaved.has(Scenes.NAMELESS):
		return Result.fail(
			Result.PRECONDITION, "one scene has no file yet: godot-mcp scene save-as", "scene_saved"
		)
	Scenes.make_folders(unsaved)
	EditorInterface.save_all_scenes()
	for path in unsaved:
		if _context.history.is_ahead_of_file(path):
			return Result.fail(
				Result.INTERNAL,
				"the editor did not write %s: godot-mcp scene save --scene-path %s" % [path, path]
			)
	return {}
