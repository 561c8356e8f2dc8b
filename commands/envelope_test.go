package commands

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// messageSchema is the schema of one kind of message.
func messageSchema(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	var whole jsonschema.Schema
	if err := json.Unmarshal(EnvelopeSchema(), &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Defs[name] == nil {
		t.Fatalf("there is no definition of %s", name)
	}
	resolved, err := (&jsonschema.Schema{Defs: whole.Defs, Ref: "#/$defs/" + name}).Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestEnvelopeSchemaTellsGoodFromBad(t *testing.T) {
	line, err := bridge.Errorf(bridge.PreconditionFailed, "confirm", "run it with --confirm").MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, text string
		valid      bool
	}{
		{"command_line_error", string(line), true},
		{"command_line_error", `{"ok":false,"error":"TIMEOUT"}`, false},
		{"request", `{"id":2,"command":"node.add","params":{},"raw":{"value":"42"},"key":"k"}`, true},
		{"request", `{"id":2,"command":"node.add","params":{},"more":1}`, true},
		{"request", `{"id":2,"params":{}}`, false},
		{"cancel", `{"id":2,"cancel":true}`, true},
		{"result", `{"id":2,"ok":true,"result":null}`, true},
		{"result", `{"id":2,"ok":true}`, false},
		{"error", `{"id":2,"ok":false,"error":"SOMETHING_NEW","hint":"h","required":"confirm"}`, true},
		{"error", `{"id":"2","ok":false,"error":"TIMEOUT","hint":"h"}`, false},
		{"progress", `{"id":2,"progress":1.5,"total":3}`, true},
		{"event", `{"event":"dropped","count":3}`, true},
		{"event", `{"count":3}`, false},
	} {
		var value any
		if err := json.Unmarshal([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		if err := messageSchema(t, c.kind).Validate(value); (err == nil) != c.valid {
			t.Errorf("%s %s: %v, want valid %t", c.kind, c.text, err, c.valid)
		}
	}
}

func TestRowErrorsNameWhatExists(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		for _, e := range tool.Errors() {
			known := e.Required == "" || find(tool.Params(), e.Required) != nil
			for _, r := range bridge.Required {
				known = known || r.Name == e.Required
			}
			if !known || e.When == "" {
				t.Errorf("%+v", e)
			}
		}
		confirms := false
		for _, e := range tool.Errors() {
			confirms = confirms || e.Required == "confirm"
		}
		if confirms != (tool.Class == Destructive) {
			t.Errorf("class %s, confirm among the errors: %t", tool.Class, confirms)
		}
	})
}
