package testbed

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// does is one command of a batch.
func does(tool string, a args) args { return args{"command": tool, "params": a} }

func batchOf(commands ...args) args { return args{"commands": commands} }

// batchScene opens a scene of this test's own.
func batchScene(t *testing.T, e *Editor, title string) string {
	t.Helper()
	return openScene(t, e, "batch/"+strings.NewReplacer("/", "_").Replace(t.Name())+title+".tscn", scene2d(title))
}

// undoSteps are what undo would take, the youngest first.
func undoSteps(t *testing.T, e *Editor) string {
	t.Helper()
	var names []string
	for _, step := range cli(e).call(t, "history list", nil).ok(t).value("recent").([]any) {
		names = append(names, step.(map[string]any)["name"].(string))
	}
	return strings.Join(names, ", ")
}

// previewedBatch is previewed for a batch, whose commands say in their own answers that they are a preview.
func previewedBatch(t *testing.T, e *Editor, s surface, a args) answer {
	t.Helper()
	before := state(t, e)
	preview := s.call(t, "batch run", a.with("dry_run", true))
	same(t, "batch run --dry-run", before, state(t, e))
	real := s.call(t, "batch run", a)
	if preview.err != nil || real.err != nil {
		t.Fatalf("batch run: %v, %v", preview.err, real.err)
	}
	plain := strings.ReplaceAll(asJSON(preview.fields), `"dry_run":true`, `"dry_run":false`)
	if plain != asJSON(real.fields) {
		t.Errorf("the preview said\n%s\nthe run\n%s", plain, asJSON(real.fields))
	}
	return real
}

// TestBatchIsOneUndoStep: commands by each kind of name, each building on those before; one step takes all
// back, and what is saved is what they made.
func TestBatchIsOneUndoStep(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := batchScene(t, e, "Top")
		start := nodes(t, e, "")
		real := previewedBatch(t, e, s, batchOf(
			does("node add", args{"node_type": "Sprite2D", "node_name": "Hat", "parent_path": "Player"}),
			does("godot_node_set_property", args{"node_path": "Player/Hat", "property": "position", "value": []int{1, 2}}),
			does("scene_edit_rename_node", args{"node_path": "Player/Hat", "new_name": "Cap"}),
			does("node get-property", args{"node_path": "Player/Cap", "property": "position"}),
			does("node move", args{"node_path": "Player/Cap", "new_parent_path": "Tail"}),
			does("node delete", args{"node_path": "Player/Label", "confirm": true}),
			does("signal connect", between("Tail/Cap", "hidden", "Player", "queue_redraw")),
			does("scene tree", args{"root": "Tail"}),
		).with("atomic", true))
		real.has(t, map[string]string{
			"ok_all": "true", "count": "8", "persisted": "true", "undoable": "true", "hint": "null", "aborted_at": "null",
			"results.0.command": "node add", "results.1.command": "godot_node_set_property",
			"results.2.result.new_name": "Cap", "results.3.result.value": `{"x":1.0,"y":2.0}`,
			"results.7.result.total": "2", "planned.2.tool": "node rename", "planned.5.class": "destructive",
		})
		done := nodes(t, e, "")
		if got := undoSteps(t, e); got != "batch run" {
			t.Errorf("undo would take %s", got)
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "batch run", "by": "tool", "history": scene})
		if got := nodes(t, e, ""); got != start {
			t.Errorf("undo gave\n%s\nwant\n%s", got, start)
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": "batch run"})
		s.call(t, "scene save", nil).ok(t)
		closeTab(t, e, scene)
		s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		if got := nodes(t, e, ""); got != done {
			t.Errorf("the reopened file holds\n%s\nwant\n%s", got, done)
		}
	})
}

// TestAtomicBatchFailsAtEachPosition: wherever it fails, the editor, its files and what undo and redo would
// do are as before, the user's own steps among them.
func TestAtomicBatchFailsAtEachPosition(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := batchScene(t, e, "Top")
		material := write(t, e, "batch/"+filepath.Base(t.Name())+".tres", "[gd_resource type=\"CanvasItemMaterial\" format=3]\n\n[resource]\n")
		s.call(t, "node set-property", args{"node_path": "Player", "property": "material", "value": material}).ok(t)
		user(t, e, "step", "moved by hand")
		s.call(t, "node add", args{"node_name": "Undone"}).ok(t)
		s.call(t, "undo", nil).ok(t)
		commands := []args{
			does("node add", args{"node_type": "Node2D", "node_name": "New", "parent_path": "Tail"}),
			does("node set-property", args{"node_path": ".", "property": "editor_description", "value": "changed"}),
			does("node set-property", args{"node_path": "Player", "property": "material:light_mode", "value": 1}),
			does("node rename", args{"node_path": "Player", "new_name": "Hero"}),
			does("node move", args{"node_path": "Hero/Label", "new_parent_path": "Tail/New"}),
			does("node duplicate", args{"node_path": "Hero"}),
			does("node add-to-group", args{"node_path": "Hero", "group": "heroes"}),
			does("signal connect", between("Hero", "hidden", ".", "queue_redraw")),
			does("scene create", args{"root_type": "Node", "scene_path": "res://batch/made/" + filepath.Base(t.Name()) + "/deep.tscn"}),
			does("batch add-nodes", args{"parent_path": "Hero", "node_type": "Node", "names": []string{"A", "A"}}),
			does("node delete", args{"node_path": "Hero", "confirm": true}),
		}
		bad := does("node set-property", args{"node_path": "Nobody", "property": "visible", "value": true})
		before := state(t, e)
		for at := range len(commands) + 1 {
			list := slices.Insert(slices.Clone(commands), at, bad)
			a := batchOf(list...).with("atomic", true)
			s.call(t, "batch run", a).has(t, map[string]string{
				"ok_all": "false", "rolled_back": "true", "aborted_at": fmt.Sprint(at), "count": fmt.Sprint(at + 1),
				"results." + fmt.Sprint(at) + ".error": "RESOURCE_NOT_FOUND", "persisted": "null", "undoable": "false",
			})
			same(t, fmt.Sprintf("a batch that fails at %d", at), before, state(t, e))
			// Without stopping it fails all the same, and is taken back all the same.
			s.call(t, "batch run", a.with("stop_on_error", false)).has(t, map[string]string{
				"ok_all": "false", "rolled_back": "true", "aborted_at": fmt.Sprint(at), "count": fmt.Sprint(len(list))})
			same(t, fmt.Sprintf("a batch that fails at %d and goes on", at), before, state(t, e))
		}
		if got := user(t, e, "key", "Z").Description; got != "" {
			t.Errorf("Ctrl+Z left the description %q", got)
		}
		if got := user(t, e, "key", "Y").Description; got != "moved by hand" {
			t.Errorf("Ctrl+Shift+Z gave the description %q", got)
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": "node add", "history": scene})
		s.call(t, "undo", nil).ok(t)

		s.call(t, "batch run", batchOf(commands...).with("atomic", true)).ok(t).has(t, map[string]string{"ok_all": "true", "undoable": "true"})
		s.call(t, "undo", args{"count": 2}).ok(t).has(t, map[string]string{"actions": `["batch run","batch run"]`})
		after := state(t, e)
		if after["tree"] != before["tree"] {
			t.Errorf("after undo the scene holds\n%s\nwant\n%s", after["tree"], before["tree"])
		}
	})
}

// TestF9BatchLeavesTheUsersSteps: taking back a failed batch takes nothing else back; what cannot be taken
// back is refused before the first command.
func TestF9BatchLeavesTheUsersSteps(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		batchScene(t, e, "Top")
		user(t, e, "step", "moved by hand")
		before := state(t, e)
		add := does("node add", args{"node_name": "New"})
		wrong := does("node set-property", args{"node_path": "New", "property": "nothing", "value": 1})
		s.call(t, "batch run", batchOf(add, wrong).with("atomic", true)).has(t, map[string]string{"rolled_back": "true", "results.1.required": "property"})
		same(t, "the failed batch", before, state(t, e))
		for _, tool := range []string{"scene save", "scene save-all", "undo", "redo"} {
			s.call(t, "batch run", batchOf(add, does(tool, args{})).with("atomic", true)).fails(t, "VALIDATION_ERROR", "atomic", "commands[1]", tool)
		}
		s.call(t, "batch run", batchOf(does("batch add-nodes", args{"parent_path": ".", "node_type": "Node", "names": []string{"A"}, "save": true})).with("atomic", true)).
			fails(t, "VALIDATION_ERROR", "atomic", "save")
		same(t, "the refused batches", before, state(t, e))

		// Not atomic: what went well stays, as one step above the user's.
		s.call(t, "batch run", batchOf(add, wrong, does("node add", args{"node_name": "Never"}))).has(t, map[string]string{
			"ok_all": "false", "aborted_at": "1", "skipped_count": "1", "count": "2", "rolled_back": "null", "persisted": "true", "undoable": "true"})
		if got := undoSteps(t, e); got != "batch run, Move Node" {
			t.Errorf("undo would take %s", got)
		}
		s.call(t, "undo", nil).ok(t)
		s.call(t, "batch run", batchOf(wrong, add).with("stop_on_error", false)).has(t, map[string]string{
			"ok_all": "false", "aborted_at": "0", "skipped_count": "null", "count": "2", "results.1.ok": "true"})
		s.call(t, "undo", nil).ok(t)
		if got := user(t, e, "look", "").Description; got != "moved by hand" {
			t.Errorf("the description is %q", got)
		}
	})
}

// TestBatchIsCheckedBeforeTheFirst: one bad command and none is carried out.
func TestBatchIsCheckedBeforeTheFirst(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		batchScene(t, e, "Top")
		before := state(t, e)
		add := does("node add", args{"node_name": "New"})
		for _, c := range []struct {
			bad      args
			code     string
			required string
			words    []string
		}{
			{does("node addd", args{}), "VALIDATION_ERROR", "tool", []string{"commands[1] (node addd)", "did you mean node add"}},
			{does("node add", args{"nod_type": "Node"}), "VALIDATION_ERROR", "nod_type", []string{"commands[1] (node add)", "node_type"}},
			{does("node delete", args{"node_path": "Tail"}), "PRECONDITION_FAILED", "confirm", []string{"commands[1] (node delete)", "confirm: true"}},
			{does("batch run", batchOf()), "VALIDATION_ERROR", "commands", []string{"batch inside a batch"}},
			{does("get-server-info", args{}), "VALIDATION_ERROR", "commands", []string{"by itself"}},
			{does("scene create", args{"root_type": "Node", "scene_path": "res://../x.tscn"}), "VALIDATION_ERROR", "scene_path", nil},
			{args{"command": "node add", "parms": args{}}, "VALIDATION_ERROR", "commands", []string{"no parms"}},
			{args{"params": args{}}, "VALIDATION_ERROR", "tool", nil},
		} {
			s.call(t, "batch run", batchOf(add, c.bad)).fails(t, bridge.Code(c.code), c.required, c.words...)
		}
		same(t, "the refused batches", before, state(t, e))
	})
}

// TestBatchKeepsNumbersApart: in untyped places 3 and 3.0 are two things, inside a batch too.
func TestBatchKeepsNumbersApart(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "batch/numbers.tscn", scene2d("Top")+"metadata/n = [1]\n")
	for _, text := range []string{"3", "3.0", "1e-30", "0.1", "9007199254740993", "123456789.123456789"} {
		commands := `[{"command":"node set-property","params":{"node_path":"Tail","property":"metadata/n","value":[` + text + `]}}]`
		typed(t, e, "batch", "run", commands).ok(t)
		alone := typed(t, e, "node", "get-property", "Tail", "metadata/n").ok(t)
		typed(t, e, "node", "set-property", "Tail", "metadata/n", "["+text+"]").ok(t)
		if want := typed(t, e, "node", "get-property", "Tail", "metadata/n").ok(t); string(want.raw) != string(alone.raw) {
			t.Errorf("%s came as %s, by itself it is %s", text, alone.raw, want.raw)
		}
	}
}

// TestBatchOverSeveralScenes: not atomic it goes from tab to tab with one step in each; atomic it is refused.
func TestBatchOverSeveralScenes(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		one, two, three := batchScene(t, e, "One"), batchScene(t, e, "Two"), batchScene(t, e, "Three")
		in := func(scene, name string) args { return does("node add", args{"node_name": name, "scene_path": scene}) }
		list := batchOf(in(one, "A"), in(one, "B"), in(two, "C"), in(three, "D"), in(one, "E"))
		s.call(t, "batch run", list.with("atomic", true)).fails(t, "VALIDATION_ERROR", "atomic", one, two, three)
		before := state(t, e)
		s.call(t, "batch run", list.with("dry_run", true)).ok(t).has(t, map[string]string{"ok_all": "true", "results.4.result.node_path": "E"})
		same(t, "the preview", before, state(t, e))
		real := s.call(t, "batch run", list).ok(t)
		if !strings.Contains(real.text("hint"), "4 undo steps") {
			t.Errorf("the hint is %s", real.text("hint"))
		}
		for scene, count := range map[string]string{one: "7", two: "5", three: "5"} {
			s.call(t, "scene tree", args{"scene_path": scene}).ok(t).has(t, map[string]string{"total": count})
		}
		s.call(t, "undo", args{"scene_path": one, "count": 2}).ok(t).has(t, map[string]string{"actions": `["batch run","batch run"]`})
		s.call(t, "scene tree", args{"scene_path": one}).ok(t).has(t, map[string]string{"total": "4"})

		// A failing atomic batch on a scene behind brings the tab back that was in front.
		front := user(t, e, "tab", two).Active
		s.call(t, "batch run", batchOf(in(three, "F"), does("node delete", args{"node_path": "Nobody", "confirm": true, "scene_path": three})).with("atomic", true)).
			has(t, map[string]string{"rolled_back": "true"})
		if got := user(t, e, "look", "").Active; got != front {
			t.Errorf("in front is %s, it was %s", got, front)
		}
	})
}

// TestBatchWithFilesBetween: saving and opening inside a batch, each after what stands before it.
func TestBatchWithFilesBetween(t *testing.T) {
	e := sharedEditor(t)
	s := cli(e)
	scene := batchScene(t, e, "Top")
	made := "res://batch/between/new.tscn"
	t.Cleanup(func() { closeTab(t, e, made) })
	list := batchOf(
		does("node add", args{"node_name": "A"}), does("scene save", args{}), does("node add", args{"node_name": "B"}),
		does("scene create", args{"root_type": "Node2D", "scene_path": made}), does("scene open", args{"scene_path": made}),
		does("node add", args{"node_name": "C"}), does("editor wait", args{}), does("scene save", args{}),
	)
	preview := s.call(t, "batch run", list.with("dry_run", true))
	if !strings.Contains(preview.text("results.4.hint"), "only previewed") {
		t.Errorf("the preview says %s", preview.raw)
	}
	s.call(t, "batch run", list).ok(t).has(t, map[string]string{"ok_all": "true", "count": "8"})
	if text := read(t, e, scene); !strings.Contains(text, `"A"`) || strings.Contains(text, `"B"`) {
		t.Errorf("the first scene is saved as\n%s", text)
	}
	if text := read(t, e, made); !strings.Contains(text, `"C"`) {
		t.Errorf("the second scene is saved as\n%s", text)
	}
	user(t, e, "tab", scene)
	if got := undoSteps(t, e); !strings.HasPrefix(got, "batch run, batch run") {
		t.Errorf("undo would take %s", got)
	}
}

// TestBatchAlias takes the older parameters, one confirm for all, and answers in the older shape.
func TestBatchAlias(t *testing.T) {
	e := sharedEditor(t)
	batchScene(t, e, "Top")
	s := mcpSession(t, e)
	got := olderCall(t, s, "godot_composite_run_commands", args{"confirm": true, "commands": []args{
		does("godot_scene_edit_create_node", args{"parent_path": "Player", "node_type": "Node2D", "node_name": "Old"}),
		does("scene_edit_delete_node", args{"node_path": "Tail"}),
	}})
	got.has(t, map[string]string{"ok_all": "true", "count": "2", "planned": `["godot_scene_edit_create_node","scene_edit_delete_node"]`,
		"plan.1.safety_class": "destructive", "plan.0.tool": "node add", "results.0.result.node_path": "Player/Old", "results.0.error": "null"})
	var raw struct{ Results []json.RawMessage }
	if err := json.Unmarshal(got.raw, &raw); err != nil || len(raw.Results) != 2 {
		t.Errorf("%v in %s", err, got.raw)
	}
}
