package commands

type classDescribeParams struct {
	ClassName        string `json:"class_name" p:"required" doc:"Class of the engine, or a class_name of the project"`
	IncludeInherited bool   `json:"include_inherited" default:"false" doc:"Also what the classes above have"`
	IncludePrivate   bool   `json:"include_private" default:"false" doc:"Also names that begin with an underscore"`
}

type classProperty struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default Any    `json:"default"`
}

type classArg struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type classMethod struct {
	Name       string     `json:"name"`
	Args       []classArg `json:"args"`
	ReturnType string     `json:"return_type"`
}

type classSignal struct {
	Name string     `json:"name"`
	Args []classArg `json:"args"`
}

type classConstant struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
	Enum  string `json:"enum" doc:"Empty for one that stands alone"`
}

type classEnum struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

type classDescribeResult struct {
	ClassName      string          `json:"class_name"`
	Inherits       string          `json:"inherits"`
	InheritsChain  []string        `json:"inherits_chain" doc:"The classes above, the nearest first"`
	CanInstantiate bool            `json:"can_instantiate"`
	Properties     []classProperty `json:"properties"`
	Methods        []classMethod   `json:"methods"`
	Signals        []classSignal   `json:"signals"`
	Constants      []classConstant `json:"constants"`
	Enums          []classEnum     `json:"enums"`
}

type classListParams struct {
	Base   string `json:"base" p:"arg" default:"" doc:"Only this class and those below it"`
	Limit  int    `json:"limit" default:"500" doc:"Classes to return at most; 0 is no limit"`
	Offset int    `json:"offset" default:"0" doc:"Classes to skip"`
}

type classEntry struct {
	ClassName string `json:"class_name"`
	Path      string `json:"path" doc:"Script of a project's class; empty for one of the engine"`
	Base      string `json:"base"`
	Icon      string `json:"icon"`
}

type classListResult struct {
	Classes    []classEntry `json:"classes"`
	Total      int          `json:"total"`
	Truncated  bool         `json:"truncated" doc:"True when limit left classes out"`
	NextOffset int          `json:"next_offset,omitempty"`
}

func classTools() []*Tool {
	return []*Tool{
		New(Spec[classDescribeParams, classDescribeResult]{
			Name: "class describe", Class: ReadOnly, Starter: true,
			Alias:    "describe_class",
			AliasMap: AliasMap{Results: map[string]string{"enums": ".enums | map({name, members: .values})"}},
			Summary:  "Describe a class: properties, methods, signals, constants, enums.",
			Example:  classDescribeParams{ClassName: "Sprite2D"},
		}),
		New(Spec[classListParams, classListResult]{
			Name: "class list", Class: ReadOnly,
			Summary: "List the classes of the engine and of the project.",
			Example: classListParams{Base: "CollisionObject2D"},
		}),
	}
}
