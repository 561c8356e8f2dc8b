package testbed

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// plain2d is a small scene; TITLE names its root.
const plain2d = `[gd_scene format=3]

[node name="TITLE" type="Node2D"]

[node name="Player" type="Node2D" parent="."]
position = Vector2(3, 4)

[node name="Label" type="Label" parent="Player"]
text = "Hero"

[node name="Tail" type="Node2D" parent="."]
`

func scene2d(title string) string { return strings.ReplaceAll(plain2d, "TITLE", title) }

// state is all that a preview must leave alone: files with their times, which scenes are open and unsaved,
// what undo and redo would do, and the nodes of the active scene.
func state(t *testing.T, e *Editor) map[string]string {
	t.Helper()
	found := files(t, e)
	s := cli(e)
	status := s.call(t, "editor status", nil).ok(t)
	found["open scenes"] = status.text("open_scenes")
	for _, tool := range []string{"undo", "redo"} {
		preview := s.call(t, tool, args{"dry_run": true, "count": 3, "include_user": true}.only(tool)).ok(t)
		found[tool] = string(preview.raw)
	}
	found["history"] = string(s.call(t, "history list", nil).ok(t).raw)
	found["tree"] = nodes(t, e, "")
	return found
}

// only takes out what redo does not know.
func (a args) only(tool string) args {
	if tool == "redo" {
		delete(a, "include_user")
	}
	return a
}

// files are the project's files by name, with a digest and the modified time.
func files(t *testing.T, e *Editor) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(e.Project, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".godot":
			return filepath.SkipDir
		case entry.IsDir():
			found[path] = "folder"
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = fmt.Sprintf("%x %v", sha256.Sum256(text), info.ModTime().UnixNano())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// nodes are the tree of a scene and what each node has beyond its defaults (properties, groups, script), a
// line a node; "" is the active scene, none is "".
func nodes(t *testing.T, e *Editor, scene string) string {
	t.Helper()
	s := cli(e)
	tree := s.call(t, "scene tree", args{"scene_path": scene})
	if tree.err != nil {
		tree.fails(t, "PRECONDITION_FAILED", "active_scene")
		return ""
	}
	out := tree.text("tree")
	var visit func(node map[string]any)
	visit = func(node map[string]any) {
		children, _ := node["children"].([]any)
		delete(node, "children")
		out += "\n" + asJSON(node)
		for _, child := range children {
			visit(child.(map[string]any))
		}
	}
	visit(s.call(t, "node snapshot", args{"scene_path": scene}).ok(t).value("snapshot").(map[string]any))
	return out
}

// same compares two states and says where they differ.
func same(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	if maps.Equal(before, after) {
		return
	}
	for _, key := range sortedKeys(before) {
		if before[key] != after[key] {
			t.Errorf("%s changed %s:\n%s\n%s", what, key, before[key], after[key])
		}
	}
	for _, key := range sortedKeys(after) {
		if _, old := before[key]; !old {
			t.Errorf("%s made %s", what, key)
		}
	}
}

// previewed runs a call first as a preview, which must change nothing and say what the real run then says.
// Fields named in unknown are what only the real run can know.
func previewed(t *testing.T, e *Editor, s surface, tool string, a args) answer {
	t.Helper()
	before := state(t, e)
	preview := s.call(t, tool, a.with("dry_run", true)).ok(t)
	same(t, tool+" --dry-run", before, state(t, e))
	real := s.call(t, tool, a).ok(t)
	if preview.text("dry_run") != "true" || real.text("dry_run") != "false" {
		t.Errorf("%s: dry_run is %s in the preview and %s in the run", tool, preview.text("dry_run"), real.text("dry_run"))
	}
	delete(preview.fields, "dry_run")
	kept := maps.Clone(real.fields)
	delete(kept, "dry_run")
	// What only the run can know is null in a preview.
	for _, name := range []string{"uid", "new_uid"} {
		if uid, has := preview.fields[name]; has && uid == nil && kept[name] != nil {
			delete(preview.fields, name)
			delete(kept, name)
		}
	}
	// Commands of a batch say it each.
	if strings.ReplaceAll(asJSON(preview.fields), `"dry_run":true`, `"dry_run":false`) != asJSON(kept) {
		t.Errorf("%s: the preview said\n%s\nthe run\n%s", tool, asJSON(preview.fields), asJSON(kept))
	}
	if real.text("undoable") == "false" && mustBeTakenBack(tool) && !maps.Equal(before, state(t, e)) {
		t.Errorf("%s changed something that undo does not take back and its Spec lacks NoUndo: an atomic batch would take it in; the answer was %s", tool, real.raw)
	}
	return real
}

// mustBeTakenBack is true for a tool that an atomic batch takes in: what it changes undo must take back. A batch
// itself is judged by what is inside.
func mustBeTakenBack(name string) bool {
	tool, _ := commands.All().Lookup(name)
	return tool.Command() != "" && tool.Class != commands.ReadOnly && !tool.NoUndo && tool.Name != "batch run"
}

func TestMustBeTakenBack(t *testing.T) {
	for name, want := range map[string]bool{
		"node add": true, "godot_scene_create": true, "node delete": true, "batch add-nodes": true,
		"scene open": false, "scene save": false, "undo": false, "node get": false, "batch run": false,
	} {
		if mustBeTakenBack(name) != want {
			t.Errorf("%s: an atomic batch takes it in: %v", name, !want)
		}
	}
}

// TestSpine walks the whole way on both surfaces: preview, edit, undo and redo, save, and the file as an
// independent reader sees it.
func TestSpine(t *testing.T) {
	e := sharedEditor(t)
	for i, name := range []string{"cli", "mcp"} {
		t.Run(name, func(t *testing.T) {
			s := cli(e)
			if i == 1 {
				s = mcpSession(t, e)
			}
			scene := openScene(t, e, "spine/"+name+".tscn", scene2d("Spine"))
			spine(t, e, s, scene)
		})
	}
}

func spine(t *testing.T, e *Editor, s surface, scene string) {
	stages := []string{nodes(t, e, "")}
	step := func(tool string, a args, want map[string]string) {
		t.Helper()
		want["scene_path"], want["persisted"], want["undoable"] = scene, "true", "true"
		previewed(t, e, s, tool, a).has(t, want)
		stages = append(stages, nodes(t, e, ""))
	}
	step("node add", args{"node_type": "Sprite2D", "node_name": "Hat", "parent_path": "Player", "index": 0,
		"properties": map[string]any{"position": map[string]any{"x": 0, "y": -12.5}, "flip_h": true}},
		map[string]string{"node_path": "Player/Hat", "created": "true", "node_type": "Sprite2D"})
	step("node set-property", args{"node_path": "Player/Hat", "property": "position", "value": map[string]any{"x": 1.5, "y": -8}},
		map[string]string{"value": `{"x":1.5,"y":-8.0}`, "previous": `{"x":0.0,"y":-12.5}`, "set": "true"})
	step("node set-property", args{"node_path": "Player/Label", "property": "text", "value": "42"},
		map[string]string{"value": "42", "previous": "Hero"})
	s.call(t, "node delete", args{"node_path": "Tail"}).fails(t, "PRECONDITION_FAILED", "confirm")
	step("node delete", args{"node_path": "Tail", "confirm": true}, map[string]string{"node_path": "Tail", "deleted": "true"})

	s.call(t, "node get-property", args{"node_path": "Player/Hat", "property": "position"}).ok(t).
		has(t, map[string]string{"value": `{"x":1.5,"y":-8.0}`, "exists": "true", "type": "Vector2"})
	s.call(t, "node get", args{"node_path": "Player/Hat", "changed_only": true}).ok(t).
		has(t, map[string]string{"type": "Sprite2D", "properties.flip_h": "true", "children": "[]"})
	s.call(t, "scene tree", args{"lightweight": true}).ok(t).has(t, map[string]string{
		"total": "4", "truncated": "false", "tree.children.0.children.0.path": "Player/Hat", "tree.children.1": "null"})

	for i := len(stages) - 2; i >= 0; i-- {
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"undone": "1", "history": scene, "by": "tool", "has_redo": "null"})
		if got := nodes(t, e, ""); got != stages[i] {
			t.Fatalf("undo to stage %d gave\n%s\nwant\n%s", i, got, stages[i])
		}
	}
	for i := 1; i < len(stages); i++ {
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"redone": "1", "history": scene, "by": "tool"})
		if got := nodes(t, e, ""); got != stages[i] {
			t.Fatalf("redo to stage %d gave\n%s\nwant\n%s", i, got, stages[i])
		}
	}

	if dirty := s.call(t, "editor status", nil).ok(t); !strings.Contains(dirty.text("open_scenes"), `"dirty":true,"path":"`+scene) {
		t.Errorf("the scene is not marked as changed: %s", dirty.raw)
	}
	before := files(t, e)
	s.call(t, "scene save", args{"dry_run": true}).ok(t).has(t, map[string]string{"saved": "true", "dry_run": "true"})
	same(t, "scene save --dry-run", before, files(t, e))
	s.call(t, "scene save", nil).ok(t).has(t, map[string]string{"saved": "true", "scene_path": scene, "undoable": "false"})
	if clean := s.call(t, "editor status", nil).ok(t); !strings.Contains(clean.text("open_scenes"), `"dirty":false,"path":"`+scene) {
		t.Errorf("the scene is still marked as changed: %s", clean.raw)
	}

	file := readTSCN(read(t, e, scene))
	hat, label := file.nodes["Player/Hat"], file.nodes["Player/Label"]
	if hat.attributes["type"] != "Sprite2D" || hat.properties["position"] != "Vector2(1.5, -8)" || hat.properties["flip_h"] != "true" {
		t.Errorf("the file has Player/Hat as %v", hat)
	}
	if label.properties["text"] != `"42"` {
		t.Errorf("the file has Player/Label as %v", label)
	}
	if _, there := file.nodes["Tail"]; there || len(file.nodes) != 4 {
		t.Errorf("the file has the nodes %v", sortedKeys(file.nodes))
	}
}

// TestTypedLines is the same on lines as a person types them: positionals, negative numbers, raw text.
func TestTypedLines(t *testing.T) {
	e := sharedEditor(t)
	scene := openScene(t, e, "spine/typed.tscn", scene2d("Typed"))
	typed(t, e, "node", "add", "Sprite2D", "Hat", "--parent-path", "Player").ok(t).has(t, map[string]string{"node_path": "Player/Hat"})
	for _, line := range []struct {
		words []string
		value string
	}{
		{[]string{"Player/Hat", "position", `{"x":-1,"y":2}`}, `{"x":-1.0,"y":2.0}`},
		{[]string{"Player/Hat", "rotation", "-.5"}, `-0.5`},
		{[]string{"Player/Hat", "z_index", "-7"}, `-7`},
		{[]string{"Player/Label", "text", "007"}, `007`},
		{[]string{"Player/Label", "text", `"true"`}, `true`},
		{[]string{"/Player/Label", "text", "two words"}, `two words`},
		{[]string{"Typed/Player/Label", "text", "from the root's name"}, `from the root's name`},
	} {
		answer := typed(t, e, append([]string{"node", "set-property"}, line.words...)...).ok(t)
		answer.has(t, map[string]string{"value": line.value, "scene_path": scene})
		back := typed(t, e, "node", "get-property", answer.text("node_path"), line.words[1]).ok(t)
		back.has(t, map[string]string{"value": line.value})
	}
	typed(t, e, "node", "add").ok(t).has(t, map[string]string{"node_path": "Node", "node_type": "Node"})
	typed(t, e, "node", "add").ok(t).has(t, map[string]string{"node_path": "Node2"})
}
