package testbed

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// oddName is a name as it is given and as the engine takes it; "" is the same.
type oddName struct{ given, taken string }

func oddNames() []oddName {
	return []oddName{
		{`back\slash`, "back_slash"},
		{`tail\`, "tail_"},
		{`say "hi"`, "say _hi_"},
		{"two\nlines", "two_lines"},
		{"tab\there", "tab_here"},
		{"a.b", "a_b"},
		{"c:d", "c_d"},
		{"e@f", "e_f"},
		{"g/h", "g_h"},
		{"%i", "_i"},
		{"[node]", ""},
		{"a = b", ""},
		{"; note", ""},
		{" lead", ""},
		{"trail ", ""},
		{"$j", ""},
		{"emoji 😀", ""},
		{"e\u0301 combined", ""},
		{"👩‍👩‍👧", ""},
		{"'single'", ""},
		{"&\"k\"", "&_k_"},
	}
}

// TestF28NamesSurvive: each name through add, rename and set-property; what the answer says is the node's
// name, in the saved file with a connection from that node, and when the file is opened again.
func TestF28NamesSurvive(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "f28/"+filepath.Base(t.Name())+".tscn", "[gd_scene format=3]\n\n[node name=\"Top\" type=\"Node2D\"]\n")
		var names []string
		for i, name := range oddNames() {
			want := name.taken
			if want == "" {
				want = name.given
			}
			added := s.call(t, "node add", args{"node_type": "Node2D", "node_name": name.given}).ok(t)
			added.has(t, map[string]string{"node_path": want})
			plain := fmt.Sprintf("Plain%d", i)
			s.call(t, "node add", args{"node_type": "Node2D", "node_name": plain, "parent_path": added.text("node_path")}).ok(t)
			renamed := s.call(t, "node rename", named(want+"/"+plain, name.given)).ok(t)
			renamed.has(t, map[string]string{"new_name": want, "node_path": want + "/" + want})
			if hinted := renamed.value("hint") != nil; hinted != (want != name.given) {
				t.Errorf("%q became %q; the hint is %s", name.given, want, renamed.text("hint"))
			}
			names = append(names, want)
		}
		// The same rules where the name is set as a property, with a clash too.
		s.call(t, "node add", args{"node_name": "Set"}).ok(t)
		previewed(t, e, s, "node set-property", set("Set", "name", `x\y"z`)).has(t, map[string]string{"value": "x_y_z", "node_path": "x_y_z"})
		previewed(t, e, s, "node set-property", set("x_y_z", "name", " lead")).has(t, map[string]string{"value": " lead2", "node_path": " lead2"})
		s.call(t, "node set-property", set(" lead2", "name", "")).fails(t, "VALIDATION_ERROR", "value", "empty")
		s.call(t, "node rename", named(" lead2", "")).fails(t, "VALIDATION_ERROR", "new_name")

		s.call(t, "scene save", nil).ok(t)
		text := read(t, e, scene)
		for _, name := range names {
			text += connection(name) + connection(name+"/"+name)
		}
		write(t, e, strings.TrimPrefix(scene, "res://"), text)
		quietly(t, e, "reload", func() { s.call(t, "scene reload", args{"scene_path": scene, "confirm": true}).ok(t) })
		s.call(t, "node set-property", set(".", "rotation", 1)).ok(t)
		s.call(t, "scene save", nil).ok(t)
		closeTab(t, e, scene)
		quietly(t, e, "open", func() { open(t, e, scene) })
		for _, name := range names {
			for _, path := range []string{name, name + "/" + name} {
				s.call(t, "node get-property", args{"node_path": path, "property": "name"}).ok(t).has(t, map[string]string{"value": name, "node_path": path})
				if !strings.Contains(read(t, e, scene), connection(path)) {
					t.Errorf("the connection from %q is not in the file:\n%s", path, read(t, e, scene))
				}
			}
		}
		s.call(t, "scene tree", nil).ok(t).has(t, map[string]string{"total": fmt.Sprint(2 + 2*len(names))})
	})
}

// connection is the line of a connection that does nothing.
func connection(from string) string {
	return "[connection signal=\"renamed\" from=\"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `'`, `\'`, "\n", `\n`).Replace(from) + "\" to=\".\" method=\"get_class\"]\n"
}

// TestF28NamesMadeElsewhere: nodes that the file itself gives such names are found, kept, and may hold
// editable instances and be pointed at; the file always loads.
func TestF28NamesMadeElsewhere(t *testing.T) {
	e := sharedEditor(t)
	base := write(t, e, "f28/base.tscn", scene2d("Base"))
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "f28/made_"+filepath.Base(t.Name())+".tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\""+base+
			"\" id=\"1\"]\n\n[node name=\"Top\" type=\"Node2D\"]\n\n[node name=\"back\\\\slash\" parent=\".\" instance=ExtResource(\"1\")]\n\n"+
			"[node name=\"Player\" parent=\"back\\\\slash\" index=\"0\"]\nrotation = 0.5\n\n"+
			"[node name=\"two\\nlines\" type=\"Control\" parent=\".\"]\nfocus_next = NodePath(\"../back\\\\slash/Player\")\n\n"+
			connection("back\\slash/Player")+connection("two\nlines")+"\n[editable path=\"back\\\\slash\"]\n")
		const player = `back\slash/Player`
		previewed(t, e, s, "node set-property", set(player, "z_index", 3)).has(t, map[string]string{"node_path": player, "persisted": "true"})
		s.call(t, "scene save", nil).ok(t)
		closeTab(t, e, scene)
		quietly(t, e, "open", func() { open(t, e, scene) })
		s.call(t, "node get", args{"node_path": player, "include": []string{"z_index", "rotation"}}).ok(t).
			has(t, map[string]string{"properties": `{"rotation":0.5,"z_index":3}`})
		s.call(t, "node get-property", args{"node_path": "two\nlines", "property": "focus_next"}).ok(t).has(t, map[string]string{"value": "../" + player})
		if text := read(t, e, scene); !strings.Contains(text, connection(player)) || !strings.Contains(text, connection("two\nlines")) {
			t.Errorf("a connection is lost:\n%s", text)
		}
		// Renaming makes such a name a plain one, and what points at it follows.
		s.call(t, "node rename", named(`back\slash`, "Plain")).ok(t).has(t, map[string]string{"updated_paths.0.node_path": "two\nlines"})
		s.call(t, "scene save", nil).ok(t)
		if text := read(t, e, scene); strings.Contains(text, "slash") {
			t.Errorf("the old name is still in the file:\n%s", text)
		}
	})
	for _, bad := range []string{`a\b`, "a\nb", "a/b", ""} {
		root := args{"root_type": "Node", "scene_path": "res://f28/bad.tscn", "root_name": bad}
		if bad != "" {
			cli(e).call(t, "scene create", root).fails(t, "VALIDATION_ERROR", "root_name", bad)
		}
	}
}
