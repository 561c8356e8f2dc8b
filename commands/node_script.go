package commands

type nodeAttachScriptParams struct {
	NodePath   string `json:"node_path" p:"required" kind:"node" doc:"Path from the scene's root; . is the root, %Name a unique name"`
	ScriptPath string `json:"script_path" p:"required" kind:"project" doc:"Script file"`
}

type nodeAttachScriptResult struct {
	NodePath   string `json:"node_path"`
	ScriptPath string `json:"script_path"`
	Attached   bool   `json:"attached"`
	ClassFound bool   `json:"class_found" doc:"False when the script does not compile or, in C#, is not built; hint says what to do"`
}

type nodeDetachScriptResult struct {
	NodePath   string  `json:"node_path"`
	ScriptPath *string `json:"script_path" doc:"The script that the node had"`
	Detached   bool    `json:"detached"`
}

func nodeScriptTools() []*Tool {
	return []*Tool{
		New(Spec[nodeAttachScriptParams, nodeAttachScriptResult]{
			Name: "node attach-script", Class: Mutating, Starter: true, Scene: true, ExecutesCode: true,
			Alias:   "scene_edit_attach_script",
			Summary: "Give a node a script; values that both scripts have are kept.",
			Example: nodeAttachScriptParams{NodePath: "Spawn", ScriptPath: "res://main.gd"},
		}),
		New(Spec[nodePath, nodeDetachScriptResult]{
			Name: "node detach-script", Class: Mutating, Scene: true,
			Summary: "Take a node's script away from it.",
			Example: nodePath{NodePath: "Player"},
		}),
	}
}
