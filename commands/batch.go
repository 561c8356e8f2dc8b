package commands

type batchCommand struct {
	Command string `json:"command" doc:"Tool by its command line path, MCP name or older name"`
	Params  Object `json:"params" p:"option" doc:"Its parameters"`
}

type batchRunParams struct {
	Commands    []batchCommand `json:"commands" p:"required" kind:"commands" doc:"What to do, in this order; what destroys needs confirm in its own params"`
	StopOnError bool           `json:"stop_on_error" default:"true" doc:"Leave out what comes after a failed one"`
	Atomic      bool           `json:"atomic" default:"false" doc:"Take all back when one fails"`
}

type batchStep struct {
	Command  string `json:"command" doc:"As it was given"`
	OK       bool   `json:"ok"`
	Result   Object `json:"result,omitempty" doc:"As the tool answers"`
	Error    string `json:"error,omitempty" doc:"Code"`
	Hint     string `json:"hint,omitempty"`
	Required string `json:"required,omitempty"`
}

type batchPlan struct {
	Command string `json:"command" doc:"As it was given"`
	Tool    string `json:"tool" doc:"Command line path"`
	Toolset string `json:"toolset"`
	Class   Class  `json:"class"`
}

type batchRunResult struct {
	Results      []batchStep `json:"results" doc:"One for each command that was carried out; in a preview what it would answer"`
	OKAll        bool        `json:"ok_all"`
	Count        int         `json:"count" doc:"Commands that were carried out"`
	Planned      []batchPlan `json:"planned" doc:"All commands, with the class that policy asks about"`
	AbortedAt    *int        `json:"aborted_at,omitempty" doc:"Index from 0 of the first that failed"`
	SkippedCount int         `json:"skipped_count,omitempty" doc:"Commands that were left out after it"`
	RolledBack   bool        `json:"rolled_back,omitempty" doc:"True when an atomic batch took all back"`
}

type batchComposeParams struct {
	ParentPath string   `json:"parent_path" p:"required" kind:"node" doc:"Parent of the new node; . is the root"`
	NodeType   string   `json:"node_type" p:"required" doc:"Class of the engine or of the project"`
	NodeName   string   `json:"node_name" p:"required" doc:"Name; the engine numbers a clash"`
	Properties Object   `json:"properties" p:"option" doc:"Properties to set, by name"`
	ScriptPath string   `json:"script_path" default:"" kind:"project" doc:"Script to attach"`
	Children   []Object `json:"children" p:"option" doc:"Nodes below it, each {node_type, node_name, properties, script_path, children}"`
	Save       bool     `json:"save" default:"false" doc:"Save the scene afterwards"`
}

type batchComposeResult struct {
	NodePath       string   `json:"node_path" doc:"Path of the new node, with the name that the engine gave it"`
	Created        bool     `json:"created"`
	Children       []string `json:"children" doc:"Paths of the nodes below it, depth first"`
	ScriptAttached bool     `json:"script_attached"`
	PropertiesSet  []string `json:"properties_set" doc:"Of the node itself"`
	Saved          bool     `json:"saved"`
}

type batchAddNodesParams struct {
	ParentPath string   `json:"parent_path" p:"required" kind:"node" doc:"Parent of the new nodes; . is the root"`
	NodeType   string   `json:"node_type" p:"required" doc:"Class of the engine or of the project"`
	Names      []string `json:"names" p:"required" doc:"A node for each; the engine numbers clashes"`
	Properties Object   `json:"properties" p:"option" doc:"Properties of all of them, by name"`
	Save       bool     `json:"save" default:"false" doc:"Save the scene afterwards"`
}

type batchAddNodesResult struct {
	Created []string `json:"created" doc:"Paths of the new nodes"`
	Count   int      `json:"count"`
	Saved   bool     `json:"saved"`
}

type nodeEdit struct {
	NodePath   string `json:"node_path" doc:"Path from the scene's root"`
	Properties Object `json:"properties" p:"option" doc:"New values by name"`
}

type batchEditsParams struct {
	Edits []nodeEdit `json:"edits" p:"required" doc:"Nodes with what to set on each"`
	Save  bool       `json:"save" default:"false" doc:"Save the scene afterwards"`
}

type editedNode struct {
	NodePath   string `json:"node_path"`
	Properties Object `json:"properties" doc:"Read back from the engine"`
}

type skippedNode struct {
	NodePath string `json:"node_path" doc:"As it was given"`
	Error    string `json:"error" doc:"Code"`
	Hint     string `json:"hint"`
}

type nodePersistence struct {
	NodePath  string `json:"node_path"`
	Persisted bool   `json:"persisted"`
	Reason    string `json:"reason,omitempty"`
	Hint      string `json:"hint,omitempty"`
}

type batchEditsResult struct {
	Edited      []editedNode      `json:"edited"`
	Skipped     []skippedNode     `json:"skipped" doc:"Nodes that were left as they were, each with the reason"`
	Count       int               `json:"count" doc:"Nodes that were edited"`
	Saved       bool              `json:"saved"`
	Persistence []nodePersistence `json:"persistence" doc:"Of each edited node, whether a save keeps it"`
}

type batchSetParams struct {
	Property  string   `json:"property" p:"required" doc:"Name; inside a value with a colon, shape:radius"`
	Value     Any      `json:"value" p:"required" doc:"New value in the form that get-property prints"`
	NodePaths []string `json:"node_paths" p:"option" doc:"Nodes to set it on"`
	NodeType  string   `json:"node_type" default:"" doc:"Instead: all nodes of this class that the scene keeps"`
}

type batchSetResult struct {
	Property    string            `json:"property"`
	Applied     []string          `json:"applied" doc:"Paths of the nodes that have it now"`
	Skipped     []skippedNode     `json:"skipped" doc:"Nodes that were left as they were, each with the reason"`
	Count       int               `json:"count" doc:"Nodes that have it now"`
	Persistence []nodePersistence `json:"persistence" doc:"Of each such node, whether a save keeps it"`
}

type batchScenesParams struct {
	Scenes   []string `json:"scenes" p:"required" kind:"project" doc:"Scene files (.tscn); open ones are edited in their tabs and not saved"`
	NodeType string   `json:"node_type" p:"required" doc:"Class of the engine or of the project, and those below it"`
	Property string   `json:"property" p:"required" doc:"Name of a whole property"`
	Value    Any      `json:"value" p:"required" doc:"New value in the form that get-property prints; what equals the default is taken out of the file"`
}

type editedScene struct {
	Scene    string `json:"scene"`
	Modified int    `json:"modified" doc:"Nodes that changed: of those that the file names, not what a base scene or an instance brings in"`
	Open     bool   `json:"open" doc:"True for one that was edited in its tab and is not saved"`
	Error    string `json:"error,omitempty" doc:"Code; the scene is as it was"`
	Hint     string `json:"hint,omitempty"`
	Required string `json:"required,omitempty"`
}

type batchScenesResult struct {
	Results       []editedScene `json:"results" doc:"One for each scene"`
	TotalModified int           `json:"total_modified" doc:"Nodes in all scenes"`
	SceneCount    int           `json:"scene_count"`
	Stale         []string      `json:"stale" doc:"Open scenes that show instances of a changed one as they were"`
}

func batchTools() []*Tool {
	return []*Tool{
		New(Spec[batchRunParams, batchRunResult]{
			Name: "batch run", Class: Mutating, Starter: true, Answer: "ok_all",
			Alias: "composite_run_commands",
			AliasMap: AliasMap{
				Arguments: map[string]string{
					"commands":      "if .confirm then .commands | map(.params = (.params // {}) + {confirm: true}) else .commands end",
					"stop_on_error": ".stop_on_error", "dry_run": ".dry_run",
				},
				Results: map[string]string{
					"planned": ".planned | map(.command)",
					"plan":    ".planned | map({command, tool, toolset, safety_class: .class})",
				},
			},
			Summary: "Run many tools in one round trip and one undo step, all or nothing when atomic.",
			Example: batchRunParams{Atomic: true, StopOnError: true, Commands: []batchCommand{
				{Command: "node add", Params: Object{"node_type": Any(`"Marker2D"`), "node_name": Any(`"Goal"`)}},
				{Command: "node set-property", Params: Object{"node_path": Any(`"Goal"`), "property": Any(`"position"`), "value": Any(`{"x":600,"y":290}`)}},
			}},
		}),
		New(Spec[batchComposeParams, batchComposeResult]{
			Name: "batch compose-node", Class: Mutating, Scene: true,
			Alias:   "composite_compose_node",
			Summary: "Add a node with properties, script and nodes below it, in one undo step.",
			Example: batchComposeParams{
				ParentPath: ".", NodeType: "Area2D", NodeName: "Coin",
				Children: []Object{{"node_type": Any(`"CollisionShape2D"`), "node_name": Any(`"Shape"`),
					"properties": Any(`{"shape":{"type":"CircleShape2D","properties":{"radius":8}}}`)}},
			},
		}),
		New(Spec[batchAddNodesParams, batchAddNodesResult]{
			Name: "batch add-nodes", Class: Mutating, Scene: true,
			Alias:   "composite_batch_create_nodes",
			Summary: "Add a node for each of several names, in one undo step.",
			Example: batchAddNodesParams{ParentPath: "Spawn", NodeType: "Marker2D", Names: []string{"A", "B", "C"}},
		}),
		New(Spec[batchEditsParams, batchEditsResult]{
			Name: "batch apply-edits", Class: Mutating, Scene: true,
			Alias:    "composite_apply_node_edits",
			AliasMap: AliasMap{Results: map[string]string{"edited": ".edited | map(.node_path)"}},
			Summary:  "Set properties of several nodes, each its own, in one undo step.",
			Example: batchEditsParams{Edits: []nodeEdit{
				{NodePath: "Player", Properties: Object{"visible": Any("true"), "position": Any(`{"x":64,"y":32}`)}},
				{NodePath: "Spawn", Properties: Object{"position": Any("[64,32]")}},
			}},
		}),
		New(Spec[batchSetParams, batchSetResult]{
			Name: "batch set-property", Class: Mutating, Scene: true,
			Alias:   "batch_set_property",
			Summary: "Set one property of several nodes, or of all of a class, in one undo step.",
			Example: batchSetParams{Property: "visible", Value: Any("true"), NodeType: "Label"},
		}),
		New(Spec[batchScenesParams, batchScenesResult]{
			Name: "batch set-property-in-scenes", Class: Mutating,
			Alias: "batch_cross_scene_set_property",
			AliasMap: AliasMap{
				Params: map[string]string{"confirm": ""},
				Results: map[string]string{
					"scenes":  "scene_count",
					"results": `.results | map({scene, modified, error: (if .error then .error + ": " + .hint else "" end)})`,
				},
			},
			Summary: "Set one property of all nodes of a class in several scene files, in one undo step.",
			Example: batchScenesParams{Scenes: []string{"res://main.tscn", "res://enemy.tscn"}, NodeType: "Polygon2D", Property: "antialiased", Value: Any("true")},
		}),
	}
}
