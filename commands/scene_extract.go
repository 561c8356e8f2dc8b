package commands

type sceneExtractParams struct {
	NodePath            string `json:"node_path" p:"required" kind:"node" doc:"Top of the branch, by its path from the root; %Name is a unique name"`
	NewScenePath        string `json:"new_scene_path" p:"required" kind:"project" doc:"File to make, .tscn or .scn; must not be there"`
	ReplaceWithInstance bool   `json:"replace_with_instance" default:"false" doc:"Put an instance of the new scene in the branch's place"`
	SaveCurrent         bool   `json:"save_current" default:"false" doc:"Save the scene that it was taken from, too"`
}

type sceneExtractResult struct {
	NodePath     string  `json:"node_path"`
	NewScenePath string  `json:"new_scene_path"`
	Extracted    bool    `json:"extracted"`
	InstancePath *string `json:"instance_path" doc:"The instance in the branch's place; null when it was left"`
	Replaced     bool    `json:"replaced"`
	Saved        bool    `json:"saved" doc:"Whether the scene that it was taken from was saved"`
	NodeCount    int     `json:"node_count" doc:"Nodes in the new scene, those of instances included"`
}

func sceneExtractTools() []*Tool {
	return []*Tool{
		New(Spec[sceneExtractParams, sceneExtractResult]{
			Name: "scene extract", Class: Mutating, Scene: true,
			Alias: "scene_edit_extract_scene",
			AliasMap: AliasMap{
				Params:  map[string]string{"scene_path": "new_scene_path"},
				Results: map[string]string{"scene_path": "new_scene_path"},
			},
			Summary: "Save a branch of a scene as a scene of its own, on wish with an instance in its place.",
			Example: sceneExtractParams{NodePath: "Player", NewScenePath: "res://hero.tscn"},
		}),
	}
}
