package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

func TestHelpOfEveryTool(t *testing.T) {
	for _, tool := range commands.All().Tools {
		text := helpOf(t, strings.Fields(tool.Name)...)
		first, _, _ := strings.Cut(text, "\n")
		if first != tool.Summary {
			t.Errorf("%s: the first line is %q, the summary %q", tool.Name, first, tool.Summary)
		}
		wanted := []string{"godot-mcp " + commands.ShellLine(tool.Name, tool.Example()), tool.MCPName(), string(tool.Class)}
		for _, f := range tool.Params() {
			wanted = append(wanted, "--"+strings.ReplaceAll(f.Name, "_", "-"))
		}
		for _, c := range bridge.Codes {
			wanted = append(wanted, fmt.Sprintf("%3d %s", c.Exit, c.Code))
		}
		for _, part := range wanted {
			if !strings.Contains(text, part) {
				t.Errorf("%s --help does not say %q", tool.Name, part)
			}
		}
		if byName := helpOf(t, tool.MCPName()); byName != text {
			t.Errorf("%s --help is not the same as %s --help", tool.MCPName(), tool.Name)
		}
	}
}

func TestHelpOfEveryGroupAndCommand(t *testing.T) {
	root := (&app{table: commands.All()}).root()
	for _, cmd := range root.Commands() {
		if text := helpOf(t, cmd.Name()); !strings.Contains(text, "Usage:") {
			t.Errorf("%s --help: %s", cmd.Name(), text)
		}
	}
}

func TestExampleOfEveryToolIsTyped(t *testing.T) {
	for _, tool := range commands.All().Tools {
		a := &app{table: commands.All()}
		root := a.root()
		line := append(strings.Fields(tool.Name), "--help")
		args, err := a.prepare(root, line)
		if cmd, _, findErr := root.Find(args); err != nil || findErr != nil || toolName(cmd) != tool.Name {
			t.Errorf("%v leads elsewhere: %v %v", line, err, findErr)
		}
	}
}

func helpOf(t *testing.T, words ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	code := run(append(words, "--help"), streams{in: strings.NewReader(""), out: &out, err: &stderr})
	if code != 0 || stderr.Len() > 0 {
		t.Errorf("%v --help: exit status %d, stderr %s", words, code, stderr.String())
	}
	return out.String()
}
