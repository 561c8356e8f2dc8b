@tool
extends RefCounted
## Setting one property so that the answer is true: what the engine makes of the value is read back, what
## else changes with it is put back by undo, and whether a save will hold it is seen from what changed.

const Properties := preload("properties.gd")
const UndoSteps := preload("undo_steps.gd")
const Values := preload("values.gd")

## Properties of a node that say what it is to the scene, which other tools change as a whole.
const STRUCTURE: Dictionary[String, String] = {
	"owner": "what owns a node follows from where it is: godot-mcp node add, node move",
	"scene_file_path": "a node is of a scene's file by being its instance or its root",
}

## Place and look of a node, set more often than all else: no class says otherwise of them, and setting one
## changes at most the others.
const PLAIN: Array[String] = [
	"position",
	"scale",
	"skew",
	"transform",
	"visible",
	"modulate",
	"self_modulate",
	"z_index",
	"top_level",
	"process_mode",
]
## What else is written of a node's place.
const PLACE: Array[String] = ["rotation", "quaternion", "basis"]
## Properties that are often set, by the class that has them, and that change at most others of the class's own:
## none of those that a node lists besides, such as overrides of a theme or parameters of a shader. Whether a
## save writes them does not depend on the node.
const OWN: Dictionary[String, Array] = {
	"Node": ["process_mode", "process_priority", "editor_description"],
	"CanvasItem":
	[
		"visible",
		"modulate",
		"self_modulate",
		"z_index",
		"z_as_relative",
		"y_sort_enabled",
		"show_behind_parent",
		"light_mask",
		"texture_filter",
	],
	"Control": ["tooltip_text", "custom_minimum_size", "mouse_filter", "focus_mode"],
	"Label": ["text", "horizontal_alignment", "vertical_alignment", "autowrap_mode", "uppercase"],
	"BaseButton": ["disabled"],
	"Button": ["text", "flat"],
	"LineEdit": ["text", "placeholder_text", "editable"],
	"RichTextLabel": ["text", "bbcode_enabled"],
	"ColorRect": ["color"],
	"TextureRect": ["texture", "flip_h", "flip_v", "stretch_mode"],
	"Sprite2D": ["texture", "centered", "offset", "flip_h", "flip_v", "hframes", "vframes"],
	"Line2D": ["width", "default_color"],
	"Polygon2D": ["color"],
	"Light2D": ["enabled", "color", "energy"],
	"Light3D": ["light_color", "light_energy", "shadow_enabled"],
	"CollisionObject2D": ["collision_layer", "collision_mask"],
	"CollisionObject3D": ["collision_layer", "collision_mask"],
	"CollisionShape2D": ["disabled", "one_way_collision"],
	"CollisionShape3D": ["disabled"],
	"Area2D": ["monitoring", "monitorable"],
	"Timer": ["wait_time", "one_shot", "autostart"],
}

## What can change with one of PLAIN, and with one of OWN, by class. The lists that nodes make are slow.
static var _place_infos: Dictionary[String, Variant] = {}
static var _own_infos: Dictionary[String, Variant] = {}


## What came of a write: a problem in words, or which stored properties changed.
class Outcome:
	extends RefCounted
	var problem := ""
	## True when something that a save writes has changed.
	var is_stored := false
	## Of a try: whether the property itself has another value now, and what a save would write of the change.
	var is_changed := false
	var changes: Dictionary = {}
	## What the stored properties that changed held before.
	var before: Dictionary = {}


## Why this property is not to be written, "" when it may be.
static func refusal(object: Object, property: String, info: Dictionary) -> String:
	if object is Node and STRUCTURE.has(property):
		return "%s cannot be set: %s" % [property, STRUCTURE[property]]
	if object is Resource and Values.PLACES.has(property):
		return "%s cannot be set: it follows from the file that holds the resource" % property
	if (info["usage"] as int) & PROPERTY_USAGE_READ_ONLY:
		return "%s is read only" % property
	return ""


## Sets the value and writes one undo step, which open_step begins. Nothing is left behind when the property
## does not take the value.
static func run(
	place: Properties.Place, wanted: Variant, undo_redo: UndoSteps, open_step: Callable
) -> Outcome:
	var object := place.object
	var is_known := not _known_kin(object, place.property).is_empty()
	var list := _list_for(object, place.property)
	var old: Variant = object.get(place.property)
	var whole: Variant = place.whole_with(wanted)
	var outcome := apply(place, wanted, list)
	if outcome.problem != "":
		return outcome
	open_step.call(object)
	undo_redo.add_do_property(object, place.property, whole)
	undo_redo.add_undo_property(object, place.property, old)
	for name: String in outcome.before:
		if name != place.property:
			undo_redo.add_undo_property(object, name, outcome.before[name])
	undo_redo.commit_action(false)
	if object is Resource:
		# Executing the step would have marked it, and saving a scene writes only marked resource files.
		EditorInterface.set_object_edited(object, true)
	if not is_known:
		object.notify_property_list_changed()
	return outcome


## Sets the value without an undo step. Nothing is left behind when the property does not take it. `list` are
## the properties that may change with it.
static func apply(place: Properties.Place, wanted: Variant, list: Array[Dictionary]) -> Outcome:
	var object := place.object
	var before := _stored(object, list)
	var old: Variant = object.get(place.property)
	var previous: Variant = place.value()
	object.set(place.property, place.whole_with(wanted))
	var outcome := Outcome.new()
	outcome.problem = _objection(place, wanted, previous)
	if outcome.problem != "":
		object.set(place.property, old)
		_put_back(object, before)
		return outcome
	for name in _changes(object, before):
		outcome.before[name] = before[name]
	outcome.is_stored = (
		not outcome.before.is_empty()
		or _listed(list, place.property)
		or is_kept(object, place.property)
	)
	return outcome


## A script goes with the class that it extends and those below it. The engine only prints that it does not.
static func fitting_script(place: Properties.Place, decoded: Dictionary) -> Dictionary:
	var script := decoded["value"] as Script if place.property == "script" else null
	if script == null or not place.keys.is_empty():
		return decoded
	var base := script.get_instance_base_type()
	if base == &"" or ClassDB.is_parent_class(place.object.get_class(), base):
		return decoded
	return {
		"problem":
		"is of a %s, and %s extends %s" % [place.object.get_class(), script.resource_path, base]
	}


## What run() would say, tried on an object of the same class with the same properties. Where the stand-in
## does not even hold the present value, it proves nothing; of a script's own properties nothing is said.
static func preview(place: Properties.Place, wanted: Variant) -> Outcome:
	var outcome := Outcome.new()
	var names := _stored(place.object, place.object.get_property_list())
	outcome.is_stored = is_kept(place.object, place.property)
	if not Properties.is_native(place.object, place.property):
		return outcome
	var stand_in := _stand_in(place.object, names)
	if stand_in == null:
		return outcome
	var tried := Properties.resolve(stand_in, place.property)
	tried.keys = place.keys
	if (
		tried.problem == ""
		and Values.same(stand_in.get(place.property), place.object.get(place.property))
	):
		var trial := try_on(tried, wanted)
		outcome.problem = trial.problem
		if outcome.problem == "" and not outcome.is_stored:
			for name: String in trial.changes:
				outcome.is_stored = outcome.is_stored or names.has(name)
	if stand_in is Node:
		stand_in.free()
	return outcome


## Sets the value of an object that is in no scene, and leaves it so.
static func try_on(place: Properties.Place, wanted: Variant) -> Outcome:
	var object := place.object
	var outcome := Outcome.new()
	var before := _stored(object, _list_for(object, place.property))
	var previous: Variant = place.value()
	object.set(place.property, place.whole_with(wanted))
	outcome.problem = _objection(place, wanted, previous)
	outcome.is_changed = not Values.same(place.value(), previous)
	for name in _changes(object, before):
		outcome.changes[name] = object.get(name)
	if outcome.is_changed and is_kept(object, place.property):
		outcome.changes[place.property] = object.get(place.property)
	return outcome


## What is wrong with the value now read back, "" for nothing. The engine's own property has to hold what was
## given; a script's setter may make something else of it, which is its meaning, but not leave it as it was.
static func _objection(place: Properties.Place, wanted: Variant, previous: Variant) -> String:
	var now: Variant = place.value()
	if Values.is_taken(wanted, now):
		return ""
	var shown := JSON.stringify(Values.encode(now, null))
	if Values.same(now, previous):
		return "%s did not take the value and still is %s" % [place.property, shown]
	if not Properties.is_native(place.object, place.property):
		return ""
	return "%s does not take the value, it made %s of it" % [place.property, shown]


## Whether a save writes the property once it is set. Overrides, such as a theme's, are written from then on.
static func is_kept(object: Object, property: String) -> bool:
	return _listed(_list_for(object, property), property)


static func _listed(list: Array[Dictionary], property: String) -> bool:
	for info in list:
		if info["name"] == property:
			return (info["usage"] as int) & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_CHECKABLE) != 0
	return false


## Properties among which are all that can change when this one is set, and it itself.
static func _list_for(object: Object, property: String) -> Array[Dictionary]:
	var kin := _known_kin(object, property)
	return kin if not kin.is_empty() else object.get_property_list()


## The properties that can change when this one is set, where that is known without the object's own list;
## empty where it is not.
static func _known_kin(object: Object, property: String) -> Array[Dictionary]:
	if not object is Node or object.get_script() != null:
		return []
	var type := object.get_class()
	if not object is Control and PLAIN.has(property) and Properties.is_native(object, property):
		if not _place_infos.has(type):
			_place_infos[type] = Properties.native_infos(object, PLAIN + PLACE)
		return _place_infos[type]
	if _is_own(type, property):
		if not _own_infos.has(type):
			_own_infos[type] = Properties.stored_infos(type)
		return _own_infos[type]
	return []


static func _is_own(type: String, property: String) -> bool:
	for holder in OWN:
		if OWN[holder].has(property) and ClassDB.is_parent_class(type, holder):
			return true
	return false


## The properties that a save writes, with their values.
static func _stored(object: Object, list: Array[Dictionary]) -> Dictionary:
	var out := {}
	for info in list:
		if (info["usage"] as int) & PROPERTY_USAGE_STORAGE:
			var value: Variant = object.get(info["name"] as String)
			out[info["name"]] = (
				value.duplicate() if value is Array or value is Dictionary else value
			)
	return out


static func _changes(object: Object, before: Dictionary) -> PackedStringArray:
	var names: PackedStringArray = []
	for name: String in before:
		var now: Variant = object.get(name)
		var old: Variant = before[name]
		# Nearly all are equal, which costs least to see.
		if typeof(now) == typeof(old) and now == old:
			continue
		if not Values.same(now, old):
			names.append(name)
	return names


static func _put_back(object: Object, before: Dictionary) -> void:
	for name in _changes(object, before):
		object.set(name, before[name])


## A free object of the same native class with the same stored properties; null for what cannot be made.
static func _stand_in(object: Object, stored: Dictionary) -> Object:
	var type := object.get_class()
	if not ClassDB.can_instantiate(type):
		return null
	var stand_in: Object = ClassDB.instantiate(type)
	for name: String in stored:
		if name != "script" and not Values.PLACES.has(name):
			stand_in.set(name, stored[name])
	return stand_in
