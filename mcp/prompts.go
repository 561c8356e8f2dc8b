package mcp

import (
	"bytes"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// listedPrompt is an entry of prompts/list.
type listedPrompt struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Arguments   []listedArgument `json:"arguments,omitempty"`
}

type listedArgument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

func listPrompt(p commands.Prompt) listedPrompt {
	entry := listedPrompt{Name: p.Name, Description: p.Summary}
	for _, a := range p.Arguments {
		doc := a.Doc
		if a.Default != "" {
			doc += "; default " + a.Default
		}
		entry.Arguments = append(entry.Arguments, listedArgument{a.Name, doc, a.Required})
	}
	return entry
}

// promptResult is a prompts/get result: what a person says.
type promptResult struct {
	sdk.ResultBase
	description, text string
	modern            bool
}

// MarshalJSON writes the result.
func (r *promptResult) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"description":`)
	b.Write(marshalled(r.description))
	b.WriteString(`,"messages":[{"role":"user","content":{"type":"text","text":`)
	b.Write(marshalled(r.text))
	b.WriteString(`}}]`)
	return finish(&b, r.modern, ``, r.Meta)
}

func (s *Server) getPrompt(request *sdk.GetPromptRequest) (sdk.Result, error) {
	prompt := commands.FindPrompt(request.Params.Name)
	if prompt == nil {
		return nil, invalidParams("unknown prompt %s", request.Params.Name)
	}
	text, err := prompt.Render(request.Params.Arguments)
	if err != nil {
		return nil, s.asProtocolError(err, modern(request.Params.Meta))
	}
	return &promptResult{description: prompt.Summary, text: text, modern: modern(request.Params.Meta)}, nil
}
