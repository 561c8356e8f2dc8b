package commands

type sceneActiveResult struct {
	IsOpen    bool   `json:"is_open"`
	ScenePath string `json:"scene_path,omitempty" doc:"Empty for a scene without a file"`
	Name      string `json:"name,omitempty" doc:"Name of the root"`
	Dirty     bool   `json:"dirty,omitempty" doc:"Has changes that its file does not have"`
}

type sceneListOpenResult struct {
	Scenes []openScene `json:"scenes"`
}

type sceneSaveAsParams struct {
	NewPath string `json:"new_path" p:"required" kind:"project" doc:"File to write, .tscn or .scn; must not be there"`
}

type sceneSaveAsResult struct {
	Saved bool `json:"saved"`
}

type sceneSaveAllResult struct {
	Saved bool `json:"saved" doc:"False when a scene has no file yet"`
	Count int  `json:"count" doc:"Scenes that had changes"`
}

type sceneCloseParams struct {
	ScenePath string `json:"scene_path" p:"arg" default:"" kind:"project" doc:"Open scene; default the active one"`
}

type sceneCloseResult struct {
	ScenePath string `json:"scene_path"`
	Closed    bool   `json:"closed"`
}

type sceneReloadResult struct {
	ScenePath string `json:"scene_path"`
	Reloaded  bool   `json:"reloaded"`
}

func sceneTabTools() []*Tool {
	return []*Tool{
		New(Spec[none, sceneActiveResult]{
			Name: "scene get-active", Class: ReadOnly,
			Alias:    "inspection_get_active_scene",
			AliasMap: AliasMap{Results: map[string]string{"path": "scene_path", "dirty_known": "true"}},
			Summary:  "Tell which scene is active and whether it is unsaved.",
		}),
		New(Spec[none, sceneListOpenResult]{
			Name: "scene list-open", Class: ReadOnly,
			Alias:   "scene_edit_list_open_scenes",
			Summary: "List the open scenes.",
		}),
		New(Spec[sceneSaveAsParams, sceneSaveAsResult]{
			Name: "scene save-as", Class: Mutating, NoUndo: true, Scene: true,
			Summary: "Save an open scene to a new file and go on with that.",
			Example: sceneSaveAsParams{NewPath: "res://levels/copy.tscn"},
		}),
		New(Spec[none, sceneSaveAllResult]{
			Name: "scene save-all", Class: Mutating, NoUndo: true,
			Alias:   "scene_edit_save_all_scenes",
			Answer:  "saved",
			Summary: "Save all open scenes.",
		}),
		New(Spec[sceneCloseParams, sceneCloseResult]{
			Name: "scene close", Class: Destructive, NoUndo: true,
			Alias:   "scene_edit_close_scene",
			Answer:  "closed",
			Summary: "Close an open scene without saving it.",
			Example: sceneCloseParams{ScenePath: "res://main.tscn"},
		}),
		New(Spec[scenePathParam, sceneReloadResult]{
			Name: "scene reload", Class: Destructive, NoUndo: true,
			Alias:   "scene_edit_reload_scene",
			Summary: "Read an open scene from its file again, losing what is unsaved.",
			Example: scenePathParam{ScenePath: "res://main.tscn"},
		}),
	}
}
