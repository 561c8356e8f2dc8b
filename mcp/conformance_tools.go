//go:build conformance

package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// fixtureCall is the call of a fixture.
type fixtureCall struct {
	context.Context
	server  *Server
	request *sdk.CallToolRequest
	given   struct{ Prompt, Message string }
}

// A fixture answers with a result, with an error of the protocol, or with one of the tool.
type fixture func(*fixtureCall) (made *sdk.CallToolResult, refused, failed error)

// Made for these tests: a picture of one pixel and a sound of no length.
const (
	onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	noSound  = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
)

func bytesOf(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

var picture = &sdk.ImageContent{Data: bytesOf(onePixel), MIMEType: "image/png"}

func embedded(uri string) sdk.Content {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "Text of an embedded resource"}}
}

func says(format string, args ...any) *sdk.CallToolResult {
	return holds(&sdk.TextContent{Text: fmt.Sprintf(format, args...)})
}

func holds(content ...sdk.Content) *sdk.CallToolResult { return &sdk.CallToolResult{Content: content} }

// always answers with the same.
func always(result *sdk.CallToolResult) fixture {
	return func(*fixtureCall) (*sdk.CallToolResult, error, error) { return result, nil, nil }
}

func (c *fixtureCall) log(texts ...string) {
	for _, text := range texts {
		_ = c.request.Session.Log(c, &sdk.LoggingMessageParams{Level: "info", Data: text})
	}
}

var fixtures = map[string]fixture{
	"test_simple_text":            always(says("This is a simple text response for testing.")),
	"test_image_content":          always(holds(picture)),
	"test_audio_content":          always(holds(&sdk.AudioContent{Data: bytesOf(noSound), MIMEType: "audio/wav"})),
	"test_embedded_resource":      always(holds(embedded("test://embedded-resource"))),
	"test_multiple_content_types": always(holds(&sdk.TextContent{Text: "Text beside others"}, picture, embedded("test://mixed-content-resource"))),
	"test_streaming_elicitation":  always(says("nothing but this result is on the stream")),
	"json_schema_2020_12_tool":    always(says("The schema is what counts.")),
	"test_error_handling": func(*fixtureCall) (*sdk.CallToolResult, error, error) {
		return nil, nil, errors.New("this tool intentionally returns an error for testing")
	},
	"test_tool_with_logging": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		c.log("Tool execution started", "Tool processing data", "Tool execution completed")
		return says("logged"), nil, nil
	},
	"test_logging_tool": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		c.log("test_logging_tool was called")
		return says("logged, if that was asked for"), nil, nil
	},
	"test_tool_with_progress": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		for _, at := range []float64{0, 50, 100} {
			commands.Tell(c, bridge.Progress{Progress: at, Total: 100, Message: fmt.Sprintf("%v of 100", at)})
		}
		return says("%v", c.request.Params.GetProgressToken()), nil, nil
	},
	"test_trigger_tool_change": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		c.server.relist()
		return says("announced"), nil, nil
	},
	"test_trigger_prompt_change": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		c.server.server.AddPrompt(&sdk.Prompt{Name: announcer}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return nil, invalidParams("this prompt only announces")
		})
		return says("announced"), nil, nil
	},
	"test_missing_capability": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		if able := c.request.ClientCapabilities(); able != nil && able.Sampling != nil {
			return says("the client can do it"), nil, nil
		}
		return nil, &jsonrpc.Error{
			Code: sdk.CodeMissingRequiredClientCapabilities, Message: "the client has not declared sampling",
			Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}, nil
	},
	"test_sampling": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		said, err := c.request.Session.CreateMessage(c, &sdk.CreateMessageParams{
			Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: c.given.Prompt}}}, MaxTokens: 100,
		})
		if err != nil {
			return nil, nil, err
		}
		text, _ := said.Content.(*sdk.TextContent)
		return says("LLM response: %s", text.Text), nil, nil
	},
	"test_elicitation": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		return c.elicit(c.given.Message, object(`{"username":{"type":"string"},"email":{"type":"string"}}`, "username"))
	},
	"test_elicitation_sep1034_defaults": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		return c.elicit("Defaults of every kind", object(`{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}}`))
	},
	"test_elicitation_sep1330_enums": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		return c.elicit("Choices of every kind", object(`{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["One","Two","Three"]},
			"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]}}}`))
	},
	"test_input_required_result_elicitation": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		if name := c.form("user_name", "name"); name != "" {
			return says("Hello, %s!", name), nil, nil
		}
		return asks("", "user_name"), nil, nil
	},
	"test_input_required_result_sampling": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		if text, ok := c.sampled("capital_question"); ok {
			return says("Sampling response: %s", text), nil, nil
		}
		return asks("", "capital_question"), nil, nil
	},
	"test_input_required_result_list_roots": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		if roots, ok := c.request.Params.InputResponses["client_roots"].(*sdk.ListRootsResult); ok {
			return says("%d roots", len(roots.Roots)), nil, nil
		}
		return asks("", "client_roots"), nil, nil
	},
	"test_input_required_result_request_state":  confirmedByState,
	"test_input_required_result_tampered_state": confirmedByState,
	"test_input_required_result_multiple_inputs": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		name := c.form("user_name", "name")
		greeting, greeted := c.sampled("greeting")
		roots, rooted := c.request.Params.InputResponses["client_roots"].(*sdk.ListRootsResult)
		if name == "" || !greeted || !rooted {
			return asks(c.server.fixtureState("several"), "user_name", "greeting", "client_roots"), nil, nil
		}
		return says("%s %s, %d roots", greeting, name, len(roots.Roots)), nil, nil
	},
	"test_input_required_result_multi_round": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		state, ok := c.server.readFixtureState(c.request.Params.RequestState)
		switch name, second := strings.CutPrefix(state, "second "); {
		case !ok:
			return asks(c.server.fixtureState("first"), "step1"), nil, nil
		case !second:
			return asks(c.server.fixtureState("second "+c.form("step1", "name")), "step2"), nil, nil
		default:
			return says("%s likes %s", name, c.form("step2", "color")), nil, nil
		}
	},
	"test_input_required_result_capabilities": func(c *fixtureCall) (*sdk.CallToolResult, error, error) {
		if len(c.request.Params.InputResponses) > 0 {
			return says("answered"), nil, nil
		}
		able := c.request.ClientCapabilities()
		var keys []string
		if able != nil && able.Elicitation != nil {
			keys = append(keys, "user_name")
		}
		if able != nil && able.Sampling != nil {
			keys = append(keys, "greeting")
		}
		if able != nil && able.RootsV2 != nil {
			keys = append(keys, "client_roots")
		}
		if keys == nil {
			return says("the client can be asked nothing"), nil, nil
		}
		return asks("", keys...), nil, nil
	},
}

// object is a form's schema.
func object(properties string, required ...string) json.RawMessage {
	schema := map[string]any{"type": "object", "properties": json.RawMessage(properties)}
	if required != nil {
		schema["required"] = required
	}
	return encoded(schema)
}

func (c *fixtureCall) elicit(message string, schema json.RawMessage) (*sdk.CallToolResult, error, error) {
	said, err := c.request.Session.Elicit(c, &sdk.ElicitParams{Message: message, RequestedSchema: schema})
	if err != nil {
		return nil, nil, err
	}
	return says("User response: action=%s, content=%s", said.Action, encoded(said.Content)), nil, nil
}

// questions are what the client is asked under each key.
var questions = sdk.InputRequestMap{
	"user_name":        &sdk.ElicitParams{Message: "What is your name?", RequestedSchema: object(`{"name":{"type":"string"}}`, "name")},
	"step1":            &sdk.ElicitParams{Message: "What is your name?", RequestedSchema: object(`{"name":{"type":"string"}}`, "name")},
	"step2":            &sdk.ElicitParams{Message: "Which colour do you like?", RequestedSchema: object(`{"color":{"type":"string"}}`, "color")},
	"confirm":          &sdk.ElicitParams{Message: "Go on?", RequestedSchema: object(`{"ok":{"type":"boolean"}}`, "ok")},
	"user_context":     &sdk.ElicitParams{Message: "What is it about?", RequestedSchema: object(`{"context":{"type":"string"}}`, "context")},
	"capital_question": sampled("What is the capital of France?"),
	"greeting":         sampled("Write a short greeting"),
	"client_roots":     &sdk.ListRootsParams{},
}

func sampled(text string) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}, MaxTokens: 100}
}

func asks(state string, keys ...string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{}, RequestState: state}
	for _, key := range keys {
		result.InputRequests[key] = questions[key]
	}
	return result
}

// form is a text of a form that the person sent off.
func (c *fixtureCall) form(key, field string) string {
	return formText(c.request.Params.InputResponses, key, field)
}

func formText(responses sdk.InputResponseMap, key, field string) string {
	said, ok := responses[key].(*sdk.ElicitResult)
	if !ok || said.Action != "accept" {
		return ""
	}
	text, _ := said.Content[field].(string)
	return text
}

func (c *fixtureCall) sampled(key string) (string, bool) {
	said, ok := c.request.Params.InputResponses[key].(*sdk.CreateMessageWithToolsResult)
	if !ok {
		return "", false
	}
	for _, one := range said.Content {
		if text, ok := one.(*sdk.TextContent); ok {
			return text.Text, true
		}
	}
	return "", true
}

// confirmedByState goes on only with a state of its own.
func confirmedByState(c *fixtureCall) (*sdk.CallToolResult, error, error) {
	if c.request.Params.RequestState == "" {
		return asks(c.server.fixtureState("confirm"), "confirm"), nil, nil
	}
	if _, ok := c.server.readFixtureState(c.request.Params.RequestState); !ok {
		return nil, invalidParams("requestState is not one of this server"), nil
	}
	if said, ok := c.request.Params.InputResponses["confirm"].(*sdk.ElicitResult); !ok || said.Action != "accept" {
		return asks(c.server.fixtureState("confirm"), "confirm"), nil, nil
	}
	return says("state-ok"), nil, nil
}
