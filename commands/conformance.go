//go:build conformance

package commands

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Answerer answers the call of a fixture, a row that the conformance suite of MCP asks for by its name there.
type Answerer func(ctx context.Context, name string, arguments json.RawMessage) error

type answererKey struct{}

// WithAnswerer is the context of calls that may be of fixtures.
func WithAnswerer(ctx context.Context, a Answerer) context.Context {
	return context.WithValue(ctx, answererKey{}, a)
}

// Tell sends progress to who asked for it.
func Tell(ctx context.Context, p bridge.Progress) {
	if tell, ok := ctx.Value(listener{}).(func(bridge.Progress)); ok {
		tell(p)
	}
}

type samplingFixture struct {
	Prompt string `json:"prompt" default:"" doc:"What the model is asked"`
}

type elicitationFixture struct {
	Message string `json:"message" default:"" doc:"What the person is asked"`
}

type schemaFixture struct {
	Name          string `json:"name" default:"" doc:"A name"`
	Address       Object `json:"address" p:"option" doc:"An address"`
	ContactMethod string `json:"contactMethod" default:"" doc:"phone or email"`
	Phone         string `json:"phone" default:"" doc:"A number"`
	Email         string `json:"email" default:"" doc:"An address"`
}

// fixture is a row that is answered by the answerer of the call.
func fixture[P any](name string) *Tool {
	plain := strings.ReplaceAll(strings.TrimPrefix(name, "test_"), "_", "-")
	return New(Spec[P, struct{}]{
		Name: "conformance " + plain, Class: ReadOnly, Starter: true, OwnText: true,
		Summary: "Answer what the conformance suite asks of " + name + ".",
		Run: func(ctx context.Context, _ *Env, p P) (struct{}, error) {
			answer, ok := ctx.Value(answererKey{}).(Answerer)
			if !ok {
				return struct{}{}, bridge.Errorf(bridge.ValidationError, "tool", "%s is for MCP alone: godot-mcp mcp --help", name)
			}
			arguments, err := json.Marshal(p)
			if err == nil {
				err = answer(ctx, name, arguments)
			}
			return struct{}{}, err
		},
	})
}

// Fixtures are the rows, by the suite's names.
func Fixtures() map[string]*Tool {
	all := map[string]*Tool{
		"test_sampling":            fixture[samplingFixture]("test_sampling"),
		"test_elicitation":         fixture[elicitationFixture]("test_elicitation"),
		"json_schema_2020_12_tool": fixture[schemaFixture]("json_schema_2020_12_tool"),
	}
	for _, name := range []string{
		"simple_text", "image_content", "audio_content", "embedded_resource", "multiple_content_types",
		"tool_with_logging", "tool_with_progress", "error_handling", "elicitation_sep1034_defaults",
		"elicitation_sep1330_enums", "missing_capability", "streaming_elicitation", "logging_tool",
		"trigger_tool_change", "trigger_prompt_change", "input_required_result_elicitation",
		"input_required_result_sampling", "input_required_result_list_roots", "input_required_result_request_state",
		"input_required_result_multiple_inputs", "input_required_result_multi_round",
		"input_required_result_tampered_state", "input_required_result_capabilities",
	} {
		all["test_"+name] = fixture[struct{}]("test_" + name)
	}
	return all
}

func withFixtures(t *Table) *Table {
	for name, tool := range Fixtures() {
		t.Tools = append(t.Tools, tool)
		t.byName[tool.Name], t.byName[tool.MCPName()], t.byName[name] = tool, tool, tool
	}
	return t
}
