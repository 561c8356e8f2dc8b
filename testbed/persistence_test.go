package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The scenes of the matrix. BASE and MID stand for the files that a scene uses.
const (
	matrixPlain = `[gd_scene format=3]

[sub_resource type="CircleShape2D" id="own"]
radius = 5.0

[node name="Plain" type="Node2D"]

[node name="A" type="Node2D" parent="." groups=["own"]]

[node name="B" type="Node2D" parent="."]

[node name="Shape" type="CollisionShape2D" parent="B"]
unique_name_in_owner = true
shape = SubResource("own")

[node name="Look" type="Sprite2D" parent="B"]
material = ExtResource("m")
`
	matrixBase = `[gd_scene format=3]

[sub_resource type="CircleShape2D" id="inner"]
radius = 5.0

[node name="Base" type="Node2D" groups=["bases"]]

[node name="Hat" type="Sprite2D" parent="." groups=["hats"]]

[node name="Feather" type="Sprite2D" parent="Hat"]

[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("inner")
`
	matrixMid = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Mid" type="Node2D"]

[node name="Inner" parent="." instance=ExtResource("1")]
`
	matrixInherited = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Base" instance=ExtResource("1")]

[node name="Own" type="Node2D" parent="." index="2" groups=["own"]]
`
	matrixHolds = `[gd_scene format=3]

[ext_resource type="PackedScene" path="BASE" id="1"]

[node name="Holds" type="Node2D"]

[node name="Inst" parent="." instance=ExtResource("1")]

[node name="Own" type="Node2D" parent="."]
`
	matrixDeep = `[gd_scene format=3]

[ext_resource type="PackedScene" path="MID" id="1"]

[node name="Deep" type="Node2D"]

[node name="Mid" parent="." instance=ExtResource("1")]
`
	editableInst  = "\n[editable path=\"Inst\"]\n"
	editableMid   = "\n[editable path=\"Mid\"]\n"
	editableInner = "\n[editable path=\"Mid/Inner\"]\n"
)

// matrixCase is one edit of one kind of scene, and what a save makes of it; reason "" is persisted. text is
// the line that an edit inside a resource leaves in a file: the engine shares resources in memory, so only
// the files tell.
type matrixCase struct {
	kind, tool string
	args       args
	reason     string
	text       string
}

const (
	notEditable = "instanced_child_not_editable"
	fromBase    = "node_from_base_scene"
	groupBase   = "group_from_base_scene"
	embedded    = "embedded_in_other_resource"
)

func set(path, property string, value any) args {
	return args{"node_path": path, "property": property, "value": value}
}

func below(path string) args { return args{"parent_path": path, "node_name": "New"} }

func to(path, parent string) args { return args{"node_path": path, "new_parent_path": parent} }

func named(path, name string) args { return args{"node_path": path, "new_name": name} }

func grouped(path, group string) args { return args{"node_path": path, "group": group} }

func retyped(path string) args { return args{"node_path": path, "node_type": "Area2D"} }

func instanced(parent string) args {
	return args{"source_scene": "res://enemy.tscn", "parent_path": parent, "node_name": "New"}
}

func gone(path string) args { return args{"node_path": path, "confirm": true} }

func matrix() []matrixCase {
	return []matrixCase{
		{"plain", "node add", below("A"), "", ""},
		{"plain", "node set-property", set("A", "rotation", 1), "", ""},
		{"plain", "node set-property", set(".", "rotation", 1), "", ""},
		{"plain", "node delete", gone("A"), "", ""},
		{"plain", "node rename", named("A", "C"), "", ""},
		{"plain", "node rename", named(".", "Root"), "", ""},
		{"plain", "node rename", named("%Shape", "Form"), "", ""},
		{"plain", "node move", to("A", "B"), "", ""},
		{"plain", "node duplicate", args{"node_path": "B"}, "", ""},
		{"plain", "node add-to-group", grouped("A", "more"), "", ""},
		{"plain", "node remove-from-group", grouped("A", "own"), "", ""},
		{"plain", "node change-type", retyped("A"), "", ""},
		{"plain", "node change-type", retyped("."), "", ""},
		{"plain", "node instance", instanced("A"), "", ""},
		{"plain", "node set-unique-name", args{"node_path": "A"}, "", ""},
		{"plain", "node set-property", set("%Shape", "unique_name_in_owner", false), "", ""},
		{"plain", "node set-property", set("A", "unique_name_in_owner", true), "", ""},
		{"plain", "node set-property", set("B/Shape", "shape:radius", 7), "", "radius = 7.0"},
		{"plain", "node set-property", set("B/Shape", "shape", map[string]any{"type": "RectangleShape2D", "properties": map[string]any{"size": []int{3, 4}}}), "", "size = Vector2(3, 4)"},
		{"plain", "node set-property", set("B/Look", "material:light_mode", 1), "", "light_mode = 1"},

		{"inherited", "node add", below("Hat"), "", ""},
		{"inherited", "node add", below("."), "", ""},
		{"inherited", "node set-property", set("Hat", "flip_h", true), "", ""},
		{"inherited", "node set-property", set(".", "rotation", 1), "", ""},
		{"inherited", "node set-property", set("Own", "rotation", 1), "", ""},
		{"inherited", "node delete", gone("Own"), "", ""},
		{"inherited", "node delete", gone("Hat"), fromBase, ""},
		{"inherited", "node delete", gone("Hat/Feather"), fromBase, ""},
		{"inherited", "node rename", named("Hat", "Cap"), fromBase, ""},
		{"inherited", "node rename", named("Own", "Mine"), "", ""},
		{"inherited", "node rename", named(".", "Root"), "", ""},
		{"inherited", "node move", to("Hat/Feather", "Own"), fromBase, ""},
		{"inherited", "node move", to("Own", "Hat"), "", ""},
		{"inherited", "node duplicate", args{"node_path": "Hat"}, "", ""},
		{"inherited", "node add-to-group", grouped("Hat", "more"), "", ""},
		{"inherited", "node remove-from-group", grouped("Hat", "hats"), groupBase, ""},
		{"inherited", "node remove-from-group", grouped("Own", "own"), "", ""},
		{"inherited", "node set-property", set("Shape", "shape:radius", 7), embedded, "radius = 7.0"},

		{"inherited", "node change-type", retyped("Hat"), fromBase, ""},
		{"inherited", "node change-type", retyped("Own"), "", ""},
		{"inherited", "node instance", instanced("Hat"), "", ""},
		{"inherited", "node set-unique-name", args{"node_path": "Hat"}, "", ""},

		{"holds", "node set-property", set("Inst", "rotation", 1), "", ""},
		{"holds", "node rename", named("Inst", "It"), "", ""},
		{"holds", "node delete", gone("Inst"), "", ""},
		{"holds", "node move", to("Inst", "Own"), "", ""},
		{"holds", "node duplicate", args{"node_path": "Inst"}, "", ""},
		{"holds", "node add", below("Inst"), "", ""},
		{"holds", "node add-to-group", grouped("Inst", "more"), "", ""},
		{"holds", "node remove-from-group", grouped("Inst", "bases"), groupBase, ""},
		{"holds", "node set-property", set("Inst/Hat", "flip_h", true), notEditable, ""},
		{"holds", "node add", below("Inst/Hat"), notEditable, ""},
		{"holds", "node delete", gone("Inst/Hat"), notEditable, ""},
		{"holds", "node rename", named("Inst/Hat", "Cap"), notEditable, ""},
		{"holds", "node move", to("Own", "Inst/Hat"), notEditable, ""},
		{"holds", "node add-to-group", grouped("Inst/Hat", "more"), notEditable, ""},
		{"holds", "node duplicate", args{"node_path": "Inst/Hat/Feather"}, notEditable, ""},
		{"holds", "node set-property", set("Inst/Shape", "shape:radius", 7), embedded, "radius = 7.0"},

		{"holds", "node change-type", retyped("Inst/Hat"), notEditable, ""},
		{"holds", "node instance", instanced("Inst"), "", ""},
		{"holds", "node instance", instanced("Inst/Hat"), notEditable, ""},
		{"holds", "node set-unique-name", args{"node_path": "Inst"}, "", ""},
		{"holds", "node set-unique-name", args{"node_path": "Inst/Hat"}, notEditable, ""},
		{"holds", "node set-editable-children", args{"node_path": "Inst"}, "", `[editable path="Inst"]`},
		{"holds", "node make-local", args{"node_path": "Inst"}, "", ""},

		{"editable", "node change-type", retyped("Inst/Hat"), fromBase, ""},
		{"editable", "node instance", instanced("Inst/Hat"), "", ""},
		{"editable", "node set-unique-name", args{"node_path": "Inst/Hat"}, "", ""},
		{"editable", "node set-editable-children", args{"node_path": "Inst", "editable": false}, "", ""},
		{"editable", "node make-local", args{"node_path": "Inst"}, "", ""},
		{"editable", "node set-property", set("Inst/Hat", "flip_h", true), "", ""},
		{"editable", "node add", below("Inst/Hat"), "", ""},
		{"editable", "node delete", gone("Inst/Hat"), fromBase, ""},
		{"editable", "node rename", named("Inst/Hat", "Cap"), fromBase, ""},
		{"editable", "node add-to-group", grouped("Inst/Hat", "more"), "", ""},
		{"editable", "node remove-from-group", grouped("Inst/Hat", "hats"), groupBase, ""},
		{"editable", "node set-property", set("Inst/Shape", "shape:radius", 7), embedded, "radius = 7.0"},

		{"deep closed", "node set-property", set("Mid/Inner", "rotation", 1), notEditable, ""},
		{"deep closed", "node set-editable-children", args{"node_path": "Mid/Inner"}, notEditable, `[editable path="Mid/Inner"]`},
		{"deep closed", "node make-local", args{"node_path": "Mid/Inner"}, notEditable, ""},
		{"deep closed", "node make-local", args{"node_path": "Mid"}, "", ""},
		{"deep half", "node set-editable-children", args{"node_path": "Mid/Inner"}, "", `[editable path="Mid/Inner"]`},
		{"deep half", "node make-local", args{"node_path": "Mid/Inner"}, fromBase, ""},
		{"deep half", "node instance", instanced("Mid/Inner"), "", ""},
		{"deep half", "node set-property", set("Mid/Inner", "rotation", 1), "", ""},
		{"deep half", "node set-property", set("Mid/Inner/Hat", "flip_h", true), notEditable, ""},
		{"deep half", "node add", below("Mid/Inner"), "", ""},
		{"deep open", "node set-property", set("Mid/Inner/Hat", "flip_h", true), "", ""},
		{"deep open", "node add", below("Mid/Inner/Hat"), "", ""},
		{"deep open", "node instance", instanced("Mid/Inner/Hat"), "", ""},
		{"deep open", "node set-editable-children", args{"node_path": "Mid/Inner", "editable": false}, "", ""},
		{"deep open", "node make-local", args{"node_path": "Mid"}, "", ""},
		{"deep open", "node delete", gone("Mid/Inner/Hat"), fromBase, ""},
		{"deep open", "node remove-from-group", grouped("Mid/Inner/Hat", "hats"), groupBase, ""},
	}
}

// matrixScene writes a case's files under names of its own, since a resource of one file is shared by all
// scenes that use it, and returns the text of the scene.
func matrixScene(t *testing.T, e *Editor, kind, folder string) string {
	t.Helper()
	base := write(t, e, folder+"/base.tscn", matrixBase)
	mid := write(t, e, folder+"/mid.tscn", strings.ReplaceAll(matrixMid, "BASE", base))
	material := write(t, e, folder+"/m.tres", "[gd_resource type=\"CanvasItemMaterial\" format=3]\n\n[resource]\n")
	scene := map[string]string{
		"plain":       strings.Replace(matrixPlain, "\n\n", "\n\n[ext_resource type=\"Material\" path=\""+material+"\" id=\"m\"]\n\n", 1),
		"inherited":   matrixInherited,
		"holds":       matrixHolds,
		"editable":    matrixHolds + editableInst,
		"deep closed": matrixDeep,
		"deep half":   matrixDeep + editableMid,
		"deep open":   matrixDeep + editableMid + editableInner,
	}[kind]
	return strings.NewReplacer("BASE", base, "MID", mid).Replace(scene)
}

// TestPersistenceMatrix holds three things against each other in each case: what the preview says, what the
// run says, and what the reopened file holds.
func TestPersistenceMatrix(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	cases := matrix()
	if len(cases) < 40 {
		t.Fatalf("%d cases", len(cases))
	}
	for i, c := range cases {
		folder := fmt.Sprintf("matrix/%02d", i)
		t.Run(fmt.Sprintf("%02d_%s_%s", i, c.kind, c.tool), func(t *testing.T) {
			scene := openScene(t, e, folder+"/scene.tscn", matrixScene(t, e, c.kind, folder))
			before := nodes(t, e, "")
			preview := s.call(t, c.tool, c.args.with("dry_run", true)).ok(t)
			real := s.call(t, c.tool, c.args).ok(t)
			for _, field := range []string{"persisted", "reason", "hint"} {
				if preview.text(field) != real.text(field) {
					t.Errorf("%s is %s in the preview and %s in the run", field, preview.text(field), real.text(field))
				}
			}
			after := nodes(t, e, "")
			if after == before && c.text == "" {
				t.Fatalf("nothing changed: %s", real.raw)
			}
			s.call(t, "scene save", nil).ok(t)
			closeTab(t, e, scene)
			s.call(t, "scene open", args{"scene_path": scene}).ok(t)
			// A built-in resource that is new has its path from the save.
			held := func(nodes string) string { return unordered(builtInPath.ReplaceAllString(nodes, "")) }
			kept := held(nodes(t, e, "")) == held(after)
			if c.text != "" {
				kept = inAFile(t, e, folder, c.text)
			}
			want := map[string]string{"persisted": "true", "reason": "null"}
			if c.reason != "" {
				want = map[string]string{"persisted": "false", "reason": c.reason}
			}
			real.has(t, want)
			if kept != (real.text("persisted") == "true") {
				t.Errorf("the answer was persisted %s, and the reopened file holds\n%s\nafter the run it was\n%s",
					real.text("persisted"), nodes(t, e, ""), after)
			}
		})
	}
	t.Run("page", func(t *testing.T) { checkMatrixPage(t, cases) })
}

// inAFile is true when a file of the folder has the line.
func inAFile(t *testing.T, e *Editor, folder, line string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(e.Project, filepath.FromSlash(folder), "*.t*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\n"+line+"\n") {
			return true
		}
	}
	return false
}

// checkMatrixPage holds docs/persistence.md against the cases, which all passed when it is reached.
func checkMatrixPage(t *testing.T, cases []matrixCase) {
	var b strings.Builder
	b.WriteString("# What a save keeps\n\nWritten by `go test ./testbed -run TestPersistenceMatrix -update`. Do not edit.\n\n" +
		"Each row was carried out on a real editor: the preview, the run and the reopened file agreed.\n\n" +
		"| scene | tool | arguments | persisted | reason |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range cases {
		persisted := "true"
		if c.reason != "" {
			persisted = "false"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s |\n", c.kind, c.tool, asJSON(c.args), persisted, c.reason)
	}
	path := filepath.Join(Root(), "docs", "persistence.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != b.String() {
		t.Errorf("docs/persistence.md is stale (%v); run: go test ./testbed -run TestPersistenceMatrix -update", err)
	}
}
