package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// watching is godot-mcp watch on a real editor.
type watching struct {
	lines *bufio.Reader
	cmd   *exec.Cmd
}

// watch begins to watch and returns when the editor knows of it.
func watch(t *testing.T, e *Editor, args ...string) *watching {
	t.Helper()
	cmd := exec.Command(e.Bin, append([]string{"watch"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = e.Project, e.Env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{bufio.NewReader(out), cmd}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	w.next(t, "connected")
	return w
}

// next is the next event, which must have this name; the engine looks at files when it likes, so
// filesystem_changed is passed over unless it is asked for.
func (w *watching) next(t *testing.T, name string) map[string]any {
	t.Helper()
	for {
		line, err := w.lines.ReadString('\n')
		if err != nil {
			t.Fatalf("waiting for %s: %v", name, err)
		}
		event := map[string]any{}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		switch event["event"] {
		case name:
			return event
		case "filesystem_changed", "selection_changed", "settings_changed":
		default:
			t.Fatalf("got %s, want %s", line, name)
		}
	}
}

// is checks the fields of an event.
func is(t *testing.T, event map[string]any, want args) {
	t.Helper()
	for name, value := range want {
		if got := asJSON(event[name]); got != asJSON(value) {
			t.Errorf("%s: %s is %s, want %s", event["event"], name, got, asJSON(value))
		}
	}
}

// What tools and the user do comes as lines in its order.
func TestWatchTellsWhatHappens(t *testing.T) {
	e := sharedEditor(t)
	scene := write(t, e, "watch/tells.tscn", scene2d("Watched"))
	other := write(t, e, "watch/other.tscn", scene2d("Other"))
	w := watch(t, e)
	s := cli(e)
	s.call(t, "scene open", args{"scene_path": scene}).ok(t)
	is(t, w.next(t, "scene_opened"), args{"scene_path": scene})
	is(t, w.next(t, "scene_changed"), args{"scene_path": scene})

	move := args{"node_path": "Player", "property": "position", "value": args{"x": 1, "y": 2}}
	s.call(t, "node set-property", move).ok(t)
	step := func(action, by, change string) {
		t.Helper()
		is(t, w.next(t, "history_changed"), args{"history": scene, "action": action, "by": by, "change": change})
	}
	step("node set-property", "tool", "do")
	s.call(t, "undo", nil).ok(t)
	step("node set-property", "tool", "undo")
	s.call(t, "redo", nil).ok(t)
	step("node set-property", "tool", "redo")
	user(t, e, "step", "by hand")
	step("Move Node", "user", "do")
	user(t, e, "key", "Z")
	step("Move Node", "user", "undo")
	// As many steps as before the undo, and yet a new one.
	user(t, e, "step", "another")
	step("Move Node", "user", "do")
	if youngest := s.call(t, "history list", nil).ok(t); youngest.text("recent.0.name") != "Move Node" {
		t.Errorf("the books say %s", youngest.raw)
	}
	user(t, e, "select", "Player")
	is(t, w.next(t, "selection_changed"), args{"scene_path": scene, "selected": []string{"Player"}, "count": 1})
	s.call(t, "scene save", nil).ok(t)
	is(t, w.next(t, "scene_saved"), args{"scene_path": scene})

	copied := "res://watch/copied.tscn"
	s.call(t, "scene save-as", args{"new_path": copied}).ok(t)
	t.Cleanup(func() { closeTab(t, e, copied) })
	is(t, w.next(t, "scene_saved"), args{"scene_path": copied})
	is(t, w.next(t, "scene_closed"), args{"scene_path": scene})
	is(t, w.next(t, "scene_opened"), args{"scene_path": copied})

	open(t, e, other)
	is(t, w.next(t, "scene_opened"), args{"scene_path": other})
	is(t, w.next(t, "scene_changed"), args{"scene_path": other})
	write(t, e, "watch/new.gd", "extends Node\n")
	user(t, e, "scan", "")
	w.next(t, "filesystem_changed")
	closeTab(t, e, other)
	is(t, w.next(t, "scene_closed"), args{"scene_path": other})
	user(t, e, "tab", other)
}

// The game is a process of its own; no signal of the engine tells of it.
func TestWatchTellsOfPlay(t *testing.T) {
	e := sharedEditor(t)
	scene := openScene(t, e, "watch/play.tscn", scene2d("Played"))
	w := watch(t, e, "--event", "play_started", "--event", "play_stopped", "--event", "connected")
	user(t, e, "play", scene)
	is(t, w.next(t, "play_started"), args{"scene_path": scene})
	user(t, e, "stop", "")
	w.next(t, "play_stopped")
}

// The editor goes and another one comes: the same watch tells of both.
func TestWatchOverARestart(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	w := watch(t, e)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	w.next(t, "editor_closing")
	is(t, w.next(t, "disconnected"), nil)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	is(t, w.next(t, "connected"), args{"pid": e.PID, "project_path": e.Project})
}

// Whoever does not read loses the youngest events, is told how many, and has the later ones again.
func TestSlowReaderOfEventsIsToldWhatItLost(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "watch/slow.tscn", scene2d("Slow"))
	reading := make(chan struct{})
	type seen struct {
		event, action string
		count         int
	}
	events := make(chan seen, 1024)
	c := direct(t, e, &bridge.Client{
		Events: []string{"history_changed"},
		OnEvent: func(ev bridge.Event) {
			<-reading
			var s struct {
				Action string
				Count  int
			}
			_ = json.Unmarshal(ev.Data, &s)
			events <- seen{ev.Name, s.Action[:min(len(s.Action), 5)], s.Count}
		},
	})
	if _, err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	// More than the operating system keeps on the way.
	const steps = 60
	for range steps {
		user(t, e, "named step", "steps"+strings.Repeat("x", 400_000))
	}
	close(reading)
	lost, kept := 0, 0
	for lost+kept < steps {
		switch s := <-events; s.event {
		case "history_changed":
			kept++
		case "dropped":
			lost += s.count
		}
	}
	if lost == 0 || kept == 0 || lost+kept != steps {
		t.Errorf("%d of %d came, %d were lost", kept, steps, lost)
	}
	user(t, e, "named step", "later")
	if s := <-events; s != (seen{"history_changed", "later", 0}) {
		t.Errorf("later came %v", s)
	}
}

// A watcher that is silent leaves the editor to sleep as its user set it.
func TestWatcherLetsTheEditorSleep(t *testing.T) {
	e := sharedEditor(t)
	asleep := func() int { return user(t, e, "look", "").SleepUsec }
	var before int
	await(t, "the editor to sleep", func() bool { before = asleep(); return before > 1000 })
	watch(t, e)
	await(t, "the editor to sleep again", func() bool { return asleep() == before })
}
