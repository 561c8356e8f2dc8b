package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// TestEditorLifecycle walks one project through several editors, with one MCP session that is there from
// before the first one to after the last one (F20 on the real engine).
func TestEditorLifecycle(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	session := mcpSession(t, e)
	none := func(t *testing.T) {
		t.Helper()
		session.call(t, "scene list", nil).fails(t, bridge.BridgeDisconnected, "bridge_connected", "editor start")
		typed(t, e, "scene", "list").fails(t, bridge.BridgeDisconnected, "bridge_connected", "editor start")
		typed(t, e, "editor", "list").ok(t).has(t, map[string]string{"editors": "[]"})
		session.call(t, "health-check", nil).ok(t).has(t, map[string]string{"bridge_connected": "false"})
		session.call(t, "get-server-info", nil).ok(t).has(t, map[string]string{"bridge.connected": "false"})
	}
	start := func(t *testing.T) {
		t.Helper()
		started := typed(t, e, "editor", "start", "--headless").ok(t)
		if _, err := fmt.Sscan(started.text("pid"), &e.PID); err != nil {
			t.Fatal(err)
		}
		started.has(t, map[string]string{"started": "true", "already_running": "false", "display": "headless", "project_path": e.Project})
		// The session finds the new editor by itself.
		session.call(t, "health-check", nil).ok(t).has(t, map[string]string{"bridge_connected": "true", "project_path": e.Project})
		session.call(t, "editor status", nil).ok(t).has(t, map[string]string{"headless": "true", "scanning": "false", "playing": "false"})
	}
	edit := func(t *testing.T, text string) {
		t.Helper()
		session.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
		session.call(t, "node set-property", setTo("Player/NameTag", "text", text)).ok(t)
	}
	label := func() string {
		return readTSCN(read(t, e, "res://main.tscn")).nodes["Player/NameTag"].properties["text"]
	}

	t.Run("no editor", none)
	t.Run("started", func(t *testing.T) {
		start(t)
		for _, s := range []surface{cli(e), session} {
			s.call(t, "editor start", nil).ok(t).has(t, map[string]string{"started": "false", "already_running": "true", "pid": fmt.Sprint(e.PID), "display": "headless"})
			s.call(t, "editor list", nil).ok(t).has(t, map[string]string{"editors.0.pid": fmt.Sprint(e.PID), "editors.0.state": "ready", "editors.1": "null"})
		}
	})
	t.Run("unsaved work is not lost", func(t *testing.T) {
		edit(t, "unsaved")
		for _, s := range []surface{cli(e), session} {
			refusal := s.call(t, "editor stop", nil).fails(t, bridge.PreconditionFailed, "confirm", "res://main.tscn", "--save")
			if s != surface(session) && string(refusal.err.Result) != `{"unsaved":["res://main.tscn"]}` {
				t.Errorf("the refusal lists %s", refusal.err.Result)
			}
			s.call(t, "editor stop", args{"force": true}).fails(t, bridge.PreconditionFailed, "confirm", "--force --confirm")
			if !bridge.Alive(e.PID) || label() != `"Hero"` {
				t.Fatal("a refused stop did something")
			}
		}
	})
	t.Run("stop with save", func(t *testing.T) {
		typed(t, e, "editor", "stop", "--save").ok(t).has(t, map[string]string{"stopped": "true", "unsaved": "[]", "pid": fmt.Sprint(e.PID)})
		if label() != `"unsaved"` || bridge.Alive(e.PID) {
			t.Errorf("the file has %s", label())
		}
		for _, folder := range []string{filepath.Join(e.Project, ".godot", "godot_mcp_bridge"), filepath.Join(filepath.Dir(e.Project), "xdg_runtime_dir", "godot-mcp", "editors")} {
			if left, _ := filepath.Glob(filepath.Join(folder, "*.json")); len(left) > 0 {
				t.Errorf("the editor left %v", left)
			}
		}
		none(t)
	})
	t.Run("stop with confirm", func(t *testing.T) {
		start(t)
		edit(t, "lost")
		session.call(t, "editor stop", args{"confirm": true}).ok(t).has(t, map[string]string{"stopped": "true", "unsaved": `["res://main.tscn"]`})
		if label() != `"unsaved"` || bridge.Alive(e.PID) {
			t.Errorf("the file has %s", label())
		}
	})
	t.Run("killed", func(t *testing.T) {
		start(t)
		process, err := os.FindProcess(e.PID)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		await(t, "the killed editor to be gone", func() bool { return !bridge.Alive(e.PID) })
		left := filepath.Join(e.Project, ".godot", "godot_mcp_bridge", fmt.Sprintf("%d.json", e.PID))
		if _, err := os.Stat(left); err != nil {
			t.Fatal(err)
		}
		typed(t, e, "scene", "list").fails(t, bridge.BridgeDisconnected, "bridge_connected", left, "has ended")
		none(t)
		start(t)
	})
	t.Run("two for one project", func(t *testing.T) {
		// The second one is a fake: it writes its files as this process.
		second := bridgetest.New(t, bridgetest.Project(e.Project), bridgetest.Runtime(filepath.Join(filepath.Dir(e.Project), "xdg_runtime_dir")))
		pids := []string{fmt.Sprint(e.PID), fmt.Sprint(second.Info().PID)}
		typed(t, e, "scene", "list").fails(t, bridge.PreconditionFailed, "bridge_connected", append(pids, "--editor")...)
		other := mcpSession(t, e)
		other.call(t, "scene list", nil).fails(t, bridge.PreconditionFailed, "bridge_connected", pids...)
		typed(t, e, "scene", "list", "--editor", pids[0]).ok(t).has(t, map[string]string{"main_scene": "res://main.tscn"})
		session.call(t, "scene list", nil).ok(t)
		second.Close()
		other.call(t, "scene list", nil).ok(t)
	})
	t.Run("stop by force", func(t *testing.T) {
		edit(t, "lost again")
		typed(t, e, "editor", "stop", "--force", "--confirm").ok(t).has(t, map[string]string{"stopped": "true"})
		none(t)
	})
}

// TestStartNeedsTheAddon: an editor that could not answer is not started.
func TestStartNeedsTheAddon(t *testing.T) {
	e := ownWorkspace(t, "empty")
	bare := CopyProject(t, "ui")
	off := CopyProject(t, "ui")
	if _, err := addon.Install(off, addon.Options{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(off, "project.godot")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(text), `"`+addon.PluginPath+`"`, "")), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for project, word := range map[string]string{bare: "is not in", off: "switched off"} {
		typed(t, e, "editor", "start", "--headless", "--project", project).fails(t, bridge.PreconditionFailed, "addon_version", word, "addon install")
		if _, err := os.Stat(filepath.Join(project, ".godot", "godot_mcp_bridge")); err == nil {
			t.Error("the refused start left a folder behind")
		}
	}
	typed(t, e, "editor", "start", "--project", t.TempDir()).fails(t, bridge.PreconditionFailed, "project_dir")
	e.Env = append(e.Env, "GODOT_BIN="+filepath.Join(t.TempDir(), "nobody"))
	typed(t, e, "editor", "start", "--headless").fails(t, bridge.PreconditionFailed, "godot_binary", "GODOT_BIN")
	old := fakeGodot(t, t.TempDir(), "godot", "3.6.stable")
	e.Env = append(e.Env, "GODOT_BIN="+old)
	typed(t, e, "editor", "start", "--headless").fails(t, bridge.PreconditionFailed, "godot_version", "3.6")
}
