package testbed

import (
	"path/filepath"
	"testing"
)

// TestF7TheNamedSceneIsMeant: two open scenes with an equal node path. Whatever tab is in front, a write
// goes into the scene that it names, says so, and leaves the other one alone; the files prove it.
func TestF7TheNamedSceneIsMeant(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := filepath.Base(t.Name())
		a := openScene(t, e, "tabs/"+name+"_a.tscn", scene2d("A"))
		b := openScene(t, e, "tabs/"+name+"_b.tscn", scene2d("B"))
		closed := write(t, e, "tabs/"+name+"_c.tscn", scene2d("C"))
		front := func(scene string) {
			t.Helper()
			if user(t, e, "tab", scene).Active != scene {
				t.Fatalf("%s did not come to the front", scene)
			}
		}
		label := func(scene, text string) args {
			return args{"scene_path": scene, "node_path": "Player/Label", "property": "text", "value": text}
		}

		front(b)
		previewed(t, e, s, "node set-property", label(a, "in A")).has(t, map[string]string{"scene_path": a, "activated": "true"})
		s.call(t, "node set-property", label(a, "still in A")).ok(t).has(t, map[string]string{"scene_path": a, "activated": "null"})
		s.call(t, "node add", args{"parent_path": "Player", "node_name": "New"}).ok(t).has(t, map[string]string{"scene_path": a})
		front(b)
		s.call(t, "node add", args{"parent_path": "Player", "node_name": "OnlyB"}).ok(t).has(t, map[string]string{"scene_path": b, "activated": "null"})
		s.call(t, "node get-property", args{"scene_path": a, "node_path": "Player/Label", "property": "text"}).ok(t).
			has(t, map[string]string{"value": "still in A", "scene_path": a, "activated": "null"})
		s.call(t, "node delete", args{"scene_path": a, "node_path": "Tail", "confirm": true}).ok(t).has(t, map[string]string{"scene_path": a, "activated": "true"})
		front(b)
		previewed(t, e, s, "scene save", args{"scene_path": a}).has(t, map[string]string{"scene_path": a, "activated": "true"})

		before := state(t, e)
		s.call(t, "node set-property", label(closed, "no")).fails(t, "PRECONDITION_FAILED", "scene_open", closed, "scene open")
		s.call(t, "node set-property", label("res://tabs/nobody.tscn", "no")).fails(t, "RESOURCE_NOT_FOUND", "scene_path", "nobody")
		s.call(t, "scene save", args{"scene_path": closed}).fails(t, "PRECONDITION_FAILED", "scene_open", closed)
		s.call(t, "undo", args{"scene_path": closed}).fails(t, "PRECONDITION_FAILED", "scene_open", closed)
		same(t, "writes into a closed scene", before, state(t, e))

		inA, inB, inC := readTSCN(read(t, e, a)), readTSCN(read(t, e, b)), readTSCN(read(t, e, closed))
		if inA.nodes["Player/Label"].properties["text"] != `"still in A"` {
			t.Errorf("A has the label %v", inA.nodes["Player/Label"])
		}
		for _, want := range []struct {
			scene string
			file  tscn
			path  string
			there bool
		}{
			{"A", inA, "Player/New", true}, {"A", inA, "Tail", false}, {"A", inA, "Player/OnlyB", false},
			{"B, unsaved", inB, "Player/OnlyB", false}, {"B", inB, "Tail", true}, {"C", inC, "Player/New", false},
		} {
			if _, there := want.file.nodes[want.path]; there != want.there {
				t.Errorf("%s has %s: %v, want %v", want.scene, want.path, there, want.there)
			}
		}
		s.call(t, "scene save", args{"scene_path": b}).ok(t).has(t, map[string]string{"scene_path": b, "activated": "true"})
		inB = readTSCN(read(t, e, b))
		if _, there := inB.nodes["Player/OnlyB"]; !there || inB.nodes["Player/Label"].properties["text"] != `"Hero"` {
			t.Errorf("B has %v", inB.nodes)
		}
	})
}

// TestPreviewLeavesTheTabInFront: a preview for another tab answers without touching the tabs.
func TestPreviewLeavesTheTabInFront(t *testing.T) {
	e := sharedEditor(t)
	a := openScene(t, e, "tabs/behind.tscn", scene2d("Behind"))
	b := openScene(t, e, "tabs/front.tscn", scene2d("Front"))
	both(t, e, func(t *testing.T, s surface) {
		for _, call := range []struct {
			tool string
			args args
		}{
			{"node add", args{"node_type": "Timer"}},
			{"node delete", args{"node_path": "Tail"}},
			{"node set-property", args{"node_path": "Tail", "property": "visible", "value": false}},
			{"scene save", args{}},
			{"undo", args{}},
			{"redo", args{}},
		} {
			before := state(t, e)
			s.call(t, call.tool, call.args.with("dry_run", true).with("scene_path", a)).ok(t).has(t, map[string]string{"activated": "true", "dry_run": "true"})
			same(t, call.tool, before, state(t, e))
			if active := user(t, e, "look", "").Active; active != b {
				t.Errorf("%s --dry-run brought %s to the front", call.tool, active)
			}
		}
	})
}
