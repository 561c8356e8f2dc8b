package testbed

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Resource classes of the test's own. NAME is replaced, since a class of the project has one file.
const (
	itemScript = `@tool
class_name ItemNAME
extends Resource

@export var damage: int = 1
@export var label: String = ""
@export var hint_of_it: String = ""
var passing: int = 3
`
	chestScript = `class_name ChestNAME
extends Resource

@export var items: Array[ItemNAME] = []
@export var scores: Dictionary = {}
@export var by_name: Dictionary[String, ItemNAME] = {}
@export var tags: Array[String] = []
@export var numbers: Array[int] = []
@export var main: ItemNAME
@export var scene: PackedScene
@export var resource_kind: String = "plain"
`
	chestText = `[gd_resource type="Resource" script_class="ChestNAME" load_steps=20 format=3 uid="UID"]

[ext_resource type="Script" path="DIR/chest.gd" id="1_c"]
[ext_resource type="Script" path="DIR/item.gd" id="2_i"]
[ext_resource type="Material" uid="uid://byv175x61lgdk" path="res://glow.tres" id="3_g"]
[ext_resource type="PackedScene" path="res://enemy.tscn" id="4_e"]

[sub_resource type="Resource" id="Resource_b"]
script = ExtResource("2_i")
damage = 7
metadata/glow = ExtResource("3_g")

[sub_resource type="Resource" id="Resource_a"]
script = ExtResource("2_i")
damage = 5
label = "sword"
metadata/_custom_type_script = "x"

[sub_resource type="Gradient" id="Gradient_c"]
offsets = PackedFloat32Array(0, 0.5)
colors = PackedColorArray(1, 0, 0, 1, 0, 1, 0, 1)

[resource]
resource_name = "The chest"
script = ExtResource("1_c")
items = Array[ExtResource("2_i")]([SubResource("Resource_a"), SubResource("Resource_b")])
scores = {
"": 1,
"10": "ten",
"alice": 2.5,
"ramp": SubResource("Gradient_c")
}
by_name = Dictionary[String, ExtResource("2_i")]({
"": SubResource("Resource_b")
})
tags = Array[String](["a", "b"])
main = SubResource("Resource_a")
scene = ExtResource("4_e")
resource_kind = "wooden"
metadata/_x = Vector2(1, 2)
`
)

var notPlain = regexp.MustCompile(`[^A-Za-z0-9]`)

// chest makes the classes and a resource of them that other tools wrote, as the editor found it.
func chest(t *testing.T, e *Editor, folder, uid string) string {
	t.Helper()
	name := notPlain.ReplaceAllString(folder, "")
	fill := strings.NewReplacer("NAME", name, "DIR", "res://"+folder, "UID", uid).Replace
	write(t, e, folder+"/item.gd", fill(itemScript))
	write(t, e, folder+"/chest.gd", fill(chestScript))
	path := write(t, e, folder+"/chest.tres", fill(chestText))
	known(t, e, "res://"+folder+"/item.gd")
	known(t, e, "res://"+folder+"/chest.gd")
	listed(t, e, folder, "Chest"+name)
	return path
}

// listed waits until the editor has listed the one resource of this class in the folder.
func listed(t *testing.T, e *Editor, folder, class string) {
	t.Helper()
	await(t, "a "+class+" in the list", func() bool {
		found := cli(e).call(t, "resource list", args{"directory": "res://" + folder, "resource_type": class})
		return found.err == nil && found.text("total") == "1"
	})
}

var loadSteps = regexp.MustCompile(` load_steps=\d+`)

// changed are the lines by which a file changed, but for what the engine itself changes in it when it reads
// and writes it: uids come, the number of steps goes.
func changed(before, after string) string {
	return lineDiff(loadSteps.ReplaceAllString(masked(before), ""), masked(after))
}

func TestResourceReadTellsBuiltInFromExternal(t *testing.T) {
	e := sharedEditor(t)
	path := chest(t, e, "resource_read", "uid://cchestread001")
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "resource read", args{"resource_path": path}).ok(t).has(t, map[string]string{
			"type": "Resource", "script": "res://resource_read/chest.gd", "uid": "uid://cchestread001", "unsaved": "null", "missing": "null",
			"properties.main.$resource": "null", "properties.main.$path": path + "::Resource_a", "properties.main.properties.damage": "5",
			"properties.scene.$resource":                                 "res://enemy.tscn",
			"properties.items.1.properties.metadata/glow.$resource":      "res://glow.tres",
			"properties.items.0.properties.metadata/_custom_type_script": "x",
			"properties.scores.10":                                       "ten",
			"properties.scores.":                                         "1",
			"properties.resource_name":                                   "The chest",
			"properties.resource_kind":                                   "wooden",
			"properties.metadata/_x":                                     `{"$type":"Vector2","value":{"x":1.0,"y":2.0}}`,
			"properties.scores.ramp.properties.offsets":                  "[0.0,0.5]",
			"properties.by_name..properties.metadata/glow.type":          "CanvasItemMaterial",
			"properties.tags":                                            `["a","b"]`})
		s.call(t, "resource read", args{"resource_path": "uid://cchestread001"}).ok(t).has(t, map[string]string{"resource_path": path})
		s.call(t, "resource read", args{"resource_path": "res://lost.tres"}).fails(t, "RESOURCE_NOT_FOUND", "resource_path", "resource list")
		s.call(t, "resource read", args{"resource_path": "res://main.tscn"}).fails(t, "VALIDATION_ERROR", "resource_path", "scene open")
		s.call(t, "resource read", args{"resource_path": "res://main.gd"}).fails(t, "VALIDATION_ERROR", "resource_path", "script read")
		s.call(t, "resource read", args{"resource_path": "res://resource_read"}).fails(t, "VALIDATION_ERROR", "resource_path", "is a folder")
		s.call(t, "resource read", args{"resource_path": path + "::Resource_a"}).fails(t, "VALIDATION_ERROR", "resource_path", "resource read")
		broken := write(t, e, "resource_read/broken.tres", "[gd_resource type=\"Gradient\" format=3]\n\n[resource\n")
		s.call(t, "resource read", args{"resource_path": broken}).fails(t, "VALIDATION_ERROR", "resource_path", "cannot load")
	})
}

func TestResourceSetPropertyReachesInside(t *testing.T) {
	e := sharedEditor(t)
	for name, s := range map[string]surface{"cli": cli(e), "mcp": mcpSession(t, e)} {
		t.Run(name, func(t *testing.T) {
			path := chest(t, e, "resource_set_"+name, "uid://cchestset"+name)
			for _, c := range []struct {
				property             string
				value                any
				previous, gone, come string
			}{
				{"items:0:damage", 9, "5", "damage = 5", "damage = 9"},
				{"main:label", "axe", "sword", `label = "sword"`, `label = "axe"`},
				{"scores:", 2, "1", `"": 1,`, `"": 2,`},
				{"scores:10", "ten more", "ten", `"10": "ten",`, `"10": "ten more",`},
				{"scores:ramp:offsets:1", 0.75, "0.5", "offsets = PackedFloat32Array(0, 0.5)", "offsets = PackedFloat32Array(0, 0.75)"},
				{"by_name::damage", 8, "7", "damage = 7", "damage = 8"},
				{"tags:1", "c", "b", `tags = Array[String](["a", "b"])`, `tags = Array[String](["a", "c"])`},
				{"resource_name", "Box", "The chest", `resource_name = "The chest"`, `resource_name = "Box"`},
				{"metadata/_x", "text", `{"$type":"Vector2","value":{"x":1.0,"y":2.0}}`, "metadata/_x = Vector2(1, 2)", `metadata/_x = "text"`},
			} {
				before := read(t, e, path)
				a := args{"resource_path": path, "property": c.property, "value": c.value}
				want := c.value
				if text, is := want.(string); is {
					want = text
				} else {
					want = asJSON(want)
				}
				previewed(t, e, s, "resource set-property", a).has(t, map[string]string{
					"previous": c.previous, "value": want.(string), "persisted": "true", "undoable": "true"})
				if got, want := changed(before, read(t, e, path)), "- "+c.gone+"\n+ "+c.come+"\n"; got != want {
					t.Errorf("%s changed\n%s\nwant\n%s", c.property, got, want)
				}
			}
			text := read(t, e, path)
			s.call(t, "resource set-property", args{"resource_path": path, "property": "items:0:damage", "value": 9}).ok(t).
				has(t, map[string]string{"undoable": "false", "value": "9", "previous": "9"})
			set := func(property string, value any) answer {
				return s.call(t, "resource set-property", args{"resource_path": path, "property": property, "value": value})
			}
			set("items:0:weight", 1).fails(t, "VALIDATION_ERROR", "property", "no property weight")
			set("items:7:damage", 1).fails(t, "VALIDATION_ERROR", "property")
			set("items:0:damage", "much").fails(t, "VALIDATION_ERROR", "value", "int")
			set("main:passing", 4).fails(t, "VALIDATION_ERROR", "property", "does not write main:passing")
			set("resource_path", "res://other.tres").fails(t, "VALIDATION_ERROR", "property", "cannot be set")
			set("items:1:metadata/glow:blend_mode", 1).fails(t, "VALIDATION_ERROR", "property", "resource set-property", "res://glow.tres blend_mode")
			set("scene", "res://lost.tscn").fails(t, "RESOURCE_NOT_FOUND", "value")
			set("main", "res://glow.tres").fails(t, "VALIDATION_ERROR", "value", "Item")
			if got := read(t, e, path); got != text {
				t.Errorf("refused calls changed the file:\n%s", lineDiff(text, got))
			}
			made := set("main", map[string]any{"type": "Item" + notPlain.ReplaceAllString("resource_set_"+name, ""),
				"properties": map[string]any{"label": "bow", "damage": 3}}).ok(t)
			inside := made.text("value.$path")
			if !strings.HasPrefix(inside, path+"::") {
				t.Fatalf("the new resource is at %s", made.raw)
			}
			set("items:0", map[string]any{"$path": inside}).ok(t).has(t, map[string]string{"value.$path": inside, "value.properties.label": "bow"})
			set("main:damage", 4).ok(t)
			s.call(t, "resource read", args{"resource_path": path}).ok(t).has(t, map[string]string{
				"properties.items.0.properties.damage": "4", "properties.items.0.$path": inside})
		})
	}
}

func TestResourceSetPropertyRefusesWhatIsNoResourceFile(t *testing.T) {
	e := sharedEditor(t)
	picture := write(t, e, "resource_refuse/picture.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>`)
	user(t, e, "scan", "")
	await(t, "the import", func() bool { _, err := os.Stat(onDisk(e, picture+".import")); return err == nil })
	lost := write(t, e, "resource_refuse/lost.tres", "[gd_resource type=\"ShaderMaterial\" format=3]\n\n[ext_resource type=\"Shader\" path=\"res://resource_refuse/none.gdshader\" id=\"1\"]\n\n[resource]\nresource_name = \"kept\"\nshader = ExtResource(\"1\")\n")
	both(t, e, func(t *testing.T, s surface) {
		set := func(path string) answer {
			return s.call(t, "resource set-property", args{"resource_path": path, "property": "resource_name", "value": "x"})
		}
		set("res://main.tscn").fails(t, "VALIDATION_ERROR", "resource_path", "scene open")
		set("res://main.gd").fails(t, "VALIDATION_ERROR", "resource_path", "script read")
		set(picture).fails(t, "VALIDATION_ERROR", "resource_path", "imported")
		set("res://project.godot").fails(t, "VALIDATION_ERROR", "resource_path", "protected")
		set("res://addons/godot_mcp_bridge/plugin.gd").fails(t, "VALIDATION_ERROR", "resource_path", "protected")
		set("res://../out.tres").fails(t, "VALIDATION_ERROR", "resource_path")
		set("/etc/passwd").fails(t, "VALIDATION_ERROR", "resource_path")
		set("uid://nosuchuid").fails(t, "RESOURCE_NOT_FOUND", "resource_path")
		text := read(t, e, lost)
		set(lost).fails(t, "PRECONDITION_FAILED", "dependencies", "none.gdshader")
		s.call(t, "resource duplicate", args{"resource_path": lost, "new_path": "res://resource_refuse/copy.tres"}).
			fails(t, "PRECONDITION_FAILED", "dependencies")
		s.call(t, "resource read", args{"resource_path": lost}).ok(t).has(t, map[string]string{
			"missing": `["res://resource_refuse/none.gdshader"]`, "properties.resource_name": "kept"})
		if got := read(t, e, lost); got != text {
			t.Errorf("the file changed:\n%s", lineDiff(text, got))
		}
	})
}

const usesMaterial = `[gd_scene format=3]

[ext_resource type="Material" path="MATERIAL" id="1"]

[node name="Uses" type="Node2D"]

[node name="Glows" type="Sprite2D" parent="."]
material = ExtResource("1")

[node name="Plain" type="Sprite2D" parent="."]
`

func TestResourceSetPropertyShowsInOpenScenes(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		material := write(t, e, folder+"/m.tres", "[gd_resource type=\"CanvasItemMaterial\" format=3]\n\n[resource]\nblend_mode = 1\n")
		closed := write(t, e, folder+"/closed.tscn", strings.Replace(usesMaterial, "MATERIAL", material, 1))
		scene := openScene(t, e, folder+"/uses.tscn", strings.Replace(usesMaterial, "MATERIAL", material, 1))
		user(t, e, "scan", "")
		await(t, "the files in the list", func() bool {
			return s.call(t, "resource list", args{"directory": "res://" + folder, "resource_type": "Resource"}).ok(t).text("total") == "3"
		})
		blend := func() string {
			return s.call(t, "node get-property", args{"node_path": "Glows", "property": "material:blend_mode", "scene_path": scene}).ok(t).text("value")
		}
		clean := func() {
			t.Helper()
			if got := s.call(t, "scene list-open", nil).ok(t).text("scenes"); strings.Contains(got, `"dirty":true`) {
				t.Errorf("a scene is unsaved: %s", got)
			}
		}
		sceneText := read(t, e, scene)
		previewed(t, e, s, "resource set-property", args{"resource_path": material, "property": "blend_mode", "value": 2}).has(t, map[string]string{
			"value": "2", "previous": "1", "used_by_truncated": "false",
			"used_by": asJSON([]any{map[string]string{"path": scene, "node_path": "Glows", "property": "material"}, map[string]string{"path": closed}})})
		if blend() != "2" {
			t.Errorf("the open scene shows %s", blend())
		}
		clean()
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global"})
		if blend() != "1" {
			t.Errorf("after undo the open scene shows %s", blend())
		}
		s.call(t, "redo", nil).ok(t)
		if blend() != "2" {
			t.Errorf("after redo the open scene shows %s", blend())
		}
		clean()
		if read(t, e, scene) != sceneText {
			t.Error("the scene's file changed")
		}

		// Changes that were not saved are neither lost nor saved along.
		s.call(t, "node set-property", args{"node_path": "Glows", "property": "material:light_mode", "value": 1, "scene_path": scene}).ok(t)
		text := read(t, e, material)
		s.call(t, "resource read", args{"resource_path": material}).ok(t).has(t, map[string]string{"unsaved": "true", "properties.light_mode": "null"})
		s.call(t, "resource set-property", args{"resource_path": material, "property": "blend_mode", "value": 3}).
			fails(t, "PRECONDITION_FAILED", "scene_saved", "scene save-all")
		if read(t, e, material) != text || blend() != "2" {
			t.Error("a refused call changed something")
		}
		s.call(t, "scene save-all", nil).ok(t)
		s.call(t, "resource set-property", args{"resource_path": material, "property": "blend_mode", "value": 3}).ok(t)
		if got := read(t, e, material); !strings.Contains(got, "blend_mode = 3") || !strings.Contains(got, "light_mode = 1") {
			t.Errorf("the file holds %s", got)
		}

		// What another program wrote stays.
		write(t, e, folder+"/m.tres", strings.Replace(read(t, e, material), "light_mode = 1", "light_mode = 2", 1))
		s.call(t, "resource set-property", args{"resource_path": material, "property": "blend_mode", "value": 4}).ok(t)
		if got := read(t, e, material); !strings.Contains(got, "blend_mode = 4") || !strings.Contains(got, "light_mode = 2") {
			t.Errorf("the file holds %s", got)
		}
		if got := s.call(t, "node get-property", args{"node_path": "Glows", "property": "material:light_mode", "scene_path": scene}).ok(t).text("value"); got != "2" {
			t.Errorf("the open scene shows light_mode %s", got)
		}
		clean()
	})
}

func TestResourceFilesCanBeBinary(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		chest(t, e, folder, "uid://cchestbin"+filepath.Base(t.Name()))
		name := notPlain.ReplaceAllString(folder, "")
		path := "res://" + folder + "/chest.res"
		s.call(t, "resource duplicate", args{"resource_path": "res://" + folder + "/chest.tres", "new_path": path}).ok(t)
		uid := s.call(t, "resource read", args{"resource_path": path}).ok(t).text("uid")
		previewed(t, e, s, "resource set-property", args{"resource_path": path, "property": "items:0:damage", "value": 11}).
			has(t, map[string]string{"previous": "5", "value": "11"})
		s.call(t, "resource read", args{"resource_path": path}).ok(t).has(t, map[string]string{
			"uid": uid, "properties.items.0.properties.damage": "11", "properties.scores.10": "ten", "properties.main.properties.damage": "11"})
		s.call(t, "resource list", args{"directory": "res://" + folder, "resource_type": "Chest" + name}).ok(t).
			has(t, map[string]string{"total": "2", "resources.0.path": path, "resources.0.type": "Chest" + name, "resources.0.uid": uid})
		s.call(t, "undo", nil).ok(t)
		s.call(t, "resource read", args{"resource_path": path}).ok(t).has(t, map[string]string{"uid": uid, "properties.items.0.properties.damage": "5"})
	})
}

func TestResourceCreateMakesWhatCanBeMade(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		chest(t, e, folder, "uid://cchestmake"+filepath.Base(t.Name()))
		name := notPlain.ReplaceAllString(folder, "")
		create := func(kind, file string, properties map[string]any) answer {
			return s.call(t, "resource create", args{"resource_type": kind, "resource_path": "res://" + folder + "/" + file, "properties": properties})
		}
		made := create("Chest"+name, "deep/er/one.tres", map[string]any{
			"tags": []string{"x"}, "scores": map[string]any{"": 1}, "metadata/kept": map[string]any{"$type": "Vector2i", "value": []int{1, 2}},
			"items": []any{map[string]any{"type": "Item" + name, "properties": map[string]any{"damage": 4}}}}).ok(t)
		text := read(t, e, "res://"+folder+"/deep/er/one.tres")
		for _, part := range []string{`uid="` + made.text("uid") + `"`, `script_class="Chest` + name, `tags = Array[String](["x"])`, "damage = 4", "metadata/kept = Vector2i(1, 2)", `"": 1`} {
			if !strings.Contains(text, part) {
				t.Errorf("the file lacks %s:\n%s", part, text)
			}
		}
		s.call(t, "resource read", args{"resource_path": made.text("uid")}).ok(t).has(t, map[string]string{"resource_path": "res://" + folder + "/deep/er/one.tres"})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "resource create"})
		if _, err := os.Stat(onDisk(e, "res://"+folder+"/deep")); !os.IsNotExist(err) {
			t.Errorf("after undo the folder is there: %v", err)
		}
		create("res://"+folder+"/item.gd", "item.tres", map[string]any{"damage": 2}).ok(t)
		create("Shader", "wave.gdshader", map[string]any{"code": "shader_type canvas_item;\n"}).ok(t)
		create("Gradient", "ramp.res", nil).ok(t)

		create("Gradient", "item.tres", nil).fails(t, "VALIDATION_ERROR", "resource_path", "already there", "resource read")
		create("Gradient", "ramp.png", nil).fails(t, "VALIDATION_ERROR", "resource_path", ".tres")
		create("Gradient", "ramp.tscn", nil).fails(t, "VALIDATION_ERROR", "resource_path")
		create("Gradeint", "a.tres", nil).fails(t, "VALIDATION_ERROR", "resource_type", "did you mean Gradient?")
		create("Texture2D", "a.tres", map[string]any{"no": 1}).fails(t, "VALIDATION_ERROR", "properties", "no property no")
		create("Node2D", "a.tres", nil).fails(t, "VALIDATION_ERROR", "resource_type", "no Resource")
		create("BaseMaterial3D", "a.tres", nil).fails(t, "VALIDATION_ERROR", "resource_type", "is abstract")
		create("CompressedTexture3D", "b.tres", map[string]any{"resource_name": 1}).fails(t, "VALIDATION_ERROR", "properties", "String")
		create("PackedScene", "a.tscn", nil).fails(t, "VALIDATION_ERROR", "resource_type", "scene create")
		create("GDScript", "a.gd", nil).fails(t, "VALIDATION_ERROR", "resource_type", "script write")
		create("res://main.gd", "d.tres", nil).fails(t, "VALIDATION_ERROR", "resource_type", "no Resource")
		create("Item"+name, "d.tres", map[string]any{"damage": "much"}).fails(t, "VALIDATION_ERROR", "properties", "int")
		s.call(t, "resource create", args{"resource_type": "Gradient", "resource_path": "res://addons/godot_mcp_bridge/x.tres"}).
			fails(t, "VALIDATION_ERROR", "resource_path", "protected")
		for _, gone := range []string{"d.tres", "ramp.png", "b.tres"} {
			if _, err := os.Stat(onDisk(e, "res://"+folder+"/"+gone)); !os.IsNotExist(err) {
				t.Errorf("%s was made: %v", gone, err)
			}
		}
	})
}

func TestResourceListFiltersAndPages(t *testing.T) {
	e := sharedEditor(t)
	folder := "resource_list"
	chest(t, e, folder, "uid://cchestlist001")
	both(t, e, func(t *testing.T, s surface) {
		list := func(a args) answer { return s.call(t, "resource list", a.with("directory", "res://"+folder)).ok(t) }
		all := list(args{}).has(t, map[string]string{"total": "1", "truncated": "false", "scanning": "false", "next_offset": "null",
			"resources.0.path": "res://resource_list/chest.tres", "resources.0.type": "Chestresourcelist", "resources.0.uid": "uid://cchestlist001"})
		if list(args{"resource_type": "Resource"}).text("total") == "1" || all.text("total") != "1" {
			t.Error("scripts are resources too when they are asked for")
		}
		list(args{"resource_type": "Material"}).has(t, map[string]string{"total": "0", "resources": "[]"})
		list(args{"resource_type": "Script", "limit": 1}).has(t, map[string]string{"total": "2", "truncated": "true", "next_offset": "1", "resources.0.path": "res://resource_list/chest.gd"})
		list(args{"resource_type": "GDScript", "limit": 1, "offset": 1}).has(t, map[string]string{"truncated": "false", "resources.0.path": "res://resource_list/item.gd"})
		s.call(t, "resource list", args{"resource_type": "CanvasItemMaterial", "directory": "res://"}).ok(t)
		s.call(t, "resource list", args{"directory": "res://nowhere"}).fails(t, "RESOURCE_NOT_FOUND", "directory")
		s.call(t, "resource list", args{"resource_type": "Chst"}).fails(t, "VALIDATION_ERROR", "resource_type", "class list")
	})
}

func TestResourceListDependenciesTellsWhatIsMissing(t *testing.T) {
	e := sharedEditor(t)
	path := chest(t, e, "resource_needs", "uid://cchestneeds01")
	scene := write(t, e, "resource_needs/needs.tscn", strings.Replace(usesMaterial, `path="MATERIAL"`, `uid="uid://bnosuchthing" path="res://resource_needs/none.tres"`, 1))
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "resource list-dependencies", args{"resource_path": path}).ok(t).has(t, map[string]string{
			"resource_path": path, "count": "4",
			"dependencies.0.path": "res://resource_needs/chest.gd", "dependencies.0.type": "GDScript", "dependencies.0.missing": "false",
			"dependencies.2.path": "res://glow.tres", "dependencies.2.type": "CanvasItemMaterial", "dependencies.2.uid": "uid://byv175x61lgdk",
			"dependencies.2.raw": "uid://byv175x61lgdk::::res://glow.tres"})
		s.call(t, "resource list-dependencies", args{"resource_path": scene}).ok(t).has(t, map[string]string{
			"count": "1", "dependencies.0.path": "res://resource_needs/none.tres", "dependencies.0.missing": "true",
			"dependencies.0.type": "", "dependencies.0.uid": "uid://bnosuchthing"})
		s.call(t, "resource list-dependencies", args{"resource_path": "res://lost.tscn"}).fails(t, "RESOURCE_NOT_FOUND", "resource_path")
	})
}
