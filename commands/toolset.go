package commands

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type toolsetListResult struct {
	Toolsets []toolsetInfo `json:"toolsets"`
}

type toolsetParams struct {
	Toolset string `json:"toolset" p:"required" doc:"Name of a toolset; scene-3d and scene_3d are the same"`
}

// toolEntry holds what a call needs: many clients do not read the list again when it is announced.
type toolEntry struct {
	Name        string `json:"name" doc:"MCP name"`
	Description string `json:"description"`
	InputSchema Object `json:"input_schema"`
}

type toolsetResult struct {
	Name        string      `json:"name"`
	Enabled     bool        `json:"enabled" doc:"Listed to this client now"`
	Description string      `json:"description"`
	MinGodot    *string     `json:"min_godot" doc:"Oldest engine that it works with, when that is newer than the oldest served"`
	Tools       []toolEntry `json:"tools" doc:"What was enabled; empty after disable"`
	Hint        string      `json:"hint,omitempty" doc:"Set when the list of this client cannot change"`
}

type toolClassesResult struct {
	ReadOnly    []string `json:"read_only"`
	Mutating    []string `json:"mutating"`
	Destructive []string `json:"destructive"`
	Runtime     []string `json:"runtime"`
}

func toolsetTools() []*Tool {
	category := AliasMap{Params: map[string]string{"category": "toolset"}}
	return []*Tool{
		New(Spec[none, toolsetListResult]{
			Name: "toolset list", Class: ReadOnly, Starter: true, OwnText: true,
			Alias: "list_toolsets", AliasMap: AliasMap{Results: map[string]string{"result": ".toolsets | map(. + {tools: []})"}},
			Summary: "List the toolsets and which of them are listed to this client.",
			Run: func(ctx context.Context, env *Env, _ none) (toolsetListResult, error) {
				return toolsetListResult{env.toolsets(policyOf(ctx))}, nil
			},
		}),
		New(Spec[toolsetParams, toolsetResult]{
			Name: "toolset enable", Class: ReadOnly, Starter: true, OwnText: true,
			Alias: "enable_toolset", AliasMap: category,
			Summary: "List the tools of a toolset to this client.",
			Example: toolsetParams{Toolset: "class"},
			Run: func(ctx context.Context, env *Env, p toolsetParams) (toolsetResult, error) {
				return env.switchToolset(ctx, p.Toolset, true)
			},
		}),
		New(Spec[toolsetParams, toolsetResult]{
			Name: "toolset disable", Class: ReadOnly, OwnText: true,
			Alias: "disable_toolset", AliasMap: category,
			Summary: "Take the tools of a toolset out of this client's list.",
			Example: toolsetParams{Toolset: "class"},
			Run: func(ctx context.Context, env *Env, p toolsetParams) (toolsetResult, error) {
				return env.switchToolset(ctx, p.Toolset, false)
			},
		}),
		New(Spec[none, toolClassesResult]{
			Name: "tool classes", Class: ReadOnly, OwnText: true,
			Alias: "list_tools_by_safety_class", AliasMap: AliasMap{Results: map[string]string{"tools_by_safety_class": "."}},
			Summary: "List the tools that may be called, by their safety class.",
			Run:     toolClasses,
		}),
	}
}

type fixedLists struct{}

// WithFixedLists marks a call of a client whose list of tools may not change by a call, as MCP demands since
// 2026-07-28.
func WithFixedLists(ctx context.Context) context.Context {
	return context.WithValue(ctx, fixedLists{}, true)
}

// switchToolset changes what is listed. Tools can be called whether they are listed or not.
func (e *Env) switchToolset(ctx context.Context, name string, on bool) (toolsetResult, error) {
	name = strings.ReplaceAll(strings.TrimSpace(name), "-", "_")
	names := e.toolsetNames()
	if !slices.Contains(names, name) {
		hint := "godot-mcp toolset list"
		if best := nearest(name, names); best != "" {
			hint = "did you mean " + best + "? " + hint
		}
		return toolsetResult{}, bridge.Errorf(bridge.ValidationError, "toolset", "there is no toolset %s: %s", name, hint)
	}
	result := toolsetResult{Name: name, Description: GroupSummary(name), Tools: []toolEntry{}}
	if on {
		result.Tools = e.toolsOf(name, policyOf(ctx))
	}
	if e.OnListed == nil || ctx.Value(fixedLists{}) != nil {
		result.Enabled = e.isListed(name, policyOf(ctx))
		result.Hint = "the list of this client stays as it is; every tool can be called all the same, by the names of godot-mcp tool classes"
		return result, nil
	}
	if name == "core" {
		on = true // it holds the way to everything else
	}
	e.mu.Lock()
	e.switched = append(slices.DeleteFunc(e.switched, func(s toolsetSwitch) bool { return s.name == name }), toolsetSwitch{name, on})
	e.mu.Unlock()
	e.OnListed()
	result.Enabled = on
	return result, nil
}

// toolsOf are the tools of a toolset that the policy allows, by the names that this client knows.
func (e *Env) toolsOf(toolset string, policy Policy) []toolEntry {
	entries := []toolEntry{}
	for _, t := range e.Table.Tools {
		name, schema, in := t.MCPName(), t.InputSchema(), t.Toolset == toolset
		if e.Legacy {
			name, schema, in = "godot_"+t.Alias, OlderTools()[t.Alias].InputSchema, olderToolset(t) == toolset
		}
		if !in || !policy.Allows(t) {
			continue
		}
		entry := toolEntry{Name: name, Description: t.Summary}
		if json.Unmarshal(schema, &entry.InputSchema) == nil {
			entries = append(entries, entry)
		}
	}
	return entries
}

// toolsetSwitch is a toolset that was enabled or disabled since the start.
type toolsetSwitch struct {
	name string
	on   bool
}

// ListedTools are the tools that are listed now: of the toolsets of the start, and of those switched since.
// Names that no toolset has are returned beside them.
func (e *Env) ListedTools() (tools []*Tool, unknown []string) {
	choose, setOf := e.Table.Select, func(t *Tool) string { return t.Toolset }
	if e.Legacy {
		choose, setOf = e.Table.OlderNames, olderToolset
	}
	first, unknown := choose(e.Listed)
	listed := map[*Tool]bool{}
	for _, t := range first {
		listed[t] = true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.switched {
		for _, t := range e.Table.Tools {
			if setOf(t) == s.name && (!e.Legacy || t.Alias != "") {
				listed[t] = s.on
			}
		}
	}
	for _, t := range e.Table.Tools {
		if listed[t] {
			tools = append(tools, t)
		}
	}
	return tools, unknown
}

func (e *Env) toolsetNames() []string {
	if e.Legacy {
		return OlderToolsets()
	}
	return e.Table.Toolsets()
}

func (e *Env) isListed(toolset string, policy Policy) bool {
	for _, info := range e.toolsets(policy) {
		if info.Name == toolset {
			return info.Enabled
		}
	}
	return false
}

func toolClasses(ctx context.Context, env *Env, _ none) (toolClassesResult, error) {
	policy := policyOf(ctx)
	names := map[Class][]string{ReadOnly: {}, Mutating: {}, Destructive: {}, Runtime: {}}
	for _, t := range env.Table.Tools {
		switch {
		case !policy.Allows(t):
		case !env.Legacy:
			names[t.Class] = append(names[t.Class], t.MCPName())
		case t.Alias != "":
			names[t.Class] = append(names[t.Class], "godot_"+t.Alias)
		}
	}
	return toolClassesResult{names[ReadOnly], names[Mutating], names[Destructive], names[Runtime]}, nil
}
