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

// completed is the answer with what the older tool of the alias always has. Only its line is read.
func completed(alias string, answer json.RawMessage) json.RawMessage {
	var tool struct {
		OutputSchema olderShape `json:"outputSchema"`
	}
	begin := bytes.Index(olderList, []byte(`{"name":"godot_`+alias+`",`))
	if begin < 0 || json.NewDecoder(bytes.NewReader(olderList[begin:])).Decode(&tool) != nil {
		return answer
	}
	return tool.OutputSchema.complete(answer)
}

// olderStarter are the older toolsets that its clients see at the start.
var olderStarter = []string{"core", "inspection"}

// OlderNames are the tools that the older server has, by its toolsets: starter, all or a list. A name that
// only we have means our toolset. Names that no toolset has are returned beside them.
func (t *Table) OlderNames(sets []string) (tools []*Tool, unknown []string) {
	ours, older, unknown := t.named(sets, true)
	if ours["starter"] {
		for _, name := range olderStarter {
			older[name] = true
		}
	}
	older["core"] = true
	for _, tool := range t.Tools {
		if tool.Alias != "" && (ours["all"] || ours[tool.Toolset] || t.inOlder(tool, older)) {
			tools = append(tools, tool)
		}
	}
	return tools, unknown
}

// named tells the names of toolsets apart: ours, starter and all among them, the older server's, and those
// that nobody has. A name that both have is the older one with olderFirst; scene-3d and scene_3d are the same.
func (t *Table) named(sets []string, olderFirst bool) (ours, older map[string]bool, unknown []string) {
	ours, older = map[string]bool{}, map[string]bool{}
	known := t.Toolsets()
	for _, set := range sets {
		name := strings.ReplaceAll(strings.TrimSpace(set), "-", "_")
		// The older names are read last: they cost some milliseconds that most processes need not pay.
		switch isOurs := slices.Contains(known, name); {
		case name == "":
		case name == "starter" || name == "all" || isOurs && !olderFirst:
			ours[name] = true
		case slices.Contains(OlderToolsets(), name):
			older[name] = true
		case isOurs:
			ours[name] = true
		default:
			unknown = append(unknown, set)
		}
	}
	return ours, older, unknown
}

// olderToolset is the older toolset of a tool, "" for one that the older server had not.
func olderToolset(t *Tool) string {
	if t.Alias == "" {
		return ""
	}
	return OlderTools()[t.Alias].Toolset
}

// inOlder is true for a tool that the older server had in one of its toolsets.
func (t *Table) inOlder(tool *Tool, toolsets map[string]bool) bool {
	return len(toolsets) > 0 && toolsets[olderToolset(tool)]
}

// OlderToolsets are the names of the older server's toolsets, sorted.
var OlderToolsets = sync.OnceValue(func() []string {
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
})
