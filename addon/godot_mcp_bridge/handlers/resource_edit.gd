@tool
extends RefCounted
## Resource files: create, duplicate, set-property. Each writes its file at once.

const Classes := preload("../classes.gd")
const Context := preload("../context.gd")
const Decode := preload("../values_decode.gd")
const Dependencies := preload("../dependencies.gd")
const Objects := preload("../values_object.gd")
const Properties := preload("../properties.gd")
const Reading := preload("resource.gd")
const ResourceFiles := preload("../resource_files.gd")
const ResourceUsers := preload("../resource_users.gd")
const Result := preload("../result.gd")
const Scenes := preload("../scenes.gd")
const ScriptFiles := preload("../script_files.gd")
const Values := preload("../values.gd")
const Writable := preload("../writable.gd")
const Write := preload("../property_write.gd")

var _context: Context
var _files: ResourceFiles


func _init(context: Context) -> void:
	_context = context
	_files = ResourceFiles.new(context.scripts)


func commands() -> Dictionary[String, Callable]:
	return {
		"resource.create": create,
		"resource.duplicate": duplicate,
		"resource.set-property": set_property,
	}


func create(params: Dictionary) -> Dictionary:
	var type := str(params.get("resource_type", ""))
	var path := Scenes.normalise(str(params.get("resource_path", "")))
	var dry := bool(params.get("dry_run", false))
	var made := _make(type)
	if made.has("error"):
		return made["error"]
	var resource: Resource = made["resource"]
	var refused := _reason_not_to_make(resource, path, "resource_path", dry)
	if refused.is_empty() and params.get("properties") is Dictionary:
		refused = _fill(resource, params["properties"] as Dictionary, path)
	if not refused.is_empty():
		return refused
	var answer := {"resource_path": path, "resource_type": type, "created": true, "uid": null}
	return _finish_new(answer, resource, path, dry)


func duplicate(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("resource_path", "")))
	var new_path := Scenes.normalise(str(params.get("new_path", "")))
	var dry := bool(params.get("dry_run", false))
	var refused := _reason_not_to_save(path)
	if not refused.is_empty():
		return refused
	var fresh := ResourceFiles.read(path)
	if fresh == null:
		return Reading.unreadable(path, _context)
	refused = _reason_not_to_make(fresh, new_path, "new_path", dry)
	if not refused.is_empty():
		return refused
	if bool(params.get("deep", true)):
		ResourceFiles.forget_ids(fresh)
	var answer := {
		"resource_path": path,
		"new_path": new_path,
		"uid": null,
		"shared_resources": _shared(fresh),
	}
	if ResourceLoader.has_cached(path):
		var live := ResourceLoader.get_cached_ref(path)
		if ResourceFiles.state_of(live, fresh) == ResourceFiles.State.CHANGED_IN_EDITOR:
			answer["hint"] = (
				"changes of %s that were not saved are not in the copy: godot-mcp scene save-all"
				% path
			)
	return _finish_new(answer, fresh, new_path, dry)


func set_property(params: Dictionary) -> Dictionary:
	var path := Scenes.normalise(str(params.get("resource_path", "")))
	var dry := bool(params.get("dry_run", false))
	var refused := _reason_not_to_save(path)
	if refused.is_empty():
		var unwritable := Writable.problem(path, dry)
		if unwritable != "":
			refused = Result.fail(Result.VALIDATION, unwritable, "resource_path")
	if not refused.is_empty():
		return refused
	var held := ResourceLoader.has_cached(path)
	var fresh := ResourceFiles.read(path)
	if fresh == null:
		return Reading.unreadable(path, _context)
	# Held while the command runs, so that a value can name a resource inside the file.
	var live := ResourceLoader.load(path)
	var state := ResourceFiles.state_of(live, fresh)
	if state == ResourceFiles.State.OTHER_CLASS or state == ResourceFiles.State.CHANGED_IN_EDITOR:
		return _not_as_its_file(live, path, state, dry)
	var users := ResourceUsers.new()
	users.find(path, live if held else null, _context.scenes, _context.pace)
	refused = _context.pace.refusal()
	if not refused.is_empty():
		return refused
	if not dry and state == ResourceFiles.State.CHANGED_ON_DISK:
		ResourceFiles.follow(live, fresh)
	return _set_place(fresh if dry else live, path, users, params)


func _set_place(
	target: Resource, path: String, users: ResourceUsers, params: Dictionary
) -> Dictionary:
	var name := str(params.get("property", ""))
	var dry := bool(params.get("dry_run", false))
	var place := _place(target, name)
	var refused := _reason_not_to_set(target, place, name, path)
	if not refused.is_empty():
		return refused
	var decoded := _decoded(place, params.get("value"), path, _context.raw.get("value"))
	if decoded.has(Decode.PROBLEM):
		return _wrong_value(name, decoded, "value")
	var wanted: Variant = decoded[Decode.VALUE]
	var answer := {
		"resource_path": path,
		"property": name,
		"value": null,
		"previous": _encode(place),
		"used_by": users.users,
		"used_by_truncated": users.truncated,
		"dry_run": dry,
		"persisted": true,
		"undoable": not ResourceFiles.same_value(place.value(), wanted),
	}
	if not answer["undoable"]:
		answer["value"] = answer["previous"]
		answer["hint"] = "%s holds this value already, nothing was changed" % path
		return answer
	var old: Variant = place.object.get(place.property)
	var outcome := Write.apply(place, wanted, place.object.get_property_list())
	if outcome.problem != "":
		return Result.fail(Result.VALIDATION, outcome.problem, "value")
	if not outcome.is_stored:
		place.object.set(place.property, old)
		return (
			Result
			. fail(
				Result.VALIDATION,
				(
					"the engine does not write %s of a %s into files, so nothing was changed: godot-mcp resource read %s"
					% [name, place.object.get_class(), path]
				),
				"property"
			)
		)
	answer["value"] = _encode(place)
	return answer if dry else _written(target, path, place, answer)


## Writes the file, and answers with what it then holds.
func _written(
	live: Resource, path: String, place: Properties.Place, answer: Dictionary
) -> Dictionary:
	var step := ScriptFiles.step_of(path, _files)
	var problem := _files.write(live, path)
	var fresh := ResourceFiles.read(path) if problem == "" else null
	var kept := _place(fresh, str(answer["property"])) if fresh != null else null
	if kept == null or kept.problem != "":
		problem = problem if problem != "" else _context.first_error()
	elif not ResourceFiles.same_value(kept.value(), place.value()):
		problem = (
			"the file then held %s for %s" % [JSON.stringify(_encode(kept)), answer["property"]]
		)
	if problem != "":
		step.swap()
		return (
			Result
			. fail(
				Result.INTERNAL,
				"the engine did not write %s, which is as it was: %s" % [path, problem],
			)
		)
	answer["value"] = _encode(kept)
	live.notify_property_list_changed()
	_commit(step)
	return answer


func _finish_new(answer: Dictionary, resource: Resource, path: String, dry: bool) -> Dictionary:
	answer["dry_run"] = dry
	answer["persisted"] = true
	answer["undoable"] = true
	if dry:
		return answer
	var step := ScriptFiles.step_of(path, _files)
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var problem := _files.write(resource, path)
	var fresh := ResourceFiles.read(path) if problem == "" else null
	if problem == "" and (fresh == null or not ResourceFiles.same_content(resource, fresh)):
		problem = "what was written does not read back as it was meant"
	if problem != "":
		step.swap()
		return Result.fail(Result.INTERNAL, "the engine did not write %s: %s" % [path, problem])
	answer["uid"] = ResourceFiles.uid_of(path)
	_commit(step)
	return answer


func _commit(step: ScriptFiles.Step) -> void:
	_context.open_step(_context.files)
	_context.undo_redo.add_do_method(step, "swap")
	_context.undo_redo.add_undo_method(step, "swap")
	_context.undo_redo.commit_action(false)


## {resource} of this class, or {error}.
static func _make(type: String) -> Dictionary:
	var why := ""
	if ClassDB.class_exists(type) and ClassDB.is_parent_class(type, "PackedScene"):
		why = "is for scenes: godot-mcp scene create --root-type Node2D --scene-path res://new.tscn"
	elif ClassDB.class_exists(type) and ClassDB.is_parent_class(type, "Script"):
		why = "is for scripts: godot-mcp script write"
	else:
		var made := Objects.instantiate(type)
		if not made.has("problem"):
			return {"resource": made["value"]}
		var best := Classes.nearest(type, "Resource")
		why = made["problem"] + (", did you mean %s?" % best if best != "" else "")
	return {
		"error":
		Result.fail(Result.VALIDATION, "resource_type: %s %s" % [type, why], "resource_type")
	}


## Sets the properties of a resource that no file holds yet. The answer is an error or empty.
func _fill(resource: Resource, properties: Dictionary, path: String) -> Dictionary:
	for name: String in Objects.script_first(properties):
		var place := _place(resource, name)
		var refused := _reason_not_to_set(resource, place, name, path, "properties")
		if not refused.is_empty():
			return refused
		var decoded := _decoded(place, properties[name], path, null)
		if decoded.has(Decode.PROBLEM):
			return _wrong_value(name, decoded, "properties")
		var outcome := Write.apply(place, decoded[Decode.VALUE], place.object.get_property_list())
		if (
			outcome.problem != ""
			and not ResourceFiles.same_value(place.value(), decoded[Decode.VALUE])
		):
			return Result.fail(Result.VALIDATION, outcome.problem, "properties")
	return {}


static func _place(resource: Resource, name: String) -> Properties.Place:
	var key := name.trim_prefix("metadata/")
	if key == name or not key.is_valid_ascii_identifier():
		return Properties.resolve(resource, name)
	# It holds any type, whatever it has now, and is made by being set.
	var place := Properties.Place.new()
	place.object = resource
	place.property = name
	place.info = {"name": name, "type": TYPE_NIL, "usage": PROPERTY_USAGE_DEFAULT}
	return place


static func _reason_not_to_set(
	target: Resource,
	place: Properties.Place,
	name: String,
	path: String,
	parameter: String = "property"
) -> Dictionary:
	if place.problem != "":
		return Result.fail(Result.VALIDATION, place.problem, parameter)
	var refusal := Write.refusal(place.object, place.property, place.info)
	for resource in place.chain:
		if refusal == "" and not resource.is_built_in():
			refusal = _elsewhere(target, resource, name, path)
	return Result.fail(Result.VALIDATION, refusal, parameter) if refusal != "" else {}


## A property of a resource that has a file of its own is set there.
static func _elsewhere(target: Resource, other: Resource, name: String, path: String) -> String:
	var names := name.split(":")
	var rest := name
	for i in range(1, names.size()):
		var place := Properties.resolve(target, ":".join(names.slice(0, i)))
		if place.problem == "" and place.value() is Resource and place.value() == other:
			rest = ":".join(names.slice(i))
	return (
		"%s leads out of %s: godot-mcp resource set-property %s %s VALUE"
		% [name, path, other.resource_path, rest]
	)


static func _decoded(
	place: Properties.Place, json: Variant, path: String, typed: Variant
) -> Dictionary:
	var decoded := Decode.decode(json, place.info, place.value(), null, typed)
	if decoded.has(Decode.PROBLEM):
		return decoded
	decoded = Write.fitting_script(place, decoded)
	if decoded.has(Decode.PROBLEM):
		return decoded
	var foreign := ResourceFiles.foreign_in(decoded[Decode.VALUE], path)
	if foreign == null:
		return decoded
	return {
		Decode.PROBLEM:
		(
			'names %s, which another file holds: give a new one, {"type":"%s","properties":{..}}'
			% [foreign.resource_path, foreign.get_class()]
		)
	}


static func _wrong_value(name: String, decoded: Dictionary, parameter: String) -> Dictionary:
	var code: String = decoded.get("code", Result.VALIDATION)
	return Result.fail(code, "%s %s" % [name, decoded[Decode.PROBLEM]], parameter)


static func _encode(place: Properties.Place) -> Variant:
	return Values.encode(
		place.value(),
		null,
		place.info["type"] == TYPE_NIL,
		Values.is_single(place.object, place.info)
	)


## Files that the resource names and that its copy names too, with the property that leads to them.
static func _shared(resource: Resource) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for name in ResourceFiles.stored_names(resource):
		for other in ResourceFiles.files_in(resource.get(name)):
			out.append({"property": name, "path": other.resource_path, "type": other.get_class()})
	return out


## Why this file cannot be read and written again as it is; an empty answer when it can.
func _reason_not_to_save(path: String) -> Dictionary:
	var refused := Reading.reason_not_a_resource(path)
	if not refused.is_empty():
		return refused
	if FileAccess.file_exists(path + ".import"):
		return Result.fail(
			Result.VALIDATION,
			(
				"%s is imported, the engine does not write it: godot-mcp resource read %s"
				% [path, path]
			),
			"resource_path"
		)
	var lost: PackedStringArray = []
	for dependency in ResourceLoader.get_dependencies(path):
		var file := Dependencies.file_of(dependency)
		if not ResourceLoader.exists(file) or load(file) == null:
			lost.append(file)
	if lost.is_empty():
		return {}
	return (
		Result
		. fail(
			Result.PRECONDITION,
			(
				"%s needs %s, which cannot be loaded and would be lost: godot-mcp resource list-dependencies %s"
				% [path, ", ".join(lost), path]
			),
			"dependencies"
		)
	)


## Why no file can be made there for this resource; an empty answer when one can.
static func _reason_not_to_make(
	resource: Resource, path: String, parameter: String, preview: bool
) -> Dictionary:
	var endings := ResourceSaver.get_recognized_extensions(resource)
	var why := Writable.problem(path, preview)
	if not path.begins_with("res://"):
		why = "%s leads to no file of the project" % path
	elif path.contains("::"):
		why = "%s is a place inside a file, name a file" % path
	elif endings.is_empty():
		why = "the engine cannot save a %s" % resource.get_class()
	elif not path.get_extension() in endings:
		why = (
			"%s does not end as a %s does: .%s" % [path, resource.get_class(), ", .".join(endings)]
		)
	elif FileAccess.file_exists(path):
		why = "%s is already there: godot-mcp resource read %s" % [path, path]
	return Result.fail(Result.VALIDATION, why, parameter) if why != "" else {}


## What the editor holds is not what the file says: writing it would save what nobody asked to save, or lose it.
func _not_as_its_file(
	live: Resource, path: String, state: ResourceFiles.State, dry: bool
) -> Dictionary:
	if state == ResourceFiles.State.OTHER_CLASS:
		return (
			Result
			. fail(
				Result.PRECONDITION,
				(
					"%s is a %s in the editor and another class in its file: close what uses it, or godot-mcp editor restart"
					% [path, live.get_class()]
				),
				"scene_saved"
			)
		)
	if not dry:
		# Known to be unsaved from now on, so that a save writes it also when no scene uses it.
		_context.resources.note(live)
	return Result.fail(
		Result.PRECONDITION,
		"%s has changes in the editor that were not saved: godot-mcp scene save-all" % path,
		"scene_saved"
	)
