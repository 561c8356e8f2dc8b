package commands

import (
	"maps"
	"slices"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// Surface is the contract of this table as a value. version is the build, numbers what it serves.
func (t *Table) Surface(version string, numbers Contract) *contract.Surface {
	s := &contract.Surface{
		Version: version, ContractVersion: numbers.Version, MinCompatibleContract: numbers.MinCompatible,
		Tools: []contract.Tool{}, Errors: surfaceErrors(), Required: surfaceRequired(),
		ExitCodes: exitCodes(), Values: valueShapes, Prompts: surfacePrompts(), Resources: surfaceResources(),
		Commands: OwnCommands, Env: EnvVars, Envelope: envelope(), Events: surfaceEvents(), Limits: limits(),
	}
	for _, tool := range t.Tools {
		s.Tools = append(s.Tools, tool.surface())
	}
	s.Digest = contract.DigestOf(s.Facts())
	return s
}

// Digest is the SHA-256 of the contract's facts in lower-case hex. Two builds with the same digest take the
// same calls.
func (t *Table) Digest() string { return t.Surface("", ThisContract).Digest }

func (t *Tool) surface() contract.Tool {
	return contract.Tool{
		Name: t.MCPName(), CLI: t.Name, Class: string(t.Class), ExecutesCode: t.ExecutesCode,
		Toolset: t.Toolset, Starter: t.Starter, Answer: t.Answer, Alias: t.Alias, AliasMap: t.AliasMap.surface(),
		Summary: t.Summary, Params: surfaceParams(t.Params()), Result: surfaceFields(t.Result(), false),
		Example: t.Example(),
	}
}

func surfaceParams(fields []Field) []contract.Param {
	out := make([]contract.Param, 0, len(fields))
	position := 0
	for _, f := range fields {
		p := contract.Param{
			Name: f.Name, Shape: shapeOf(f, true), Required: f.Required, Default: f.Default, Kind: f.Kind, Doc: f.Doc,
		}
		if f.Positional {
			position++
			p.Position = position
		}
		out = append(out, p)
	}
	return out
}

// surfaceFields are members of a result or, with input, of a parameter: there null is the same as absent.
func surfaceFields(fields []Field, input bool) []contract.Result {
	out := make([]contract.Result, 0, len(fields))
	for _, f := range fields {
		out = append(out, contract.Result{
			Name: f.Name, Shape: shapeOf(f, input), Optional: !f.Required, Nullable: f.Nullable && !input, Doc: f.Doc,
		})
	}
	return out
}

func shapeOf(f Field, input bool) contract.Shape {
	s := contract.Shape{Type: f.Type, Enum: slices.Clone(f.Enum)}
	if s.Enum == nil {
		s.Enum = []string{}
	}
	if f.Items != nil {
		s.Items = &contract.Result{Shape: shapeOf(*f.Items, input), Nullable: f.Items.Nullable && !input}
	}
	if f.Fields != nil {
		s.Fields = surfaceFields(f.Fields, input)
	}
	return s
}

func surfacePrompts() []contract.Prompt {
	out := []contract.Prompt{}
	for _, p := range Prompts() {
		out = append(out, contract.Prompt{Name: p.Name, Arguments: p.argumentNames()})
	}
	return out
}

func surfaceResources() []contract.Resource {
	var out []contract.Resource
	for _, uri := range ResourceURIs() {
		out = append(out, contract.Resource{URI: uri})
	}
	return out
}

func surfaceErrors() []contract.Error {
	var out []contract.Error
	for _, c := range bridge.Codes {
		out = append(out, contract.Error{Error: string(c.Code), Exit: c.Exit, Meaning: c.Meaning, Next: c.Next})
	}
	return out
}

func surfaceRequired() []contract.Required {
	var out []contract.Required
	for _, r := range bridge.Required {
		out = append(out, contract.Required(r))
	}
	return out
}

func (m AliasMap) surface() contract.AliasMap {
	out := contract.AliasMap{
		Params: maps.Clone(m.Params), Arguments: maps.Clone(m.Arguments), Results: maps.Clone(m.Results),
	}
	for _, each := range []*map[string]string{&out.Params, &out.Arguments, &out.Results} {
		if *each == nil {
			*each = map[string]string{}
		}
	}
	return out
}
