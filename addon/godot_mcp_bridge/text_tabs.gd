@tool
extends RefCounted
## Texts that are neither scripts nor scenes, as the editor has them: shaders, and what the script editor shows as
## plain text. What is in memory and in a tab takes over what tools wrote.

const Discovery := preload("discovery.gd")
const ScriptFiles := preload("script_files.gd")
const TextFile := preload("text_file.gd")

const SHADERS: Array[String] = ["gdshader", "gdshaderinc"]

static var _shader_tabs: TabContainer


## Whether a tab holds text of this file that was not saved.
static func has_unsaved_text(path: String) -> bool:
	var edit := _code_edit(path)
	return edit != null and edit.get_version() != edit.get_saved_version()


static func refresh(path: String) -> void:
	if not ResourceLoader.has_cached(path) or not FileAccess.file_exists(path):
		return
	var resource := ResourceLoader.get_cached_ref(path)
	var text := TextFile.new(path).text.replace("\r\n", "\n")
	if resource is Shader or resource is ShaderInclude:
		resource.set("code", text)
	elif resource is JSON:
		(resource as JSON).parse(text, true)
	var edit := _code_edit(path)
	# What the tab does not show the editor itself brings in, or asks about.
	if edit == null or edit.get_version() != edit.get_saved_version():
		return
	if edit.text != text:
		edit.text = text
	edit.tag_saved_version()
	if path.get_extension().to_lower() in SHADERS:
		_take_time(resource, path)
	ScriptFiles.tell_saved(resource)


## The editor takes a shader for changed whose file has another time, in whole seconds, than the resource had when
## it was saved, to whatever place.
static func _take_time(shader: Resource, path: String) -> void:
	var bytes := FileAccess.get_file_as_bytes(path)
	var folder := ProjectSettings.globalize_path(Discovery.folder())
	var draft := folder.path_join("draft." + path.get_extension())
	for attempt in 3:
		ResourceSaver.save(shader, draft)
		var time := FileAccess.get_modified_time(draft)
		DirAccess.remove_absolute(draft)
		if time == FileAccess.get_modified_time(path):
			return
		ScriptFiles.Step.put_bytes(path, bytes)


## The control that shows the file; null when it is not open.
static func _code_edit(path: String) -> CodeEdit:
	# A tab holds its resource.
	if not ResourceLoader.has_cached(path):
		return null
	if path.get_extension().to_lower() in SHADERS:
		return _shader_edit(path)
	var tabs: Array[ScriptEditorBase] = []
	for tab: ScriptEditorBase in EditorInterface.get_script_editor().get_open_script_editors():
		if tab.get_class() == "TextEditor":
			tabs.append(tab)
	if tabs.is_empty():
		return null
	for list: Node in EditorInterface.get_script_editor().find_children(
		"*", "ItemList", true, false
	):
		var item := _item_of(list as ItemList, path)
		for tab in tabs:
			if item >= 0 and (list as ItemList).get_item_metadata(item) == tab.get_index():
				return tab.get_base_editor() as CodeEdit
	return null


static func _shader_edit(path: String) -> CodeEdit:
	if not is_instance_valid(_shader_tabs):
		_shader_tabs = null
		var base := EditorInterface.get_base_control()
		for found: Node in base.find_children("*", "TextShaderEditor", true, false):
			_shader_tabs = found.get_parent() as TabContainer
	if _shader_tabs == null:
		return null
	for beside in _shader_tabs.get_parent().get_children():
		var list := beside as ItemList
		var item := _item_of(list, path) if list != null else -1
		if item < 0 or item >= _shader_tabs.get_tab_count():
			continue
		for edit: Node in _shader_tabs.get_tab_control(item).find_children(
			"*", "CodeEdit", true, false
		):
			return edit as CodeEdit
	return null


## The lists of tabs tell the whole path as the tooltip.
static func _item_of(list: ItemList, path: String) -> int:
	for i in list.item_count:
		if list.get_item_tooltip(i) == path:
			return i
	return -1
