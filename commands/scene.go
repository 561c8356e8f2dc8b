package commands

type none struct{}

type sceneEntry struct {
	Path     string `json:"path"`
	IsMain   bool   `json:"is_main"`
	IsOpen   bool   `json:"is_open"`
	IsActive bool   `json:"is_active"`
}

type sceneListResult struct {
	Scenes    []sceneEntry `json:"scenes"`
	MainScene *string      `json:"main_scene" doc:"Scene that the project starts with"`
}

type sceneTreeParams struct {
	Root        string `json:"root" p:"arg" default:"." kind:"node" doc:"Node to begin at"`
	MaxDepth    int    `json:"max_depth" default:"-1" doc:"Levels below root; 0 is the root alone, -1 all"`
	Lightweight bool   `json:"lightweight" default:"false" doc:"Leave out script, owner and editable_children"`
	Offset      int    `json:"offset" default:"0" doc:"Nodes to skip, depth first"`
	Limit       int    `json:"limit" default:"0" doc:"Nodes to return at most; 0 is no limit"`
}

type sceneTreeResult struct {
	Tree       *Object `json:"tree" doc:"name, type, path, child_count, children; where they apply script, owner, editable_children"`
	Truncated  bool    `json:"truncated" doc:"True when limit left nodes out"`
	Total      int     `json:"total" doc:"Nodes in the asked subtree within max_depth, its root included"`
	NextOffset int     `json:"next_offset,omitempty" doc:"Offset of the next page"`
}

type sceneCreateParams struct {
	RootType  string `json:"root_type" p:"required" doc:"Class of the root"`
	ScenePath string `json:"scene_path" p:"required" kind:"project" doc:"File to make, .tscn or .scn"`
	RootName  string `json:"root_name" default:"" doc:"Name of the root; default from the file's name"`
	BaseScene string `json:"base_scene" default:"" kind:"project" doc:"Scene to inherit from"`
}

type sceneCreateResult struct {
	ScenePath string `json:"scene_path"`
	RootType  string `json:"root_type"`
	Created   bool   `json:"created"`
}

type scenePathParam struct {
	ScenePath string `json:"scene_path" p:"required" kind:"project" doc:"Scene file"`
}

type sceneWarning struct {
	Code     string  `json:"code"`
	NodePath *string `json:"node_path"`
	Text     string  `json:"text"`
}

type sceneOpenResult struct {
	ScenePath   string         `json:"scene_path"`
	Opened      bool           `json:"opened"`
	AlreadyOpen bool           `json:"already_open"`
	Missing     []string       `json:"missing" doc:"Files that the scene refers to and that are not there"`
	Warnings    []sceneWarning `json:"warnings" doc:"What the engine said while it loaded the scene"`
}

type sceneSaveResult struct {
	Saved bool `json:"saved"`
}

func sceneTools() []*Tool {
	return []*Tool{
		New(Spec[none, sceneListResult]{
			Name: "scene list", Class: ReadOnly, Starter: true,
			Alias:   "inspection_list_scenes",
			Summary: "List the project's scene files and which are open.",
		}),
		New(Spec[sceneTreeParams, sceneTreeResult]{
			Name: "scene tree", Class: ReadOnly, Starter: true, Scene: true,
			Alias: "inspection_get_scene_tree",
			AliasMap: AliasMap{Results: map[string]string{
				"tree": "def older: {name, type, path, script, children: (.children // [] | map(older))}; .tree | if . then older else . end",
			}},
			Summary: "Get the node tree of an open scene.",
			Example: sceneTreeParams{Root: ".", MaxDepth: 2},
		}),
		New(Spec[sceneCreateParams, sceneCreateResult]{
			Name: "scene create", Class: Mutating, Starter: true,
			Alias:   "scene_edit_create_scene",
			Summary: "Make a new scene file with a root node.",
			Example: sceneCreateParams{RootType: "Node2D", ScenePath: "res://levels/one.tscn"},
		}),
		New(Spec[scenePathParam, sceneOpenResult]{
			Name: "scene open", Class: Mutating, NoUndo: true, Starter: true,
			Alias:   "scene_edit_open_scene",
			Answer:  "opened",
			Summary: "Open a scene in the editor, or bring its tab to the front.",
			Example: scenePathParam{ScenePath: "res://main.tscn"},
		}),
		New(Spec[none, sceneSaveResult]{
			Name: "scene save", Class: Mutating, NoUndo: true, Starter: true, Scene: true,
			Alias:    "scene_edit_save_scene",
			AliasMap: AliasMap{Results: map[string]string{"path": "scene_path"}},
			Summary:  "Save an open scene to its file.",
		}),
	}
}
