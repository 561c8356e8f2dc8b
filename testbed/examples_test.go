package testbed

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
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
		if tool.Name == "editor stop" || slices.Contains(needsDisplay, tool.Name) {
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

// needsDisplay are the tools that a headless editor refuses; the tests of the virtual display call them.
var needsDisplay = []string{"editor screenshot", "game screenshot"}

// keepExample keeps a log by the id of the example.
func keepExample(t *testing.T, e *Editor) {
	t.Helper()
	id := example(t, "artifact get")["artifact_id"].(string)
	store := artifact.Store{Dir: filepath.Join(stateOf(e), "godot-mcp", "artifacts")}
	kept, err := store.Put(artifact.Artifact{Kind: "log", MIME: "text/plain", Tool: "a test", Project: e.Project}, []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	kept.ID, id = id, kept.ID
	err = os.Rename(filepath.Join(store.Dir, id+".bin"), filepath.Join(store.Dir, kept.ID+".bin"))
	if err == nil {
		err = os.WriteFile(filepath.Join(store.Dir, kept.ID+".json"), []byte(asJSON(kept)), 0o600)
	}
	if err == nil {
		err = os.Remove(filepath.Join(store.Dir, id+".json"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stateOf is the editor's own folder for state.
func stateOf(e *Editor) string {
	dir := ""
	for _, one := range e.Env { // the last one counts
		if value, ok := strings.CutPrefix(one, "XDG_STATE_HOME="); ok {
			dir = value
		}
	}
	return dir
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
	case "artifact get":
		keepExample(t, e)
	case "autoload remove":
		s.call(t, "autoload add", args{"name": "Game", "path": "res://main.gd"}).ok(t)
	case "input-map remove-action":
		s.call(t, "input-map add-action", args{"action": "crouch"}).ok(t)
	}
}
