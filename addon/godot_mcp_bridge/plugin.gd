@tool
extends EditorPlugin
## Wiring only: builds the parts, hands them the engine's signals and frames, and takes all down again.

const Bridge := preload("bridge.gd")
const Context := preload("context.gd")
const Router := preload("router.gd")

var _context: Context
var _router: Router
var _bridge: Bridge


func _enter_tree() -> void:
	_context = Context.new(self)
	_router = Router.new(_context)
	_bridge = Bridge.new(_router)
	scene_changed.connect(_on_scene_changed)
	scene_saved.connect(_on_scene_saved)
	scene_closed.connect(_on_scene_closed)
	_context.history.stepped.connect(_on_stepped)
	_bridge.start()


func _exit_tree() -> void:
	scene_changed.disconnect(_on_scene_changed)
	scene_saved.disconnect(_on_scene_saved)
	scene_closed.disconnect(_on_scene_closed)
	_bridge.stop()
	_context.close()
	_bridge = null
	_router = null
	_context = null


func _process(_delta: float) -> void:
	_bridge.pump()


func _on_scene_changed(root: Node) -> void:
	var path := root.scene_file_path if root != null else ""
	_context.history.note_scene(root)
	_bridge.emit_event("scene_changed", {"scene_path": path})


func _on_scene_saved(path: String) -> void:
	_context.history.note_saved(path)
	_bridge.emit_event("scene_saved", {"scene_path": path})


func _on_scene_closed(path: String) -> void:
	_context.history.note_closed(path)
	_bridge.emit_event("scene_closed", {"scene_path": path})


func _on_stepped(history: String, action: String) -> void:
	_bridge.emit_event("history_changed", {"history": history, "action": action})
