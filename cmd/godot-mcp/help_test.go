package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
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

// Help says of each flag what it takes.
func TestHelpShowsTheTypesOfFlags(t *testing.T) {
	for _, tool := range commands.All().Tools {
		text := helpOf(t, strings.Fields(tool.Name)...)
		for _, f := range tool.Params() {
			shown := map[string]string{
				"integer": " int ", "number": " number ", "string": " string ", "any": " json ", "object": " json ", "array": " stringArray ", "boolean": " ",
			}[f.Type]
			if flag := "--" + strings.ReplaceAll(f.Name, "_", "-") + shown; shown == "" || !strings.Contains(text, flag) {
				t.Errorf("%s --help does not say %q", tool.Name, flag)
			}
		}
	}
}

// An example of what destroys works as it stands.
func TestExamplesOfDestructiveToolsConfirm(t *testing.T) {
	for _, tool := range commands.All().Tools {
		if tool.Class == commands.Destructive && !strings.HasSuffix(commands.ShellLine(tool.Name, tool.Example()), " --confirm") {
			t.Errorf("%s: %s", tool.Name, commands.ShellLine(tool.Name, tool.Example()))
		}
	}
}

func TestHelpOfEveryGroupAndCommand(t *testing.T) {
	root := (&app{table: commands.All()}).root()
	for _, cmd := range root.Commands() {
		if cmd.IsAdditionalHelpTopicCommand() {
			continue // a page without usage, see TestTopicsListWhatThereIs
		}
		if text := helpOf(t, cmd.Name()); !strings.Contains(text, "Usage:") {
			t.Errorf("%s --help: %s", cmd.Name(), text)
		}
	}
}

// A command that is no tool has a page like a tool's: the summary first, an example, the exit codes. The
// testbed carries the examples out.
func TestHelpOfOwnCommands(t *testing.T) {
	for _, c := range commands.OwnCommands[1:] {
		text := helpOf(t, strings.Fields(c.Name)...)
		root := (&app{table: commands.All(), contract: commands.ThisContract}).root()
		cmd, _, err := root.Find(strings.Fields(c.Name))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(text, "\n")
		if strings.TrimSuffix(first, ".") != strings.TrimSuffix(cmd.Short, ".") {
			t.Errorf("%s: the first line is %q, the summary %q", c.Name, first, cmd.Short)
		}
		for _, part := range []string{"\nExamples:\n  ", "xit code"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s --help does not say %q", c.Name, part)
			}
		}
	}
}

// The page of a group lists its tools with their whole summaries.
func TestHelpOfGroupsListsTheTools(t *testing.T) {
	for _, c := range (&app{table: commands.All()}).root().Commands() {
		if strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: %q ends with a full stop, and the lines beside it do not", c.Name(), c.Short)
		}
	}
	for _, tool := range commands.All().Tools {
		group, verb, found := strings.Cut(tool.Name, " ")
		words := []string{group}
		if !found {
			group, verb, words = "", tool.Name, nil
		}
		text := helpOf(t, words...)
		line := regexp.MustCompile(`(?m)^  ` + verb + ` +` + regexp.QuoteMeta(strings.TrimSuffix(tool.Summary, ".")) + `$`)
		if !line.MatchString(text) {
			t.Errorf("godot-mcp %s --help does not list %s", group, tool.Name)
		}
		if summary := commands.GroupSummary(group); found && (summary == "" || !strings.HasPrefix(text, summary)) {
			t.Errorf("godot-mcp %s --help does not begin with the group's summary %q", group, summary)
		}
	}
}

// What help shows as an example is read back as the same call.
func TestExampleOfEveryToolCanBeTyped(t *testing.T) {
	for _, tool := range commands.All().Tools {
		line := commands.ShellLine(tool.Name, tool.Example())
		a := &app{table: commands.All()}
		root := a.root()
		args, err := a.prepare(root, shellWords(line))
		if err != nil {
			t.Fatal(err)
		}
		cmd, rest, err := root.Find(args)
		if err != nil || toolName(cmd) != tool.Name {
			t.Fatalf("%s leads to %s, error %v", line, cmd.CommandPath(), err)
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got, _, err := a.arguments(t.Context(), cmd.Flags(), tool, cmd.Flags().Args())
		if err != nil || !sameJSON(got, tool.Example()) {
			t.Errorf("%s\n gave %s, error %v\n want %s", line, got, err, tool.Example())
		}
	}
}

// shellWords undoes the quoting of commands.ShellLine.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word.WriteByte(line[i])
		case c == ' ' && !quoted:
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	return append(words, word.String())
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
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
