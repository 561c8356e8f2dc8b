package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

// recordedCall is what a client of a contract number sends; later builds must take it as it is.
type recordedCall struct {
	Contract  int             `json:"contract"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// recordedCalls adds a call, the example, for each tool that has none. Lines that are there stay as they
// are: they are what clients send that nobody can change any more.
func recordedCalls(table *commands.Table) func(present string) (string, error) {
	return func(present string) (string, error) {
		lines := strings.Split(strings.TrimSpace(present), "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		known := map[string]bool{}
		for _, line := range lines {
			var call recordedCall
			if err := json.Unmarshal([]byte(line), &call); err != nil {
				return "", err
			}
			known[call.Tool] = true
		}
		for _, tool := range table.Tools {
			if known[tool.MCPName()] {
				continue
			}
			line, err := json.Marshal(recordedCall{commands.ContractVersion, tool.MCPName(), tool.Example()})
			if err != nil {
				return "", err
			}
			lines = append(lines, string(line))
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n") + "\n", nil
	}
}
