package testbed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

const earlier = "2026.01.01"

// asEarlier makes the workspace's addon one of an earlier version, which lacks a command.
func asEarlier(t *testing.T, e *Editor, command string) {
	t.Helper()
	folder := filepath.Join(e.Project, filepath.FromSlash(addon.Folder))
	for name, change := range map[string][2]string{
		"plugin.cfg":   {commands.AddonVersion, earlier},
		"contract.gd":  {commands.AddonVersion, earlier},
		"files.sha256": {"", ""},
	} {
		file := filepath.Join(folder, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if name == "contract.gd" {
			changed = strings.Replace(changed, "\t\""+command+"\",\n", "", 1)
		}
		if name == "files.sha256" {
			// As that version would have been installed: nothing of it was changed by hand.
			changed = ""
		}
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The running editor takes a new addon up: unsaved work, undo, what tools remember, and every client's
// session go on; not a byte of project.godot changes.
func TestAddonUpdateInARunningEditor(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	asEarlier(t, e, "node.list-groups")
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	settings := read(t, e, "res://project.godot")
	session := mcpSession(t, e)
	pid := fmt.Sprint(e.PID)

	session.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	session.call(t, "node set-property", setTo("Player/NameTag", "text", "unsaved")).ok(t)
	user(t, e, "step", "by the person")
	before := session.call(t, "node snapshot", args{"node_path": "Player"}).ok(t)
	keyed := typed(t, e, "node", "add", "Node2D", "Once", "--request-key", "k1").ok(t)

	// What the earlier addon lacks is said plainly, by it and by the binary.
	session.call(t, "node list-groups", args{"node_path": "Player"}).fails(t, bridge.PreconditionFailed, "addon_version", earlier, "node list-groups", commands.AddonVersion, "addon update")
	typed(t, e, "node", "list-groups", "Player").fails(t, bridge.PreconditionFailed, "addon_version", "addon update")
	notice := session.call(t, "get-server-info", nil).ok(t)
	if text := notice.text("version_notice"); !strings.Contains(text, earlier) || !strings.Contains(text, "godot-mcp addon update") {
		t.Errorf("version_notice: %s", text)
	}
	typed(t, e, "addon", "status").ok(t).has(t, map[string]string{
		"state": "older", "addon_version": earlier, "binary_version": commands.AddonVersion,
		"running.0.pid": pid, "running.0.addon_version": earlier, "running.0.answers": "true", "hint": "godot-mcp addon update",
	})

	preview := typed(t, e, "addon", "update", "--dry-run").ok(t)
	preview.has(t, map[string]string{"from": earlier, "to": commands.AddonVersion, "editors.0.running": earlier, "restart_needed": "false"})
	typed(t, e, "addon", "status").ok(t).has(t, map[string]string{"state": "older"})
	typed(t, e, "addon", "update").ok(t).has(t, map[string]string{
		"from": earlier, "to": commands.AddonVersion, "restart_needed": "false", "written": preview.text("written"),
		"editors.0.pid": pid, "editors.0.from": earlier, "editors.0.running": commands.AddonVersion, "editors.0.reloaded": "true",
	})
	typed(t, e, "addon", "status").ok(t).has(t, map[string]string{
		"state": "same", "running.0.addon_version": commands.AddonVersion, "running.0.pid": pid, "hint": "null",
	})

	// The session that was open before goes on.
	session.call(t, "get-server-info", nil).ok(t).has(t, map[string]string{"version_notice": "null", "bridge.addon_version": commands.AddonVersion, "bridge.pid": pid})
	session.call(t, "node list-groups", args{"node_path": "Player"}).ok(t)
	session.call(t, "editor status", nil).ok(t).has(t, map[string]string{"open_scenes.0.dirty": "true"})
	session.call(t, "node diff", args{"before_id": before.text("snapshot_id")}).ok(t)
	typed(t, e, "node", "add", "Node2D", "Once", "--request-key", "k1").ok(t).has(t, map[string]string{"node_path": keyed.text("node_path")})
	if tree := session.call(t, "scene tree", nil).ok(t); strings.Contains(tree.text("nodes"), "Once2") {
		t.Error("the request key did a thing twice")
	}
	// The engine finds changed files at its next scan; the running scripts must not mind.
	user(t, e, "scan", "")
	session.call(t, "editor wait", nil).ok(t)

	// Steps of before are undone in their order, and whose they were is still known.
	session.call(t, "undo", nil).ok(t).has(t, map[string]string{"actions": `["node add"]`})
	session.call(t, "undo", nil).fails(t, bridge.PreconditionFailed, "include_user", "Move Node")
	session.call(t, "undo", args{"count": 2, "include_user": true}).ok(t).has(t, map[string]string{"actions": `["Move Node","node set-property"]`})
	session.call(t, "node get-property", args{"node_path": "Player/NameTag", "property": "text"}).ok(t).has(t, map[string]string{"value": "Hero"})
	session.call(t, "redo", args{"count": 3}).ok(t).has(t, map[string]string{"redone": "3"})
	session.call(t, "scene save", nil).ok(t)
	if text := read(t, e, "res://main.tscn"); !strings.Contains(text, `"unsaved"`) || !strings.Contains(text, `name="Once"`) {
		t.Error("the work of before the update is not in the file")
	}
	if read(t, e, "res://project.godot") != settings {
		t.Error("project.godot changed")
	}
	// A second time there is nothing to do.
	typed(t, e, "addon", "update").ok(t).has(t, map[string]string{"written": "[]", "editors.0.reloaded": "false", "restart_needed": "false"})
	checkLog(t, e)
}

// reload asks the running addon to take the files up as they are.
func reload(t *testing.T, e *Editor) error {
	t.Helper()
	client := &bridge.Client{Find: func(context.Context) (bridge.Editor, error) {
		return bridge.Find(bridge.Query{Project: e.Project, Registry: filepath.Join(t.TempDir(), "none")})
	}}
	defer client.Close()
	_, err := client.Call(t.Context(), bridge.Request{Command: "addon.reload"})
	return err
}

// An addon that cannot take over leaves the running one as it is.
func TestAddonThatCannotTakeOver(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	asEarlier(t, e, "node.list-groups")
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"history.gd": "@tool\nextends RefCounted\nfunc broken(:\n",
		"plugin.gd":  "@tool\nextends EditorPlugin\n",
	} {
		file := filepath.Join(e.Project, filepath.FromSlash(addon.Folder), name)
		sound, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused := bridge.AsError(reload(t, e))
		if refused == nil || refused.Required != "addon_version" {
			t.Errorf("%s: %v", name, refused)
		}
		typed(t, e, "health-check").ok(t).has(t, map[string]string{"bridge_connected": "true", "addon_version": earlier})
		typed(t, e, "scene", "open", "res://main.tscn").ok(t)
		typed(t, e, "scene", "tree").ok(t)
		if err := os.WriteFile(file, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A script of it that somebody has open would be written over the new one at the next save.
	user(t, e, "edit script", "res://addons/godot_mcp_bridge/names.gd")
	typed(t, e, "addon", "update").ok(t).has(t, map[string]string{
		"restart_needed": "true", "editors.0.reloaded": "false", "editors.0.running": earlier, "addon_version": "null",
	})
	typed(t, e, "addon", "status").ok(t).has(t, map[string]string{"state": "same", "running.0.addon_version": earlier})
}

// Uninstalling with the editor open: the addon goes, and what the editor writes later does not bring it back.
func TestAddonUninstallInARunningEditor(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	typed(t, e, "addon", "uninstall").ok(t).has(t, map[string]string{"editor_running": "true", "kept": "[]"})
	typed(t, e, "editor", "list").ok(t).has(t, map[string]string{"editors": "[]"})
	if _, err := os.Stat(filepath.Join(e.Project, filepath.FromSlash(addon.Folder))); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	user(t, e, "save settings", "")
	if text := read(t, e, "res://project.godot"); strings.Contains(text, "godot_mcp_bridge") || !strings.Contains(text, "addons/user/plugin.cfg") {
		t.Errorf("the editor wrote\n%s", text)
	}
	checkLog(t, e)
	// Nobody listens any more, so the process is ended as such.
	process, err := os.FindProcess(e.PID)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the editor to be gone", func() bool { return !bridge.Alive(e.PID) })
	e.PID = 0
}

// The real engine, project, addon and editor, found by doctor; before and after the editor runs.
func TestDoctorOnTheRealEngine(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	status := func(a answer, name string) string {
		checks, _ := a.value("checks").([]any)
		for _, c := range checks {
			if one := c.(map[string]any); one["name"] == name {
				return fmt.Sprint(one["status"], " ", one["found"])
			}
		}
		return ""
	}
	before := typed(t, e, "doctor").ok(t).has(t, map[string]string{"ok": "true", "next": "godot-mcp editor start"})
	if !strings.HasPrefix(status(before, "engine"), "ok 4.") || !strings.Contains(status(before, "editors"), "none runs") {
		t.Errorf("before: %s", before.raw)
	}
	if _, err := os.Stat(filepath.Join(e.Project, ".godot")); !os.IsNotExist(err) {
		t.Errorf("doctor made something: %v", err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	during := typed(t, e, "doctor").ok(t).has(t, map[string]string{"ok": "true", "next": "godot-mcp scene tree"})
	for name, want := range map[string]string{"editors": fmt.Sprintf("ok %d headless", e.PID), "addon": "ok " + commands.AddonVersion + ", enabled", "addon_running": "ok " + commands.AddonVersion} {
		if got := status(during, name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
