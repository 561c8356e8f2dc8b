package testbed

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// readRecord is what was seen of a tool that changes nothing.
type readRecord struct {
	tool, call string
	// refused is what the tool says to a target that is not there, "" where it takes none.
	refused string
}

var readRecords = map[string]readRecord{}

// proveReads shows of each tool that only reads, or acts on a running game alone, on the real engine, that its
// example is answered alike on both surfaces and leaves the project as it was, and that wrong inputs are refused.
func proveReads(t *testing.T, e *Editor) {
	open(t, e, "res://main.tscn")
	c, m := cli(e), mcpSession(t, e)
	c.call(t, "scene reload", args{"scene_path": "res://main.tscn", "confirm": true}).ok(t)
	defer c.call(t, "game stop", nil)
	for _, tool := range commands.All().Tools {
		into := readRecords
		if actsOnGame(tool) {
			into = runRecords
		} else if tool.Class != commands.ReadOnly || slices.Contains(needsDisplay, tool.Name) {
			continue
		}
		t.Run(strings.ReplaceAll(tool.Name, " ", "_"), func(t *testing.T) {
			given := example(t, tool.Name)
			shown := commands.ShellLine(tool.Name, []byte(asJSON(given)))
			playForExample(t, c, tool.Name)
			if tool.Name == "artifact get" {
				keepExample(t, e)
			}
			before := state(t, e)
			if tool.Name == "node diff" { // the editor keeps the last ones only
				given = given.with("before_id", c.call(t, "node snapshot", example(t, "node snapshot")).ok(t).text("snapshot_id"))
			}
			typed := c.call(t, tool.Name, given).answered(t)
			playForExample(t, m, tool.Name)
			called := m.call(t, tool.Name, given).answered(t)
			same(t, tool.Name, before, state(t, e))
			if a, b := fieldsOf(t, typed), fieldsOf(t, called); !slices.Equal(a, b) {
				t.Errorf("the command line answers with %v, MCP with %v", a, b)
			}
			r := readRecord{tool: tool.Name, call: shown}
			for _, s := range []surface{c, m} {
				s.call(t, tool.Name, given.with("no_such_parameter", 1)).fails(t, bridge.ValidationError, "no_such_parameter", "")
				r.refused = refusedTarget(t, s, tool, given)
			}
			if !t.Failed() {
				into[tool.Name] = r
			}
		})
	}
}

func fieldsOf(t *testing.T, a answer) []string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(a.raw, &fields); err != nil {
		t.Fatal(err)
	}
	return sortedKeys(fields)
}

// refusedTarget calls the tool with a node or file that is not there.
func refusedTarget(t *testing.T, s surface, tool *commands.Tool, given args) string {
	t.Helper()
	for _, p := range tool.Params() {
		target := map[string]string{"node": "Nowhere/AtAll", "project": "res://nowhere/at_all.tscn"}[p.Kind]
		// A node that is waited for may still come.
		if target == "" || p.Type != "string" || tool.Name == "game wait-for" {
			continue
		}
		refused := s.call(t, tool.Name, given.with(p.Name, target))
		if refused.err == nil || refused.err.Code == bridge.InternalError || refused.err.Hint == "" {
			t.Errorf("%s %s=%s was answered with %s, %v", tool.Name, p.Name, target, refused.raw, refused.err)
			return ""
		}
		return fmt.Sprintf("%s (%s)", refused.err.Code, p.Name)
	}
	return ""
}

// readsPage is the part of docs/proof.md about tools that only read.
func readsPage() string {
	var b strings.Builder
	b.WriteString("\nOf each tool that only reads: the call was answered on both surfaces with the same fields, every file, time, open scene and history was as before, " +
		"and an unknown parameter and a target that is not there were refused.\n")
	b.WriteString(recordsTable(readRecords))
	return b.String()
}

// inCell keeps a call in its cell of a table.
func inCell(call string) string {
	return strings.NewReplacer("|", `\|`, "\n", `\n`).Replace(call)
}
