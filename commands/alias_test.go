package commands

import (
	"encoding/json"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestAliasTakesOlderParametersAndDefaults(t *testing.T) {
	tool := sampleTool()
	for given, want := range map[string]string{
		`{"old_text":"a"}`:           `{"text":"a","count":7,"on":false,"kind":"a"}`,
		`{"text":"a"}`:               `{"text":"a","count":7,"on":false,"kind":"a"}`,
		`{"old_text":"a","count":1}`: `{"text":"a","count":1,"on":false,"kind":"a"}`,
	} {
		got, err := tool.Validate(json.RawMessage(given), true)
		if err != nil || string(got) != want {
			t.Errorf("%s gave %s, error %v, want %s", given, got, err, want)
		}
	}
}

func TestAliasRefusesBothSpellings(t *testing.T) {
	_, err := sampleTool().Validate(json.RawMessage(`{"old_text":"a","text":"b"}`), true)
	if e := bridge.AsError(err); e == nil || e.Code != bridge.ValidationError || e.Required != "old_text" {
		t.Errorf("got %v", e)
	}
}

func TestOlderParametersNeedTheOlderName(t *testing.T) {
	_, err := sampleTool().Validate(json.RawMessage(`{"old_text":"a"}`), false)
	if e := bridge.AsError(err); e == nil || e.Required != "old_text" {
		t.Errorf("got %v", e)
	}
}

func TestAliasAnswersInTheOlderShape(t *testing.T) {
	for ours, want := range map[string]string{
		`{"name":"x","size":2}`: `{"old_name":"x","size":2}`,
		`{"size":2}`:            `{"size":2}`,
	} {
		got, err := sampleTool().olderResult(json.RawMessage(ours), nil)
		if err != nil || string(got) != want {
			t.Errorf("%s gave %s, error %v, want %s", ours, got, err, want)
		}
	}
}

func TestLookupTakesEveryName(t *testing.T) {
	table := NewTable([]*Tool{sampleTool()})
	for name, legacy := range map[string]bool{
		"sample get": false, " sample get ": false, "godot_sample_get": false,
		"old_sample": true, "godot_old_sample": true,
	} {
		tool, isLegacy := table.Lookup(name)
		if tool == nil || isLegacy != legacy {
			t.Errorf("%q: %v, legacy %v", name, tool, isLegacy)
		}
	}
	for _, name := range []string{"", "sample", "sample.get", "sample_get"} {
		if tool, _ := table.Lookup(name); tool != nil {
			t.Errorf("%q is taken for %s", name, tool.Name)
		}
	}
}
