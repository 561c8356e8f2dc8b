package testbed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// lock makes a file or folder one that cannot be written until the function that it returns is called.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if exec.Command("chattr", "+i", path).Run() == nil {
		unlock = func() { _ = exec.Command("chattr", "-i", path).Run() }
	} else {
		if os.Geteuid() == 0 {
			t.Skip("nothing is read-only for root here: chattr +i does not work")
		}
		if err := os.Chmod(path, info.Mode()&^0o222); err != nil {
			t.Fatal(err)
		}
		unlock = func() { _ = os.Chmod(path, info.Mode()) }
	}
	t.Cleanup(unlock)
	return unlock
}

// aged sets the time of a file back.
func aged(t *testing.T, e *Editor, res string) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(onDisk(e, res), long, long); err != nil {
		t.Fatal(err)
	}
}

func dirty(t *testing.T, s surface, want string) {
	t.Helper()
	s.call(t, "scene get-active", nil).ok(t).has(t, map[string]string{"dirty": want})
}

// TestSavesThatDoNotHappen: a scene whose file cannot be written is refused, in the preview too, and stays
// unsaved work until it is written.
func TestSavesThatDoNotHappen(t *testing.T) {
	// Of its own, since the engine tells the person of a failed save in a dialog, which takes the keys.
	e := ownEditor(t, "platformer2d")
	both(t, e, func(t *testing.T, s surface) {
		name := "attack/" + strings.ReplaceAll(t.Name(), "/", "_")
		scene := openScene(t, e, name+"/locked.tscn", scene2d("Locked"))
		s.call(t, "node add", args{"node_name": "Precious"}).ok(t)
		before := read(t, e, scene)
		refused := func(why ...string) {
			t.Helper()
			for _, dry := range []bool{true, false} {
				s.call(t, "scene save", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "scene_path", why...)
				s.call(t, "scene save-all", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "scene_path", why...)
			}
			s.call(t, "editor stop", args{"save": true}).fails(t, "PRECONDITION_FAILED", "scene_path", why...)
			s.call(t, "editor stop", nil).fails(t, "PRECONDITION_FAILED", "confirm", scene)
			dirty(t, s, "true")
		}

		// A folder in the file's place.
		aside := onDisk(e, scene) + ".aside"
		if err := os.Rename(onDisk(e, scene), aside); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(onDisk(e, scene), 0o755); err != nil {
			t.Fatal(err)
		}
		refused(scene + " is a folder")
		if err := os.Remove(onDisk(e, scene)); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(aside, onDisk(e, scene)); err != nil {
			t.Fatal(err)
		}

		t.Run("file", func(t *testing.T) {
			// Within two seconds of a write the file's time does not tell of the next one.
			aged(t, e, scene)
			unlock := lock(t, onDisk(e, scene))
			refused(scene + " cannot be written")
			// The engine takes what the person saves for saved; the books do not.
			user(t, e, "save", "")
			dirty(t, s, "true")
			s.call(t, "editor stop", nil).fails(t, "PRECONDITION_FAILED", "confirm", scene)
			if got := read(t, e, scene); got != before {
				t.Fatalf("the locked file changed by\n%s", lineDiff(before, got))
			}
			unlock()
		})
		previewed(t, e, s, "scene save-all", nil).has(t, map[string]string{"saved": "true", "count": "1"})
		if got := read(t, e, scene); !strings.Contains(got, `name="Precious"`) {
			t.Errorf("save-all did not write the scene that was locked before:\n%s", got)
		}
		dirty(t, s, "false")

		t.Run("folder", func(t *testing.T) {
			s.call(t, "node add", args{"node_name": "Second"}).ok(t)
			unlock := lock(t, filepath.Dir(onDisk(e, scene)))
			why := "nothing can be written into res://" + name
			s.call(t, "scene save", nil).fails(t, "PRECONDITION_FAILED", "scene_path", why)
			s.call(t, "scene save-all", nil).fails(t, "PRECONDITION_FAILED", "scene_path", why)
			s.call(t, "scene save-as", args{"new_path": "res://" + name + "/other.tscn"}).fails(t, "VALIDATION_ERROR", "new_path", why)
			s.call(t, "scene create", args{"root_type": "Node", "scene_path": "res://" + name + "/new.tscn"}).fails(t, "VALIDATION_ERROR", "scene_path", why)
			user(t, e, "save", "")
			dirty(t, s, "true")
			unlock()
			s.call(t, "scene save", nil).ok(t)
			dirty(t, s, "false")
		})

		// The folder is gone: it is made again.
		s.call(t, "node add", args{"node_name": "Third"}).ok(t)
		if err := os.RemoveAll(filepath.Dir(onDisk(e, scene))); err != nil {
			t.Fatal(err)
		}
		previewed(t, e, s, "scene save", nil).has(t, map[string]string{"saved": "true"})
		if got := read(t, e, scene); !strings.Contains(got, `name="Third"`) {
			t.Errorf("the save into a deleted folder wrote\n%s", got)
		}

		long := "res://" + name + "/" + strings.Repeat("n", 300) + ".tscn"
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save-as", args{"new_path": long, "dry_run": dry}).fails(t, "VALIDATION_ERROR", "new_path", "longer than")
			s.call(t, "scene save-as", args{"new_path": scene + "/below.tscn", "dry_run": dry}).fails(t, "VALIDATION_ERROR", "new_path", scene+" is a file")
			s.call(t, "scene create", args{"root_type": "Node", "scene_path": long, "dry_run": dry}).fails(t, "VALIDATION_ERROR", "scene_path", "longer than")
		}
	})
}

// TestUndoPreviewOfAnotherScene plans in the history of the scene that is named.
func TestUndoPreviewOfAnotherScene(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := "attack/" + strings.ReplaceAll(t.Name(), "/", "_")
		a := openScene(t, e, name+"_a.tscn", scene2d("A"))
		s.call(t, "node set-property", set("Tail", "editor_description", "a")).ok(t)
		b := openScene(t, e, name+"_b.tscn", scene2d("B"))
		s.call(t, "node rename", args{"node_path": "Tail", "new_name": "End"}).ok(t)
		for _, step := range []struct{ tool, scene, action string }{
			{"undo", a, "node set-property"}, {"undo", b, "node rename"},
			{"redo", a, "node set-property"}, {"redo", b, "node rename"},
		} {
			previewed(t, e, s, step.tool, args{"scene_path": step.scene}).has(t, map[string]string{
				"last_action": step.action, "history": step.scene, "activated": "true"})
		}
	})
}

// TestReadsLeaveTheTabAlone: what only reads does not bring its scene to the front.
func TestReadsLeaveTheTabAlone(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := "attack/" + strings.ReplaceAll(t.Name(), "/", "_")
		a := openScene(t, e, name+"_a.tscn", strings.Replace(scene2d("A"), `name="Tail"`, `name="InA"`, 1)+
			"\n[node name=\"Deep\" type=\"Node3D\" parent=\".\"]\n")
		b := openScene(t, e, name+"_b.tscn", scene2d("B"))
		in := func(more args) args { return more.with("scene_path", a) }
		for tool, given := range map[string]args{
			"scene tree":           {},
			"node get":             {"node_path": "InA"},
			"node get-property":    {"node_path": "InA", "property": "name"},
			"node list-properties": {"node_path": "InA"},
			"node list-groups":     {"node_path": "InA"},
			"node find":            {"name": "InA"},
			"node snapshot":        {},
		} {
			s.call(t, tool, in(given)).ok(t).has(t, map[string]string{"scene_path": a, "activated": "null"})
			if front := user(t, e, "look", "").Active; front != b {
				t.Fatalf("%s brought %s to the front", tool, front)
			}
		}
		taken := s.call(t, "node snapshot", in(args{})).ok(t)
		s.call(t, "node diff", in(args{"before_id": taken.text("snapshot_id")})).ok(t).has(t, map[string]string{"scene_path": a, "changed": "[]"})
		// What the engine knows only of a scene in its tree is no guess.
		s.call(t, "node get-property", in(args{"node_path": "Deep", "property": "global_position"})).
			fails(t, "PRECONDITION_FAILED", "active_scene", a)
		if front := user(t, e, "look", "").Active; front != b {
			t.Fatalf("%s came to the front", front)
		}
		s.call(t, "node add", in(args{"node_name": "New"})).ok(t).has(t, map[string]string{"activated": "true"})
	})
}

const boundScene = `[gd_scene format=3]

[ext_resource type="Script" path="SCRIPT" id="1"]

[node name="R" type="Node"]
script = ExtResource("1")

[node name="T" type="Timer" parent="."]

[connection signal="timeout" from="T" to="." method="poke" binds= [1]]
[connection signal="tree_entered" from="T" to="." method="tell"]
`

// TestConnectionsOfABrokenScript: the engine does not make a bound connection to a script that does not
// parse, and a save would drop it from the file.
func TestConnectionsOfABrokenScript(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := "attack/" + strings.ReplaceAll(t.Name(), "/", "_")
		script := write(t, e, name+".gd", "extends Node\n\n\nfunc poke(_n: int) -> void:\n\treturn (\n\n\nfunc tell() -> void:\n\tpass\n")
		scene := write(t, e, name+".tscn", strings.Replace(boundScene, "SCRIPT", script, 1))
		opened := s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		t.Cleanup(func() { closeTab(t, e, scene) })
		if got := opened.text("warnings"); !strings.Contains(got, "lost_connection") || !strings.Contains(got, "poke") {
			t.Errorf("the warnings are %s", got)
		}
		s.call(t, "node add", nil).ok(t)
		before := read(t, e, scene)
		other := "res://" + name + "_other.tscn"
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "poke", script, "reload")
			s.call(t, "scene save-all", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "poke")
			s.call(t, "scene save-as", args{"new_path": other, "dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "poke")
		}
		same(t, "refused saves", map[string]string{"file": before}, map[string]string{"file": read(t, e, scene)})

		// The script alone does not bring it back: the open scene still lacks it.
		write(t, e, name+".gd", "extends Node\n\n\nfunc poke(_n: int) -> void:\n\tpass\n\n\nfunc tell() -> void:\n\tpass\n")
		s.call(t, "scene save", nil).fails(t, "PRECONDITION_FAILED", "dependencies", "poke")
		s.call(t, "scene reload", args{"scene_path": scene, "confirm": true}).ok(t)
		s.call(t, "node add", nil).ok(t)
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, scene); !strings.Contains(got, `method="poke" binds= [1]`) {
			t.Errorf("the saved scene lacks the connection:\n%s", got)
		}
	})
}

// TestNodesWithoutTheirParent: told when the scene is opened; no save makes it so in the file.
func TestNodesWithoutTheirParent(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		name := "attack/" + strings.ReplaceAll(t.Name(), "/", "_")
		scene := write(t, e, name+".tscn", "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n"+
			"[node name=\"B\" type=\"Node\" parent=\"Nope\"]\n\n[node name=\"C\" type=\"Node\" parent=\"Nope/B\"]\n")
		opened := s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		t.Cleanup(func() { closeTab(t, e, scene) })
		if got := opened.text("warnings"); strings.Count(got, "missing_parent") != 2 || !strings.Contains(got, "Nope#B") {
			t.Errorf("the warnings are %s", got)
		}
		s.call(t, "node add", nil).ok(t)
		before := read(t, e, scene)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "Nope#B", "Nope/B")
		}
		if got := read(t, e, scene); got != before {
			t.Errorf("a refused save changed the file by\n%s", lineDiff(before, got))
		}
		s.call(t, "node move", args{"node_path": "Nope#B", "new_parent_path": "A"}).ok(t)
		s.call(t, "scene save", nil).fails(t, "PRECONDITION_FAILED", "dependencies", "Nope_B#C")
		s.call(t, "node delete", args{"node_path": "Nope_B#C", "confirm": true}).ok(t)
		s.call(t, "scene save", nil).ok(t)
	})
}

// TestDeepTreesAndValues: work, or say that it is the depth.
func TestDeepTreesAndValues(t *testing.T) {
	e := sharedEditor(t)
	var text strings.Builder
	text.WriteString("[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n")
	parent := "."
	const depth = 800
	for i := range depth {
		fmt.Fprintf(&text, "\n[node name=\"N\" type=\"Node\" parent=\"%s\"]\n", parent)
		if i == 0 {
			parent = "N"
		} else {
			parent += "/N"
		}
	}
	openScene(t, e, "attack/deep.tscn", text.String())
	// The library that serves MCP refuses what is deeper than 1,000 levels itself.
	var value any = 1
	for range 1500 {
		value = []any{value}
	}
	cli(e).call(t, "node set-property", set(".", "metadata/deep", value)).fails(t, "VALIDATION_ERROR", "params", "too deep")
	cli(e).call(t, "scene tree", args{"lightweight": true}).ok(t).has(t, map[string]string{"total": fmt.Sprint(depth + 1)})
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "node snapshot", nil).fails(t, "VALIDATION_ERROR", "max_depth", "too deep")
		s.call(t, "node snapshot", args{"max_depth": 300}).ok(t)
		s.call(t, "node get", args{"node_path": "N"}).ok(t)
	})
}

// TestIdleClientsMakeRoom: when all places are taken, a client that is silent for long and waits for nothing
// gives its own up, and gets one again with its next command.
func TestIdleClientsMakeRoom(t *testing.T) {
	e := sharedEditor(t)
	var clients []*bridge.Client
	for i := range bridge.MaxClients {
		c := &bridge.Client{}
		if i == 0 {
			c.Events = []string{"scene_saved"}
		}
		c = direct(t, e, c)
		if _, err := c.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	typed(t, e, "scene", "list").fails(t, bridge.PreconditionFailed, "bridge_connected", "8 clients")
	// The editor falls asleep when all have been silent for as long as makes a client idle.
	await(t, "the editor to sleep again", func() bool { return user(t, e, "look", "").SleepUsec > 1000 })
	await(t, "an idle client's place", func() bool { return e.Run("scene", "list").Exit == 0 })
	for i, c := range clients {
		if _, err := send(t, c, bridge.Request{Command: "health-check"}); err != nil {
			t.Errorf("client %d afterwards got %v", i, err)
		}
	}
}
