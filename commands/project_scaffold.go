package commands

import (
	"encoding/json"

	"github.com/godot-mcp/godot-mcp/addon"
)

type scaffoldParams struct {
	Template    string `json:"template" p:"required" enum:"2d_platformer,3d_fps,top_down_rpg,visual_novel" doc:"Kind of game"`
	ProjectName string `json:"project_name" default:"" doc:"New name of the project; empty leaves it"`
	MainScene   string `json:"main_scene" default:"main" kind:"project" doc:"File of the main scene, with its script beside it; .tscn may be left out"`
}

type scaffoldResult struct {
	Created             bool     `json:"created"`
	PathsCreated        []string `json:"paths_created"`
	AutoloadsRegistered []string `json:"autoloads_registered"`
	SettingsChanged     []string `json:"settings_changed" doc:"Main scene, autoloads, input actions and more; what the project said before stays, but for the main scene"`
	RescanPending       bool     `json:"rescan_pending" doc:"The editor is still scanning: new class names can be unknown yet"`
}

func projectScaffoldTools() []*Tool {
	return []*Tool{
		New(Spec[scaffoldParams, scaffoldResult]{
			Name: "project scaffold", Class: Destructive,
			Alias: "project_scaffold",
			AliasMap: AliasMap{
				Params:   map[string]string{"type": "template"},
				Defaults: map[string]json.RawMessage{"main_scene": Any(`""`)},
			},
			Summary: "Make a small running game of a kind in the project: scenes, scripts, input, main scene.",
			Example: scaffoldParams{Template: "visual_novel", MainScene: "novel"},
			Carries: func(p scaffoldParams) map[string]any {
				files, settings := addon.Template(p.Template)
				return map[string]any{"files": files, "settings": settings}
			},
		}),
	}
}
