@tool
extends EditorPlugin
## Wiring only: builds the parts, hands them the engine's signals and frames, and takes all down again.

const Bridge := preload("bridge.gd")
const Context := preload("context.gd")
const Events := preload("events.gd")
const Router := preload("router.gd")

var _context: Context
var _router: Router
var _bridge: Bridge
var _events: Events


func _enter_tree() -> void:
	_context = Context.new(self)
	_router = Router.new(_context)
	_bridge = Bridge.new(_router)
	scene_changed.connect(_on_scene_changed)
	scene_saved.connect(_on_scene_saved)
	scene_closed.connect(_on_scene_closed)
	# After the books, so that an event is told when they have it.
	_events = Events.new(self, _context.history)
	_events.happened.connect(_bridge.emit_event)
	_bridge.start()


func _exit_tree() -> void:
	_events.close()
	scene_changed.disconnect(_on_scene_changed)
	scene_saved.disconnect(_on_scene_saved)
	scene_closed.disconnect(_on_scene_closed)
	_bridge.stop()
	_context.close()
	_events = null
	_bridge = null
	_router = null
	_context = null


func _process(_delta: float) -> void:
	_events.look()
	_bridge.pump()


func _on_scene_changed(root: Node) -> void:
	_context.history.note_scene(root)


func _on_scene_saved(path: String) -> void:
	_context.history.note_saved(path)


func _on_scene_closed(path: String) -> void:
	_context.history.note_closed(path)
