package testbed

import (
	"regexp"
	"strings"
	"testing"
)

// F11: what tools write has a uid, and keeps the one that it had.
func TestF11_ResourceUidsAreKeptAndMade(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		const header = `[gd_resource type="Gradient" format=3 uid="uid://`
		uid := "uid://bf11kept" + strings.ReplaceAll(t.Name()[len(t.Name())-3:], "_", "a")
		// The editor has not seen the file yet, so that the engine would draw a new uid for it.
		path := write(t, e, folder+"/t.tres", strings.Replace(header, "uid://", uid, 1)+"\"]\n\n[resource]\noffsets = PackedFloat32Array(0, 0.5)\n")
		scene := write(t, e, folder+"/uses.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Gradient\" uid=\""+uid+"\" path=\"res://gone/elsewhere.tres\" id=\"1\"]\n\n"+
			"[sub_resource type=\"GradientTexture1D\" id=\"g\"]\ngradient = ExtResource(\"1\")\n\n[node name=\"Uses\" type=\"Sprite2D\"]\ntexture = SubResource(\"g\")\n")
		s.call(t, "resource set-property", args{"resource_path": path, "property": "interpolation_mode", "value": 1}).ok(t)
		if text := read(t, e, path); !strings.Contains(text, `uid="`+uid+`"`) || !strings.Contains(text, "interpolation_mode = 1") {
			t.Errorf("the file holds\n%s", text)
		}
		s.call(t, "resource read", args{"resource_path": uid}).ok(t).has(t, map[string]string{"resource_path": path})

		made := s.call(t, "resource create", args{"resource_type": "Gradient", "resource_path": "res://" + folder + "/new.tres"}).ok(t)
		twin := s.call(t, "resource duplicate", args{"resource_path": path, "new_path": "res://" + folder + "/twin.tres"}).ok(t)
		plain := write(t, e, folder+"/plain.tres", "[gd_resource type=\"Gradient\" format=3]\n\n[resource]\n")
		s.call(t, "resource set-property", args{"resource_path": plain, "property": "interpolation_mode", "value": 1}).ok(t)
		given := s.call(t, "resource read", args{"resource_path": plain}).ok(t)
		seen := map[string]string{uid: path}
		for file, each := range map[string]string{
			"res://" + folder + "/new.tres": made.text("uid"), "res://" + folder + "/twin.tres": twin.text("uid"), plain: given.text("uid"),
		} {
			if other, taken := seen[each]; taken || !strings.HasPrefix(each, "uid://") {
				t.Errorf("%s has %s, as has %s", file, each, other)
			}
			seen[each] = file
		}
		for each, file := range seen {
			if !strings.Contains(read(t, e, file), `uid="`+each+`"`) {
				t.Errorf("the header of %s lacks %s", file, each)
			}
			s.call(t, "resource read", args{"resource_path": each}).ok(t).has(t, map[string]string{"resource_path": file})
		}
		// The scene names it by its uid alone: the path in it is old.
		open(t, e, scene)
		s.call(t, "node get-property", args{"node_path": ".", "property": "texture:gradient", "scene_path": scene}).ok(t).
			has(t, map[string]string{"value.$resource": path})
	})
}

// F29: typed arrays of resources keep their element types, whatever is in them.
func TestF29_ArraysInResourcesKeepTheirElementTypes(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		path := chest(t, e, folder, "uid://bf29"+strings.ToLower(t.Name()[len(t.Name())-3:]))
		item := "Item" + notPlain.ReplaceAllString(folder, "")
		set := func(property string, value any) answer {
			t.Helper()
			return s.call(t, "resource set-property", args{"resource_path": path, "property": property, "value": value})
		}
		has := func(parts ...string) {
			t.Helper()
			for _, part := range parts {
				if text := read(t, e, path); !regexp.MustCompile("(?m)^" + part + "$").MatchString(text) {
					t.Errorf("the file lacks %s:\n%s", part, text)
				}
			}
		}
		one := map[string]any{"type": item, "properties": map[string]any{"damage": 2}}
		set("numbers", []any{1}).ok(t)
		set("tags", []any{"x"}).ok(t)
		set("items", []any{one}).ok(t)
		has(`numbers = Array\[int\]\(\[1\]\)`, `tags = Array\[String\]\(\["x"\]\)`, `items = Array\[ExtResource\("2_i"\)\]\(\[SubResource\("[^"]+"\)\]\)`)
		set("items:0", nil).ok(t)
		has(`items = Array\[ExtResource\("2_i"\)\]\(\[null\]\)`)
		set("numbers", []any{}).ok(t)
		set("tags", []any{}).ok(t)
		set("items", []any{}).ok(t)
		set("items", []any{one, one}).ok(t)
		has(`items = Array\[ExtResource\("2_i"\)\]\(\[SubResource\("[^"]+"\), SubResource\("[^"]+"\)\]\)`)
		before := read(t, e, path)
		set("numbers", []any{1, "two"}).fails(t, "VALIDATION_ERROR", "value", "element 1")
		set("items", []any{one, "res://glow.tres"}).fails(t, "VALIDATION_ERROR", "value", "element 1")
		set("by_name", map[string]any{"a": "res://glow.tres"}).fails(t, "VALIDATION_ERROR", "value", "value of a")
		set("by_name:", "res://glow.tres").fails(t, "VALIDATION_ERROR", "value", item)
		if got := read(t, e, path); got != before {
			t.Errorf("refused values changed the file:\n%s", lineDiff(before, got))
		}
	})
}

// F30: the format of a resource file stays what it is, and a newer one is refused.
func TestF30_ResourceFormatsAreKept(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t)
		three := write(t, e, folder+"/three.tres", "[gd_resource type=\"Gradient\" load_steps=1 format=3]\n\n[resource]\nresource_name = \"a\"\n")
		four := write(t, e, folder+"/four.tres", "[gd_resource type=\"Gradient\" format=4]\n\n[resource]\nresource_name = \"a\"\nmetadata/four = PackedVector4Array(1, 2, 3, 4)\n")
		newer := write(t, e, folder+"/newer.tres", "[gd_resource type=\"Gradient\" format=9]\n\n[resource]\nresource_name = \"a\"\n")
		set := func(path string) answer {
			return s.call(t, "resource set-property", args{"resource_path": path, "property": "resource_name", "value": "b"})
		}
		set(three).ok(t)
		set(four).ok(t)
		if text := read(t, e, three); !strings.Contains(text, "format=3") || !strings.Contains(text, `resource_name = "b"`) {
			t.Errorf("format 3 became\n%s", text)
		}
		if text := read(t, e, four); !strings.Contains(text, "format=4") || !strings.Contains(text, "PackedVector4Array(1, 2, 3, 4)") {
			t.Errorf("format 4 became\n%s", text)
		}
		before := read(t, e, newer)
		set(newer).fails(t, "VALIDATION_ERROR", "resource_path", "format")
		if read(t, e, newer) != before {
			t.Error("a file of a newer format was changed")
		}
	})
}

const styleLayer = `extends Resource

@export var scene: PackedScene
@export var overrides: Dictionary = {}
`

const styleScript = `class_name StyleNAME
extends Resource

@export var layers: Array[Resource] = []
@export var typed_layers: Array[LAYER] = []
@export var info: Dictionary = {}
`

// F40: a resource of a script class with scripted resources inside, an array typed by a script without a name,
// an empty text and numbers as keys, metadata, in a folder with a space.
func TestF40_OneSceneOfAStyleChanges(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := folderOf(t) + "/Style Default"
		name := notPlain.ReplaceAllString(folderOf(t), "")
		write(t, e, folder+"/layer.gd", styleLayer)
		write(t, e, folder+"/style.gd", strings.NewReplacer("NAME", name, "@export var typed_layers: Array[LAYER] = []",
			"const Layer := preload(\"layer.gd\")\n@export var typed_layers: Array[Layer] = []").Replace(styleScript))
		var file strings.Builder
		file.WriteString(`[gd_resource type="Resource" script_class="Style` + name + `" load_steps=20 format=3]` + "\n\n" +
			`[ext_resource type="PackedScene" uid="uid://bs25qqepymqgo" path="res://enemy.tscn" id="1_e"]` + "\n" +
			`[ext_resource type="Script" path="res://` + folder + `/layer.gd" id="2_l"]` + "\n" +
			`[ext_resource type="Script" path="res://` + folder + `/style.gd" id="3_s"]` + "\n")
		ids := []string{}
		for _, letter := range strings.Split("abcdefghi", "") {
			id := "Resource_" + letter
			ids = append(ids, `SubResource("`+id+`")`)
			file.WriteString("\n[sub_resource type=\"Resource\" id=\"" + id + "\"]\nscript = ExtResource(\"2_l\")\nscene = ExtResource(\"1_e\")\noverrides = {\n\"disabled\": \"true\"\n}\nmetadata/_latest = \"" + letter + "\"\n")
		}
		all := strings.Join(ids, ", ")
		file.WriteString("\n[resource]\nscript = ExtResource(\"3_s\")\nlayers = Array[Resource]([" + all + "])\ntyped_layers = Array[ExtResource(\"2_l\")]([" + all + "])\n" +
			"info = {\n\"\": " + ids[0] + ",\n\"10\": " + ids[1] + ",\n\"11\": " + ids[2] + "\n}\nmetadata/_latest_layer = \"11\"\n")
		text := strings.Replace(file.String(), ` uid="uid://bs25qqepymqgo"`, "", 1)
		path := write(t, e, folder+"/default.tres", text)
		known(t, e, "res://"+folder+"/layer.gd")
		known(t, e, "res://"+folder+"/style.gd")
		listed(t, e, folder, "Style"+name)
		write(t, e, folder+"/other.tscn", scene2d("Other"))
		previewed(t, e, s, "resource set-property", args{"resource_path": path, "property": "typed_layers:4:scene", "value": "res://" + folder + "/other.tscn"}).
			has(t, map[string]string{"previous.$resource": "res://enemy.tscn", "value.$resource": "res://" + folder + "/other.tscn"})
		got := changed(text, read(t, e, path))
		want := "+ [ext_resource type=\"PackedScene\" path=\"res://" + folder + "/other.tscn\" id=\"3_*\"]\n" +
			"- scene = ExtResource(\"1_e\")\n+ scene = ExtResource(\"3_*\")\n"
		if got != want {
			t.Errorf("the file changed by\n%s\nwant\n%s", got, want)
		}
		if !strings.Contains(read(t, e, path), "typed_layers = Array[ExtResource(\"2_l\")]([") {
			t.Error("the array lost the script that types it")
		}
		s.call(t, "resource read", args{"resource_path": path}).ok(t).has(t, map[string]string{
			"properties.info..properties.metadata/_latest":      "a",
			"properties.info.10.properties.metadata/_latest":    "b",
			"properties.layers.4.properties.scene.$resource":    "res://" + folder + "/other.tscn",
			"properties.layers.3.properties.scene.$resource":    "res://enemy.tscn",
			"properties.metadata/_latest_layer":                 "11",
			"properties.layers.4.properties.overrides.disabled": "true"})
		s.call(t, "resource set-property", args{"resource_path": path, "property": "info::overrides:disabled", "value": "false"}).ok(t).
			has(t, map[string]string{"previous": "true", "value": "false"})
	})
}
