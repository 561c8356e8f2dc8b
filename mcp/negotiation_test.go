package mcp

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

func TestNegotiationByMeta(t *testing.T) {
	for name, n := range map[string]struct {
		build  commands.Contract
		caller int
		side   string
	}{
		"the same":     {commands.Contract{Version: 1, MinCompatible: 1}, 1, ""},
		"newer server": {commands.Contract{Version: 3, MinCompatible: 1}, 1, ""},
		"older server": {commands.Contract{Version: 1, MinCompatible: 1}, 2, "upgrade godot-mcp"},
		"floor moved":  {commands.Contract{Version: 3, MinCompatible: 2}, 1, "upgrade the caller"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			editor := bridgetest.New(t, bridgetest.Contract(n.build.Version, n.build.MinCompatible))
			editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
			session := connect(t, setup{query: editor.Query(), contract: n.build})
			result, err := session.CallTool(context.Background(), &sdk.CallToolParams{
				Name: "godot_scene_list", Meta: sdk.Meta{metaContract: n.caller},
			})
			if err != nil {
				t.Fatal(err)
			}
			if n.side != "" {
				refused(t, result, bridge.PreconditionFailed, "contract_version", n.side)
			} else if result.IsError {
				t.Error(text(result))
			}
			if served := n.side == ""; served != (len(editor.Calls()) == 1) {
				t.Errorf("%d calls reached the editor", len(editor.Calls()))
			}
		})
	}
}
