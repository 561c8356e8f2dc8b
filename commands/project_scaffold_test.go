package commands

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
)

// The kinds that can be asked for are those that the binary carries.
func TestScaffoldOffersTheTemplates(t *testing.T) {
	tool, _ := All().Lookup("project scaffold")
	if kinds := tool.Params()[0].Enum; !slices.Equal(kinds, addon.Templates()) {
		t.Errorf("the parameter takes %q, carried are %q", kinds, addon.Templates())
	}
}

// The addon is sent the files beside the arguments, by itself and in a batch; a caller cannot give them.
func TestScaffoldCarriesTheFiles(t *testing.T) {
	tool, _ := All().Lookup("project scaffold")
	args, err := tool.Validate(json.RawMessage(`{"template":"3d_fps","confirm":true}`), false)
	if err != nil {
		t.Fatal(err)
	}
	batch := &batch{steps: []gatedStep{{given: "project scaffold", tool: tool, args: args}}}
	var steps []struct{ Params json.RawMessage }
	if err := json.Unmarshal(batch.commands(), &steps); err != nil || len(steps) != 1 {
		t.Fatalf("%v in %s", err, batch.commands())
	}
	for _, sent := range []json.RawMessage{tool.request(args), steps[0].Params} {
		var request struct {
			Template, Settings string
			Confirm            bool
			Files              map[string]string
		}
		if err := json.Unmarshal(sent, &request); err != nil {
			t.Fatal(err)
		}
		files, settings := addon.Template("3d_fps")
		if request.Template != "3d_fps" || !request.Confirm || request.Settings != settings || len(files) == 0 {
			t.Errorf("sent was %s", sent)
		}
		for path, text := range files {
			if request.Files[path] != text {
				t.Errorf("%s was sent as %q", path, request.Files[path])
			}
		}
	}
	if _, err := tool.Validate(json.RawMessage(`{"template":"3d_fps","files":{"a.gd":""}}`), false); err == nil {
		t.Error("a caller's own files are taken")
	}
	plain, _ := All().Lookup("node add")
	if got := plain.request(json.RawMessage(`{"node_type":"Node"}`)); string(got) != `{"node_type":"Node"}` {
		t.Errorf("node add is sent %s", got)
	}
}
