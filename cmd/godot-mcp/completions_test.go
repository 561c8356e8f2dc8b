package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// completionFiles are the scripts in completions/, by the shell that they are for.
var completionFiles = map[string]string{
	"bash": "godot-mcp.bash", "zsh": "_godot-mcp", "fish": "godot-mcp.fish", "powershell": "godot-mcp.ps1",
}

func TestCompletionScriptsAreFresh(t *testing.T) {
	for shell, name := range completionFiles {
		var out bytes.Buffer
		if code := run([]string{"completion", shell}, streams{in: strings.NewReader(""), out: &out, err: &out}); code != 0 {
			t.Fatalf("completion %s: exit %d: %s", shell, code, out.String())
		}
		have, err := os.ReadFile(filepath.Join("..", "..", "completions", name))
		if err != nil || !bytes.Equal(have, out.Bytes()) {
			t.Errorf("completions/%s is stale (%v); run: go generate ./...", name, err)
		}
	}
}

func TestCompletionOffersToolsAndTheirFlags(t *testing.T) {
	for line, want := range map[string]string{
		"node se":             "set-property\t",
		"node add --par":      "--parent-path\t",
		"--project x scene t": "tree\t",
	} {
		var out bytes.Buffer
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		run(args, streams{in: strings.NewReader(""), out: &out, err: &out})
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q: %q is not offered in %q", line, want, out.String())
		}
	}
}
