package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// Where nothing of the project may run no tool gives a script, whichever name it has for that and however
// deep it stands.
func TestNoScriptWhereCodeIsDenied(t *testing.T) {
	d := gate(t, bridgetest.New(t), nil)
	d.Policy = denying(t, "executes_code")
	for _, call := range []struct{ tool, arguments string }{
		{"node set-property", `{"node_path":"A","property":"script","value":"res://a.gd"}`},
		{"node set-property", `{"node_path":"A","property":"material:script","value":"res://a.gd","dry_run":true}`},
		{"node add", `{"node_name":"A","properties":{"script":"res://a.gd"}}`},
		{"batch compose-node", `{"parent_path":".","node_type":"Node","node_name":"A","script_path":"res://a.gd"}`},
		{"composite_compose_node", `{"parent_path":".","node_type":"Node","node_name":"A","script_path":"res://a.gd"}`},
		{"batch compose-node", `{"parent_path":".","node_type":"Node","node_name":"A","children":[{"node_name":"B","node_type":"Node","script_path":"res://a.gd"}]}`},
		{"batch add-nodes", `{"parent_path":".","node_type":"Node","names":["A"],"properties":{"script":"res://a.gd"}}`},
		{"batch apply-edits", `{"edits":[{"node_path":"A","properties":{"script":"res://a.gd"}}]}`},
		{"batch set-property", `{"node_type":"Node","property":"script","value":"res://a.gd"}`},
		{"resource create", `{"resource_type":"Resource","resource_path":"res://a.tres","properties":{"script":"res://a.gd"}}`},
		{"resource set-property", `{"resource_path":"res://a.tres","property":"items:0:script","value":"res://a.gd"}`},
	} {
		for _, way := range []Call{
			{Tool: call.tool, Arguments: json.RawMessage(call.arguments)},
			{Tool: "tool call", Arguments: json.RawMessage(fmt.Sprintf(`{"tool":%q,"arguments":%s}`, call.tool, call.arguments))},
			{Tool: "batch run", Arguments: json.RawMessage(fmt.Sprintf(`{"commands":[{"command":%q,"params":%s}]}`, call.tool, call.arguments))},
		} {
			_, err := d.Call(context.Background(), way)
			if err == nil || !strings.Contains(err.Error(), "with a script can run code") || !strings.Contains(err.Error(), "[required=policy]") {
				t.Errorf("%s %s got %v", way.Tool, way.Arguments, err)
			}
		}
	}
}

// What has no script is not refused.
func TestOtherValuesWhereCodeIsDenied(t *testing.T) {
	for tool, arguments := range map[string]string{
		"node set-property":  `{"node_path":"script","property":"text","value":"script"}`,
		"node get-property":  `{"node_path":"A","property":"script"}`,
		"batch compose-node": `{"parent_path":".","node_type":"Node","node_name":"script","script_path":""}`,
		"node add":           `{"node_name":"A","properties":{"script":null,"description":"x"}}`,
	} {
		if err := denying(t, "executes_code").checkScript(named(t, tool), json.RawMessage(arguments)); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		if err := denying(t, "runtime").checkScript(named(t, tool), json.RawMessage(`{"property":"script"}`)); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
}
