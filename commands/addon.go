package commands

import (
	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

// AddonVersion is the version of the addon that this binary carries, CalVer.
const AddonVersion = "2026.11.30"

// addonReady refuses a project whose editor would not answer: without the addon, or with it switched off.
func addonReady(project string) error {
	state, err := addon.Status(project)
	if err != nil {
		return bridge.Errorf(bridge.PreconditionFailed, "project_dir", "%v", err)
	}
	if state.Installed && state.Enabled {
		return nil
	}
	what := "is not in"
	if state.Installed {
		what = "is switched off in"
	}
	return bridge.Errorf(bridge.PreconditionFailed, "addon_version", "the addon %s %s: godot-mcp addon install --project %s", what, project, quote(project))
}
