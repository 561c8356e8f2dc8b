//go:build conformance

package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var fixtureKey = []byte("the fixtures guard nothing")

// fixtureState is a state that was not made by somebody else.
func (s *Server) fixtureState(text string) string {
	mac := hmac.New(sha256.New, fixtureKey)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Server) readFixtureState(state string) (string, bool) {
	encodedText, _, _ := strings.Cut(state, ".")
	text, err := base64.RawURLEncoding.DecodeString(encodedText)
	return string(text), err == nil && hmac.Equal([]byte(state), []byte(s.fixtureState(string(text))))
}

var fixtureSchema = json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
	"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
	"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
	"phone":{"type":"string"},"email":{"type":"string"}},
	"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
	"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
	"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`)

var fixtureResources = []json.RawMessage{
	json.RawMessage(`{"uri":"test://static-binary","name":"static-binary","description":"A picture","mimeType":"image/png"}`),
	json.RawMessage(`{"uri":"test://static-text","name":"static-text","description":"A text","mimeType":"text/plain"}`),
	json.RawMessage(`{"uri":"test://watched-resource","name":"watched-resource","description":"A text that may change","mimeType":"text/plain"}`),
}

var fixtureTemplates = []json.RawMessage{
	json.RawMessage(`{"uriTemplate":"test://template/{id}/data","name":"template","description":"Data by its id","mimeType":"application/json"}`),
}

var fixturePrompts = []json.RawMessage{
	json.RawMessage(`{"name":"test_input_required_result_prompt","description":"Asks before it answers"}`),
	json.RawMessage(`{"name":"test_prompt_with_arguments","description":"Has two arguments","arguments":[{"name":"arg1","description":"The first","required":true},{"name":"arg2","description":"The second","required":true}]}`),
	json.RawMessage(`{"name":"test_prompt_with_embedded_resource","description":"Holds a resource","arguments":[{"name":"resourceUri","description":"Its URI","required":true}]}`),
	json.RawMessage(`{"name":"test_prompt_with_image","description":"Holds a picture"}`),
	json.RawMessage(`{"name":"test_simple_prompt","description":"Has no arguments"}`),
}

// otherFixture answers requests about the fixtures that are no tools.
func (s *Server) otherFixture(_ context.Context, request sdk.Request) (result sdk.Result, err error, mine bool) {
	switch r := request.(type) {
	case *sdk.ReadResourceRequest:
		if contents := fixtureContents(r.Params.URI); contents != nil {
			contents.URI = r.Params.URI
			return rawOf(&sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}).aged(r.Params.Meta), nil, true
		}
	case *sdk.GetPromptRequest:
		if made := fixturePrompt(r.Params); made != nil {
			return rawOf(made).typed(r.Params.Meta), nil, true
		}
	case *sdk.SubscribeRequest:
		return &rawResult{fields: map[string]json.RawMessage{}}, nil, strings.HasPrefix(r.Params.URI, "test://")
	case *sdk.UnsubscribeRequest:
		return &rawResult{fields: map[string]json.RawMessage{}}, nil, strings.HasPrefix(r.Params.URI, "test://")
	case *sdk.CompleteRequest:
		if strings.HasPrefix(r.Params.Ref.Name, "test_") || strings.HasPrefix(r.Params.Ref.URI, "test://") {
			return rawOf(&sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}).typed(r.Params.Meta), nil, true
		}
	}
	return nil, nil, false
}

func fixtureContents(uri string) *sdk.ResourceContents {
	switch uri {
	case "test://static-text", "test://watched-resource":
		return &sdk.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}
	case "test://static-binary":
		return &sdk.ResourceContents{MIMEType: "image/png", Blob: bytesOf(onePixel)}
	}
	id, ok := strings.CutPrefix(uri, "test://template/")
	if id, ok = strings.CutSuffix(id, "/data"); !ok || !strings.HasPrefix(uri, "test://template/") {
		return nil
	}
	return &sdk.ResourceContents{MIMEType: "application/json", Text: string(encoded(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id}))}
}

func fixturePrompt(p *sdk.GetPromptParams) *sdk.GetPromptResult {
	message := func(content sdk.Content) *sdk.PromptMessage {
		return &sdk.PromptMessage{Role: "user", Content: content}
	}
	text := func(text string) *sdk.PromptMessage { return message(&sdk.TextContent{Text: text}) }
	result := &sdk.GetPromptResult{Description: "A prompt for tests"}
	switch p.Name {
	case "test_simple_prompt":
		result.Messages = append(result.Messages, text("This is a simple prompt for testing."))
	case "test_prompt_with_arguments":
		result.Messages = append(result.Messages, text("Prompt with arguments: arg1='"+p.Arguments["arg1"]+"', arg2='"+p.Arguments["arg2"]+"'"))
	case "test_prompt_with_embedded_resource":
		result.Messages = append(result.Messages, message(embedded(p.Arguments["resourceUri"])), text("Please process the embedded resource above."))
	case "test_prompt_with_image":
		result.Messages = append(result.Messages, message(picture), text("Please analyze the image above."))
	case "test_input_required_result_prompt":
		about := formText(p.InputResponses, "user_context", "context")
		if about == "" {
			return &sdk.GetPromptResult{InputRequests: sdk.InputRequestMap{"user_context": questions["user_context"]}}
		}
		result.Messages = append(result.Messages, text("Context: "+about))
	default:
		return nil
	}
	return result
}
