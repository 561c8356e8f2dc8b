package commands

type pathChange struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
}

type nodeRenameParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	NewName  string `json:"new_name" p:"required" doc:"Name; the engine replaces . : @ / % and quotes, and numbers a clash"`
}

type nodeRenameResult struct {
	NodePath     string       `json:"node_path" doc:"The new path"`
	OldName      string       `json:"old_name"`
	NewName      string       `json:"new_name" doc:"As the engine took it"`
	Renamed      bool         `json:"renamed"`
	UpdatedPaths []pathChange `json:"updated_paths" doc:"Properties and animation tracks whose node paths follow"`
}

type nodeMoveParams struct {
	NodePath            string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; %Name is a unique name"`
	NewParentPath       string `json:"new_parent_path" p:"required" kind:"node" doc:"Parent to move below"`
	Index               int    `json:"index" default:"-1" doc:"Place among the siblings from 0; -1 is the end"`
	KeepGlobalTransform bool   `json:"keep_global_transform" default:"true" doc:"Stay at the same place in the world"`
}

type nodeMoveResult struct {
	NodePath     string       `json:"node_path" doc:"The new path"`
	Moved        bool         `json:"moved"`
	UpdatedPaths []pathChange `json:"updated_paths" doc:"Properties and animation tracks whose node paths follow"`
}

type nodeDuplicateParams struct {
	NodePath         string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; %Name is a unique name"`
	NodeName         string `json:"node_name" default:"" doc:"Name of the copy; the engine numbers it when empty"`
	UnshareResources bool   `json:"unshare_resources" default:"false" doc:"Give the copy built-in resources of its own"`
}

type sharedResource struct {
	Property string `json:"property"`
	Path     string `json:"path" doc:"Empty for a built-in one that was never saved"`
	Type     string `json:"type"`
}

type nodeDuplicateResult struct {
	NodePath        string           `json:"node_path" doc:"The copy"`
	SourcePath      string           `json:"source_path"`
	SharedResources []sharedResource `json:"shared_resources" doc:"Resources that both now use"`
	LostUniqueNames []string         `json:"lost_unique_names" doc:"Unique names that the copy cannot have"`
}

type nodePropertyParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	Property string `json:"property" p:"required" doc:"Name of the property"`
}

type nodeResetResult struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
	Value    Any    `json:"value" doc:"What the base scene, the script or the class says"`
	Previous Any    `json:"previous"`
}

func nodeEditTools() []*Tool {
	return []*Tool{
		New(Spec[nodePropertyParams, nodeResetResult]{
			Name: "node reset-property", Class: Mutating, Scene: true,
			Summary: "Set a property back to what the base scene, the script or the class says.",
			Example: nodePropertyParams{NodePath: "Player", Property: "position"},
		}),
		New(Spec[nodeRenameParams, nodeRenameResult]{
			Name: "node rename", Class: Mutating, Scene: true,
			Alias:   "scene_edit_rename_node",
			Summary: "Rename a node; node paths that lead to it follow.",
			Example: nodeRenameParams{NodePath: "Player", NewName: "Hero"},
		}),
		New(Spec[nodeMoveParams, nodeMoveResult]{
			Name: "node move", Class: Mutating, Scene: true,
			Alias:   "scene_edit_move_node",
			Summary: "Move a node below another parent or to another place.",
			Example: nodeMoveParams{NodePath: "Spawn", NewParentPath: "Player", Index: 0, KeepGlobalTransform: true},
		}),
		New(Spec[nodeDuplicateParams, nodeDuplicateResult]{
			Name: "node duplicate", Class: Mutating, Scene: true,
			Alias:   "scene_edit_duplicate_node",
			Summary: "Duplicate a node and all below it, beside it.",
			Example: nodeDuplicateParams{NodePath: "Player", NodeName: "Player2"},
		}),
	}
}
