@tool
extends RefCounted
## Controls of the running game: finding them, and clicking one.

const GameTree := preload("tree.gd")
const Names := preload("../names.gd")
const Result := preload("../result.gd")
const UiClick := preload("ui_click.gd")

var _link: RefCounted
var _tree: SceneTree


func _init(link: RefCounted) -> void:
	_link = link
	_tree = link.get("tree")


func commands() -> Dictionary[String, Callable]:
	return {"game.find-ui": find, "game.click-ui": click}


func find(params: Dictionary) -> Dictionary:
	var name := str(params.get("name_contains", ""))
	var type := str(params.get("class_filter", ""))
	var text := str(params.get("text_contains", ""))
	var elements: Array[Dictionary] = []
	for control in _controls():
		if bool(params.get("visible_only", false)) and not control.is_visible_in_tree():
			continue
		if name != "" and not name.to_lower() in str(control.name).to_lower():
			continue
		if text != "" and not text.to_lower() in text_of(control).to_lower():
			continue
		if type == "" or _is_of(control, type):
			elements.append(_told(control))
	return {"ready": true, "elements": elements}


## All controls, those too that the engine has put inside others, such as the buttons of a dialog.
func _controls() -> Array[Control]:
	var found: Array[Control] = []
	var waiting: Array[Node] = [_tree.root]
	while not waiting.is_empty():
		var node: Node = waiting.pop_back()
		if node is Control:
			found.append(node as Control)
		var children := node.get_children(true)
		children.reverse()
		waiting.append_array(children)
	return found


static func _is_of(control: Control, type: String) -> bool:
	if control.is_class(type):
		return true
	var script := control.get_script() as Script
	while script != null:
		if script.get_global_name() == type:
			return true
		script = script.get_base_script()
	return false


func _told(control: Control) -> Dictionary:
	var rect := UiClick.on_screen(control)
	return {
		"path": GameTree.path_of(control),
		"name": str(control.name),
		"node_class": control.get_class(),
		"visible": control.is_visible_in_tree(),
		"disabled": UiClick.is_disabled(control),
		"rect": {"x": rect.position.x, "y": rect.position.y, "w": rect.size.x, "h": rect.size.y},
		"text": text_of(control),
	}


## The text that a control shows, translated as it shows it.
static func text_of(control: Control) -> String:
	if control is RichTextLabel:
		return (control as RichTextLabel).get_parsed_text()
	var text: Variant = control.get("text")
	if not text is String:
		return ""
	return text if control is LineEdit or control is TextEdit else control.atr(text as String)


func click(params: Dictionary) -> Dictionary:
	var path := str(params.get("node_path", ""))
	var text := str(params.get("text", ""))
	if (path == "") == (text == ""):
		return Result.fail(
			Result.VALIDATION,
			"give the path of a control or its text, one of them: godot-mcp game find-ui",
			"node_path"
		)
	if text != "":
		return _click_text(text)
	var node := GameTree.find(_tree, path)
	if node == null:
		return Result.fail(
			Result.NOT_FOUND,
			"%s: godot-mcp game find-ui" % GameTree.words_of_missing(_tree, path),
			"node_path"
		)
	if not node is Control:
		return Result.fail(
			Result.VALIDATION,
			"%s is a %s and no control: godot-mcp game find-ui" % [path, node.get_class()],
			"node_path"
		)
	return _click(node as Control)


func _click(control: Control) -> Dictionary:
	var clicking := UiClick.new(_tree, _link.get("feed") as RefCounted, control)
	var problem := clicking.problem()
	return problem if not problem.is_empty() else Result.park(clicking)


## Of several with the text the one that takes the mouse.
func _click_text(text: String) -> Dictionary:
	var shown: Array[Control] = []
	var texts: PackedStringArray = []
	for control in _controls():
		if not control.is_visible_in_tree() or text_of(control) == "":
			continue
		texts.append(text_of(control).strip_edges())
		if texts[-1] == text.strip_edges():
			shown.append(control)
	var takers := shown.filter(
		func(control: Control) -> bool: return control.mouse_filter != Control.MOUSE_FILTER_IGNORE
	)
	if not takers.is_empty():
		shown = takers
	if shown.is_empty():
		var near := Names.nearest(text, texts)
		var words := ', did you mean "%s"?' % near if near != "" else ""
		return Result.fail(
			Result.NOT_FOUND,
			(
				'no visible control shows "%s"%s: godot-mcp game find-ui --visible-only'
				% [text, words]
			),
			"text"
		)
	if shown.size() > 1:
		var paths: PackedStringArray = []
		for control in shown:
			paths.append(GameTree.path_of(control))
		return Result.fail(
			Result.VALIDATION,
			(
				'%d controls show "%s" (%s): godot-mcp game click-ui %s'
				% [shown.size(), text, ", ".join(paths), paths[0].c_escape()]
			),
			"text"
		)
	return _click(shown[0])
