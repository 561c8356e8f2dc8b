package commands

import (
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

// The binary's own number and that of the files which it carries are one.
func TestAddonVersionIsThatOfTheFiles(t *testing.T) {
	if addon.Version() != AddonVersion {
		t.Errorf("plugin.cfg says %s, the binary %s: go generate ./...", addon.Version(), AddonVersion)
	}
}

func TestOwnPluginIsNotSwitchedOff(t *testing.T) {
	for _, name := range []string{
		"godot_mcp_bridge", "Godot MCP Bridge", "res://addons/godot_mcp_bridge/plugin.cfg",
		"addons/godot_mcp_bridge", "res://addons/godot_mcp_bridge/", "ADDONS/Godot_MCP_Bridge/plugin.cfg", " godot_mcp_bridge ",
	} {
		err := bridge.AsError(RefuseOwnPlugin("name", name))
		if err == nil || err.Code != bridge.ValidationError || err.Required != "name" {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "other", "godot_mcp", "res://addons/other/plugin.cfg", "res://addons/godot_mcp_bridge2/plugin.cfg"} {
		if err := RefuseOwnPlugin("name", name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFoldersAroundWhatIsProtected(t *testing.T) {
	for path, want := range map[string]bool{
		"res://": true, "": true, "res://addons": true, "res://ADDONS/": true, "res://addons/godot_mcp_bridge": true,
		"res://addons/other": false, "res://add": false, "res://levels": false, "res://addons/godot_mcp": false, "res://%61ddons": true,
	} {
		if got := HoldsProtected(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
