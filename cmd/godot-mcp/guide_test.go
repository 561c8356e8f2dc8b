package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// snippets are how the guide's programs are run, by the language of the fence.
var snippets = map[string]struct {
	file    string
	command []string
}{
	"sh":     {"consume.sh", []string{"sh"}},
	"go":     {"main.go", []string{"go", "run"}},
	"python": {"consume.py", []string{"python3"}},
	"js":     {"consume.mjs", []string{"node"}},
}

var fence = regexp.MustCompile("(?s)\n```([a-z]+)\n(.*?)\n```\n")

// snippet is the guide's program in a language.
func snippet(t *testing.T, language string) string {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "consume.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(guide), -1) {
		if m[1] == language {
			return m[2] + "\n"
		}
	}
	t.Fatalf("the guide has no program in %s", language)
	return ""
}

// guideEditor has no scene open until one is opened.
func guideEditor(t *testing.T) *bridgetest.Editor {
	editor := bridgetest.New(t)
	editor.Reply("node.set-property", `{"ok":false,"error":"PRECONDITION_FAILED","hint":"no scene is open: godot-mcp scene open res://main.tscn","required":"active_scene"}`)
	editor.Reply("node.set-property", `{"node_path":"Player","property":"position","value":{"x":64.0,"y":32.0},"previous":{"x":0.0,"y":0.0},"set":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`)
	editor.Reply("scene.open", `{"scene_path":"res://main.tscn","opened":true,"already_open":false,"missing":[],"warnings":[],"dry_run":false,"persisted":null,"undoable":false}`)
	editor.Reply("get-server-info", `{"active_scene":null}`)
	return editor
}

// runSnippet runs a program in the editor's project, as a user would.
func runSnippet(t *testing.T, language, program string, editor *bridgetest.Editor) (stdout, stderr string, err error) {
	t.Helper()
	how := snippets[language]
	file := filepath.Join(t.TempDir(), how.file)
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(how.command[0], append(slices.Clone(how.command[1:]), file)...)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+editor.Runtime, "GODOT_MCP_PROJECT_DIR="+editor.Project, "XDG_CONFIG_HOME="+t.TempDir())
	if cmd.Dir = editor.Project; language == "go" {
		// go run needs the module; the program finds the editor by the one registry entry.
		cmd.Dir = ""
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func commandsOf(editor *bridgetest.Editor) string {
	var names []string
	for _, c := range editor.Calls() {
		if c.Command != "get-server-info" {
			names = append(names, c.Command)
		}
	}
	return strings.Join(names, " ")
}

func TestProgramsOfTheGuideRecoverByRequired(t *testing.T) {
	for language := range snippets {
		t.Run(language, func(t *testing.T) {
			editor := guideEditor(t)
			stdout, stderr, err := runSnippet(t, language, snippet(t, language), editor)
			if err != nil || !regexp.MustCompile(`\{"x": ?64(\.0)?, ?"y": ?32(\.0)?\}`).MatchString(stdout) {
				t.Errorf("%v, printed %q, %s", err, stdout, stderr)
			}
			if got := commandsOf(editor); got != "node.set-property scene.open node.set-property" {
				t.Errorf("the editor got %s", got)
			}
			for _, c := range editor.Calls() {
				if c.Command == "node.set-property" && !strings.Contains(string(c.Params), `"res://main.tscn"`) {
					t.Errorf("the edit does not name its scene: %s", c.Params)
				}
			}
		})
	}
}

var pin = regexp.MustCompile(`(?i)(contract ?= ?)1\b`)

// A build that does not serve the number is told apart before it is asked for anything.
func TestProgramsOfTheGuideStopAtAnotherContract(t *testing.T) {
	for language := range snippets {
		t.Run(language, func(t *testing.T) {
			editor := guideEditor(t)
			program := snippet(t, language)
			other := pin.ReplaceAllString(program, "${1}99")
			if other == program {
				t.Fatal("the program pins no contract")
			}
			stdout, stderr, err := runSnippet(t, language, other, editor)
			if err == nil || strings.Contains(stdout, "64") || !strings.Contains(stdout+stderr, "upgrade") {
				t.Errorf("%v, printed %q, %s", err, stdout, stderr)
			}
			if got := commandsOf(editor); got != "" {
				t.Errorf("the editor got %s", got)
			}
		})
	}
}

// What make demo has installed is found by who follows the README after it.
func TestReadmeNamesTheInstalledGodot(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "testbed", "install-godot.sh"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"$HOME/.cache}/godot-mcp", "godot=$cache/bin/godot"} {
		if !strings.Contains(string(script), part) {
			t.Errorf("the script installs elsewhere now, it lacks %q", part)
		}
	}
	if !strings.Contains(string(readme), "`export GODOT_BIN=~/.cache/godot-mcp/bin/godot`") {
		t.Error("README.md does not say where the installed Godot is")
	}
}
