package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// listed are the tools of the configured toolsets as tools/list shows them, with the names of toolsets that
// nobody has beside them.
func (s *Server) listed() (tools []*sdk.Tool, unknown []string) {
	env := s.dispatcher.Env
	choose, show := s.dispatcher.Table.Select, describe
	if env.Legacy {
		choose, show = s.dispatcher.Table.OlderNames, describeOlder
	}
	rows, unknown := choose(env.Listed)
	for _, row := range rows {
		if s.dispatcher.Policy.Allows(row.Class) {
			tools = append(tools, show(row))
		}
	}
	return tools, unknown
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
