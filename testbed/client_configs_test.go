package testbed

import (
	"fmt"
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
