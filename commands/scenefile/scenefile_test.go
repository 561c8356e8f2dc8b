package scenefile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const holds = `[gd_scene load_steps=3 format=4 uid="uid://abc"]

; a comment [node name="No"]
[ext_resource type="PackedScene" uid="uid://x" path="res://base.tscn" id="1_b"]
[ext_resource type="Script" path="res://a b.gd" id="2"]

[sub_resource type="RectangleShape2D" id="R"]
size = Vector2(1, 2)

[node name="Top" type="Node2D" unique_id=5]
script = ExtResource("2")
metadata/list = [1, "]", {
"a": "x\"y
[node name=\"Fake\" type=\"Node\"]
"
}]

[node name="a b$(touch x)" type="Label" parent="." groups=["one", "two \"2\""]]
unique_name_in_owner = true
text = "[node name=\"Fake\"]"
"odd name" = &"v"

[node name="Größe" parent="a b$(touch x)" instance=ExtResource("1_b")]

[node name="Hat" parent="a b$(touch x)/Größe" index="0" parent_id_path=PackedInt32Array(1, 2)]
flip_h = true

[connection signal="ready" from="." to="." method="_on_ready"]

[editable path="a b$(touch x)/Größe"]
`

const base = "[gd_scene format=3]\n\n[node name=\"Base\" type=\"Sprite2D\"]\n\n[node name=\"Hat\" type=\"Sprite2D\" parent=\".\"]\nvisible = false\n"

func TestParse(t *testing.T) {
	s, err := Parse(holds)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range s.Nodes {
		got = append(got, n.Path+"|"+n.Type+"|"+n.Instance)
	}
	want := []string{".|Node2D|", "a b$(touch x)|Label|", "a b$(touch x)/Größe||res://base.tscn", "a b$(touch x)/Größe/Hat||"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	label := s.Nodes[1]
	if !reflect.DeepEqual(label.Groups, []string{"one", `two "2"`}) || !label.IsUnique() {
		t.Errorf("got %+v", label)
	}
	if value, ok := label.Property("odd name"); !ok || value != `&"v"` || Unquote(value) != "v" {
		t.Errorf("got %q, %v", value, ok)
	}
	if value, _ := s.Nodes[0].Property("metadata/list"); !strings.Contains(value, "Fake") || !strings.HasSuffix(value, "}]") {
		t.Errorf("got %q", value)
	}
	if s.UID != "uid://abc" || s.Editable[0] != "a b$(touch x)/Größe" || s.External[1].Path != "res://a b.gd" {
		t.Errorf("got %+v", s)
	}
}

func TestTreeOfInstances(t *testing.T) {
	nodes, err := Tree("res://holds.tscn", openMap(map[string]string{"res://holds.tscn": holds, "res://base.tscn": base}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range nodes {
		got = append(got, n.Path+"|"+n.Type)
	}
	want := []string{".|Node2D", "a b$(touch x)|Label", "a b$(touch x)/Größe|Sprite2D", "a b$(touch x)/Größe/Hat|Sprite2D"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	hat := nodes[3]
	if _, own := hat.Property("flip_h"); !own || len(hat.Properties) != 2 {
		t.Errorf("got %+v", hat)
	}
}

// A scene that holds itself ends.
func TestTreeOfAScenethatHoldsItself(t *testing.T) {
	self := "[gd_scene format=3]\n[ext_resource type=\"PackedScene\" path=\"res://self.tscn\" id=\"1\"]\n[node name=\"S\" type=\"Node\"]\n[node name=\"In\" parent=\".\" instance=ExtResource(\"1\")]\n"
	nodes, err := Tree("res://self.tscn", openMap(map[string]string{"res://self.tscn": self}))
	if err != nil || len(nodes) > 2*maxDepth+4 {
		t.Errorf("%d nodes, %v", len(nodes), err)
	}
}

func TestTextThatIsNoScene(t *testing.T) {
	for _, text := range []string{
		"", "hello", "[node name=\"x", "[node name=\"A\" type=\"Node\"", "[gd_scene]\n[node name]", "[gd_scene]\nx = [1, 2", "[gd_scene]\nx = \"a",
		"[gd_scene]\nno property here\n", "RSRC\x00\x01", "[gd_resource type=\"Theme\" format=3]\n",
	} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%q was read as %+v", text, s)
		}
	}
}

// Whatever is in the file, it ends, and what the samples have is read.
func FuzzParse(f *testing.F) {
	f.Add(holds)
	f.Add("[gd_scene]\n[node name=\"\\u00e9\\U01F600\\\"\" type=\"N\"]\na=\"\\\\\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Parse(text); (s == nil) == (err == nil) {
			t.Errorf("got %v, %v", s, err)
		}
	})
}

func TestEveryScenesOfTheSamplesIsRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testbed", "projects", "*", "*.tscn"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse(string(text))
		if err != nil || len(s.Nodes) != strings.Count("\n"+string(text), "\n[node ") {
			t.Errorf("%s: %+v, %v", file, s, err)
		}
	}
}

func TestUnquote(t *testing.T) {
	for literal, want := range map[string]string{
		`"a"`: "a", `&"a"`: "a", `^"a/b"`: "a/b", `"a\"b\\\n\t"`: "a\"b\\\n\t", `"\u00e9\U01F600"`: "é😀", `7`: "7", ``: "", `"`: `"`, `"\u00"`: "\x00",
	} {
		if got := Unquote(literal); got != want {
			t.Errorf("%s: got %q, want %q", literal, got, want)
		}
	}
}

func openMap(files map[string]string) func(string) (*Scene, error) {
	return func(path string) (*Scene, error) {
		text, there := files[path]
		if !there {
			return nil, errors.New("not there")
		}
		return Parse(text)
	}
}
