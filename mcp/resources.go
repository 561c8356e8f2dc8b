package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

const (
	jsonType = "application/json"
	// codeNoResource is what older revisions say of a resource that is not there.
	codeNoResource = -32002
	// staticAge is for lists that do not change while the server runs.
	staticAge = `,"ttlMs":300000,"cacheScope":"private"`
	// liveAge is for what the next edit changes.
	liveAge = `,"ttlMs":0,"cacheScope":"private"`
)

// fixedLists are the lists that do not change while the server runs, as clients read them.
type fixedLists struct{ resources, templates, prompts json.RawMessage }

// listedResource is an entry of resources/list or, with a template for its URI, of resources/templates/list.
type listedResource struct {
	URI         string `json:"uri,omitempty"`
	URITemplate string `json:"uriTemplate,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description"`
	MIMEType    string `json:"mimeType,omitempty"`
}

func (s *Server) makeFixedLists() *fixedLists {
	resources, templates, prompts := []listedResource{}, []listedResource{}, []listedPrompt{}
	for _, r := range commands.Resources() {
		if !s.mayRead(r) {
			continue
		}
		entry := listedResource{Name: r.Name, Description: r.Summary, MIMEType: jsonType}
		if r.Content {
			entry.MIMEType = "" // each has its own
		}
		if r.Variable() == "" {
			entry.URI = r.URI
			resources = append(resources, entry)
		} else {
			entry.URITemplate = r.URI
			templates = append(templates, entry)
		}
	}
	for _, p := range commands.Prompts() {
		prompts = append(prompts, listPrompt(p))
	}
	return &fixedLists{marshalled(resources), marshalled(templates), marshalled(prompts)}
}

// marshalled is for values that always encode.
func marshalled(value any) json.RawMessage {
	text, _ := json.Marshal(value)
	return text
}

// mayRead asks the policy about the tool behind a resource.
func (s *Server) mayRead(r commands.Resource) bool {
	return s.dispatcher.Table.MayRead(s.dispatcher.Policy, r)
}

// listFixed answers with one of the lists, which have one page.
func (s *Server) listFixed(key string, cursor string, meta sdk.Meta) (sdk.Result, error) {
	if cursor != "" {
		return nil, invalidParams("there is no cursor %q: the list has one page", cursor)
	}
	s.fixing.Do(func() { s.fixed = s.makeFixedLists() })
	lists := map[string]json.RawMessage{
		"resources": s.fixed.resources, "resourceTemplates": s.fixed.templates, "prompts": s.fixed.prompts,
	}
	return &listResult{key: key, items: lists[key], age: staticAge, modern: modern(meta)}, nil
}

// readResult is a resources/read result.
type readResult struct {
	sdk.ResultBase
	contents map[string]any
	modern   bool
}

// MarshalJSON writes the result. That the text comes from the project stands beside it, too, where clients
// keep the contents and not the result.
func (r *readResult) MarshalJSON() ([]byte, error) {
	contents, err := json.Marshal([]any{r.contents})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(len(contents) + 300)
	b.WriteString(`{"contents":`)
	b.Write(contents)
	return finish(&b, r.modern, liveAge, r.Meta)
}

func (s *Server) readResource(ctx context.Context, request *sdk.ReadResourceRequest) (sdk.Result, error) {
	params := request.Params
	call, err := s.readCallMeta(params.Meta)
	if err != nil {
		return nil, s.asProtocolError(err, modern(params.Meta))
	}
	call.Client = clientOf(params.Meta, request.Session)
	if token := params.GetProgressToken(); token != nil {
		call.OnProgress = teller(ctx, request.Session, token)
	}
	answer, err := s.dispatcher.ReadResource(ctx, params.URI, call)
	if err != nil {
		return nil, s.asProtocolError(err, modern(params.Meta))
	}
	contents, err := s.contentsOf(params.URI, answer)
	if err != nil {
		return nil, s.asProtocolError(err, modern(params.Meta))
	}
	result := &readResult{contents: contents, modern: modern(params.Meta)}
	result.Meta = sdk.Meta{metaProjectText: true}
	return result, nil
}

// maxBlob is how many bytes of a resource fit into a message with their encoding.
const maxBlob = bridge.MaxMessage/4*3 - 4096

// contentsOf is what a resource holds: the answer of the tool behind it, or the content in that.
func (s *Server) contentsOf(uri string, answer json.RawMessage) (map[string]any, error) {
	resource, _, _, _ := s.dispatcher.Table.FindResource(uri)
	if !resource.Content {
		return map[string]any{
			"uri": uri, "mimeType": jsonType, "text": string(answer), "_meta": sdk.Meta{metaProjectText: true},
		}, nil
	}
	c, err := readContent(answer)
	if err == nil && c.Bytes > maxBlob {
		err = bridge.Errorf(bridge.ValidationError, "uri", "%s has %d bytes, a message holds %d: have it written to a file: godot-mcp artifact get --output-path FILE", uri, c.Bytes, maxBlob)
	}
	return c.held(uri), err
}

// asProtocolError is for requests whose results have no place for an error. What a tool would say is the
// message, and stands in data part by part.
func (s *Server) asProtocolError(err error, modern bool) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := bridge.AsError(err)
	coded := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.failed(err)}
	switch {
	case e.Code == bridge.ValidationError:
		coded.Code = jsonrpc.CodeInvalidParams
	case e.Code == bridge.ResourceNotFound && modern:
		coded.Code = jsonrpc.CodeInvalidParams
	case e.Code == bridge.ResourceNotFound:
		coded.Code = codeNoResource
	}
	coded.Data = marshalled(map[string]string{"error": string(e.Code), "hint": asCall(s.dispatcher.Table, e.Hint), "required": e.Required})
	return coded
}
