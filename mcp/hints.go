package mcp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

var (
	// A command of the binary in a hint, and a flag that follows it at once, with its value.
	commandInHint = regexp.MustCompile(`godot-mcp (?:--help\b|([a-z][a-z-]*)(?: ([a-z][a-z-]*))?)`)
	flagAtOnce    = regexp.MustCompile(`^ --([a-z][a-z-]*)(?:=` + hintValue + `)?`)
	valueAtOnce   = regexp.MustCompile(`^ ` + hintValue)

	// A flag elsewhere in a hint; a value after a space only where it cannot be a word of the sentence.
	flagInHint = regexp.MustCompile(`--([a-z][a-z-]*)(?:=` + hintValue + `| (\d+\b|'[^']*'))?`)
)

// A value as the shell takes it, without the punctuation that ends a sentence.
const hintValue = `('[^']*'|[^\s']*[^\s',;:.)])`

// asCall words a hint for a client that calls tools: commands by their MCP names, flags as arguments, a look
// at the help as a look at the tool, or for tools. What is no tool, or has flags that no argument stands for, is to be typed
// in a shell and stays as it is.
func asCall(table *commands.Table, hint string) string {
	var out strings.Builder
	for {
		at := commandInHint.FindStringSubmatchIndex(hint)
		if at == nil {
			break
		}
		call, length := toolInHint(table, hint[at[0]:])
		out.WriteString(asArguments(table, hint[:at[0]]))
		out.WriteString(call)
		hint = hint[at[0]+length:]
	}
	out.WriteString(asArguments(table, hint))
	return out.String()
}

// toolInHint words the command that text begins with, and tells how much of text that was.
func toolInHint(table *commands.Table, text string) (string, int) {
	part := commandInHint.FindStringSubmatch(text)
	command, help := part[0], " --help"
	if part[1] == "" {
		return "godot_tool_search", len(command)
	}
	tool, _ := table.Lookup(part[1] + " " + part[2])
	if tool == nil {
		command = "godot-mcp " + part[1]
		tool, _ = table.Lookup(part[1])
	}
	asksHelp := strings.HasPrefix(text[len(command):], help)
	switch {
	case tool == nil && asksHelp && part[2] == "" && isGroup(table, part[1]):
		return "godot_tool_search " + part[1], len(command) + len(help)
	case tool == nil:
		return part[0], len(part[0])
	case asksHelp:
		return "godot_tool_describe " + tool.MCPName(), len(command) + len(help)
	}
	call, length := tool.MCPName(), len(command)
	for {
		flag := flagAtOnce.FindStringSubmatch(text[length:])
		if flag == nil {
			return call, length
		}
		argument, taken := argumentOf(tool, flag, text[length:])
		if argument == "" {
			// The flags before it stay, too.
			return text[:length+taken], length + taken
		}
		call += " " + argument
		length += taken
	}
}

// argumentOf words a flag that follows its command as an argument, "" when the tool has none of the name, and
// tells how much of text it was.
func argumentOf(tool *commands.Tool, flag []string, text string) (string, int) {
	name, value, taken := argumentName(flag[1]), flag[2], len(flag[0])
	kind := paramType(tool, name)
	switch {
	case kind == "":
		return "", taken
	case value != "":
		return name + "=" + value, taken
	case kind == "boolean":
		return name + "=true", taken
	}
	if after := valueAtOnce.FindStringSubmatch(text[taken:]); after != nil {
		return name + "=" + after[1], taken + len(after[0])
	}
	return name, taken
}

// asArguments words the flags of a text without commands as arguments.
func asArguments(table *commands.Table, text string) string {
	return flagInHint.ReplaceAllStringFunc(text, func(found string) string {
		part := flagInHint.FindStringSubmatch(found)
		name, value := argumentName(part[1]), part[2]+part[3]
		kind := ""
		for _, tool := range table.Tools {
			if kind = paramType(tool, name); kind != "" {
				break
			}
		}
		switch {
		case kind == "":
			return found
		case kind == "boolean" && part[2] == "":
			return name + "=true" + strings.TrimPrefix(found, "--"+part[1])
		case value == "":
			return name
		}
		return name + "=" + value
	})
}

func isGroup(table *commands.Table, name string) bool {
	return slices.ContainsFunc(table.Tools, func(t *commands.Tool) bool { return strings.HasPrefix(t.Name, name+" ") })
}

func argumentName(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// paramType is the type of a tool's parameter, "" when there is none of the name.
func paramType(tool *commands.Tool, name string) string {
	for _, p := range tool.Params() {
		if p.Name == name {
			return p.Type
		}
	}
	return ""
}
