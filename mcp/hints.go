package mcp

import (
	"regexp"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

var (
	// A command of the binary in a hint, with the flags that follow it at once.
	commandInHint = regexp.MustCompile(`godot-mcp ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?((?: --[a-z-]+\b)*)`)
	flagInHint    = regexp.MustCompile(`--([a-z][a-z-]*)`)
)

// asCall words a hint for a client that calls tools: commands by their MCP names, flags as arguments. What
// is no tool, or has flags that no argument stands for, is to be typed in a shell and stays as it is.
func asCall(table *commands.Table, hint string) string {
	hint = commandInHint.ReplaceAllStringFunc(hint, func(found string) string {
		part := commandInHint.FindStringSubmatch(found)
		tool, _ := table.Lookup(part[1] + " " + part[2])
		rest := ""
		if tool == nil {
			tool, _ = table.Lookup(part[1])
			rest = strings.TrimRight(" "+part[2], " ")
		}
		if tool == nil {
			return found
		}
		for _, flag := range flagInHint.FindAllStringSubmatch(part[3], -1) {
			if !isSwitch(tool, flag[1]) {
				return found
			}
		}
		return tool.MCPName() + rest + part[3]
	})
	return flagInHint.ReplaceAllStringFunc(hint, func(flag string) string {
		for _, tool := range table.Tools {
			if isSwitch(tool, flag[2:]) {
				return strings.ReplaceAll(flag[2:], "-", "_") + "=true"
			}
		}
		return flag
	})
}

// isSwitch is true for a flag that is an argument which is true or false.
func isSwitch(tool *commands.Tool, flag string) bool {
	for _, f := range tool.Params() {
		if f.Name == strings.ReplaceAll(flag, "-", "_") {
			return f.Type == "boolean"
		}
	}
	return false
}
