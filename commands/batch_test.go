package commands

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func gateOf(policy Policy) *Dispatcher {
	return &Dispatcher{Table: All(), Policy: policy, Env: &Env{Table: All()}}
}

func opened(t *testing.T, policy Policy, args string) (*batch, *bridge.Error) {
	t.Helper()
	tool, _ := All().Lookup(batchRunName)
	valid, err := tool.Validate(json.RawMessage(args), false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := gateOf(policy).openBatch(valid, false)
	if err == nil {
		return b, nil
	}
	return nil, bridge.AsError(err)
}

// The class of what is inside counts, not the batch's own.
func TestPolicyIsAskedAboutWhatIsInsideABatch(t *testing.T) {
	const reads = `{"commands":[{"command":"node get","params":{"node_path":"."}},{"command":"scene list"}]}`
	const deletes = `{"commands":[{"command":"node get","params":{"node_path":"."}},{"command":"node delete","params":{"node_path":"A","confirm":true}}]}`
	for _, c := range []struct {
		policy Policy
		args   string
		ok     bool
	}{
		{Policy{ReadOnly: true}, reads, true},
		{Policy{ReadOnly: true}, deletes, false},
		{denying(t, "destructive"), deletes, false},
		{denying(t, "destructive"), reads, true},
		{Policy{}, deletes, true},
	} {
		_, err := opened(t, c.policy, c.args)
		if (err == nil) != c.ok {
			t.Errorf("%+v with %s: %v", c.policy, c.args, err)
		}
		if err != nil && (err.Required != "policy" || !strings.Contains(err.Hint, "commands[1] (node delete): node delete is destructive")) {
			t.Errorf("%v", err)
		}
	}
}

func TestWhatDestroysInsideABatchIsConfirmed(t *testing.T) {
	const plain = `{"commands":[{"command":"node delete","params":{"node_path":"A"}}]`
	if _, err := opened(t, Policy{}, plain+"}"); err == nil || err.Required != "confirm" || !strings.Contains(err.Hint, "commands[0] (node delete)") {
		t.Errorf("got %v", err)
	}
	if _, err := opened(t, Policy{}, plain+`,"dry_run":true}`); err != nil {
		t.Errorf("a preview: %v", err)
	}
}

// What the editor is sent is what each tool would be sent by itself, its numbers as exact.
func TestBatchCommandsAreValidatedByTheirTools(t *testing.T) {
	b, err := opened(t, Policy{}, `{"commands":[
		{"command":"godot_node_set_property","params":{"node_path":"A","property":"p","value":[3,3.0,0.1234567890123456789]}},
		{"command":"scene_edit_create_node","params":{"parent_path":".","node_type":"Node","node_name":"N"}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Commands []struct {
			Command, As string
			Params      json.RawMessage
		}
	}
	if err := json.Unmarshal(b.request, &sent); err != nil {
		t.Fatal(err)
	}
	tool, _ := All().Lookup("node set-property")
	alone, failed := tool.Validate(json.RawMessage(`{"node_path":"A","property":"p","value":[3,3.0,0.1234567890123456789]}`), false)
	if failed != nil || string(sent.Commands[0].Params) != string(alone) {
		t.Errorf("sent\n%s\nby itself\n%s", sent.Commands[0].Params, alone)
	}
	if c := sent.Commands[1]; c.Command != "node.add" || c.As != "scene_edit_create_node" || !strings.Contains(string(c.Params), `"index":-1`) {
		t.Errorf("sent %+v", c)
	}
}

// An answer of a tool called by its older name has the older shape; the plan stands in front.
func TestBatchAnswersOlderCallsInTheOlderShape(t *testing.T) {
	b, err := opened(t, Policy{}, `{"commands":[{"command":"inspection_get_scene_tree"},{"command":"scene tree"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	answer, failed := b.close(json.RawMessage(`{"results":[
		{"command":"a","ok":true,"result":{"tree":{"name":"R","type":"Node","path":".","child_count":0}}},
		{"command":"b","ok":true,"result":{"tree":{"name":"R","child_count":0}}}],"ok_all":true}`))
	if failed != nil {
		t.Fatal(failed)
	}
	var got batchRunResult
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	if tree := string(got.Results[0].Result["tree"]); strings.Contains(tree, "child_count") || !strings.Contains(tree, `"children":[]`) {
		t.Errorf("the older call answered %s", tree)
	}
	if tree := string(got.Results[1].Result["tree"]); !strings.Contains(tree, "child_count") {
		t.Errorf("ours answered %s", tree)
	}
	if len(got.Planned) != 2 || got.Planned[0].Tool != "scene tree" || got.Planned[0].Class != ReadOnly {
		t.Errorf("planned %+v", got.Planned)
	}
}

func TestAtomicBatchRefusesWhatUndoDoesNotTakeBack(t *testing.T) {
	for command, refused := range map[string]bool{
		`{"command":"scene save"}`: true, `{"command":"undo"}`: true, `{"command":"scene list"}`: false,
		`{"command":"batch add-nodes","params":{"parent_path":".","node_type":"Node","names":["A"],"save":true}}`: true,
		`{"command":"batch add-nodes","params":{"parent_path":".","node_type":"Node","names":["A"]}}`:             false,
	} {
		_, err := opened(t, Policy{}, `{"atomic":true,"commands":[`+command+`]}`)
		if (err != nil) != refused || err != nil && err.Required != "atomic" {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// A preview of a batch never carries out a command that has no preview of its own, and never leaves out one
// that has.
func TestPreviewOfABatchCarriesOutNothing(t *testing.T) {
	for _, c := range []struct {
		command string
		ok      bool
	}{
		{`{"command":"game play"}`, false},
		{`{"command":"game stop"}`, false},
		{`{"command":"game call","params":{"node_path":".","method":"queue_free"}}`, false},
		{`{"command":"node call","params":{"node_path":".","method":"queue_free"}}`, false},
		{`{"command":"game status"}`, true},
		{`{"command":"node delete","params":{"node_path":"A"}}`, true},
		{`{"command":"scene open","params":{"scene_path":"res://main.tscn"}}`, true},
	} {
		for _, preview := range []string{"true", "false"} {
			_, err := opened(t, Policy{}, `{"commands":[`+c.command+`],"dry_run":`+preview+`}`)
			refused := err != nil && strings.Contains(err.Hint, "has no preview")
			if want := preview == "true" && !c.ok; refused != want {
				t.Errorf("%s with dry_run %s: %v", c.command, preview, err)
			}
		}
	}
}
