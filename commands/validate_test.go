package commands

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type sampleParams struct {
	Text  string   `json:"text" p:"required" doc:"x"`
	Count int      `json:"count" default:"3" doc:"x"`
	Ratio float64  `json:"ratio" p:"option" doc:"x"`
	On    bool     `json:"on" default:"false" doc:"x"`
	Kind  string   `json:"kind" default:"a" enum:"a,b" doc:"x"`
	Names []string `json:"names" p:"option" doc:"x"`
	Map   Object   `json:"map" p:"option" doc:"x"`
	Value Any      `json:"value" p:"option" doc:"x"`
}

func sampleTool() *Tool {
	return New(Spec[sampleParams, none]{
		Name: "sample get", Class: ReadOnly, Summary: "Get a sample.", Example: sampleParams{Text: "x"},
		Alias: "old_sample",
		AliasMap: AliasMap{
			Params:   map[string]string{"old_text": "text"},
			Defaults: map[string]json.RawMessage{"count": json.RawMessage("7")},
			Results:  map[string]string{"old_name": "name"},
		},
	})
}

func TestValidateFillsInAndKeepsTheTablesOrder(t *testing.T) {
	for given, want := range map[string]string{
		`{"text":"a"}`: `{"text":"a","count":3,"on":false,"kind":"a"}`,
		` {"kind":"b","on":true,"text":"","count":5} `: `{"text":"","count":5,"on":true,"kind":"b"}`,
		// Text that is JSON of the wanted type is taken for it, since some clients send nothing but text.
		`{"text":"5","count":"5","on":"true","ratio":"0.5","names":"[\"n\"]","map":"{\"k\":1}"}`: `{"text":"5","count":5,"ratio":0.5,"on":true,"kind":"a","names":["n"],"map":{"k":1}}`,
		// One kind of number in JSON, two in the engine.
		`{"text":"a","count":4.0,"value":4.0}`: `{"text":"a","count":4,"on":false,"kind":"a","value":4.0}`,
		`{"text":"a","count":1e2,"ratio":1}`:   `{"text":"a","count":100,"ratio":1,"on":false,"kind":"a"}`,
		// null is absence, but a value where any may be.
		`{"text":"a","count":null,"names":null,"value":null}`: `{"text":"a","count":3,"on":false,"kind":"a","value":null}`,
		`{"text":"a","value":"42"}`:                           `{"text":"a","count":3,"on":false,"kind":"a","value":"42"}`,
		`{"text":"a","task_progress":1}`:                      `{"text":"a","count":3,"on":false,"kind":"a"}`,
		`{"text":"\ud83d\ude00 \\ud800"}`:                     `{"text":"\ud83d\ude00 \\ud800","count":3,"on":false,"kind":"a"}`,
	} {
		got, err := sampleTool().Validate(json.RawMessage(given), false)
		if err != nil || string(got) != want {
			t.Errorf("%s\n gave %s, error %v\n want %s", given, got, err, want)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct{ given, required, hint string }{
		{``, "text", "sample get needs text: godot-mcp sample get"},
		{`null`, "text", "needs text"},
		{`{"text":null}`, "text", "needs text"},
		{`[]`, "arguments", "one JSON object"},
		{`{"text":"a"`, "arguments", "one JSON object"},
		{`{"text":5}`, "text", "text must be a string, was given 5"},
		{`{"text":"a","count":"x"}`, "count", "count must be an integer"},
		{`{"text":"a","count":1.5}`, "count", "count must be an integer, was given 1.5"},
		{`{"text":"a","count":9223372036854775808}`, "count", "must be an integer"},
		{`{"text":"a","count":true}`, "count", "must be an integer"},
		{`{"text":"a","ratio":"fast"}`, "ratio", "must be a number"},
		{`{"text":"a","on":1}`, "on", "must be a boolean"},
		{`{"text":"a","kind":"c"}`, "kind", `one of a, b, was given "c"`},
		{`{"text":"a","names":[1]}`, "names", "must be a list of string"},
		{`{"text":"a","map":[]}`, "map", "must be an object"},
		{`{"text":"a","map":{"k":1e999}}`, "map", "must be an object"},
		{`{"text":"a","value":18446744073709551616}`, "value", "was given 18446744073709551616"},
		{`{"text":"a","txet":1}`, "txet", "has no parameter txet: did you mean text? godot-mcp sample get --help"},
		{`{"text":"a","zebra":1,"apple":2}`, "apple", "has no parameter apple: godot-mcp sample get --help"},
		{`{"text":"\ud800"}`, "arguments", "half of a surrogate pair"},
		{`{"text":"\udc00\ud800"}`, "arguments", "half of a surrogate pair"},
		{`{"text":"\ud800\u0041"}`, "arguments", "half of a surrogate pair"},
		{`{"text":"a","\ud800":1}`, "arguments", "half of a surrogate pair"},
		{"{\"text\":\"\xff\"}", "arguments", "not valid UTF-8"},
	} {
		_, err := sampleTool().Validate(json.RawMessage(c.given), false)
		e := bridge.AsError(err)
		if e == nil || e.Code != bridge.ValidationError || e.Required != c.required || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: got %v, want required %s and %q", c.given, e, c.required, c.hint)
		}
	}
}

func TestValidateShortensWhatWasGiven(t *testing.T) {
	_, err := sampleTool().Validate(json.RawMessage(`{"text":["`+strings.Repeat("ä", 5000)+`"]}`), false)
	if e := bridge.AsError(err); e == nil || len(e.Hint) > 300 || !strings.HasSuffix(e.Hint, "...") {
		t.Errorf("got %v", e)
	}
}
