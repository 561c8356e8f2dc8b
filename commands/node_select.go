package commands

type selectedNode struct {
	NodePath   string   `json:"node_path"`
	Type       string   `json:"type"`
	Script     string   `json:"script,omitempty" doc:"Path of the attached script"`
	Properties Object   `json:"properties" doc:"Values by name"`
	Children   []string `json:"children" doc:"Paths of the children"`
}

type nodeGetSelectedResult struct {
	Selected  *selectedNode `json:"selected" doc:"The first selected node; null when none is"`
	NodePaths []string      `json:"node_paths" doc:"All selected nodes of the scene in front"`
	ScenePath string        `json:"scene_path,omitempty" doc:"The scene in front; empty for one without a file"`
}

type nodeSelectParams struct {
	NodePaths []string `json:"node_paths" p:"required" doc:"Nodes to select instead of what is selected, by their paths from the root; none selects nothing"`
}

type nodeSelectResult struct {
	Selected []string `json:"selected" doc:"What is selected now"`
	Count    int      `json:"count"`
}

type nodeCallParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	Method   string `json:"method" p:"required" doc:"Method of the class, or of its script when that is a @tool script"`
	Args     []Any  `json:"args" p:"option" doc:"Values for the method in the form that get-property prints"`
}

type nodeCallResult struct {
	NodePath     string   `json:"node_path"`
	Method       string   `json:"method"`
	Value        Any      `json:"value" doc:"What the method returned"`
	Errors       []string `json:"errors" doc:"What the engine called an error meanwhile"`
	ChangedScene bool     `json:"changed_scene" doc:"True when the scene is no longer the same: it is unsaved then, and undo does not know of it"`
}

func nodeSelectTools() []*Tool {
	return []*Tool{
		New(Spec[none, nodeGetSelectedResult]{
			Name: "node get-selected", Class: ReadOnly,
			Alias:   "inspection_get_selected_node",
			Summary: "Get the node that is selected in the editor.",
		}),
		New(Spec[nodeCallParams, nodeCallResult]{
			Name: "node call", Class: Runtime, Scene: true, ExecutesCode: true,
			Summary: "Call a method of a node in the editor, such as one of a @tool script.",
			Example: nodeCallParams{NodePath: "Player", Method: "to_global", Args: []Any{Any(`{"x":1,"y":2}`)}},
		}),
		New(Spec[nodeSelectParams, nodeSelectResult]{
			Name: "node select", Class: Mutating, Scene: true,
			NoUndo:  true,
			Alias:   "scene_edit_select_nodes",
			Summary: "Select nodes in the editor, in place of what was selected.",
			Example: nodeSelectParams{NodePaths: []string{"Player"}},
		}),
	}
}
