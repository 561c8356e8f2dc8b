package main

import (
	"os"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// elsewhere are the flags and variables that can mean another editor than that of the working directory, or
// that nothing may reach one.
var elsewhere = struct{ flags, env []string }{
	flags: []string{"project", "editor", "contract", "help"},
	env:   []string{"GODOT_MCP_PROJECT_DIR", "GODOT_MCP_CONTRACT"},
}

// connectAhead begins to connect to the editor of the working directory when args call a tool that needs
// it. Whether the call is sent at all is decided later, as always.
func connectAhead(table *commands.Table, args []string) *bridge.Ahead {
	if !needsEditor(table, args) || slices.ContainsFunc(elsewhere.env, func(name string) bool { return os.Getenv(name) != "" }) {
		return nil
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.HasPrefix(arg, "-h") || strings.HasPrefix(arg, "--") && slices.Contains(elsewhere.flags, name) {
			return nil
		}
	}
	return bridge.ConnectAhead(bridge.Query{})
}

// needsEditor reports whether args begin with the path of a tool that the addon carries out.
func needsEditor(table *commands.Table, args []string) bool {
	for words := min(2, len(args)); words > 0; words-- {
		if tool, legacy := table.Lookup(strings.Join(args[:words], " ")); tool != nil && !legacy {
			return tool.Command() != ""
		}
	}
	return false
}
