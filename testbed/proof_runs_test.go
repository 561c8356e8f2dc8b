package testbed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

// runRecords are of the tools that act on a running game, by tool.
var runRecords = map[string]readRecord{}

// actsOnGame tells tools whose effect is in a game's process alone.
func actsOnGame(tool *commands.Tool) bool {
	group, _, _ := strings.Cut(tool.Name, " ")
	return tool.Class == commands.Runtime && slices.Contains([]string{"game", "input"}, group)
}

// runsPage is the part of docs/proof.md about tools that act on a running game.
func runsPage() string {
	var b strings.Builder
	b.WriteString("\nOf each tool that acts on a running game: the call was answered on both surfaces with the same fields, every file, time, open scene and history of the project was as before, " +
		"and an unknown parameter and a target that is not there were refused.\n")
	b.WriteString(recordsTable(runRecords))
	return b.String()
}

// recordsTable is a table of tools that leave the project as it was.
func recordsTable(records map[string]readRecord) string {
	var b strings.Builder
	b.WriteString("\n| tool | call | a target that is not there |\n| --- | --- | --- |\n")
	for _, name := range sortedKeys(records) {
		r := records[name]
		refused := r.refused
		if refused == "" {
			refused = "takes none"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", r.tool, inCell(r.call), refused)
	}
	return b.String()
}
