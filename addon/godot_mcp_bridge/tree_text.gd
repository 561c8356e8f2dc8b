@tool
extends RefCounted
## A branch of a scene as JSON text, written node by node, depth first. Dictionaries for JSON.stringify
## take more than twice the time, which a level of 10,000 nodes makes felt.

var root: Node
## Levels below the first node; -1 for all.
var max_depth := -1
## The window: nodes from first up to, not including, last, with all their ancestors.
var first := 0
var last := 1 << 62
## Leaves out script, owner and editable_children.
var light := false
## Nodes counted, in the window or not.
var total := 0

var _out: PackedStringArray = []


## The branch below node, "null" when nothing of it is in the window.
func write(node: Node) -> String:
	total = 0
	_out.clear()
	var path := _escape(str(root.get_path_to(node)))
	_visit(node, _escape(str(node.name)), path, "" if node == root else path + "/", 0)
	return "".join(_out) if not _out.is_empty() else "null"


## True when the node or something below it is in the window. Name and paths come escaped.
func _visit(node: Node, name: String, path: String, prefix: String, depth: int) -> bool:
	var kept := total >= first and total < last
	total += 1
	var count := node.get_child_count()
	var mark := _out.size()
	var head := '{"name":"' + name + '","type":"' + node.get_class() + '","path":"' + path + '"'
	if not light:
		head += _details(node)
	head += ',"child_count":' + str(count)
	if count == 0 or (max_depth >= 0 and depth >= max_depth):
		if kept:
			_out.append(head + "}")
		return kept
	_out.append(head + ',"children":[')
	kept = _visit_children(node, prefix, depth + 1) or kept
	_out.append("]}")
	if not kept:
		_out.resize(mark)
	return kept


func _visit_children(node: Node, prefix: String, depth: int) -> bool:
	var any := false
	for child in node.get_children():
		var name := _escape(str(child.name))
		if any:
			_out.append(",")
		var path := prefix + name
		if _visit(child, name, path, path + "/", depth):
			any = true
		elif any:
			_out.resize(_out.size() - 1)
	return any


func _details(node: Node) -> String:
	var text := ""
	var script := node.get_script() as Script
	if script != null:
		text += ',"script":' + JSON.stringify(script.resource_path)
	if node == root:
		return text
	var owner := node.owner
	if owner != root and owner != null:
		text += ',"owner":' + JSON.stringify(str(root.get_path_to(owner)))
	if node.scene_file_path != "" and root.is_editable_instance(node):
		text += ',"editable_children":true'
	return text


## Nearly no name needs it. Raw control characters are Wire's to mend.
static func _escape(text: String) -> String:
	return text.json_escape() if text.contains("\\") or text.contains('"') else text
