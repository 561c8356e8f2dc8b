//go:build unix

package testbed

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// autostarting is a workspace whose calls start an editor by themselves, by the user's own settings.
func autostarting(t *testing.T, idle string) *Editor {
	t.Helper()
	e := ownWorkspace(t, "platformer2d")
	folder := filepath.Join(filepath.Dir(e.Project), "xdg_config_home", "godot-mcp")
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "config.toml"), fmt.Appendf(nil, "autostart = true\nidle_stop = %q\n", idle), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, ed := range editorsOf(e) {
			endByForce(t, ed.PID)
		}
	})
	return e
}

func editorsOf(e *Editor) []bridge.Editor {
	found, _ := bridge.Discover(bridge.Query{Project: e.Project, Registry: filepath.Join(filepath.Dir(e.Project), "xdg_runtime_dir", "godot-mcp", "editors")})
	return found
}

func endByForce(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Log(err)
	}
	await(t, "the editor to be gone", func() bool { return !bridge.Alive(pid) })
}

// theEditor is the only one that runs.
func theEditor(t *testing.T, e *Editor) bridge.Editor {
	t.Helper()
	found := editorsOf(e)
	if len(found) != 1 {
		t.Fatalf("%d editors run: %+v", len(found), found)
	}
	return found[0]
}

// personsEditor is an editor that a person opens beside: by the engine itself, not by us.
func personsEditor(t *testing.T, e *Editor) bridge.Editor {
	t.Helper()
	godot, err := Godot()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(godot, "--headless", "--editor", "--path", e.Project)
	cmd.Dir, cmd.Env = e.Project, e.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	var own bridge.Editor
	await(t, "the person's editor", func() bool {
		for _, ed := range editorsOf(e) {
			if !ed.Autostarted() {
				own = ed
				return true
			}
		}
		return false
	})
	return own
}

func logOf(t *testing.T, e *Editor) string {
	t.Helper()
	return read(t, e, "res://.godot/godot_mcp_bridge/editor.log")
}

// TestAutostart: the first call that needs an editor starts one, many at once start one, it keeps its
// scenes, and it ends when it is idle and nothing would be lost.
func TestAutostart(t *testing.T) {
	e := autostarting(t, "2s")
	session := mcpSession(t, e)
	t.Run("not needed", func(t *testing.T) {
		both(t, e, func(t *testing.T, s surface) {
			s.call(t, "editor list", nil).ok(t).has(t, map[string]string{"editors": "[]"})
			s.call(t, "health-check", nil).ok(t).has(t, map[string]string{"bridge_connected": "false"})
			s.call(t, "get-server-info", nil).ok(t).has(t, map[string]string{"bridge.connected": "false"})
			s.call(t, "node delete", args{"node_path": "Player"}).fails(t, bridge.PreconditionFailed, "confirm")
		})
		if _, err := os.Stat(filepath.Join(e.Project, ".godot")); err == nil {
			t.Error("something was started")
		}
	})
	t.Run("many at once", func(t *testing.T) {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if out := e.Run("scene", "list"); out.Exit != 0 || out.Stderr != "" {
					t.Errorf("exit %d: %s", out.Exit, out.Stderr)
				}
			})
		}
		group.Go(func() { session.call(t, "scene list", nil).ok(t) })
		group.Wait()
		if ed := theEditor(t, e); !ed.Autostarted() || !ed.Headless {
			t.Errorf("the editor is %+v", ed)
		}
		checkLog(t, e)
	})
	t.Run("unsaved work stays", func(t *testing.T) {
		typed(t, e, "scene", "open", "res://main.tscn").ok(t)
		typed(t, e, "node", "set-property", "Player/NameTag", "text", "kept").ok(t)
		before := theEditor(t, e)
		await(t, "the editor to say why it stays", func() bool {
			return strings.Contains(logOf(t, e), "no command came for 2 s, but there is unsaved work in res://main.tscn")
		})
		session.call(t, "node get-property", args{"node_path": "Player/NameTag", "property": "text"}).ok(t).has(t, map[string]string{"value": "kept"})
		if after := theEditor(t, e); after.PID != before.PID {
			t.Errorf("the editor was %d and is %d", before.PID, after.PID)
		}
	})
	t.Run("idle", func(t *testing.T) {
		pid := theEditor(t, e).PID
		typed(t, e, "scene", "save").ok(t)
		await(t, "the idle editor to end", func() bool { return !bridge.Alive(pid) })
		if left, _ := filepath.Glob(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "*.json")); len(left) > 0 {
			t.Errorf("the editor left %v", left)
		}
		if text := readTSCN(read(t, e, "res://main.tscn")).nodes["Player/NameTag"].properties["text"]; text != `"kept"` {
			t.Errorf("the file has %s", text)
		}
	})
	t.Run("again", func(t *testing.T) {
		session.call(t, "scene list", nil).ok(t)
		pid := theEditor(t, e).PID
		// Somebody asks for one: it is this one, and it stays.
		typed(t, e, "editor", "start", "--headless").ok(t).has(t, map[string]string{"already_running": "true", "pid": fmt.Sprint(pid)})
		if ed := theEditor(t, e); ed.Autostarted() {
			t.Errorf("the editor is still one that nobody asked for: %+v", ed)
		}
		typed(t, e, "editor", "stop").ok(t)
	})
}

// TestUninstallEndsAnEditorThatACallStarted: without the addon it would never end. Unsaved work keeps both.
func TestUninstallEndsAnEditorThatACallStarted(t *testing.T) {
	e := autostarting(t, "10m")
	typed(t, e, "scene", "open", "res://main.tscn").ok(t)
	started := theEditor(t, e)
	typed(t, e, "node", "add", "Node2D", "Unsaved").ok(t)
	typed(t, e, "addon", "uninstall").fails(t, bridge.PreconditionFailed, "confirm", "res://main.tscn")
	typed(t, e, "addon", "status").ok(t).has(t, map[string]string{"installed": "true", "enabled": "true"})
	typed(t, e, "scene", "save").ok(t)
	typed(t, e, "addon", "uninstall", "--dry-run").ok(t).has(t, map[string]string{"editor_running": "true"})
	if !bridge.Alive(started.PID) {
		t.Fatal("a preview ended the editor")
	}
	typed(t, e, "addon", "uninstall").ok(t).has(t, map[string]string{"editor_running": "false"})
	if bridge.Alive(started.PID) {
		t.Error("the editor runs on without its addon")
	}
}

// TestPersonsEditorTakesOver: calls go to the editor that a person opened, and the other one ends, or says
// what keeps it.
func TestPersonsEditorTakesOver(t *testing.T) {
	e := autostarting(t, "10m")
	session := mcpSession(t, e)
	reaches := func(pid int) func() bool {
		return func() bool {
			return session.call(t, "get-server-info", nil).ok(t).text("bridge.pid") == fmt.Sprint(pid)
		}
	}
	t.Run("nothing unsaved", func(t *testing.T) {
		session.call(t, "scene list", nil).ok(t)
		first := theEditor(t, e)
		own := personsEditor(t, e)
		typed(t, e, "get-server-info").ok(t).has(t, map[string]string{"bridge.pid": fmt.Sprint(own.PID)})
		await(t, "the first editor to make way", func() bool { return !bridge.Alive(first.PID) })
		await(t, "the session to reach the person's editor", reaches(own.PID))
		typed(t, e, "editor", "wait").ok(t)
		typed(t, e, "editor", "stop").ok(t)
	})
	t.Run("unsaved", func(t *testing.T) {
		session.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
		session.call(t, "node set-property", setTo("Player/NameTag", "text", "mine")).ok(t)
		first := theEditor(t, e)
		if !first.Autostarted() {
			t.Fatalf("the editor is %+v", first)
		}
		own := personsEditor(t, e)
		await(t, "the session to reach the person's editor", reaches(own.PID))
		wait, err := session.try("editor wait", nil)
		if err != nil || wait.IsError {
			t.Fatalf("editor wait: %v, %v", wait, err)
		}
		if !bridge.Alive(first.PID) {
			t.Fatal("the editor with unsaved work has ended")
		}
		var listed struct {
			Editors []struct {
				PID     int
				Unsaved []string
				Reason  string
			}
		}
		if err := json.Unmarshal(typed(t, e, "editor", "list").ok(t).raw, &listed); err != nil {
			t.Fatal(err)
		}
		for _, ed := range listed.Editors {
			if ed.PID == first.PID && (len(ed.Unsaved) != 1 || ed.Unsaved[0] != "res://main.tscn" || !strings.Contains(ed.Reason, "editor stop --editor")) {
				t.Errorf("editor list says %+v", ed)
			}
		}
		if out := e.Run("scene", "list"); out.Exit != 0 || !strings.Contains(out.Stderr, "unsaved work in res://main.tscn") {
			t.Errorf("exit %d, standard error %q", out.Exit, out.Stderr)
		}
		told, err := mcpSession(t, e).try("scene list", nil)
		if err != nil || len(told.Content) != 4 || !strings.Contains(told.Content[3].(*sdk.TextContent).Text, "unsaved work in res://main.tscn") {
			t.Errorf("a new session is told %+v, %v", told, err)
		}
		typed(t, e, "editor", "stop", "--save", "--editor", fmt.Sprint(first.PID)).ok(t)
		if text := readTSCN(read(t, e, "res://main.tscn")).nodes["Player/NameTag"].properties["text"]; text != `"mine"` {
			t.Errorf("the file has %s", text)
		}
		typed(t, e, "editor", "stop", "--confirm").ok(t)
	})
}

// TestStoppedEditor: a process that lives and takes no command is told from one that is slow.
func TestStoppedEditor(t *testing.T) {
	e := ownEditor(t, "ui")
	session := mcpSession(t, e)
	if err := syscall.Kill(e.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(e.PID, syscall.SIGCONT) }()
	for _, s := range []surface{cli(e), session} {
		s.call(t, "scene list", nil).fails(t, bridge.PreconditionFailed, "editor_ready", fmt.Sprint("process ", e.PID), "is stopped", "nothing was sent", "editor wait")
		s.call(t, "node add", args{"node_name": "Never"}).fails(t, bridge.PreconditionFailed, "editor_ready", "is stopped")
	}
	typed(t, e, "editor", "list").ok(t).has(t, map[string]string{"editors.0.state": "silent"})
	if err := syscall.Kill(e.PID, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	session.call(t, "scene list", nil).ok(t)
	// On a link that is there already the command has gone: that it is not known is said.
	if err := syscall.Kill(e.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	out := e.RunInput("", "scene", "list", "--timeout", "1500ms")
	if got := lastError(t, out.Stderr); got.Required != "editor_ready" {
		t.Errorf("got %v", got)
	}
}

// TestDialogHoldsEditsUp: while a question waits for the person, what would change something is refused and
// reading goes on.
func TestDialogHoldsEditsUp(t *testing.T) {
	e := windowedEditor(t, "platformer2d")
	typed(t, e, "scene", "open", "res://main.tscn").ok(t)
	session := mcpSession(t, e)
	user(t, e, "dialog", "Really?")
	for _, s := range []surface{cli(e), session} {
		s.call(t, "node add", args{"node_name": "Never"}).fails(t, bridge.PreconditionFailed, "editor_ready", "A question: Really?")
		s.call(t, "scene tree", nil).ok(t)
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"dialogs": `["A question: Really?"]`})
	}
	user(t, e, "answer", "")
	typed(t, e, "editor", "status").ok(t).has(t, map[string]string{"dialogs": "[]"})
	typed(t, e, "node", "add", "--node-name", "Now").ok(t)
}

func windowedEditor(t *testing.T, project string) *Editor {
	t.Helper()
	e := ownWorkspace(t, project)
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	e.Env = append(e.Env, "GODOT_BIN="+filepath.Join(cache, "bin", "xvfb-godot"), "LIBGL_ALWAYS_SOFTWARE=1")
	started := typed(t, e, "editor", "start", "--display", "screen").ok(t)
	if _, err := fmt.Sscan(started.text("pid"), &e.PID); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestRestart: the same display and scenes, another process, nothing lost.
func TestRestart(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	session := mcpSession(t, e)
	for _, s := range []surface{cli(e), session} {
		s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
		before := e.PID
		text := fmt.Sprintf("restart of %d", before)
		s.call(t, "node set-property", setTo("Player/NameTag", "text", text)).ok(t)
		s.call(t, "scene open", args{"scene_path": "res://enemy.tscn"}).ok(t)
		s.call(t, "editor restart", args{"save": false}).fails(t, bridge.PreconditionFailed, "scene_saved", "res://main.tscn", "editor restart")
		if !bridge.Alive(before) {
			t.Fatal("a refused restart did something")
		}
		restarted := s.call(t, "editor restart", nil).ok(t)
		if _, err := fmt.Sscan(restarted.text("pid"), &e.PID); err != nil {
			t.Fatal(err)
		}
		restarted.has(t, map[string]string{"restarted": "true", "display": "headless", "reopened": `["res://main.tscn","res://enemy.tscn"]`, "lost": "[]"})
		if e.PID == before || bridge.Alive(before) {
			t.Errorf("the editor was %d and is %d", before, e.PID)
		}
		if got := readTSCN(read(t, e, "res://main.tscn")).nodes["Player/NameTag"].properties["text"]; got != fmt.Sprintf("%q", text) {
			t.Errorf("the file has %s", got)
		}
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"open_scenes.1.path": "res://enemy.tscn", "open_scenes.1.active": "true", "open_scenes.0.dirty": "false"})
	}
}

// TestImportHoldsEditsUp: while the engine imports, what would change something is refused with the files,
// and reading goes on.
func TestImportHoldsEditsUp(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "ready/import.tscn", scene2d("Import"))
	user(t, e, "import begins", "res://ready/picture.png")
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "node add", args{"node_name": "Never"}).fails(t, bridge.PreconditionFailed, "editor_ready", "imports 1 files (res://ready/picture.png)", "editor wait")
		s.call(t, "scene tree", nil).ok(t)
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"importing": "true"})
		s.call(t, "editor wait", args{"for": "scanned"}).ok(t).has(t, map[string]string{"ready": "true", "importing": "true"})
		for _, wait := range []string{"imported", "idle"} {
			s.call(t, "editor wait", args{"for": wait, "timeout_ms": 50}).ok(t).has(t, map[string]string{"ready": "false", "importing": "true"})
		}
	})
	user(t, e, "import ends", "res://ready/picture.png")
	typed(t, e, "editor", "wait", "--for", "imported").ok(t).has(t, map[string]string{"ready": "true", "importing": "false"})
	typed(t, e, "node", "add", "--node-name", "Now").ok(t)
}

// TestCallsDuringTheStart: from the first moment on a call is carried out or told what it must wait for.
func TestCallsDuringTheStart(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	typed(t, e, "editor", "start", "--headless", "--wait=false").ok(t).has(t, map[string]string{"started": "true", "pid": "0"})
	t.Cleanup(func() {
		e.Run("editor", "start", "--headless") // an editor that has not answered yet is not found
		for _, ed := range editorsOf(e) {
			endByForce(t, ed.PID)
		}
	})
	// Every call is a process, which takes from the engine what it needs to start.
	awaitEvery(t, 100*time.Millisecond, "a call to be carried out", func() bool {
		out := e.Run("scene", "open", "res://main.tscn")
		if out.Exit == 0 {
			return true
		}
		if got := lastError(t, out.Stderr); got.Required != "editor_ready" && got.Required != "bridge_connected" {
			t.Fatalf("got %v", got)
		}
		return false
	})
	typed(t, e, "node", "add", "--node-name", "Now").ok(t).has(t, map[string]string{"scene_path": "res://main.tscn"})
	// A second start waits for nothing and begins nothing.
	typed(t, e, "editor", "start", "--headless").ok(t).has(t, map[string]string{"already_running": "true", "pid": fmt.Sprint(theEditor(t, e).PID)})
}
