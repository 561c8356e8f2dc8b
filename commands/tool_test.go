package commands

import (
	"context"
	"slices"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestSearchSpeaksTheNamesOfItsClient(t *testing.T) {
	for legacy, want := range map[bool]string{false: "godot_node_add", true: "godot_scene_edit_create_node"} {
		found, err := searchTools(context.Background(), &Env{Table: All(), Legacy: legacy}, toolSearchParams{Query: "node add", Limit: 1})
		if err != nil || len(found.Tools) != 1 || found.Tools[0].Name != want {
			t.Errorf("legacy %t: %v %v, want %s", legacy, found, err, want)
		}
	}
}

func TestEveryToolCanBeDescribedByEachName(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		names := []string{tool.Name, tool.MCPName()}
		if tool.Alias != "" {
			names = append(names, tool.Alias, "godot_"+tool.Alias)
		}
		for _, name := range names {
			d, err := describeTool(context.Background(), &Env{Table: All()}, toolDescribeParams{Tool: name})
			if err != nil || d.Command != tool.Name || d.InputSchema["type"] == nil || d.OutputSchema["type"] == nil {
				t.Errorf("%s: %+v %v", name, d, err)
			}
		}
	})
}

func TestToolCallWithoutWorkersTellsSoBeforeTheCall(t *testing.T) {
	d := &Dispatcher{Table: All(), Env: &Env{Table: All(), Contract: ThisContract}}
	_, err := d.Call(context.Background(), Call{Tool: "tool call", Arguments: []byte(`{"tool":"tool classes","jq":"."}`)})
	if e := bridge.AsError(err); e == nil || e.Code != bridge.ValidationError || e.Required != "jq" {
		t.Errorf("got %v", err)
	}
}

func TestOnlyToolCallForwards(t *testing.T) {
	forwarding := slices.Collect(func(yield func(string) bool) {
		for _, tool := range All().Tools {
			if tool.Forwards && !yield(tool.Name) {
				return
			}
		}
	})
	if !slices.Equal(forwarding, []string{"tool call"}) {
		t.Errorf("the dispatcher reads the arguments of tool call; these forward: %q", forwarding)
	}
}
