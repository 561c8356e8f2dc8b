package bridge_test

import (
	"context"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestContractNumbers(t *testing.T) {
	for name, tc := range map[string]struct {
		k, own, oldest   int // of the client
		newest, minAddon int // of the addon
		required, side   string
		hello            bool // whether the editor hears of us
	}{
		"all ones":                     {0, 0, 0, 1, 1, "", "", true},
		"addon older than this build":  {0, 2, 1, 1, 1, "addon_version", "upgrade the addon: godot-mcp addon update --project", false},
		"same, but the caller is old":  {1, 2, 1, 1, 1, "", "", true},
		"addon newer, still serves us": {0, 1, 1, 3, 1, "", "", true},
		"addon newer, left us behind":  {0, 1, 1, 3, 2, "contract_version", "upgrade godot-mcp", true},
		"addon left the caller behind": {1, 3, 1, 3, 2, "contract_version", "upgrade the caller", true},
		"caller newer than this build": {5, 2, 1, 5, 1, "contract_version", "upgrade godot-mcp", false},
		"caller older than we serve":   {1, 3, 2, 3, 1, "contract_version", "upgrade the caller", false},
		"caller newer than the addon":  {3, 3, 1, 2, 1, "addon_version", "upgrade the addon", false},
		"negative":                     {-1, 3, 1, 3, 1, "contract_version", "upgrade the caller", false},
	} {
		t.Run(name, func(t *testing.T) {
			e := bridgetest.New(t, bridgetest.Contract(tc.newest, tc.minAddon))
			e.Reply("node.add", `{}`)
			c := newClient(t, e)
			c.Contract, c.OwnContract, c.MinContract = tc.k, tc.own, tc.oldest
			_, err := call(c, "node.add", `{}`)
			if tc.required == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if got := wantError(t, err, bridge.PreconditionFailed, tc.required, tc.side, "godot-mcp "); got.Sent {
				t.Errorf("got %+v", got)
			}
			if len(e.Calls()) != 0 {
				t.Error("the command reached the editor")
			}
			if (len(e.Hellos()) != 0) != tc.hello {
				t.Errorf("the editor heard %d hellos", len(e.Hellos()))
			}
		})
	}
}

// A file that says less than hello: only hello can be believed then.
func TestContractOfAFileThatDoesNotSay(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Contract(3, 3))
	info := e.Info()
	info.ContractVersion = 0
	c := &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return info, nil }}
	defer func() { _ = c.Close() }()
	_, err := call(c, "node.add", `{}`)
	wantError(t, err, bridge.PreconditionFailed, "contract_version", "upgrade godot-mcp")
	if len(e.Calls()) != 0 {
		t.Error("the command reached the editor")
	}
}
