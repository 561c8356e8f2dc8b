//go:build conformance

package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// declared has what only the fixtures need, too.
func declared(c *sdk.ServerCapabilities) *sdk.ServerCapabilities {
	all := *c
	all.Logging = &sdk.LoggingCapabilities{}
	all.Prompts = &sdk.PromptCapabilities{ListChanged: true}
	all.Completions = &sdk.CompletionCapabilities{}
	if all.Resources == nil {
		all.Resources = &sdk.ResourceCapabilities{Subscribe: true}
	}
	return &all
}

// rawResult is a result as it stands on the wire.
type rawResult struct {
	sdk.ResultBase
	fields map[string]json.RawMessage
}

// MarshalJSON writes the result.
func (r *rawResult) MarshalJSON() ([]byte, error) {
	fields := maps.Clone(r.fields)
	if len(r.Meta) > 0 {
		fields["_meta"] = encoded(r.Meta)
	}
	return json.Marshal(fields)
}

func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func rawOf(result any) *rawResult {
	r := &rawResult{fields: map[string]json.RawMessage{}}
	if err := json.Unmarshal(encoded(result), &r.fields); err != nil {
		panic(err)
	}
	return r
}

// typed says in a newer client's result whether it is complete.
func (r *rawResult) typed(meta sdk.Meta) *rawResult {
	delete(r.fields, "resultType")
	if !modern(meta) {
		return r
	}
	r.fields["resultType"] = encoded("complete")
	if r.fields["inputRequests"] != nil || r.fields["requestState"] != nil {
		r.fields["resultType"] = encoded("input_required")
		delete(r.fields, "content")
	}
	return r
}

// aged is typed, for what may be kept.
func (r *rawResult) aged(meta sdk.Meta) *rawResult {
	if r.typed(meta); modern(meta) {
		r.fields["ttlMs"], r.fields["cacheScope"] = encoded(0), encoded("private")
	}
	return r
}

// withFixtures answers for the fixtures beside ours. Their calls go through the one gate like all others.
func (s *Server) withFixtures(ours sdk.Middleware) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		answer := ours(next)
		return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
			if call, ok := request.(*sdk.CallToolRequest); ok {
				return s.callFixture(ctx, call, answer)
			}
			if strings.HasPrefix(method, "logging/") {
				return next(ctx, method, request)
			}
			if result, err, mine := s.otherFixture(ctx, request); mine {
				return result, err
			}
			result, err := answer(ctx, method, request)
			if err != nil {
				return result, err
			}
			return withFixtureEntries(method, result), nil
		}
	}
}

// callFixture lets the gate carry out the call, and answers with what the fixture made of it.
func (s *Server) callFixture(ctx context.Context, call *sdk.CallToolRequest, answer sdk.MethodHandler) (sdk.Result, error) {
	var made *sdk.CallToolResult
	var refused error
	ctx = commands.WithAnswerer(ctx, func(ctx context.Context, name string, arguments json.RawMessage) (err error) {
		f := &fixtureCall{Context: ctx, server: s, request: call}
		_ = json.Unmarshal(arguments, &f.given)
		made, refused, err = fixtures[name](f)
		return err
	})
	result, err := answer(ctx, "tools/call", call)
	switch {
	case err != nil || made == nil && refused == nil:
		return result, err
	case refused != nil:
		return nil, refused
	}
	return rawOf(made).typed(call.Params.Meta), nil
}

// withFixtureEntries adds the fixtures to a list, and gives the tools among them the suite's names.
func withFixtureEntries(method string, result sdk.Result) sdk.Result {
	key, more := "", []json.RawMessage{}
	switch method {
	case "tools/list":
		key = "tools"
	case "prompts/list":
		key, more = "prompts", fixturePrompts
	case "resources/list":
		key, more = "resources", fixtureResources
	case "resources/templates/list":
		key, more = "resourceTemplates", fixtureTemplates
	default:
		return result
	}
	raw := rawOf(result)
	var entries []map[string]json.RawMessage
	if err := json.Unmarshal(raw.fields[key], &entries); err != nil {
		panic(err)
	}
	for _, one := range more {
		var entry map[string]json.RawMessage
		if err := json.Unmarshal(one, &entry); err != nil {
			panic(err)
		}
		entries = append(entries, entry)
	}
	for name, tool := range commands.Fixtures() {
		for _, entry := range entries {
			if key == "tools" && string(entry["name"]) == string(encoded(tool.MCPName())) {
				entry["name"] = encoded(name)
				delete(entry, "outputSchema")
				if name == "json_schema_2020_12_tool" {
					entry["inputSchema"] = fixtureSchema
				}
			}
		}
	}
	slices.SortFunc(entries, func(a, b map[string]json.RawMessage) int {
		return strings.Compare(string(a["name"]), string(b["name"]))
	})
	raw.fields[key] = encoded(entries)
	if meta := raw.fields["_meta"]; meta != nil {
		_ = json.Unmarshal(meta, &raw.Meta)
	}
	return raw
}
