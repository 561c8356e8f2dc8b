package commands

type autoloadEntry struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Enabled bool   `json:"enabled" doc:"Whether it is a global variable"`
}

type projectInfoResult struct {
	Name            string          `json:"name"`
	GodotVersion    string          `json:"godot_version"`
	MainScene       *string         `json:"main_scene"`
	Autoloads       []autoloadEntry `json:"autoloads"`
	InputActions    []string        `json:"input_actions" doc:"Without the engine's own ui_ actions"`
	ProjectPath     string          `json:"project_path"`
	CSharpSupported bool            `json:"csharp_supported" doc:"Whether this editor is built with .NET"`
	CSharpProject   bool            `json:"csharp_project" doc:"Whether the project has a .csproj file"`
}

func projectTools() []*Tool {
	return []*Tool{
		New(Spec[none, projectInfoResult]{
			Name: "project info", Class: ReadOnly, Starter: true,
			Alias:    "inspection_get_project_info",
			AliasMap: AliasMap{Results: map[string]string{"autoloads": ".autoloads | map({(.name): .path}) | add // {}"}},
			Summary:  "Tell the project's name, main scene, autoloads and input actions.",
		}),
	}
}
