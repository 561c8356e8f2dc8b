package testbed

import (
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// TestExamplesOverMCP carries out the example of each tool on the sample project: as a preview where the
// tool has one. TestExamples does it for real on the command line; starting and stopping editors over MCP
// has tests of its own.
func TestExamplesOverMCP(t *testing.T) {
	e := sharedEditor(t)
	open(t, e, "res://main.tscn")
	s := mcpSession(t, e)
	s.call(t, "node add", args{"node_type": "Sprite2D", "node_name": "Hat", "parent_path": "Player"}).ok(t)
	s.call(t, "signal connect", example(t, "signal connect")).ok(t)
	snapshot := s.call(t, "node snapshot", example(t, "node snapshot")).ok(t).text("snapshot_id")
	for _, tool := range []string{"plugin enable", "autoload remove", "input-map remove-action", "file move", "artifact get"} {
		addForExample(t, e, s, tool)
	}
	t.Cleanup(func() {
		s.call(t, "game stop", nil).ok(t)
		s.call(t, "autoload remove", args{"name": "Game"}).ok(t)
		s.call(t, "input-map remove-action", args{"action": "crouch", "confirm": true}).ok(t)
	})
	for _, tool := range commands.All().Tools {
		if slices.Contains(needsDisplay, tool.Name) || slices.Contains([]string{"editor start", "editor stop", "editor restart"}, tool.Name) {
			continue
		}
		t.Run(strings.ReplaceAll(tool.Name, " ", "_"), func(t *testing.T) {
			given := example(t, tool.Name)
			for _, f := range tool.Params() {
				if f.Name == "dry_run" {
					given["dry_run"] = true
				}
			}
			if tool.Name == "node diff" {
				// Other tests on this editor took snapshots before.
				given["before_id"] = snapshot
			}
			playForExample(t, s, tool.Name)
			s.call(t, tool.Name, given).ok(t)
		})
	}
}
