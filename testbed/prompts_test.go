package testbed

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// What a prompt tells to do: calls of tools, and blocks for a shell.
var promptStep = regexp.MustCompile("(?s)`(godot_[a-z0-9_]+) (\\{.*?\\})`|\n```sh\n(.*?)\n```")

// walk follows a prompt step by step, as a model would that changes nothing in it.
func walk(t *testing.T, e *Editor, s session, name string, arguments map[string]string) {
	t.Helper()
	prompt, err := s.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	text := prompt.Messages[0].Content.(*sdk.TextContent).Text
	steps := promptStep.FindAllStringSubmatch(text, -1)
	if len(steps) < 5 {
		t.Fatalf("there are %d steps in\n%s", len(steps), text)
	}
	for _, step := range steps {
		if step[3] != "" {
			inShell(t, e, step[3])
			continue
		}
		var given args
		if err := json.Unmarshal([]byte(step[2]), &given); err != nil {
			t.Fatalf("%s: %v", step[0], err)
		}
		tool, _ := commands.All().Lookup(step[1])
		if tool == nil {
			t.Fatalf("there is no tool %s", step[1])
		}
		s.call(t, tool.Name, given).ok(t)
	}
}

// inShell types a block in the project's folder. Without the engine's export templates nothing is exported,
// and the prompt says what is said then.
func inShell(t *testing.T, e *Editor, block string) {
	t.Helper()
	godot, err := Godot()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-e", "-c", block)
	cmd.Dir, cmd.Env = e.Project, append(e.Env, "GODOT_BIN="+godot)
	kill := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	out, err := cmd.CombinedOutput()
	said := string(out)
	switch {
	case strings.Contains(block, "--export-release") && err != nil && strings.Contains(strings.ToLower(said), "no export template found"):
	case err != nil:
		t.Fatalf("%s\nended with %v and said\n%s", block, err, said)
	case strings.Contains(block, "--quit-after") && strings.Contains(said, "ERROR"):
		t.Errorf("the game said\n%s", said)
	}
}

const linuxPreset = `[preset.0]

name="Linux"
platform="Linux"
runnable=true
dedicated_server=false
custom_features=""
export_filter="all_resources"
include_filter=""
exclude_filter="addons/*"
export_path=""

[preset.0.options]

binary_format/embed_pck=false
binary_format/architecture="x86_64"
`

// TestPrompts follows each prompt on a project, to what it promises.
func TestPrompts(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	s := mcpSession(t, e)
	write(t, e, "export_presets.cfg", linuxPreset)
	s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	walked := map[string]bool{}
	steps := func(name string, arguments map[string]string, check func(t *testing.T)) {
		walked[name] = true
		t.Run(fmt.Sprintf("%s_%d", name, len(arguments)), func(t *testing.T) {
			walk(t, e, s, name, arguments)
			if check != nil {
				check(t)
			}
		})
	}
	steps("toolset_discovery", nil, nil)
	steps("troubleshoot", nil, nil)
	steps("troubleshoot", map[string]string{"error_message": "VALIDATION_ERROR: there is no class \"Spritee\"\n[required=node_type]"}, nil)
	for path, root := range map[string]string{"res://walked/two.tscn": "", "res://walked/a room.tscn": "Node3D"} {
		given := map[string]string{"scene_path": path}
		if root != "" {
			given["root_type"] = root
		}
		steps("build_scene", given, func(t *testing.T) {
			file := read(t, e, path)
			for _, want := range []string{`name="Spawn" type="Timer" parent="Parts"`, `name="Cooldown"`, "wait_time = 2.5", `type="` + max(root, "Node2D") + `"`} {
				if !strings.Contains(file, want) {
					t.Errorf("%s lacks %s:\n%s", path, want, file)
				}
			}
		})
	}
	steps("script_edit", map[string]string{"script_path": "res://enemy.gd"}, nil)
	open(t, e, "res://walked/two.tscn")
	write(t, e, "walked/part.gd", "extends Node\n\nfunc _ready() -> void:\n\tpass\n")
	s.call(t, "file rescan", nil).ok(t)
	steps("script_edit", map[string]string{"script_path": "res://walked/part.gd", "node_path": "Parts"}, func(t *testing.T) {
		if file := read(t, e, "res://walked/two.tscn"); !strings.Contains(file, `path="res://walked/part.gd"`) {
			t.Errorf("the script is not attached:\n%s", file)
		}
	})
	steps("debug_scene", nil, nil)
	steps("debug_scene", map[string]string{"scene_path": "res://main.tscn"}, nil)
	steps("author_resource", map[string]string{"resource_kind": "StandardMaterial3D", "save_path": "res://walked/stone.tres"}, func(t *testing.T) {
		if file := read(t, e, "res://walked/stone.tres"); !strings.Contains(file, `type="StandardMaterial3D"`) || !strings.Contains(file, `resource_name = "Named"`) {
			t.Errorf("the file is\n%s", file)
		}
	})
	steps("batch_refactor", map[string]string{"node_type": "Sprite2D", "property": "modulate", "value": `{"r": 1, "g": 0.5, "b": 0.25, "a": 1}`}, func(t *testing.T) {
		if file := read(t, e, "res://main.tscn"); !strings.Contains(file, "modulate = Color(1, 0.5, 0.25, 1)") {
			t.Errorf("the file is\n%s", file)
		}
	})
	steps("batch_refactor", map[string]string{"node_type": "Label", "property": "text", "value": "it's \"so\""}, nil)
	steps("play_test", nil, nil)
	steps("play_test", map[string]string{"scene_path": "res://main.tscn"}, nil)
	steps("export_build", map[string]string{"preset": "Linux", "output_path": "../build it/game.x86_64"}, func(t *testing.T) {
		info, err := os.Stat(filepath.Join(e.Project, "..", "build it", "game.x86_64.pck"))
		if err != nil || info.Size() == 0 {
			t.Errorf("nothing was packed: %v", err)
		}
	})
	for _, p := range commands.Prompts() {
		if !walked[p.Name] {
			t.Errorf("nobody follows the prompt %s", p.Name)
		}
	}
}
