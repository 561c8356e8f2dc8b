package commands

type autoloadListed struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	UID     string `json:"uid,omitempty" doc:"Where the project names the file by its uid"`
	Enabled bool   `json:"enabled" doc:"Whether it is a global variable"`
}

type autoloadListResult struct {
	Autoloads []autoloadListed `json:"autoloads" doc:"In the order in which they are loaded"`
}

type autoloadAddParams struct {
	Name string `json:"name" p:"required" doc:"Name of the global variable"`
	Path string `json:"path" p:"required" kind:"project" doc:"Script that extends Node, or scene"`
}

type autoloadAddResult struct {
	Name       string `json:"name"`
	Path       string `json:"path"`
	Registered bool   `json:"registered"`
}

type autoloadRemoveParams struct {
	Name string `json:"name" p:"required" doc:"Name of the autoload"`
}

type autoloadRemoveResult struct {
	Name         string `json:"name"`
	Unregistered bool   `json:"unregistered"`
}

func autoloadTools() []*Tool {
	return []*Tool{
		New(Spec[none, autoloadListResult]{
			Name: "autoload list", Class: ReadOnly,
			Summary: "List the autoloads, the scripts and scenes that are global in the game.",
		}),
		New(Spec[autoloadAddParams, autoloadAddResult]{
			Name: "autoload add", Class: Mutating, ExecutesCode: true,
			Alias:    "resources_edit_register_autoload",
			AliasMap: AliasMap{Params: map[string]string{"confirm": ""}},
			Summary:  "Make a script or scene an autoload: loaded with the game, known by a global name.",
			Example:  autoloadAddParams{Name: "Game", Path: "res://main.gd"},
		}),
		New(Spec[autoloadRemoveParams, autoloadRemoveResult]{
			Name: "autoload remove", Class: Mutating,
			Alias:    "resources_edit_unregister_autoload",
			AliasMap: AliasMap{Params: map[string]string{"confirm": ""}},
			Summary:  "Take an autoload out of the project; its file stays.",
			Example:  autoloadRemoveParams{Name: "Game"},
		}),
	}
}
