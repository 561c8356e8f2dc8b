package commands

// NodePath is the parameter that most tools of the group begin with.
type nodePath struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
}

type nodeAddParams struct {
	NodeType   string `json:"node_type" p:"arg" default:"Node" doc:"Class of the engine or of the project"`
	NodeName   string `json:"node_name" p:"arg" default:"" doc:"Name; the engine chooses one when empty"`
	ParentPath string `json:"parent_path" default:"." kind:"node" doc:"Parent of the new node"`
	Properties Object `json:"properties" p:"option" doc:"Properties to set, by name"`
	Index      int    `json:"index" default:"-1" doc:"Place among the siblings from 0; -1 is the end"`
}

type nodeAddResult struct {
	NodePath string `json:"node_path" doc:"Path of the new node, with the name that the engine gave it"`
	Created  bool   `json:"created"`
	NodeType string `json:"node_type"`
}

type nodeGetParams struct {
	NodePath    string   `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	ChangedOnly bool     `json:"changed_only" default:"false" doc:"Only what differs from the class's or script's default"`
	Include     []string `json:"include" p:"option" doc:"Only these properties"`
}

type nodeGetResult struct {
	NodePath   string   `json:"node_path"`
	Type       string   `json:"type" doc:"Class of the engine"`
	Script     string   `json:"script,omitempty" doc:"Path of the attached script"`
	Properties Object   `json:"properties" doc:"Values by name"`
	Children   []string `json:"children" doc:"Paths of the children"`
}

type nodeGetPropertyParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	Property string `json:"property" p:"required" doc:"Name; inside a value with a colon, shape:radius"`
}

type nodeGetPropertyResult struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
	Value    Any    `json:"value" doc:"Null when there is no such property"`
	Exists   bool   `json:"exists"`
	Type     string `json:"type" doc:"Declared type in the engine's spelling; Nil for any"`
}

type nodeSetPropertyParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	Property string `json:"property" p:"required" doc:"Name; inside a value with a colon, shape:radius"`
	Value    Any    `json:"value" p:"required" doc:"New value in the form that get-property prints"`
}

type nodeSetPropertyResult struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
	Value    Any    `json:"value" doc:"Read back from the engine"`
	Previous Any    `json:"previous"`
	Set      bool   `json:"set"`
}

type nodeDeleteResult struct {
	NodePath string `json:"node_path"`
	Deleted  bool   `json:"deleted"`
}

func nodeTools() []*Tool {
	return []*Tool{
		New(Spec[nodeAddParams, nodeAddResult]{
			Name: "node add", Class: Mutating, Starter: true, Scene: true,
			Alias:   "scene_edit_create_node",
			Summary: "Add a node to an open scene.",
			Example: nodeAddParams{NodeType: "Sprite2D", NodeName: "Hat", ParentPath: "Player"},
		}),
		New(Spec[nodeGetParams, nodeGetResult]{
			Name: "node get", Class: ReadOnly, Starter: true, Scene: true,
			Alias:   "inspection_get_node_properties",
			Summary: "Get a node's properties and children.",
			Example: nodeGetParams{NodePath: "Player", ChangedOnly: true},
		}),
		New(Spec[nodeGetPropertyParams, nodeGetPropertyResult]{
			Name: "node get-property", Class: ReadOnly, Scene: true,
			Alias:   "inspection_get_node_property",
			Summary: "Get one property of a node.",
			Example: nodeGetPropertyParams{NodePath: "Player", Property: "position"},
		}),
		New(Spec[nodeSetPropertyParams, nodeSetPropertyResult]{
			Name: "node set-property", Class: Mutating, Starter: true, Scene: true,
			Alias:   "scene_edit_set_node_property",
			Summary: "Set one property of a node; answers with the value read back.",
			Example: nodeSetPropertyParams{NodePath: "Player", Property: "position", Value: Any(`{"x":64,"y":32}`)},
		}),
		New(Spec[nodePath, nodeDeleteResult]{
			Name: "node delete", Class: Destructive, Starter: true, Scene: true,
			Alias:   "scene_edit_delete_node",
			Summary: "Delete a node and all below it from an open scene.",
			Example: nodePath{NodePath: "Player/Hat"},
		}),
	}
}
