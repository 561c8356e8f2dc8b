@tool
extends EditorPlugin
## Wiring only: builds the parts, hands them the engine's signals and frames, and takes all down again.

const Bridge := preload("bridge.gd")
const Context := preload("context.gd")
const Events := preload("events.gd")
const ExportGuard := preload("export_guard.gd")
const Router := preload("router.gd")

var _context: Context
var _router: Router
var _bridge: Bridge
var _events: Events
var _export_guard: ExportGuard


func _enter_tree() -> void:
	_set_up({})


func _exit_tree() -> void:
	retire()


func _process(_delta: float) -> void:
	if _bridge == null:
		return
	_events.look()
	_context.game.look()
	_bridge.pump()


## Called by the engine for every run of the game, whoever asked for it.
func _run_scene(scene: String, args: PackedStringArray) -> PackedStringArray:
	return _context.game.begin_run(scene, args) if _context != null else args


## Ends the addon; the node may stay.
func retire() -> void:
	if _bridge == null:
		return
	_context.game.let_go()
	# Before the bridge: it tells the clients that it is over.
	_events.close()
	_bridge.stop()
	_take_down()


## Ends this version of the addon in favour of another one, and tells it what only the running addon knows.
## Plain values: the other one's scripts are not these. takeover.gd calls this and take_over.
func hand_over() -> Dictionary:
	var kept := {
		"context": _context.keep(),
		"router": _router.keep(),
		"bridge": _bridge.hand_over(),
	}
	# Behind the bridge, which has sent the clients away: the editor does not close.
	_events.close()
	_take_down()
	return kept


## Stands in for _enter_tree, which the engine does not call again. True when the bridge listens.
func take_over(kept: Dictionary) -> bool:
	_set_up(kept)
	return _bridge != null and _bridge.is_listening()


func _set_up(kept: Dictionary) -> void:
	_export_guard = ExportGuard.new()
	add_export_plugin(_export_guard)
	_context = Context.new(self)
	_context.take_back(kept.get("context", {}) as Dictionary)
	_router = Router.new(_context)
	_router.take_back(kept.get("router", {}) as Dictionary)
	_bridge = Bridge.new(_router, _context)
	scene_changed.connect(_on_scene_changed)
	scene_saved.connect(_on_scene_saved)
	scene_closed.connect(_on_scene_closed)
	# After the books, so that an event is told when they have it.
	_events = Events.new(self, _context.history)
	_events.happened.connect(_bridge.emit_event)
	_bridge.start(kept.get("bridge", {}) as Dictionary)


func _take_down() -> void:
	scene_changed.disconnect(_on_scene_changed)
	scene_saved.disconnect(_on_scene_saved)
	scene_closed.disconnect(_on_scene_closed)
	_context.close()
	remove_export_plugin(_export_guard)
	_export_guard = null
	_events = null
	_bridge = null
	_router = null
	_context = null


func _on_scene_changed(root: Node) -> void:
	_context.history.note_scene(root)


func _on_scene_saved(path: String) -> void:
	_context.history.note_saved(path)


func _on_scene_closed(path: String) -> void:
	_context.history.note_closed(path)
