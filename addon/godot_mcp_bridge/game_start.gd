@tool
extends RefCounted
## How a run of the game is started so that it can be asked: a script of ours is its main loop, or one that
## extends the project's own. Nothing of the project is changed; options travel in an environment variable.

const Discovery := preload("discovery.gd")
const GameWire := preload("game_wire.gd")
const VARIABLE := "GODOT_MCP_RUN"
const PROBE := "res://addons/godot_mcp_bridge/game/probe.gd"
const LINK := "res://addons/godot_mcp_bridge/game/link.gd"
const SETTING := "application/run/main_loop_type"

var run_id := Crypto.new().generate_random_bytes(8).hex_encode()
## Why the game cannot be asked anything, "" when it can.
var no_probe := ""
var wire: GameWire = GameWire.new()

var _wanted: Dictionary
var _port: int


func _init(wanted: Dictionary, port: int) -> void:
	_wanted = wanted
	_port = port


## Ours stand before all others, what the game itself is to read behind all.
func arguments(args: PackedStringArray) -> PackedStringArray:
	var out: PackedStringArray = []
	if DisplayServer.get_name() == "headless" and not args.has("--headless"):
		out.append("--headless")
	var script := _main_loop()
	if script != "":
		out.append_array(["-s", script])
		OS.set_environment(VARIABLE, JSON.stringify(_options()))
	if int(_wanted.get("fixed_fps", 0)) > 0:
		out.append_array(["--fixed-fps", str(_wanted["fixed_fps"])])
	out.append_array(args)
	var own := PackedStringArray(_wanted.get("args", []) as Array)
	if not own.is_empty():
		if not args.has("--"):
			out.append("--")
		out.append_array(own)
	return out


## The process that was started has it; no other is to have it.
static func clear() -> void:
	OS.unset_environment(VARIABLE)


func _options() -> Dictionary:
	return {
		"run": run_id,
		"port": _port,
		"wire": wire.listen(),
		"key": wire.key,
		"editor_pid": OS.get_process_id(),
		"folder": Discovery.folder().path_join("games"),
		"paused": bool(_wanted.get("paused", false)),
		"fixed_fps": int(_wanted.get("fixed_fps", 0)),
		"seed": str(_wanted.get("seed", 0)),
	}


## The script that becomes the game's main loop, "" when none of ours can.
func _main_loop() -> String:
	var type := str(ProjectSettings.get_setting(SETTING, "SceneTree"))
	if type == "" or type == "SceneTree":
		return PROBE
	var base := ""
	for entry in ProjectSettings.get_global_class_list():
		if str(entry["class"]) == type and str(entry["language"]) == "GDScript":
			base = '"%s"' % entry["path"]
	if base == "" and ClassDB.class_exists(type) and ClassDB.is_parent_class(type, "SceneTree"):
		base = type
	if base != "" and _is_scene_tree(base):
		return _extended(base)
	no_probe = (
		(
			"the project's main loop (%s = %s) is no class that a script can extend to a SceneTree, "
			+ "so this game plays without the probe: godot-mcp game status tells what is known"
		)
		% [SETTING, type]
	)
	return ""


static func _is_scene_tree(base: String) -> bool:
	if not base.begins_with('"'):
		return true
	var script := load(base.trim_prefix('"').trim_suffix('"')) as Script
	return script != null and ClassDB.is_parent_class(script.get_instance_base_type(), "SceneTree")


## A main loop that is the project's own and holds the link besides.
func _extended(base: String) -> String:
	var path := Discovery.folder().path_join("main_loop.gd")
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		no_probe = (
			"%s cannot be written, so this game plays without the probe: godot-mcp doctor" % path
		)
		return ""
	file.store_string(
		(
			'extends %s\n\nvar _godot_mcp_link: RefCounted = (load("%s") as GDScript).new(self)\n'
			% [base, LINK]
		)
	)
	file.close()
	return path
