package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// toolList is the list of tools as clients read it, sorted by name, on one page.
type toolList struct{ tools json.RawMessage }

// listResult is the result of a request for a list, around bytes that are made once.
type listResult struct {
	sdk.ResultBase
	key, age string
	items    json.RawMessage
	modern   bool
}

// MarshalJSON writes the result.
func (r *listResult) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(r.items) + 300)
	b.WriteString(`{"` + r.key + `":`)
	b.Write(r.items)
	return finish(&b, r.modern, r.age, r.Meta)
}

func (s *Server) listTools(request *sdk.ListToolsRequest) (sdk.Result, error) {
	result := &listResult{key: "tools", age: liveAge}
	if request.Params != nil {
		if request.Params.Cursor != "" {
			return nil, invalidParams("there is no cursor %q: the list has one page", request.Params.Cursor)
		}
		result.modern = modern(request.Params.Meta)
	}
	s.listing.Lock()
	defer s.listing.Unlock()
	if s.list == nil {
		s.list = s.makeList()
	}
	result.items = s.list.tools
	return result, nil
}

// makeList writes the tools of the toolsets that are on and that the policy allows.
func (s *Server) makeList() *toolList {
	show := s.describe
	if s.dispatcher.Env.Legacy {
		show = s.describeOlder
	}
	var tools []*sdk.Tool
	rows, _ := s.dispatcher.Env.ListedTools()
	for _, row := range rows {
		if s.dispatcher.Policy.Allows(row) {
			tools = append(tools, show(row))
		}
	}
	slices.SortFunc(tools, func(a, b *sdk.Tool) int { return strings.Compare(a.Name, b.Name) })
	list := []byte{'['}
	for i, t := range tools {
		if i > 0 {
			list = append(list, ',')
		}
		list = appendTool(list, t)
	}
	return &toolList{append(list, ']')}
}

// appendTool writes a tool; its schemas are JSON already and are not read again.
func appendTool(list []byte, t *sdk.Tool) []byte {
	add := func(key string, value any) {
		raw, ok := value.(json.RawMessage)
		if !ok {
			raw, _ = json.Marshal(value) // texts and annotations
		}
		if list[len(list)-1] != '{' {
			list = append(list, ',')
		}
		list = append(append(append(list, '"'), key...), `":`...)
		list = append(list, raw...)
	}
	list = append(list, '{')
	add("name", t.Name)
	add("description", t.Description)
	add("inputSchema", t.InputSchema)
	if t.OutputSchema != nil {
		add("outputSchema", t.OutputSchema)
	}
	add("annotations", t.Annotations)
	return append(list, '}')
}

// describe is the tool as tools/list shows it.
func (s *Server) describe(t *commands.Tool) *sdk.Tool {
	class := s.dispatcher.Policy.ClassOf(t, s.dispatcher.Table)
	destructive := class == commands.Destructive
	closed := false
	tool := &sdk.Tool{
		Name: t.MCPName(), Description: t.Summary, InputSchema: t.InputSchema(),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: class == commands.ReadOnly, DestructiveHint: &destructive, OpenWorldHint: &closed,
		},
	}
	if schema := t.OutputSchema(); schema != nil {
		tool.OutputSchema = schema
	}
	return tool
}

// describeOlder is the tool by the older server's name, with the parameters and results that it had there.
func (s *Server) describeOlder(t *commands.Tool) *sdk.Tool {
	tool, older := s.describe(t), commands.OlderTools()[t.Alias]
	tool.Name, tool.InputSchema, tool.OutputSchema = older.Name, older.InputSchema, nil
	if older.OutputSchema != nil {
		tool.OutputSchema = older.OutputSchema
	}
	return tool
}
