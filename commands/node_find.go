package commands

type propertyInfo struct {
	Name  string `json:"name"`
	Type  string `json:"type" doc:"Class for an object, Variant for any"`
	Hint  string `json:"hint" doc:"The engine's hint text: a range, the names of an enum, classes"`
	Usage int    `json:"usage" doc:"The engine's PROPERTY_USAGE flags"`
}

type nodeListPropertiesResult struct {
	NodePath   string         `json:"node_path"`
	Type       string         `json:"type"`
	Properties []propertyInfo `json:"properties"`
}

type nodeFindParams struct {
	NodeType   string `json:"node_type" p:"arg" default:"" doc:"Class; those below it count too"`
	Name       string `json:"name" default:"" doc:"Name; * and ? stand for any characters"`
	Group      string `json:"group" default:"" doc:"Only nodes of this group"`
	Script     string `json:"script" default:"" doc:"Only nodes with this script attached"`
	ParentPath string `json:"parent_path" default:"." kind:"node" doc:"Where to look"`
	Recursive  bool   `json:"recursive" default:"true" doc:"Also below the children"`
	Offset     int    `json:"offset" default:"0" doc:"Nodes to skip"`
	Limit      int    `json:"limit" default:"200" doc:"Nodes to return at most; 0 is no limit"`
}

type foundNode struct {
	Path string `json:"path"`
	Type string `json:"type"`
	Name string `json:"name"`
}

type nodeFindResult struct {
	Nodes      []foundNode `json:"nodes"`
	Count      int         `json:"count" doc:"Nodes returned"`
	Total      int         `json:"total" doc:"Nodes found"`
	Truncated  bool        `json:"truncated"`
	NextOffset int         `json:"next_offset,omitempty"`
}

type nodeGroupsResult struct {
	NodePath string   `json:"node_path"`
	Groups   []string `json:"groups"`
}

type nodeGroupParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	Group    string `json:"group" p:"required" doc:"Name of the group"`
}

type nodeGroupResult struct {
	NodePath string `json:"node_path"`
	Group    string `json:"group"`
	InGroup  bool   `json:"in_group"`
	Changed  bool   `json:"changed" doc:"False when it was so before"`
}

type nodeSnapshotParams struct {
	NodePath   string   `json:"node_path" p:"arg" default:"." kind:"node" doc:"Node to begin at"`
	Properties []string `json:"properties" p:"option" doc:"Only these; without it what differs from the defaults"`
	MaxDepth   int      `json:"max_depth" default:"-1" doc:"Levels below the node; -1 all"`
}

type nodeSnapshotResult struct {
	NodePath   string `json:"node_path"`
	SnapshotID string `json:"snapshot_id" doc:"For node diff; the last 50 are kept while the editor runs"`
	Snapshot   Object `json:"snapshot" doc:"name, type, path, script, properties, groups, children"`
}

type nodeDiffParams struct {
	BeforeID string `json:"before_id" p:"required" doc:"From node snapshot"`
	AfterID  string `json:"after_id" default:"" doc:"A later snapshot; default the scene as it is now"`
	NodePath string `json:"node_path" default:"." kind:"node" doc:"Node to compare with now"`
}

type nodeDifference struct {
	Node     string `json:"node"`
	Property string `json:"property" doc:"Name of a property, or type, script, groups"`
	Before   Any    `json:"before"`
	After    Any    `json:"after"`
}

type nodeDiffResult struct {
	Added   []string         `json:"added"`
	Removed []string         `json:"removed"`
	Changed []nodeDifference `json:"changed"`
}

func nodeFindTools() []*Tool {
	return []*Tool{
		New(Spec[nodePath, nodeListPropertiesResult]{
			Name: "node list-properties", Class: ReadOnly, Scene: true,
			Alias:    "inspection_get_node_property_list",
			AliasMap: AliasMap{Results: map[string]string{"properties": ".properties | map(.name)"}},
			Summary:  "List a node's properties with their types.",
			Example:  nodePath{NodePath: "Player"},
		}),
		New(Spec[nodeFindParams, nodeFindResult]{
			Name: "node find", Class: ReadOnly, Starter: true, Scene: true,
			Alias: "batch_find_nodes_by_type",
			AliasMap: AliasMap{Results: map[string]string{
				"type": "$arguments.node_type", "count": ".total", "returned": "count",
			}},
			Summary: "Find nodes by class, name, group or script.",
			Example: nodeFindParams{NodeType: "CollisionShape2D", Recursive: true},
		}),
		New(Spec[nodePath, nodeGroupsResult]{
			Name: "node list-groups", Class: ReadOnly, Scene: true,
			Alias:   "inspection_get_node_groups",
			Summary: "List the groups that a node is in.",
			Example: nodePath{NodePath: "Player"},
		}),
		New(Spec[nodeGroupParams, nodeGroupResult]{
			Name: "node add-to-group", Class: Mutating, Scene: true,
			Alias:   "scene_edit_add_to_group",
			Summary: "Put a node into a group.",
			Example: nodeGroupParams{NodePath: "Player", Group: "actors"},
		}),
		New(Spec[nodeGroupParams, nodeGroupResult]{
			Name: "node remove-from-group", Class: Mutating, Scene: true,
			Alias:   "scene_edit_remove_from_group",
			Summary: "Take a node out of a group.",
			Example: nodeGroupParams{NodePath: "Player", Group: "heroes"},
		}),
		New(Spec[nodeSnapshotParams, nodeSnapshotResult]{
			Name: "node snapshot", Class: ReadOnly, Scene: true,
			Alias:   "inspection_snapshot_subtree",
			Summary: "Keep a picture of a subtree to compare with later.",
			Example: nodeSnapshotParams{NodePath: "Player"},
		}),
		New(Spec[nodeDiffParams, nodeDiffResult]{
			Name: "node diff", Class: ReadOnly, Scene: true,
			Alias:   "inspection_diff_snapshots",
			Summary: "Compare a snapshot with another one or with the scene as it is.",
			Example: nodeDiffParams{BeforeID: "s1"},
		}),
	}
}
