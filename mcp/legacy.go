package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// listed are the tools of the toolsets that are on, as tools/list shows them, with the names of toolsets
// that nobody has beside them.
func (s *Server) listed() (tools []*sdk.Tool, unknown []string) {
	show := describe
	if s.dispatcher.Env.Legacy {
		show = describeOlder
	}
	rows, unknown := s.dispatcher.Env.ListedTools()
	for _, row := range rows {
		if s.dispatcher.Policy.Allows(row.Class) {
			tools = append(tools, show(row))
		}
	}
	return tools, unknown
}

// relist brings the list that clients see in line with the toolsets that are on. The SDK announces it.
func (s *Server) relist() {
	s.relisting.Lock()
	defer s.relisting.Unlock()
	tools, _ := s.listed()
	now := map[string]bool{}
	for _, t := range tools {
		now[t.Name] = true
		if !s.shown[t.Name] {
			s.server.AddTool(t, s.handler(t.Name))
		}
	}
	for name := range s.shown {
		if !now[name] {
			s.server.RemoveTools(name)
		}
	}
	s.shown = now
}

// describeOlder is the tool by the older server's name, with the parameters and results that it had there.
func describeOlder(t *commands.Tool) *sdk.Tool {
	tool, older := describe(t), commands.OlderTools()[t.Alias]
	tool.Name, tool.InputSchema, tool.OutputSchema = older.Name, older.InputSchema, nil
	if older.OutputSchema != nil {
		tool.OutputSchema = older.OutputSchema
	}
	return tool
}
