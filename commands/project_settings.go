package commands

type settingNameParams struct {
	Name string `json:"name" p:"required" doc:"Setting with its section; a feature tag may follow, as in .web"`
}

type getSettingResult struct {
	Name      string `json:"name"`
	Value     Any    `json:"value" doc:"What the project says; null when there is no such setting"`
	Effective *Any   `json:"effective" doc:"What a game started here has, where a feature tag or override.cfg says otherwise; else null"`
	Exists    bool   `json:"exists"`
}

type setSettingParams struct {
	Name   string `json:"name" p:"required" doc:"Setting with its section; a feature tag may follow, as in .web"`
	Value  Any    `json:"value" p:"required" doc:"Value of the setting's type"`
	Create bool   `json:"create" default:"false" doc:"Make the setting when nothing knows it yet"`
}

type setSettingResult struct {
	Name  string `json:"name"`
	Value Any    `json:"value"`
	Set   bool   `json:"set"`
}

type resetSettingResult struct {
	Name     string `json:"name"`
	Value    Any    `json:"value" doc:"The default; null for a setting that is gone now"`
	Previous Any    `json:"previous"`
}

type listSettingsParams struct {
	Prefix      string `json:"prefix" p:"arg" default:"" doc:"What the names begin with"`
	ChangedOnly bool   `json:"changed_only" default:"true" doc:"Leave out settings that have their default"`
}

type settingEntry struct {
	Name    string `json:"name"`
	Value   Any    `json:"value"`
	Default Any    `json:"default" doc:"Null where only the project knows the setting"`
	Type    string `json:"type"`
}

type listSettingsResult struct {
	Settings []settingEntry `json:"settings" doc:"In the editor's order"`
}

func projectSettingsTools() []*Tool {
	return []*Tool{
		New(Spec[settingNameParams, getSettingResult]{
			Name: "project get-setting", Class: ReadOnly,
			Alias:   "project_get_setting",
			Summary: "Get a project setting.",
			Example: settingNameParams{Name: "application/run/main_scene"},
		}),
		New(Spec[setSettingParams, setSettingResult]{
			Name: "project set-setting", Class: Mutating,
			Alias:    "project_set_setting",
			AliasMap: AliasMap{Params: map[string]string{"confirm": ""}},
			Summary:  "Set a project setting: one line of project.godot and the running editor.",
			Example:  setSettingParams{Name: "display/window/size/viewport_width", Value: Any("1280")},
		}),
		New(Spec[settingNameParams, resetSettingResult]{
			Name: "project reset-setting", Class: Mutating,
			Summary: "Take a project setting back to its default, and its line out of project.godot.",
			Example: settingNameParams{Name: "display/window/size/viewport_width"},
		}),
		New(Spec[listSettingsParams, listSettingsResult]{
			Name: "project list-settings", Class: ReadOnly,
			Summary: "List project settings with values, defaults and types.",
			Example: listSettingsParams{Prefix: "display/window", ChangedOnly: true},
		}),
	}
}
