package commands

type gameTreeParams struct {
	MaxDepth int `json:"max_depth" default:"-1" doc:"Levels below the root; -1 is all"`
}

type gameTreeResult struct {
	Playing   bool    `json:"playing"`
	Connected bool    `json:"connected"`
	Tree      *Object `json:"tree" doc:"name, type, path, script, children; child_count where it is cut"`
	Hint      string  `json:"hint,omitempty"`
}

type gamePropertyParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"From the current scene, or absolute from /root"`
	Property string `json:"property" p:"required" doc:"Name; inside a value with a colon, position:x"`
}

type gamePropertyResult struct {
	Ready    bool   `json:"ready" doc:"False when there is no such property"`
	NodePath string `json:"node_path" doc:"Absolute"`
	Property string `json:"property"`
	Value    Any    `json:"value"`
	Error    string `json:"error,omitempty"`
}

type gameValue struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
	Value    Any    `json:"value"`
	Error    string `json:"error,omitempty" doc:"Why there is no value"`
}

type gameQuery struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
}

type gameQueryParams struct {
	Queries []gameQuery `json:"queries" p:"required" doc:"What to read, each as in get-property"`
}

type gameQueryResult struct {
	Values []gameValue `json:"values" doc:"In the order of the queries"`
	Frame  int         `json:"frame"`
}

type gameSetPropertyParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"From the current scene, or absolute from /root"`
	Property string `json:"property" p:"required" doc:"Name; inside a value with a colon, position:x"`
	Value    Any    `json:"value" p:"required" doc:"In the form that get-property prints"`
}

type gameSetPropertyResult struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
	Value    Any    `json:"value" doc:"Read back from the game"`
	Previous Any    `json:"previous"`
}

type gameCallParams struct {
	NodePath string `json:"node_path" p:"required" kind:"node" doc:"From the current scene, or absolute from /root"`
	Method   string `json:"method" p:"required"  doc:"Method of the class or its script"`
	Args     []Any  `json:"args" p:"option" doc:"Values in the form that get-property prints"`
}

type gameCallResult struct {
	NodePath string `json:"node_path"`
	Method   string `json:"method"`
	Value    Any    `json:"value" doc:"What the method returned"`
	Hint     string `json:"hint,omitempty"`
}

func gameValueTools() []*Tool {
	place := gamePropertyParams{NodePath: "Player", Property: "position"}
	return []*Tool{
		New(Spec[gameTreeParams, gameTreeResult]{
			Name: "game tree", Class: ReadOnly, Starter: true,
			Alias: "runtime_get_game_scene_tree", AliasMap: AliasMap{
				Params:  map[string]string{"timeout_ms": ""},
				Results: map[string]string{"ready": ".connected", "reason": `.hint // ""`},
			},
			Summary: "Show the nodes of the running game.",
			Example: gameTreeParams{MaxDepth: 3},
		}),
		New(Spec[gamePropertyParams, gamePropertyResult]{
			Name: "game get-property", Class: ReadOnly, Answer: "ready",
			Alias: "runtime_read_property", AliasMap: AliasMap{Params: map[string]string{"timeout_ms": ""}},
			Summary: "Read one property of a node in the running game.",
			Example: place,
		}),
		New(Spec[gameQueryParams, gameQueryResult]{
			Name: "game query", Class: ReadOnly,
			Summary: "Read many properties of the running game in one frame.",
			Example: gameQueryParams{Queries: []gameQuery{{"Player", "position"}, {"Player", "speed"}}},
		}),
		New(Spec[gameSetPropertyParams, gameSetPropertyResult]{
			Name: "game set-property", Class: Runtime, ExecutesCode: true,
			Summary: "Set one property of a node in the running game, for this run only.",
			Example: gameSetPropertyParams{NodePath: "Player", Property: "position", Value: Any(`{"x":64,"y":32}`)},
		}),
		New(Spec[gameCallParams, gameCallResult]{
			Name: "game call", Class: Runtime, ExecutesCode: true,
			Summary: "Call a method of a node in the running game.",
			Example: gameCallParams{NodePath: "Player", Method: "to_global", Args: []Any{Any(`{"x":1,"y":2}`)}},
		}),
	}
}
