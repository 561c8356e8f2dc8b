package commands

import "github.com/godot-mcp/godot-mcp/bridge"

// RowError is an error that a tool can answer by what its row says.
type RowError struct {
	Code bridge.Code
	// Required is what stands in the error's required; "" for none.
	Required string
	// When is one sentence without a full stop.
	When string
}

// Errors are the errors that follow from the row: its class, its parameters, where it is carried out.
func (t *Tool) Errors() []RowError {
	var out []RowError
	add := func(code bridge.Code, required, when string) { out = append(out, RowError{code, required, when}) }
	if t.Class == Destructive {
		add(bridge.PreconditionFailed, "confirm", "it destroys, and neither confirm nor dry_run is true")
	}
	if t.Forwards {
		add(bridge.PreconditionFailed, "policy", "the policy refuses the named tool")
		add(bridge.ValidationError, "tool", "there is no tool of that name, or it is this one")
		add(bridge.ValidationError, "jq", "the expression cannot be read, or fails on the result")
		return out
	}
	add(bridge.PreconditionFailed, "policy", "the policy refuses the tool, its toolset or the class "+string(t.Class))
	if t.Command() != "" {
		add(bridge.BridgeDisconnected, "bridge_connected", "no editor with the addon runs for the project")
		add(bridge.PreconditionFailed, "addon_version", "the addon in the editor is too old for it")
	}
	if t.Scene {
		add(bridge.PreconditionFailed, "active_scene", "no scene is open")
		add(bridge.PreconditionFailed, "scene_open", "scene_path names a scene that is not open")
	}
	for _, f := range t.Params() {
		if f.Kind == "node" {
			add(bridge.ResourceNotFound, "node_exists", "there is no node at "+f.Name)
		}
		if f.InProject() {
			add(bridge.ValidationError, f.Name, "the path leads out of the project")
		}
	}
	return out
}
