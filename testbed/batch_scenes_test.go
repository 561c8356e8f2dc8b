package testbed

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const inScenes = "batch set-property-in-scenes"

func everywhere(scenes []string, nodeType, property string, value any) args {
	return args{"scenes": scenes, "node_type": nodeType, "property": property, "value": value}
}

const scenesBase = `[gd_scene format=3 uid="uid://csc3n3sbase"]

[node name="Base" type="Sprite2D" unique_id=700001]
visible = false

[node name="Arm" type="Node2D" parent="." unique_id=700002]

[node name="Hand" type="Sprite2D" parent="Arm" unique_id=700003]
`

// sceneCase is a file and what the edit, visible = false of each Sprite2D, changes in it.
type sceneCase struct {
	name, text, want string
	modified         string
}

func sceneCases() []sceneCase {
	const tail = "\n[node name=\"Hat\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2(1, 2)\n"
	return []sceneCase{
		{"attributes and comments stay",
			"[gd_scene load_steps=2 format=3 uid=\"uid://UID\" later_attribute=7]\n\n; a comment [node name=\"No\" type=\"Sprite2D\"]\n" +
				"[sub_resource type=\"CircleShape2D\" id=\"Odd\"]\nradius   =   5.0\n\n[node name=\"Top\" type=\"Node2D\" unique_id=400001]\n" + tail,
			"+ visible = false\n", "1"},
		{"strings that look like sections",
			"[gd_scene format=4 uid=\"uid://UID\"]\n\n[node name=\"Top\" type=\"Sprite2D\"]\nmetadata/text = \"a \\\" b\n[node name=\\\"Fake\\\" type=\\\"Sprite2D\\\"]\nvisible = true ; ] } )\n\"\n" +
				"metadata/list = [1, \"]\", {\n\"a\": [\"[\"]\n}]\n\"metadata/odd name\" = &\"v\"\n" + tail,
			"+ visible = false\n+ visible = false\n", "2"},
		{"inherits and holds",
			"[gd_scene format=3 uid=\"uid://UID\"]\n\n[ext_resource type=\"PackedScene\" path=\"BASE\" id=\"1_base\"]\n\n[node name=\"Base\" instance=ExtResource(\"1_base\")]\nvisible = true\n" +
				"\n[node name=\"Hand\" parent=\"Arm\" parent_id_path=PackedInt32Array(700002) index=\"0\" unique_id=700003]\nflip_h = true\n" +
				"\n[node name=\"Inst\" parent=\".\" unique_id=400002 instance=ExtResource(\"1_base\")]\nvisible = true\n",
			// The roots go back to what their base scene says, which is the same.
			"- visible = true\n+ visible = false\n- visible = true\n", "3"},
		{"is so already", "[gd_scene format=3 uid=\"uid://UID\"]\n\n[node name=\"Top\" type=\"Sprite2D\"]\nvisible = false\n", "", "0"},
		{"no end of line at the end", "[gd_scene format=3 uid=\"uid://UID\"]\n\n[node name=\"Top\" type=\"Sprite2D\"]", "", "1"},
	}
}

// TestSetPropertyInScenes: closed files of every make change by the lines of the property alone; undo brings
// every byte back; the reopened scenes hold it.
func TestSetPropertyInScenes(t *testing.T) {
	e := sharedEditor(t)
	base := write(t, e, "scenes/base.tscn", scenesBase)
	both(t, e, func(t *testing.T, s surface) {
		takeBackScenes(t, e, 2)
		batchScene(t, e, "Front")
		name := strings.NewReplacer("/", "_").Replace(t.Name())
		for _, make := range []struct{ name, end string }{{"plain", "\n"}, {"windows", "\r\n"}} {
			var scenes, before, want []string
			for i, c := range sceneCases() {
				uid := "csc3n3s" + strings.ToLower(name[len(name)-3:]) + make.name + string(rune('a'+i))
				text := strings.NewReplacer("UID", uid, "BASE", base).Replace(c.text)
				text = strings.ReplaceAll(text, "\n", make.end)
				scenes = append(scenes, write(t, e, "scenes/"+name+make.name+string(rune('a'+i))+".tscn", text))
				before = append(before, text)
				want = append(want, strings.ReplaceAll(c.want, "\n", make.end))
			}
			real := previewed(t, e, s, inScenes, everywhere(scenes, "Sprite2D", "visible", false))
			real.has(t, map[string]string{"total_modified": "7", "scene_count": "5", "persisted": "true", "undoable": "true", "stale": "[]", "hint": "null"})
			var after []string
			for i, c := range sceneCases() {
				at := "results." + string(rune('0'+i))
				real.has(t, map[string]string{at + ".scene": scenes[i], at + ".modified": c.modified, at + ".open": "false", at + ".error": "null"})
				after = append(after, read(t, e, scenes[i]))
				if diff := lineDiff(before[i], after[i]); c.name != "no end of line at the end" && diff != want[i] {
					t.Errorf("%s (%s): the file changed by\n%s\nwant\n%s", c.name, make.name, diff, want[i])
				}
			}
			if got := after[4]; got != before[4]+make.end+"visible = false"+make.end {
				t.Errorf("without an end of line it became %q", got)
			}
			s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": inScenes, "history": "global"})
			for i := range scenes {
				if got := read(t, e, scenes[i]); got != before[i] {
					t.Errorf("undo left\n%s", lineDiff(before[i], got))
				}
			}
			s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": inScenes})
			for i := range scenes {
				if got := read(t, e, scenes[i]); got != after[i] {
					t.Errorf("redo gave\n%s", lineDiff(after[i], got))
				}
				open(t, e, scenes[i])
				for _, path := range strings.Fields(map[int]string{0: "Hat", 1: ". Hat", 2: ". Arm/Hand Inst", 3: ".", 4: "."}[i]) {
					s.call(t, "node get-property", args{"node_path": path, "property": "visible"}).ok(t).has(t, map[string]string{"value": "false"})
				}
			}
		}
	})
}

// TestScenesAsTheEngineWrites: the file is what opening, setting and saving would have made of it.
func TestScenesAsTheEngineWrites(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	write(t, e, "scenes/odd.gd.uid", "uid://csc3n3sodd\n")
	script := write(t, e, "scenes/odd.gd", "extends Node2D\n\n@export var words: Array[String] = [\"a\"]\n@export var look: Texture2D\n@export var worth := 3\n")
	text := "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"" + script + "\" id=\"1_s\"]\n\n[node name=\"Top\" type=\"Node2D\"]\n\n" +
		"[node name=\"Label\" type=\"Label\" parent=\".\"]\noffset_right = 40.0\noffset_bottom = 23.0\ntext = \"one\"\nmetadata/own = 1\n\n" +
		"[node name=\"Odd\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(3, 4)\nscript = ExtResource(\"1_s\")\nworth = 7\nmetadata/own = 1\n\n" +
		"[node name=\"Box\" type=\"Node3D\" parent=\".\"]\nvisible = false\n"
	cases := []struct {
		nodeType, property string
		value              any
	}{
		{"Label", "text", "two\n[node name=\"x\"]\n\\ \"quoted\" ; 100% 'é'"},
		{"Label", "text", ""},
		{"Label", "horizontal_alignment", 1},
		{"Label", "theme_override_colors/font_color", "#ff8000"},
		{"Label", "self_modulate", []float64{0.1, 0.2, 0.3, 1}},
		{"Label", "metadata/own", 2},
		{"Node2D", "rotation_degrees", 90},
		{"Node2D", "position", []float64{0.1, 1e-7}},
		{"Node2D", "position", []int{0, 0}},
		{"Node2D", "z_index", 4},
		{"Node3D", "position", []float64{1, 2.25, -3}},
		{"Node3D", "visible", true},
		{"CanvasItem", "material", "res://scenes/look.tres"},
		{"Node", "process_mode", 3},
	}
	takeBackScenes(t, e, len(cases))
	for i, c := range cases {
		write(t, e, "scenes/look.tres", "[gd_resource type=\"CanvasItemMaterial\" format=3 uid=\"uid://csc3n3slook\"]\n\n[resource]\nblend_mode = 1\n")
		opened := openScene(t, e, "scenes/engine"+string(rune('a'+i))+".tscn", text)
		s.call(t, "scene save", nil).ok(t)
		closed := write(t, e, "scenes/ours"+string(rune('a'+i))+".tscn", read(t, e, opened))
		s.call(t, inScenes, everywhere([]string{opened}, c.nodeType, c.property, c.value)).ok(t).has(t, map[string]string{"results.0.open": "true"})
		s.call(t, "scene save", nil).ok(t)
		closeTab(t, e, opened)
		real := s.call(t, inScenes, everywhere([]string{closed}, c.nodeType, c.property, c.value)).ok(t)
		if want, got := withoutIDs(read(t, e, opened)), withoutIDs(read(t, e, closed)); got != want || real.text("total_modified") == "0" {
			t.Errorf("%s of each %s: %s\nagainst the engine's own the file differs by\n%s", c.property, c.nodeType, real.raw, lineDiff(want, got))
		}
	}
	for property, value := range map[string]any{"words": []string{"b", "c"}, "worth": 3} {
		closed := write(t, e, "scenes/script_"+property+".tscn", text)
		s.call(t, inScenes, everywhere([]string{closed}, "Node2D", property, value)).fails(t, "VALIDATION_ERROR", "property", "Node2D has no property "+property)
	}
}

// takeBackScenes undoes the test's steps in the history that all tests share, once its tabs are closed.
func takeBackScenes(t *testing.T, e *Editor, count int) {
	t.Helper()
	t.Cleanup(func() {
		for range count {
			cli(e).call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": inScenes, "history": "global"})
		}
	})
}

// withoutIDs hides what the engine draws by lot in ids of files, and the order that follows from them.
func withoutIDs(text string) string {
	const entry = "[ext_resource "
	head, rest, found := strings.Cut(masked(text), entry)
	if !found {
		return head
	}
	lines := strings.Split(entry+rest, "\n")
	count := 0
	for i, line := range lines {
		if strings.HasPrefix(line, entry) {
			count = i + 1
			lines[i], _, _ = strings.Cut(line, " id=")
		}
		if name, _, uses := strings.Cut(line, " = ExtResource("); uses {
			lines[i] = name + " = ExtResource(ID)"
		}
	}
	slices.Sort(lines[:count])
	return head + strings.Join(lines, "\n")
}

// TestScenesThatCannotBeEdited: each scene has its own error, and the others are edited all the same.
func TestScenesThatCannotBeEdited(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		batchScene(t, e, "Front")
		good := "[gd_scene format=3]\n\n[node name=\"Good\" type=\"Sprite2D\"]\n"
		fine := write(t, e, "scenes/fine.tscn", good)
		newer := write(t, e, "scenes/newer.tscn", "[gd_scene format=9]\n\n[node name=\"Later\" type=\"Sprite2D\"]\n")
		needs := write(t, e, "scenes/needs.tscn", instanceOf("res://scenes/nowhere.tscn"))
		bytes := write(t, e, "scenes/bytes.tscn", good+"\x00")
		binary := write(t, e, "scenes/binary.scn", "RSRC")
		broken := write(t, e, "scenes/broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Sprite2D\"\n")
		marked := write(t, e, "scenes/marked.tscn", "\ufeff"+good)
		all := []string{"res://scenes/none.tscn", newer, needs, bytes, binary, broken, fine, marked}
		before := files(t, e)
		real := previewed(t, e, s, inScenes, everywhere(all, "Sprite2D", "flip_h", true))
		real.has(t, map[string]string{"total_modified": "1", "scene_count": "8", "undoable": "true",
			"results.0.error": "RESOURCE_NOT_FOUND", "results.1.error": "PRECONDITION_FAILED", "results.1.required": "godot_version",
			"results.2.error": "PRECONDITION_FAILED", "results.2.required": "dependencies", "results.3.error": "VALIDATION_ERROR",
			"results.4.error": "VALIDATION_ERROR", "results.5.error": "VALIDATION_ERROR", "results.7.error": "VALIDATION_ERROR", "results.6.modified": "1"})
		for _, word := range []string{"format 9", "4.6", newer} {
			if !strings.Contains(real.text("results.1.hint"), word) {
				t.Errorf("the hint about a newer file lacks %s: %s", word, real.text("results.1.hint"))
			}
		}
		if got := read(t, e, fine); got != good+"flip_h = true\n" {
			t.Errorf("the good one became\n%s", got)
		}
		s.call(t, "undo", nil).ok(t)
		for path, digest := range files(t, e) {
			if was := before[path]; was != digest && path != onDisk(e, fine) {
				t.Errorf("%s was %s and is %s", path, was, digest)
			}
		}
		if read(t, e, fine) != good {
			t.Errorf("undo left\n%s", read(t, e, fine))
		}
		for _, c := range []struct {
			a              args
			code, required string
		}{
			{everywhere(all, "Sprite", "flip_h", true), "VALIDATION_ERROR", "node_type"},
			{everywhere(all, "Sprite2D", "flip", true), "VALIDATION_ERROR", "property"},
			{everywhere(all, "Sprite2D", "position:x", 1), "VALIDATION_ERROR", "property"},
			{everywhere(all, "Sprite2D", "flip_h", "maybe"), "VALIDATION_ERROR", "value"},
			{everywhere(all, "Sprite2D", "texture", "res://scenes/none.png"), "RESOURCE_NOT_FOUND", "value"},
			{everywhere([]string{fine, "res://../x.tscn"}, "Sprite2D", "flip_h", true), "VALIDATION_ERROR", "scenes"},
			{everywhere([]string{"res://addons/godot_mcp_bridge/x.tscn"}, "Sprite2D", "flip_h", true), "VALIDATION_ERROR", "scenes"},
			{everywhere([]string{}, "Sprite2D", "flip_h", true), "VALIDATION_ERROR", "scenes"},
		} {
			got := s.call(t, inScenes, c.a)
			if got.err == nil || string(got.err.Code) != c.code || got.err.Required != c.required {
				t.Errorf("%s gave %v", asJSON(c.a), got.err)
			}
		}
		for _, c := range []args{
			everywhere([]string{fine}, "Sprite2D", "global_position", []int{1, 2}),
			everywhere([]string{fine}, "Sprite2D", "metadata/new", 1),
			everywhere([]string{fine}, "Sprite2D", "material", args{"type": "CanvasItemMaterial"}),
			everywhere([]string{fine}, "Sprite2D", "metadata/v", args{"$type": "PackedVector4Array", "value": [][]int{{1, 2, 3, 4}}}),
		} {
			s.call(t, inScenes, c).ok(t).has(t, map[string]string{"results.0.error": "VALIDATION_ERROR", "total_modified": "0", "persisted": "null", "undoable": "false"})
		}
		if read(t, e, fine) != good {
			t.Errorf("what was refused left\n%s", read(t, e, fine))
		}
	})
}

// TestOpenScenesAreEditedInTheirTabs: with an undo step of their own, unsaved, files untouched, whichever tab
// is in front; a scene that holds a changed one is named.
func TestOpenScenesAreEditedInTheirTabs(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		one, two := batchScene(t, e, "One"), batchScene(t, e, "Two")
		part := write(t, e, "scenes/part.tscn", "[gd_scene format=3]\n\n[node name=\"Part\" type=\"Label\"]\n")
		holds := openScene(t, e, "scenes/holds.tscn", instanceOf(part))
		front := user(t, e, "look", "").Active
		texts := map[string]string{one: read(t, e, one), two: read(t, e, two), holds: read(t, e, holds)}
		real := previewed(t, e, s, inScenes, everywhere([]string{one, part, two, holds}, "Label", "text", "42"))
		real.has(t, map[string]string{"total_modified": "4", "results.0.open": "true", "results.0.modified": "1", "results.1.open": "false",
			"results.2.modified": "1", "results.3.modified": "1", "stale": `["` + holds + `"]`, "persisted": "true", "undoable": "true"})
		for scene, text := range texts {
			if read(t, e, scene) != text {
				t.Errorf("the open %s was written", scene)
			}
		}
		for _, word := range []string{one, two, "save-all", "scene reload"} {
			if !strings.Contains(real.text("hint"), word) {
				t.Errorf("the hint lacks %s: %s", word, real.text("hint"))
			}
		}
		if got := user(t, e, "look", "").Active; got != front {
			t.Errorf("in front is %s, it was %s", got, front)
		}
		if !strings.Contains(read(t, e, part), "text = \"42\"") {
			t.Errorf("the closed one holds\n%s", read(t, e, part))
		}
		// The files are the youngest step.
		s.call(t, "undo", args{"scene_path": one}).ok(t).has(t, map[string]string{"last_action": inScenes, "history": "global"})
		for _, scene := range []string{one, two} {
			s.call(t, "node get-property", args{"node_path": "Player/Label", "property": "text", "scene_path": scene}).ok(t).has(t, map[string]string{"value": "42"})
			s.call(t, "undo", args{"scene_path": scene}).ok(t).has(t, map[string]string{"last_action": inScenes, "history": scene})
		}
		s.call(t, "undo", args{"scene_path": holds}).ok(t)
		if strings.Contains(read(t, e, part), "42") {
			t.Errorf("after undo the closed one holds\n%s", read(t, e, part))
		}
	})
}

// TestSetPropertyInScenesAlias takes the older parameters and answers in the older shape.
func TestSetPropertyInScenesAlias(t *testing.T) {
	e := sharedEditor(t)
	batchScene(t, e, "Front")
	scene := write(t, e, "scenes/older.tscn", "[gd_scene format=3]\n\n[node name=\"Old\" type=\"Sprite2D\"]\n")
	s := mcpSession(t, e)
	olderCall(t, s, "godot_batch_cross_scene_set_property", everywhere([]string{scene, "res://scenes/none.tscn"}, "Sprite2D", "flip_h", true).with("confirm", true)).
		has(t, map[string]string{"scenes": "2", "total_modified": "1", "results.0.error": "", "results.0.modified": "1", "results.1.modified": "0"})
	if _, err := os.Stat(onDisk(e, scene)); err != nil || !strings.Contains(read(t, e, scene), "flip_h = true") {
		t.Errorf("the file holds\n%s", read(t, e, scene))
	}
	cli(e).call(t, "undo", nil).ok(t)
}
