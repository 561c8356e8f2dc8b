package commands

type resourcePath struct {
	ResourcePath string `json:"resource_path" p:"required" kind:"project" doc:"Resource file"`
}

type resourceReadResult struct {
	ResourcePath string   `json:"resource_path"`
	Type         string   `json:"type" doc:"Class of the engine"`
	Script       *string  `json:"script" doc:"Path of its script; null without one"`
	Properties   Object   `json:"properties" doc:"What the file holds beyond the class's defaults; a resource inside it has $path, another file $resource"`
	UID          *string  `json:"uid" doc:"Null when the file has none"`
	Unsaved      bool     `json:"unsaved,omitempty" doc:"True when the editor holds changes that the file does not have"`
	Missing      []string `json:"missing,omitempty" doc:"Files that it names and that are not there; their properties read as null"`
}

type resourceListParams struct {
	Directory    string `json:"directory" p:"arg" default:"res://" kind:"project" doc:"Folder to look in, with all below"`
	ResourceType string `json:"resource_type" default:"" doc:"Class of the engine or of the project, with those below it; empty is all but scenes and scripts"`
	Limit        int    `json:"limit" default:"500" doc:"Resources to return at most; 0 is no limit"`
	Offset       int    `json:"offset" default:"0" doc:"Resources to skip"`
}

type resourceEntry struct {
	Path string  `json:"path"`
	Type string  `json:"type" doc:"Class of the engine or of the project"`
	UID  *string `json:"uid"`
}

type resourceListResult struct {
	Resources  []resourceEntry `json:"resources" doc:"By path"`
	Total      int             `json:"total"`
	Truncated  bool            `json:"truncated" doc:"True when limit left resources out"`
	NextOffset int             `json:"next_offset,omitempty" doc:"Offset of the next page"`
	Scanning   bool            `json:"scanning" doc:"True while the editor scans: files may be missing here"`
}

type resourceCreateParams struct {
	ResourceType string `json:"resource_type" p:"required" doc:"Class of the engine or of the project, or path of a script"`
	ResourcePath string `json:"resource_path" p:"required" kind:"project" doc:"File to make, .tres or .res or what the class has of its own"`
	Properties   Object `json:"properties" p:"option" doc:"Properties to set, by name"`
}

type resourceCreateResult struct {
	ResourcePath string  `json:"resource_path"`
	ResourceType string  `json:"resource_type"`
	Created      bool    `json:"created"`
	UID          *string `json:"uid" doc:"Null in a preview"`
}

type resourceDuplicateParams struct {
	ResourcePath string `json:"resource_path" p:"required" kind:"project" doc:"Resource file to copy"`
	NewPath      string `json:"new_path" p:"required" kind:"project" doc:"File to make"`
	Deep         bool   `json:"deep" default:"true" doc:"Give the resources inside it ids of their own; files that it names are shared either way"`
}

type resourceDuplicateResult struct {
	ResourcePath    string           `json:"resource_path"`
	NewPath         string           `json:"new_path"`
	UID             *string          `json:"uid" doc:"Of the copy; null in a preview"`
	SharedResources []sharedResource `json:"shared_resources" doc:"Files that both name"`
}

type resourceSetPropertyParams struct {
	ResourcePath string `json:"resource_path" p:"required" kind:"project" doc:"Resource file"`
	Property     string `json:"property" p:"required" doc:"Name; inside a value with a colon: items:0:damage, scores:alice"`
	Value        Any    `json:"value" p:"required" doc:"New value in the form that read prints"`
}

type resourceUser struct {
	Path     string `json:"path" doc:"Scene or resource file; empty for a scene without one"`
	NodePath string `json:"node_path,omitempty" doc:"Node of the open scene"`
	Property string `json:"property,omitempty" doc:"Property of that node"`
}

type resourceSetPropertyResult struct {
	ResourcePath    string         `json:"resource_path"`
	Property        string         `json:"property"`
	Value           Any            `json:"value" doc:"Read back from the file"`
	Previous        Any            `json:"previous"`
	UsedBy          []resourceUser `json:"used_by" doc:"Who else sees the change: nodes of open scenes, and files"`
	UsedByTruncated bool           `json:"used_by_truncated" doc:"True when there may be more users"`
}

type resourceDependency struct {
	Raw     string  `json:"raw" doc:"As the file says it"`
	Path    string  `json:"path"`
	Type    string  `json:"type" doc:"Empty for a file that is not there"`
	UID     *string `json:"uid"`
	Missing bool    `json:"missing" doc:"True when the file is not there"`
}

type resourceListDependenciesResult struct {
	ResourcePath string               `json:"resource_path"`
	Dependencies []resourceDependency `json:"dependencies"`
	Count        int                  `json:"count"`
}

func resourceTools() []*Tool {
	return []*Tool{
		New(Spec[resourcePath, resourceReadResult]{
			Name: "resource read", Class: ReadOnly,
			Alias:   "resources_edit_read_resource_file",
			Summary: "Read what a resource file holds.",
			Example: resourcePath{ResourcePath: "res://glow.tres"},
		}),
		New(Spec[resourceListParams, resourceListResult]{
			Name: "resource list", Class: ReadOnly,
			Summary: "List resource files with their classes and uids.",
			Example: resourceListParams{Directory: "res://", ResourceType: "Material", Limit: 50},
		}),
		New(Spec[resourceCreateParams, resourceCreateResult]{
			Name: "resource create", Class: Mutating,
			Alias: "resources_edit_create_resource",
			AliasMap: AliasMap{
				Params:  map[string]string{"type": "resource_type", "confirm": ""},
				Results: map[string]string{"type": "resource_type"},
			},
			Summary: "Make a new resource file.",
			Example: resourceCreateParams{ResourceType: "StandardMaterial3D", ResourcePath: "res://gold.tres", Properties: Object{"metallic": Any("1.0")}},
		}),
		New(Spec[resourceDuplicateParams, resourceDuplicateResult]{
			Name: "resource duplicate", Class: Mutating,
			Summary: "Copy a resource file; the copy has a uid of its own.",
			Example: resourceDuplicateParams{ResourcePath: "res://glow.tres", NewPath: "res://glow_red.tres", Deep: true},
		}),
		New(Spec[resourceSetPropertyParams, resourceSetPropertyResult]{
			Name: "resource set-property", Class: Mutating,
			Alias:   "resources_edit_set_resource_property",
			Summary: "Set a property in a resource file, which is written at once.",
			Example: resourceSetPropertyParams{ResourcePath: "res://glow.tres", Property: "blend_mode", Value: Any("2")},
		}),
		New(Spec[resourcePath, resourceListDependenciesResult]{
			Name: "resource list-dependencies", Class: ReadOnly,
			Alias: "batch_get_dependencies",
			AliasMap: AliasMap{
				Params:  map[string]string{"path": "resource_path"},
				Results: map[string]string{"path": "resource_path"},
			},
			Summary: "List the files that a resource or scene needs, and which are missing.",
			Example: resourcePath{ResourcePath: "res://main.tscn"},
		}),
	}
}
