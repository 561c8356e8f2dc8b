package commands

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Out of range, the hint says which side to upgrade.
func TestContractOutOfRangeSaysWhichSideToUpgrade(t *testing.T) {
	served := Contract{Version: 5, MinCompatible: 3}
	for client, hint := range map[int]string{
		0: "", 3: "", 4: "", 5: "",
		6: "upgrade godot-mcp", 2: "upgrade the caller", -1: "upgrade the caller",
	} {
		e := bridge.AsError(served.Check(client))
		switch {
		case hint == "" && e != nil:
			t.Errorf("%d is refused: %v", client, e)
		case hint != "" && (e == nil || e.Code != bridge.PreconditionFailed || e.Required != "contract_version" || !strings.Contains(e.Hint, hint)):
			t.Errorf("%d: got %v, want %q", client, e, hint)
		}
	}
}
