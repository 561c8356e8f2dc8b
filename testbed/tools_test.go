package testbed

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// TestEveryExample carries out the example of each tool on the sample project, on both surfaces: as a
// preview where the tool has one. Starting and stopping editors has tests of its own.
func TestEveryExample(t *testing.T) {
	e := sharedEditor(t)
	open(t, e, "res://main.tscn")
	prepare := cli(e)
	prepare.call(t, "node add", args{"node_type": "Sprite2D", "node_name": "Hat", "parent_path": "Player"}).ok(t)
	both(t, e, func(t *testing.T, s surface) {
		for _, tool := range commands.All().Tools {
			if slices.Contains([]string{"editor start", "editor stop"}, tool.Name) {
				continue
			}
			t.Run(strings.ReplaceAll(tool.Name, " ", "_"), func(t *testing.T) {
				given := args{}
				if err := json.Unmarshal(tool.Example(), &given); err != nil {
					t.Fatal(err)
				}
				for _, f := range tool.Params() {
					if f.Name == "dry_run" {
						given["dry_run"] = true
					}
				}
				s.call(t, tool.Name, given).ok(t)
			})
		}
	})
}
