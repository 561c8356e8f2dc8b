package commands

type nodeInstanceParams struct {
	SourceScene string `json:"source_scene" p:"required" kind:"project" doc:"Scene file to make an instance of"`
	ParentPath  string `json:"parent_path" default:"." kind:"node" doc:"Parent of the instance"`
	NodeName    string `json:"node_name" default:"" doc:"Name of the instance; that of the scene's root when empty"`
}

type nodeInstanceResult struct {
	NodePath    string `json:"node_path" doc:"The instance, with the name that the engine gave it"`
	SourceScene string `json:"source_scene"`
	Instanced   bool   `json:"instanced"`
}

type nodeMakeLocalResult struct {
	NodePath        string   `json:"node_path"`
	SourceScene     string   `json:"source_scene" doc:"Scene that it was an instance of"`
	MadeLocal       bool     `json:"made_local"`
	LostUniqueNames []string `json:"lost_unique_names" doc:"Unique names that another node of this scene has already"`
}

type nodeEditableParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Instance, by its path from the scene's root; %Name is a unique name"`
	Editable bool   `json:"editable" default:"true" doc:"False shuts the instance again, where nothing of this scene is below it"`
}

type nodeEditableResult struct {
	NodePath string `json:"node_path"`
	Editable bool   `json:"editable" doc:"As it is now"`
}

func nodeInstanceTools() []*Tool {
	return []*Tool{
		New(Spec[nodeInstanceParams, nodeInstanceResult]{
			Name: "node instance", Class: Mutating, Scene: true,
			Alias: "scene_edit_instance_scene",
			AliasMap: AliasMap{
				Params:  map[string]string{"scene_path": "source_scene", "name": "node_name"},
				Results: map[string]string{"scene_path": "source_scene", "edited_scene_path": "scene_path"},
			},
			Summary: "Put an instance of another scene into an open scene.",
			Example: nodeInstanceParams{SourceScene: "res://enemy.tscn", NodeName: "Enemy3"},
		}),
		New(Spec[nodePath, nodeMakeLocalResult]{
			Name: "node make-local", Class: Mutating, Scene: true,
			Summary: "Turn an instance into nodes of this scene, no longer linked to its file.",
			Example: nodePath{NodePath: "Enemies/EnemyA"},
		}),
		New(Spec[nodeEditableParams, nodeEditableResult]{
			Name: "node set-editable-children", Class: Mutating, Scene: true,
			Alias:   "scene_edit_set_editable_children",
			Summary: "Let the nodes inside an instance be changed in this scene, or no longer.",
			Example: nodeEditableParams{NodePath: "Enemies/EnemyA", Editable: true},
		}),
	}
}
