package commands

import (
	"context"
	"encoding/json"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type toolDescribeParams struct {
	Tool string `json:"tool" p:"required" doc:"MCP name, command or older name of the tool"`
}

type toolDescription struct {
	Name             string `json:"name" doc:"MCP name; the older name when it was asked for by that"`
	Command          string `json:"command" doc:"What follows godot-mcp on the command line"`
	Summary          string `json:"summary"`
	SafetyClass      Class  `json:"safety_class" doc:"read_only, mutating, destructive or runtime"`
	Toolset          string `json:"toolset"`
	ExecutesCode     bool   `json:"executes_code,omitempty" doc:"True when a call can run code of the project"`
	Allowed          bool   `json:"allowed" doc:"False when the policy refuses calls"`
	InputSchema      Object `json:"input_schema"`
	OutputSchema     Object `json:"output_schema"`
	Example          string `json:"example" doc:"A call as it is typed in a shell"`
	ExampleArguments Object `json:"example_arguments,omitempty" doc:"The arguments of the example"`
}

type toolSearchParams struct {
	Query string `json:"query" p:"required" doc:"What is to be done, in words of your own"`
	Limit int    `json:"limit" default:"10" doc:"Most tools, at least 1"`
}

type foundTool struct {
	Name        string  `json:"name" doc:"MCP name"`
	Summary     string  `json:"summary"`
	Toolset     string  `json:"toolset"`
	SafetyClass Class   `json:"safety_class"`
	Score       float64 `json:"score" doc:"The best one first; only to compare within one answer"`
}

type toolSearchResult struct {
	Tools []foundTool `json:"tools"`
	Hint  string      `json:"hint,omitempty" doc:"What to type when no tool was found"`
}

func toolTools() []*Tool {
	return []*Tool{
		New(Spec[toolSearchParams, toolSearchResult]{
			Name: "tool search", Class: ReadOnly, Starter: true, OwnText: true,
			Summary: "Search all tools, of toolsets that are off too, by what you want to do.",
			Example: toolSearchParams{Query: "put a prefab into the level"},
			Run:     searchTools,
		}),
		New(Spec[toolDescribeParams, toolDescription]{
			Name: "tool describe", Class: ReadOnly, Starter: true, OwnText: true,
			Summary: "Describe a tool: its parameters, its result, an example.",
			Example: toolDescribeParams{Tool: "node add"},
			Run:     describeTool,
		}),
		New(Spec[toolCallParams, toolCallResult]{
			Name: "tool call", Class: Runtime, Starter: true, Forwards: true,
			Summary: "Call any tool by its name, listed or not; jq picks from its result.",
			Example: toolCallParams{Tool: "class describe", Arguments: Object{"class_name": Any(`"Node2D"`)}},
		}),
	}
}

func describeTool(ctx context.Context, env *Env, p toolDescribeParams) (toolDescription, error) {
	tool, older := env.Table.Lookup(p.Tool)
	if tool == nil {
		return toolDescription{}, env.Table.unknown(p.Tool)
	}
	policy := policyOf(ctx)
	d := toolDescription{
		Name: tool.MCPName(), Command: tool.Name, Summary: tool.Summary, SafetyClass: tool.Class,
		Toolset: tool.Toolset, ExecutesCode: tool.ExecutesCode, Allowed: policy.Allows(tool),
		Example: "godot-mcp " + shellLine(tool.Name, tool.Example(), env.Table),
	}
	input, output := tool.InputSchema(), tool.ResultSchema()
	if older {
		recorded := OlderTools()[tool.Alias]
		d.Name, input, output = recorded.Name, recorded.InputSchema, recorded.OutputSchema
	} else if err := json.Unmarshal(tool.Example(), &d.ExampleArguments); err != nil {
		return d, err
	}
	if len(output) == 0 || string(output) == "null" {
		output = json.RawMessage(`{"type":"object"}`)
	}
	if err := json.Unmarshal(input, &d.InputSchema); err != nil {
		return d, err
	}
	return d, json.Unmarshal(output, &d.OutputSchema)
}

func searchTools(ctx context.Context, env *Env, p toolSearchParams) (toolSearchResult, error) {
	if p.Limit < 1 {
		return toolSearchResult{}, bridge.Errorf(bridge.ValidationError, "limit", "limit must be at least 1, was given %d", p.Limit)
	}
	policy := policyOf(ctx)
	found := toolSearchResult{Tools: []foundTool{}}
	for _, hit := range env.Table.Search(p.Query) {
		t := hit.Tool
		if len(found.Tools) == p.Limit {
			break
		}
		if !policy.Allows(t) {
			continue
		}
		name, toolset := t.MCPName(), t.Toolset
		if env.Legacy && t.Alias != "" {
			name, toolset = "godot_"+t.Alias, olderToolset(t)
		}
		found.Tools = append(found.Tools, foundTool{name, t.Summary, toolset, t.Class, hit.Score})
	}
	if len(found.Tools) == 0 {
		found.Hint = "no tool fits: say it in other words, or look at what there is: godot-mcp toolset list"
	}
	return found, nil
}

type policyKey struct{}

// withPolicy lets tools about tools tell what may be called.
func withPolicy(ctx context.Context, p Policy) context.Context {
	return context.WithValue(ctx, policyKey{}, p)
}

func policyOf(ctx context.Context) Policy {
	p, _ := ctx.Value(policyKey{}).(Policy)
	return p
}
