package commands

type pluginEntry struct {
	Path    string `json:"path" doc:"Its plugin.cfg"`
	Name    string `json:"name"`
	Enabled bool   `json:"enabled" doc:"Whether it runs in this editor"`
	Version string `json:"version"`
}

type pluginListResult struct {
	Plugins []pluginEntry `json:"plugins"`
}

type pluginEnableParams struct {
	Name string `json:"name" p:"required" doc:"Its folder below res://addons, its plugin.cfg or its name"`
}

type pluginDisableParams struct {
	Name string `json:"name" p:"required" kind:"plugin" doc:"Its folder below res://addons, its plugin.cfg or its name"`
}

type pluginSwitchResult struct {
	Name    string `json:"name"`
	Enabled bool   `json:"enabled"`
}

func pluginTools() []*Tool {
	return []*Tool{
		New(Spec[none, pluginListResult]{
			Name: "plugin list", Class: ReadOnly,
			Summary: "List the editor plugins of the project and whether they run.",
		}),
		New(Spec[pluginEnableParams, pluginSwitchResult]{
			Name: "plugin enable", Class: Mutating, ExecutesCode: true, NoUndo: true,
			Summary: "Switch an editor plugin on; the rest of project.godot stays as it is.",
			Example: pluginEnableParams{Name: "tidy"},
		}),
		New(Spec[pluginDisableParams, pluginSwitchResult]{
			Name: "plugin disable", Class: Mutating, ExecutesCode: true, NoUndo: true,
			Summary: "Switch an editor plugin off; its files stay.",
			Example: pluginDisableParams{Name: "tidy"},
		}),
	}
}
