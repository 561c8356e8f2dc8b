package commands

type gameRect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

type gameElement struct {
	Path      string   `json:"path"`
	Name      string   `json:"name"`
	NodeClass string   `json:"node_class"`
	Visible   bool     `json:"visible"`
	Disabled  bool     `json:"disabled"`
	Rect      gameRect `json:"rect" doc:"In viewport coordinates, as input mouse takes them"`
	Text      string   `json:"text" doc:"As it is shown"`
}

type gameFindUIParams struct {
	NameContains string `json:"name_contains" default:"" doc:"Part of the node's name"`
	ClassFilter  string `json:"class_filter" default:"" doc:"Class, those that inherit it too"`
	TextContains string `json:"text_contains" default:"" doc:"Part of the text shown"`
	VisibleOnly  bool   `json:"visible_only" default:"false" doc:"Without hidden ones"`
	TimeoutMS    int    `json:"timeout_ms" default:"2000" doc:"Longest wait in milliseconds"`
}

type gameFindUIResult struct {
	Ready    bool          `json:"ready"`
	Elements []gameElement `json:"elements"`
}

type gamePoint struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type gameClickUIParams struct {
	NodePath string `json:"node_path" p:"arg" default:"" kind:"node" doc:"Path of the control"`
	Text     string `json:"text" default:"" doc:"Text that it shows, instead of a path"`
}

type gameClickUIResult struct {
	Clicked  bool      `json:"clicked" doc:"The control has got the click; a button was pressed by it"`
	NodePath string    `json:"node_path"`
	Position gamePoint `json:"position" doc:"In viewport coordinates"`
	Frame    int       `json:"frame" doc:"Process frame that began with the release"`
	Pressed  *bool     `json:"pressed" doc:"Whether the button told pressed; null for other controls"`
	Hint     string    `json:"hint,omitempty"`
}

func gameUITools() []*Tool {
	return []*Tool{
		New(Spec[gameFindUIParams, gameFindUIResult]{
			Name: "game find-ui", Class: ReadOnly,
			Alias:   "runtime_find_ui_elements",
			Summary: "Find controls of the running game by name, class or text.",
			Example: gameFindUIParams{ClassFilter: "Label", TimeoutMS: 2000},
		}),
		New(Spec[gameClickUIParams, gameClickUIResult]{
			Name: "game click-ui", Class: Runtime, ExecutesCode: true, Answer: "clicked",
			Summary: "Click a control of the running game, by its path or its text.",
			Example: gameClickUIParams{NodePath: "Hud/Score"},
		}),
	}
}
