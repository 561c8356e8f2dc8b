package commands

type nodeChangeTypeParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	NodeType string `json:"node_type" p:"required" doc:"Class of the engine or of the project"`
}

type nodeChangeTypeResult struct {
	NodePath          string   `json:"node_path"`
	OldType           string   `json:"old_type"`
	NodeType          string   `json:"node_type"`
	DroppedProperties []string `json:"dropped_properties" doc:"Values of the node that the new type does not take"`
}

type nodeUniqueParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; %Name is a unique name"`
	Unique   bool   `json:"unique" default:"true" doc:"False takes the unique name away"`
}

type nodeUniqueResult struct {
	NodePath string `json:"node_path"`
	Unique   bool   `json:"unique" doc:"As it is now"`
}

func nodeChangeTools() []*Tool {
	return []*Tool{
		New(Spec[nodeChangeTypeParams, nodeChangeTypeResult]{
			Name: "node change-type", Class: Mutating, Scene: true, ExecutesCode: true,
			Summary: "Give a node another class; children, groups, connections and fitting values stay.",
			Example: nodeChangeTypeParams{NodePath: "Player", NodeType: "Node2D"},
		}),
		New(Spec[nodeUniqueParams, nodeUniqueResult]{
			Name: "node set-unique-name", Class: Mutating, Scene: true,
			Summary: "Make a node reachable as %Name from anywhere in its scene, or no longer.",
			Example: nodeUniqueParams{NodePath: "Player", Unique: true},
		}),
	}
}
