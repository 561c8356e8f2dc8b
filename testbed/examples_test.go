package testbed

import (
	"encoding/json"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// TestExamples carries out the example of every tool, as help and documents show it, on the sample project
// that the examples speak of. What destroys gets its confirm.
func TestExamples(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	s := cli(e)
	main := args{"scene_path": "res://main.tscn"}
	// What must be there before an example, beyond the sample's own scene.
	before := map[string]string{"node delete": "node add", "node diff": "node snapshot", "signal disconnect": "signal connect"}
	for _, tool := range commands.All().Tools {
		if tool.Name == "editor stop" {
			continue
		}
		t.Run(tool.Name, func(t *testing.T) {
			s.call(t, "scene open", main).ok(t)
			s.call(t, "scene reload", main.with("confirm", true)).ok(t)
			addForExample(t, e, s, tool.Name)
			playForExample(t, s, tool.Name)
			if first := before[tool.Name]; first != "" {
				s.call(t, first, example(t, first)).ok(t)
			}
			a := example(t, tool.Name)
			if tool.Class == commands.Destructive {
				a = a.with("confirm", true)
			}
			s.call(t, tool.Name, a).ok(t)
		})
	}
	t.Run("editor stop", func(t *testing.T) {
		s.call(t, "editor stop", example(t, "editor stop")).ok(t).has(t, map[string]string{"stopped": "true"})
	})
}

func example(t *testing.T, name string) args {
	t.Helper()
	tool, _ := commands.All().Lookup(name)
	a := args{}
	if err := json.Unmarshal(tool.Example(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// addForExample adds what the example of a tool takes out again, by a name that no other example adds.
func addForExample(t *testing.T, e *Editor, s surface, tool string) {
	t.Helper()
	switch tool {
	case "plugin enable":
		addPlugin(t, e, "tidy", "")
	case "file move", "file delete":
		write(t, e, "slime.gd", "extends Node\n")
	case "autoload remove":
		s.call(t, "autoload add", args{"name": "Game", "path": "res://main.gd"}).ok(t)
	case "input-map remove-action":
		s.call(t, "input-map add-action", args{"action": "crouch"}).ok(t)
	}
}
