@tool
extends RefCounted
## A click on a control as a whole gesture: the pointer comes, a frame later the button goes down, a frame later
## up. The engine itself tells what is under the pointer, and the control that the click has reached it.

enum Stage { MOVE, PRESS, RELEASE, TELL }

const Codec := preload("input_codec.gd")
const Feed := preload("input_feed.gd")
const GameTree := preload("tree.gd")
const Result := preload("../result.gd")
const Values := preload("../values.gd")

var _tree: SceneTree
var _feed: Feed
var _target: Control
var _window: Window
## In coordinates of the window, and as it is told.
var _at := Vector2.ZERO
var _path := ""
var _place: Dictionary = {}
var _stage := Stage.MOVE
var _frame := -1
var _press: InputEventMouseButton = null
var _got_press := false
var _got_release := false
var _pressed := false


func _init(tree: SceneTree, feed: RefCounted, target: Control) -> void:
	_tree = tree
	_feed = feed
	_target = target
	_path = GameTree.path_of(target)
	_window = native_window(target)


## The window of the system that the control is shown in.
static func native_window(control: Control) -> Window:
	var window := control.get_window()
	while window.is_embedded():
		window = window.get_parent().get_window()
	return window


## From the control to its native window.
static func _to_window(control: Control) -> Transform2D:
	return (
		control.get_viewport().get_screen_transform() * control.get_global_transform_with_canvas()
	)


## Where the control is, in viewport coordinates of its native window.
static func on_screen(control: Control) -> Rect2:
	var to_viewport := native_window(control).get_final_transform().affine_inverse()
	return to_viewport * _to_window(control) * Rect2(Vector2.ZERO, control.size)


static func is_disabled(control: Control) -> bool:
	return control is BaseButton and (control as BaseButton).disabled


## What keeps it from being clicked, empty when nothing does that can be seen beforehand.
func problem() -> Dictionary:
	if not _target.is_visible_in_tree():
		return _refuse("%s is hidden%s" % [_path, _hidden_by()], "find-ui --visible-only")
	if is_disabled(_target):
		return _refuse("%s is disabled" % _path, "get-property %s disabled" % _path.c_escape())
	if _target.mouse_filter == Control.MOUSE_FILTER_IGNORE:
		return _refuse(
			"%s lets the mouse through (mouse_filter ignore)%s" % [_path, _taker()], "find-ui"
		)
	var above := _exclusive()
	if above != "":
		return _refuse(
			"%s is behind the window %s, which takes all input" % [_path, above],
			"find-ui --visible-only"
		)
	var seen := _seen()
	if not seen.has_area():
		return _off_screen()
	_at = seen.get_center()
	var place := _window.get_final_transform().affine_inverse() * _at
	_place = {"x": Values.number(place.x), "y": Values.number(place.y)}
	return {}


## The window that keeps input from the one of the control, "" for none.
func _exclusive() -> String:
	var own := _target.get_window()
	for window in _window.get_embedded_subwindows():
		if window.visible and window.exclusive and window != own and not window.is_ancestor_of(own):
			return GameTree.path_of(window)
	return ""


func _hidden_by() -> String:
	var node: Node = _target
	while node != null:
		if node is CanvasItem and not (node as CanvasItem).visible:
			return ", as %s is" % GameTree.path_of(node) if node != _target else ""
		if node is Window and not (node as Window).visible:
			return ", as its window %s is" % GameTree.path_of(node)
		if node is CanvasLayer and not (node as CanvasLayer).visible:
			return ", as %s is" % GameTree.path_of(node)
		node = node.get_parent()
	return ""


## The control around it that takes clicks.
func _taker() -> String:
	var above := _target.get_parent_control()
	while above != null and above.mouse_filter == Control.MOUSE_FILTER_IGNORE:
		above = above.get_parent_control()
	return ", %s around it takes clicks" % GameTree.path_of(above) if above != null else ""


## The part of the control that the window shows, in coordinates of the window.
func _seen() -> Rect2:
	var rect := _to_window(_target) * Rect2(Vector2.ZERO, _target.size)
	rect = rect.intersection(Rect2(Vector2.ZERO, _window.size))
	var above := _target.get_parent_control()
	while above != null and not above.is_set_as_top_level():
		if above.clip_contents:
			rect = rect.intersection(_to_window(above) * Rect2(Vector2.ZERO, above.size))
		above = above.get_parent_control()
	return rect


func _off_screen() -> Dictionary:
	var rect := on_screen(_target)
	var words := "%s is not on the screen: it is at %s, %s" % [_path, rect.position, rect.size]
	if DisplayServer.get_name() == "headless":
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s, and a headless game has a window of %s: godot-mcp editor start --display virtual"
					% [words, _window.size]
				),
				"display"
			)
		)
	return _refuse("%s in a window of %s" % [words, _window.size], "find-ui --visible-only")


func _refuse(words: String, command: String) -> Dictionary:
	return Result.fail(Result.PRECONDITION, "%s: godot-mcp game %s" % [words, command], "node_path")


## Called when a frame begins; what was put in during the last one has been handed out.
func poll() -> Dictionary:
	if Engine.get_process_frames() == _frame:
		return {}
	_frame = Engine.get_process_frames()
	match _stage:
		Stage.MOVE:
			_move()
		Stage.PRESS:
			if not is_instance_valid(_target) or not _target.is_inside_tree():
				return _refuse("%s has gone" % _path, "find-ui --visible-only")
			var covered := _covered()
			if not covered.is_empty():
				return covered
			_go_down()
		Stage.RELEASE:
			_let_go()
		Stage.TELL:
			return _tell()
	_stage = (_stage + 1) as Stage
	return {}


func _move() -> void:
	var to_viewport := _window.get_final_transform().affine_inverse()
	var place := to_viewport * _at
	var made := Codec.decode("mouse", {"x": place.x, "y": place.y}, _window)
	_put((made["events"] as Array[InputEvent])[0] as InputEventMouse)


func _put(event: InputEventMouse) -> void:
	event.position = _at
	event.global_position = _at
	event.window_id = _window.get_window_id()
	_feed.put(event)


## The engine keeps the control under the pointer; a child that passes the click on counts.
func _covered() -> Dictionary:
	var viewport := _target.get_viewport()
	if not _tree.root.gui_embed_subwindows and _window != _tree.root:
		return {}
	var over := viewport.gui_get_hovered_control()
	var at := over
	while at != null and at != _target and at.mouse_filter == Control.MOUSE_FILTER_PASS:
		at = at.get_parent_control()
	if at == _target:
		return {}
	var front := "something else, %s" % GameTree.path_of(over) if over != null else _window_over()
	return _refuse("%s is covered by %s" % [_path, front], "find-ui --visible-only")


func _window_over() -> String:
	for window in _window.get_embedded_subwindows():
		if window.visible and window != _target.get_viewport():
			return "the window %s" % GameTree.path_of(window)
	return "something that takes the mouse"


func _go_down() -> void:
	_target.gui_input.connect(_on_gui_input)
	if _target is BaseButton:
		(_target as BaseButton).pressed.connect(_on_pressed)
	_press = InputEventMouseButton.new()
	_press.button_index = MOUSE_BUTTON_LEFT
	_press.pressed = true
	_press.button_mask = Input.get_mouse_button_mask() | MOUSE_BUTTON_MASK_LEFT
	_put(_press)


func _let_go() -> void:
	var end := Codec.released(_press) as InputEventMouse
	_press = null
	_put(end)


func _on_gui_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or button.button_index != MOUSE_BUTTON_LEFT:
		return
	if button.pressed:
		_got_press = true
	else:
		_got_release = true


func _on_pressed() -> void:
	_pressed = true


func _tell() -> Dictionary:
	var is_button := _pressed
	if is_instance_valid(_target):
		is_button = _target is BaseButton
		_stop_listening()
	var answer := {
		"node_path": _path,
		"position": _place,
		"frame": _feed.frame,
		"pressed": _pressed if is_button else null,
	}
	answer["clicked"] = _pressed if is_button else _got_press and _got_release
	if not answer["clicked"]:
		answer["hint"] = _words_of_failure()
	return answer


func _words_of_failure() -> String:
	if not _got_press:
		if _tree.paused:
			return "the game is paused, and the control with it: the click did not reach it"
		return "the click did not reach the control: something took it before"
	if _got_release:
		return "the control has got the click, and it was not pressed by it"
	return "the control has got the press of the button, and not its release"


func _stop_listening() -> void:
	if _target.gui_input.is_connected(_on_gui_input):
		_target.gui_input.disconnect(_on_gui_input)
	if _target is BaseButton and (_target as BaseButton).pressed.is_connected(_on_pressed):
		(_target as BaseButton).pressed.disconnect(_on_pressed)


func give_up() -> void:
	if is_instance_valid(_target):
		_stop_listening()
	if _press != null:
		_let_go()
