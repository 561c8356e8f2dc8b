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

// olderShape is as much of a recorded schema as is needed to complete an answer.
type olderShape struct {
	Properties map[string]*olderShape `json:"properties"`
	Items      *olderShape            `json:"items"`
	AnyOf      []*olderShape          `json:"anyOf"`
	Default    json.RawMessage        `json:"default"`
}

// complete puts in what the older tool always answers, where ours has nothing to say: null, false, "".
func (s *olderShape) complete(value json.RawMessage) json.RawMessage {
	for _, branch := range s.AnyOf {
		value = branch.complete(value)
	}
	switch {
	case s.Properties != nil && startsWith(value, '{'):
		return s.completeObject(value)
	case s.Items != nil && startsWith(value, '['):
		return s.completeArray(value)
	}
	return value
}

func startsWith(value json.RawMessage, c byte) bool { return len(value) > 0 && value[0] == c }

func (s *olderShape) completeObject(value json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(value, &fields) != nil {
		return value
	}
	for name, shape := range s.Properties {
		field, ok := fields[name]
		switch {
		case ok:
			fields[name] = shape.complete(field)
		case shape.Default != nil:
			fields[name] = shape.Default
		}
	}
	return encoded(fields, value)
}

func (s *olderShape) completeArray(value json.RawMessage) json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) != nil {
		return value
	}
	for i, e := range elements {
		elements[i] = s.Items.complete(e)
	}
	return encoded(elements, value)
}

// encoded is the value as JSON; of parts that came from JSON it always is.
func encoded(value any, otherwise json.RawMessage) json.RawMessage {
	out, err := json.Marshal(value)
	if err != nil {
		return otherwise
	}
	return out
}

// completed is the answer with what the older tool of the alias always has.
func completed(alias string, answer json.RawMessage) json.RawMessage {
	var shape olderShape
	if tool, ok := OlderTools()[alias]; !ok || json.Unmarshal(tool.OutputSchema, &shape) != nil {
		return answer
	}
	return shape.complete(answer)
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
