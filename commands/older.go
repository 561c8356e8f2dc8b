package commands

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// OlderTool is a tool of the older server, as its own tools/list told it: names and types, no texts.
type OlderTool struct {
	Name         string          `json:"name"`
	Class        Class           `json:"class"`
	Toolset      string          `json:"toolset"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

// olderList is the list of godot-editor-mcp 2026.10.20.1, one tool a line.
//
//go:embed older/tools.jsonl
var olderList []byte

// OlderTools are the older server's tools by name without its prefix. Only calls by an alias read them.
var OlderTools = sync.OnceValue(func() map[string]OlderTool {
	tools := map[string]OlderTool{}
	for line := range bytes.Lines(olderList) {
		var tool OlderTool
		if err := json.Unmarshal(line, &tool); err != nil {
			panic("commands: older/tools.jsonl: " + err.Error())
		}
		tools[strings.TrimPrefix(tool.Name, "godot_")] = tool
	}
	return tools
})

// olderDefaults are the results that the older tool always has, where it has nothing to say.
func olderDefaults(alias string) map[string]json.RawMessage {
	var schema struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	if tool, ok := OlderTools()[alias]; !ok || json.Unmarshal(tool.OutputSchema, &schema) != nil {
		return nil
	}
	defaults := map[string]json.RawMessage{}
	for name, field := range schema.Properties {
		if field.Default != nil {
			defaults[name] = field.Default
		}
	}
	return defaults
}

// OlderToolsets are the names of the older server's toolsets, sorted.
func OlderToolsets() []string {
	seen := map[string]bool{}
	var names []string
	for _, tool := range OlderTools() {
		if !seen[tool.Toolset] {
			names = append(names, tool.Toolset)
		}
		seen[tool.Toolset] = true
	}
	slices.Sort(names)
	return names
}
