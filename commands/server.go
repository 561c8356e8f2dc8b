package commands

import (
	"context"
	"encoding/json"
)

type readResourceParams struct {
	URI string `json:"uri" p:"required" doc:"URI of a resource; get-server-info lists them"`
}

type readResourceResult struct {
	URI      string `json:"uri"`
	Contents Any    `json:"contents" doc:"What the tool behind the resource answers"`
}

func serverTools() []*Tool {
	return []*Tool{
		New(Spec[readResourceParams, readResourceResult]{
			Name: "server read-resource", Class: ReadOnly, Toolset: "core",
			Alias: "read_resource", AliasMap: AliasMap{Results: map[string]string{"result": ".contents | tojson"}},
			Summary: "Read a resource of the MCP server by its URI.",
			Example: readResourceParams{URI: "godot://scene/tree/1"},
			Run: func(ctx context.Context, env *Env, p readResourceParams) (readResourceResult, error) {
				by := callerOf(ctx)
				contents, err := by.read(ctx, p.URI, by.inside(len(p.URI)))
				return readResourceResult{p.URI, contents}, err
			},
		}),
	}
}

// resourceFrame is more than the characters of the result around its URI and contents.
const resourceFrame = 40

// caller lets a tool of the binary call another one as its own caller would.
type caller struct {
	call  Call
	table *Table
	read  func(ctx context.Context, uri string, call Call) (json.RawMessage, error)
}

type callerKey struct{}

// inside is the call with what is left of its characters for the contents.
func (c caller) inside(uri int) Call {
	call := c.call
	if call.MaxChars == 0 {
		return call
	}
	call.MaxChars -= uri + resourceFrame
	if _, older := c.table.Lookup(call.Tool); older {
		call.MaxChars = call.MaxChars * 2 / 3 // there the contents are JSON in a text, with its quotes escaped
	}
	call.MaxChars = max(call.MaxChars, 1)
	return call
}

func withCaller(ctx context.Context, d *Dispatcher, call Call) context.Context {
	call.Raw = nil
	return context.WithValue(ctx, callerKey{}, caller{call, d.Table, d.ReadResource})
}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}
