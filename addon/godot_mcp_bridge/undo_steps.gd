@tool
extends RefCounted
## What handlers write undo steps with, in the words of EditorUndoRedoManager, to which they go at once.
##
## A batch gathers them instead: each step is carried out when it is committed, and the editor gets all of
## them as one step when the batch is whole. What is taken back before leaves no trace in any history.


## One gathered step. An operation is [object, is_method, name, value or arguments].
class Step:
	extends RefCounted
	var history := 0
	var context: Object
	var does: Array[Array] = []
	var undoes: Array[Array] = []
	## What the engine is to free with the step: made by it, or taken out by it.
	var made: Array[Object] = []
	var taken_out: Array[Object] = []
	## Resources that had no changes to be written before.
	var marked: Array[Resource] = []

	func carry_out(operations: Array[Array]) -> void:
		for operation in operations:
			var object: Object = operation[0]
			if operation[1]:
				object.callv(operation[2] as StringName, operation[3] as Array)
			else:
				object.set(operation[2] as StringName, operation[3])
			if object is Resource:
				# As the engine does when it carries out a step.
				mark(object as Resource)

	func mark(resource: Resource) -> void:
		if not EditorInterface.is_object_edited(resource):
			marked.append(resource)
			EditorInterface.set_object_edited(resource, true)

	func take_back() -> void:
		carry_out(undoes)
		for resource in marked:
			EditorInterface.set_object_edited(resource, false)
		for object in made:
			if object is Node:
				object.free()


## Steps that went to the editor at once.
var handed := 0

var _manager: EditorUndoRedoManager
var _steps: Array[Step] = []
var _gathering := false
var _open: Step
## The nodes that were selected when the gathering began: a node that leaves the tree is no longer.
var _selected: Array[Node] = []


func _init(manager: EditorUndoRedoManager) -> void:
	_manager = manager


func is_gathering() -> bool:
	return _gathering


func gather() -> void:
	_gathering = true
	_steps.clear()
	_selected = EditorInterface.get_selection().get_selected_nodes()


## How many steps were gathered, to take back those that come after.
func count() -> int:
	return _steps.size()


## Takes back what was gathered from this count on, the youngest first.
func take_back(from: int) -> void:
	_open = null
	while _steps.size() > from:
		(_steps.pop_back() as Step).take_back()
	var selection := EditorInterface.get_selection()
	for node in _selected:
		if is_instance_valid(node) and not selection.get_selected_nodes().has(node):
			selection.add_node(node)


## The histories that hand_over() will write into.
func histories() -> Array[int]:
	var ids: Array[int] = []
	for step in _steps:
		if not ids.has(step.history):
			ids.append(step.history)
	return ids


## Ends the gathering: gives the editor one step for each history that was touched.
func hand_over(action: String) -> void:
	_gathering = false
	_open = null
	for id in histories():
		_hand_over(action, id)
	_steps.clear()


func _hand_over(action: String, id: int) -> void:
	var own := _steps.filter(func(step: Step) -> bool: return step.history == id)
	var context: Object = own[0].context
	# A node of the scene may have left it since.
	if context is Node:
		context = EditorInterface.get_edited_scene_root()
	_manager.create_action(action, UndoRedo.MERGE_DISABLE, context)
	for step: Step in own:
		for operation in step.does:
			_add("do", operation)
		for object in step.made:
			_manager.add_do_reference(object)
	own.reverse()
	for step: Step in own:
		for operation in step.undoes:
			_add("undo", operation)
		for object in step.taken_out:
			_manager.add_undo_reference(object)
	_manager.commit_action(false)


func _add(way: String, operation: Array) -> void:
	if operation[1]:
		var arguments: Array = [operation[0], operation[2]]
		arguments.append_array(operation[3] as Array)
		_manager.callv("add_%s_method" % way, arguments)
	elif way == "do":
		_manager.add_do_property(operation[0] as Object, operation[2] as StringName, operation[3])
	else:
		_manager.add_undo_property(operation[0] as Object, operation[2] as StringName, operation[3])


func create_action(action: String, merge: UndoRedo.MergeMode, context: Object) -> void:
	if not _gathering:
		_manager.create_action(action, merge, context)
		return
	_open = Step.new()
	_open.context = context
	_open.history = _manager.get_object_history_id(context)
	if context is Resource:
		_open.mark(context as Resource)


func add_do_method(object: Object, method: StringName, ...arguments: Array) -> void:
	var operation := [object, true, method, arguments]
	if _gathering:
		_open.does.append(operation)
	else:
		_add("do", operation)


func add_undo_method(object: Object, method: StringName, ...arguments: Array) -> void:
	var operation := [object, true, method, arguments]
	if _gathering:
		_open.undoes.append(operation)
	else:
		_add("undo", operation)


func add_do_property(object: Object, property: StringName, value: Variant) -> void:
	if _gathering:
		_open.does.append([object, false, property, value])
	else:
		_manager.add_do_property(object, property, value)


func add_undo_property(object: Object, property: StringName, value: Variant) -> void:
	if _gathering:
		_open.undoes.append([object, false, property, value])
	else:
		_manager.add_undo_property(object, property, value)


func add_do_reference(object: Object) -> void:
	if _gathering:
		_open.made.append(object)
	else:
		_manager.add_do_reference(object)


func add_undo_reference(object: Object) -> void:
	if _gathering:
		_open.taken_out.append(object)
	else:
		_manager.add_undo_reference(object)


func commit_action(execute: bool = true) -> void:
	if not _gathering:
		_manager.commit_action(execute)
		handed += 1
		return
	var step := _open
	_open = null
	_steps.append(step)
	if execute:
		step.carry_out(step.does)
