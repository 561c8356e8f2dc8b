package testbed

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// elsewhere is the editor as somebody with another home, who has no settings, finds it.
func elsewhere(t *testing.T, e *Editor) *Editor {
	t.Helper()
	home := t.TempDir()
	mine := *e
	mine.Env = append(slices.Clone(e.Env), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "CODEX_HOME=", "CLAUDE_CONFIG_DIR=")
	return &mine
}

// TestClientsReachTheEditor installs the server for every client and starts it as each of them would, the one
// from the desktop without the user's PATH and runtime folder: all find the editor of the project.
func TestClientsReachTheEditor(t *testing.T) {
	e := elsewhere(t, sharedEditor(t))
	for _, c := range clients.All() {
		typed(t, e, "mcp", "install", "--client", c.ID, "--project", e.Project).ok(t).
			has(t, map[string]string{"changed": "true", "created": "true", "client": c.ID, "scope": "user"})
		typed(t, e, "mcp", "install", "--client", c.ID, "--project", e.Project).ok(t).has(t, map[string]string{"changed": "false"})
	}
	report := typed(t, e, "mcp", "doctor").ok(t).has(t, map[string]string{"ok": "true", "self.ok": "true"})
	for i, c := range clients.All() {
		at := fmt.Sprintf("clients.%d.", i)
		report.has(t, map[string]string{at + "client": c.ID, at + "ok": "true"})
		if checks := report.text(at + "checks"); !strings.Contains(checks, `{"check":"editor","detail":"connected","ok":true}`) {
			t.Errorf("%s: %s", c.ID, checks)
		}
	}
	// Where it was taken out again, it is missed.
	typed(t, e, "mcp", "uninstall", "--client", "cursor").ok(t).has(t, map[string]string{"changed": "true"})
	if left := typed(t, e, "mcp", "doctor", "--client", "cursor"); left.exit != 10 || !strings.Contains(left.text("clients.0.checks"), "mcp install --client cursor") {
		t.Errorf("exit %d, %s", left.exit, left.raw)
	}
}

// TestClientsReachTheEditorOverHTTP installs the address of one server for every client that takes addresses:
// all reach the editor of the project, and a client that reads such a config lists and calls the tools.
func TestClientsReachTheEditorOverHTTP(t *testing.T) {
	e := elsewhere(t, sharedEditor(t))
	s := serveHTTP(t, e)
	var reached []string
	for _, c := range clients.All() {
		if c.Remote.URL == "" {
			continue
		}
		reached = append(reached, c.ID)
		installed := typed(t, e, "mcp", "install", "--client", c.ID, "--project", e.Project, "--transport", "http").ok(t).
			has(t, map[string]string{"changed": "true", "created": "true", "url": clients.Address(s.url, e.Project)})
		if strings.Contains(string(installed.raw), s.token) {
			t.Errorf("%s: the token is shown: %s", c.ID, installed.raw)
		}
		typed(t, e, "mcp", "install", "--client", c.ID, "--project", e.Project, "--transport", "http").ok(t).has(t, map[string]string{"changed": "false"})
	}
	report := typed(t, e, "mcp", "doctor").ok(t).has(t, map[string]string{"ok": "true"})
	for i, id := range reached {
		at := fmt.Sprintf("clients.%d.", i)
		report.has(t, map[string]string{at + "client": id, at + "ok": "true"})
		if checks := report.text(at + "checks"); !strings.Contains(checks, `{"check":"editor","detail":"connected","ok":true}`) || !strings.Contains(checks, `{"check":"private","detail":"the token is readable by this user alone","ok":true}`) {
			t.Errorf("%s: %s", id, checks)
		}
	}
	folder, node := clientFolder(t)
	home := typed(t, e, "mcp", "install", "--client", "claude-code", "--project", e.Project, "--transport", "http").ok(t).text("config_path")
	launcher := filepath.Join(folder, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	for _, method := range [][]string{{"tools/list"}, {"tools/call", "--tool-name", "godot_scene_list"}} {
		out, err := e.run(t, node, append([]string{launcher, "--cli", "--config", home, "--server", "godot", "--format", "json", "--method"}, method...)...)
		if err != nil || !strings.Contains(string(out), "scene") {
			t.Errorf("%s: %v, %.300s", method[0], err, out)
		}
	}
	typed(t, e, "mcp", "uninstall", "--client", "cursor").ok(t).has(t, map[string]string{"changed": "true"})
	if left := typed(t, e, "mcp", "doctor", "--client", "cursor"); left.exit != 10 {
		t.Errorf("exit %d, %s", left.exit, left.raw)
	}
}
