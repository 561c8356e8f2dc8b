package testbed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// editorLog is what the editor has printed so far.
func editorLog(t *testing.T, e *Editor) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "editor.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// quietly fails when the editor prints an error meanwhile.
func quietly(t *testing.T, e *Editor, what string, do func()) {
	t.Helper()
	before := len(editorLog(t, e))
	do()
	for line := range strings.Lines(editorLog(t, e)[before:]) {
		// The picture of a scene that an editor without a display makes for the file dock.
		if strings.Contains(line, "ERROR") && !strings.Contains(line, `Parameter "t" is null`) {
			t.Errorf("%s: the editor printed %s", what, line)
		}
	}
}

// fromText is one resource file and the line that a scene refers to it by.
type fromText struct{ property, path, class string }

// TestF1ResourceByPath: a path given to a property that holds an object is the loaded resource when it is
// read back and a reference in the saved file; what is not there or does not fit is refused and the old
// value stands. Two surfaces, and for new nodes too.
func TestF1ResourceByPath(t *testing.T) {
	e := sharedEditor(t)
	material := write(t, e, "f1/m.tres", "[gd_resource type=\"StandardMaterial3D\" format=3]\n\n[resource]\n")
	shape := write(t, e, "f1/s.tres", "[gd_resource type=\"SphereShape3D\" format=3]\n\n[resource]\nradius = 2.0\n")
	script := write(t, e, "f1/spawner.gd", "extends MeshInstance3D\n\n@export var what: PackedScene\n@export var mixed: Material\n")
	control := write(t, e, "f1/control.gd", "extends Control\n")
	scene := write(t, e, "f1/part.tscn", "[gd_scene format=3]\n\n[node name=\"Part\" type=\"Node3D\"]\n")
	text := "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"" + script + "\" id=\"1\"]\n\n[node name=\"Top\" type=\"Node3D\"]\n\n" +
		"[node name=\"Mesh\" type=\"MeshInstance3D\" parent=\".\"]\n\n[node name=\"Shape\" type=\"CollisionShape3D\" parent=\".\"]\n\n" +
		"[node name=\"Spawner\" type=\"MeshInstance3D\" parent=\".\"]\nscript = ExtResource(\"1\")\n"
	good := map[string]fromText{
		"Mesh":    {"material_override", material, "StandardMaterial3D"},
		"Shape":   {"shape", shape, "SphereShape3D"},
		"Spawner": {"what", scene, "PackedScene"},
	}
	both(t, e, func(t *testing.T, s surface) {
		opened := openScene(t, e, "f1/"+filepath.Base(t.Name())+".tscn", text)
		for _, node := range sortedKeys(good) {
			c := good[node]
			previewed(t, e, s, "node set-property", set(node, c.property, c.path)).has(t, map[string]string{
				"value.$resource": c.path, "value.type": c.class, "previous": "null", "set": "true", "persisted": "true"})
			s.call(t, "node get-property", args{"node_path": node, "property": c.property}).ok(t).
				has(t, map[string]string{"value.$resource": c.path, "value.type": c.class})
		}
		previewed(t, e, s, "node set-property", set("Mesh", "script", script)).has(t, map[string]string{"value.$resource": script})
		s.call(t, "node set-property", set("Mesh", "mixed", material)).ok(t)
		s.call(t, "node add", args{"node_type": "CollisionShape3D", "node_name": "Added", "properties": map[string]any{"shape": shape}}).ok(t)

		before := nodes(t, e, "")
		for _, bad := range []struct {
			node, property string
			value          any
			code           bridge.Code
			words          []string
		}{
			{"Mesh", "material_override", "res://f1/none.tres", bridge.ResourceNotFound, []string{"material_override", "none.tres"}},
			{"Mesh", "script", "res://f1/none.gd", bridge.ResourceNotFound, []string{"script", "none.gd"}},
			{"Mesh", "material_override", shape, bridge.ValidationError, []string{"material_override", "Material", "SphereShape3D"}},
			{"Mesh", "material_override", scene, bridge.ValidationError, []string{"Material", "PackedScene"}},
			{"Mesh", "material_override", "m.tres", bridge.ValidationError, []string{"res://"}},
			{"Mesh", "material_override", "", bridge.ValidationError, []string{"res://"}},
			{"Mesh", "material_override", 7, bridge.ValidationError, []string{"resource", "7"}},
			{"Mesh", "script", material, bridge.ValidationError, []string{"Script", "StandardMaterial3D"}},
			{"Mesh", "script", control, bridge.ValidationError, []string{"script", "MeshInstance3D", "Control"}},
			{"Shape", "shape", material, bridge.ValidationError, []string{"Shape3D", "StandardMaterial3D"}},
			{"Spawner", "what", shape, bridge.ValidationError, []string{"PackedScene", "SphereShape3D"}},
			{"Spawner", "what", "res://f1/none.tscn", bridge.ResourceNotFound, []string{"none.tscn"}},
			{"Spawner", "mixed", shape, bridge.ValidationError, []string{"Material"}},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, "node set-property", set(bad.node, bad.property, bad.value).with("dry_run", dry)).fails(t, bad.code, "value", bad.words...)
			}
			s.call(t, "node add", args{"node_type": "MeshInstance3D", "node_name": "Bad",
				"properties": map[string]any{"material_override": shape}}).fails(t, bridge.ValidationError, "properties", "Material")
		}
		if after := nodes(t, e, ""); after != before {
			t.Errorf("refused values changed\n%s\nto\n%s", before, after)
		}

		s.call(t, "scene save", nil).ok(t)
		saved := read(t, e, opened)
		file := readTSCN(saved)
		for node, c := range map[string]fromText{"Mesh": good["Mesh"], "Shape": good["Shape"], "Spawner": good["Spawner"],
			"Added": {"shape", shape, ""}} {
			if !refersTo(saved, file.nodes[node].properties[c.property], c.path) {
				t.Errorf("the file has %s of %s as %s\n%s", c.property, node, file.nodes[node].properties[c.property], saved)
			}
		}
		for _, property := range []string{"script", "mixed"} {
			want := map[string]string{"script": script, "mixed": material}[property]
			if !refersTo(saved, file.nodes["Mesh"].properties[property], want) {
				t.Errorf("the file has %s as %s", property, file.nodes["Mesh"].properties[property])
			}
		}
		s.call(t, "scene reload", args{"scene_path": opened, "confirm": true}).ok(t)
		for node, c := range good {
			s.call(t, "node get-property", args{"node_path": node, "property": c.property}).ok(t).has(t, map[string]string{"value.$resource": c.path})
		}
	})
}

// refersTo is true when the value is ExtResource("id") and the file has that id as the path.
func refersTo(file, value, path string) bool {
	id, ok := strings.CutPrefix(value, `ExtResource("`)
	id, closed := strings.CutSuffix(id, `")`)
	if !ok || !closed {
		return false
	}
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "[ext_resource ") && strings.Contains(line, ` path="`+path+`" `) && strings.HasSuffix(line, ` id="`+id+"\"]\n") {
			return true
		}
	}
	return false
}

// TestF29TypedArraysInADerivedScene: typed arrays in a scene that inherits from another are written with the
// type of their own elements, empty, with one element, empty again; nodes as paths that resolve; what does
// not fit is refused by its index; reading the file again says nothing.
func TestF29TypedArraysInADerivedScene(t *testing.T) {
	e := sharedEditor(t)
	script := write(t, e, "f29/typed.gd", "extends Node2D\n\n@export var ints: Array[int] = []\n@export var strings: Array[String] = []\n"+
		"@export var nodes: Array[Node] = []\n@export var sprites: Array[Sprite2D] = []\n")
	base := write(t, e, "f29/base.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\""+script+"\" id=\"1\"]\n\n"+
		"[node name=\"Base\" type=\"Node2D\" node_paths=PackedStringArray(\"nodes\")]\nscript = ExtResource(\"1\")\n"+
		"ints = Array[int]([1, 2])\nstrings = Array[String]([\"a\"])\nnodes = [NodePath(\"A\")]\n\n"+
		"[node name=\"A\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"B\" type=\"Sprite2D\" parent=\".\"]\n")
	derived := "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"" + base + "\" id=\"1\"]\n\n[node name=\"Derived\" instance=ExtResource(\"1\")]\n"
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "f29/"+filepath.Base(t.Name())+".tscn", derived)
		// file is what the saved file has for the property, "" when the base says the same.
		put := func(property string, value any, json, file string) {
			t.Helper()
			previewed(t, e, s, "node set-property", set(".", property, value)).has(t, map[string]string{"value": json, "persisted": "true"})
			s.call(t, "scene save", nil).ok(t)
			root := readTSCN(read(t, e, scene)).nodes["."]
			if got := root.properties[property]; got != file {
				t.Errorf("%s = %v: the file has %s, want %s", property, value, got, file)
			}
			ofNodes := property == "nodes" || property == "sprites"
			if listed := strings.Contains(read(t, e, scene), "node_paths="); ofNodes && file != "" && !listed {
				t.Errorf("%s = %v: the file does not list it in node_paths:\n%s", property, value, read(t, e, scene))
			}
			quietly(t, e, property+" = "+asJSON(value), func() {
				s.call(t, "scene reload", args{"scene_path": scene, "confirm": true}).ok(t)
			})
			s.call(t, "node get-property", args{"node_path": ".", "property": property}).ok(t).has(t, map[string]string{"value": json, "type": "Array"})
		}
		put("ints", []int{}, `[]`, `Array[int]([])`)
		put("ints", []int{5}, `[5]`, `Array[int]([5])`)
		put("ints", []int{}, `[]`, `Array[int]([])`)
		put("ints", []int{1, 2}, `[1,2]`, ``)
		put("strings", []string{}, `[]`, `Array[String]([])`)
		put("strings", []string{"x y"}, `["x y"]`, `Array[String](["x y"])`)
		put("strings", []string{}, `[]`, `Array[String]([])`)
		put("strings", []string{"a"}, `["a"]`, ``)
		put("nodes", []string{}, `[]`, `[]`)
		put("nodes", []string{"B"}, `[{"$node":"B"}]`, `[NodePath("B")]`)
		put("nodes", []any{"A", nil}, `[{"$node":"A"},null]`, `[NodePath("A"), null]`)
		put("nodes", []string{}, `[]`, `[]`)
		put("sprites", []string{"B"}, `[{"$node":"B"}]`, `[NodePath("B")]`)
		put("sprites", []string{}, `[]`, ``)

		before := nodes(t, e, "")
		for _, bad := range []struct {
			property string
			value    any
			code     bridge.Code
			words    []string
		}{
			{"ints", []any{1, "x"}, bridge.ValidationError, []string{"element 1", "int"}},
			{"ints", []any{nil}, bridge.ValidationError, []string{"element 0", "int"}},
			{"ints", []any{1, 2, 1.5}, bridge.ValidationError, []string{"element 2", "int"}},
			{"strings", []any{"a", 7}, bridge.ValidationError, []string{"element 1", "String"}},
			{"strings", []any{nil}, bridge.ValidationError, []string{"element 0", "String"}},
			{"nodes", []any{"A", "Nobody"}, bridge.ResourceNotFound, []string{"element 1", "Nobody"}},
			{"nodes", []any{7}, bridge.ValidationError, []string{"element 0", "node"}},
			{"sprites", []any{"B", "A"}, bridge.ValidationError, []string{"element 1", "Sprite2D", "Node2D"}},
		} {
			for _, dry := range []bool{true, false} {
				s.call(t, "node set-property", set(".", bad.property, bad.value).with("dry_run", dry)).fails(t, bad.code, "value", append(bad.words, bad.property)...)
			}
		}
		if after := nodes(t, e, ""); after != before {
			t.Errorf("refused values changed\n%s\nto\n%s", before, after)
		}
	})
}
