package commands

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// builds are the servers that a client of some contract may meet.
var builds = map[string]Contract{
	"this build":   ThisContract,
	"newer server": {Version: ThisContract.Version + 2, MinCompatible: ThisContract.MinCompatible},
	"moved floor":  {Version: ThisContract.Version + 2, MinCompatible: ThisContract.Version + 1},
}

func dispatcherFor(t *testing.T, numbers Contract, editor *bridgetest.Editor, caller int) *Dispatcher {
	t.Helper()
	client := &bridge.Client{
		Find: editor.Find, Contract: caller, OwnContract: numbers.Version, MinContract: numbers.MinCompatible,
	}
	t.Cleanup(func() { _ = client.Close() })
	return &Dispatcher{Table: All(), Env: &Env{Bridge: client, Query: editor.Query(), Contract: numbers, Table: All()}}
}

func TestContractRange(t *testing.T) {
	for name, c := range map[string]struct {
		numbers Contract
		client  int
		side    string
	}{
		"the same":               {Contract{1, 1}, 1, ""},
		"not said":               {Contract{3, 2}, 0, ""},
		"newer server":           {Contract{3, 1}, 1, ""},
		"newer server, middle":   {Contract{3, 1}, 2, ""},
		"older server":           {Contract{1, 1}, 2, "upgrade godot-mcp"},
		"floor moved":            {Contract{3, 2}, 1, "upgrade the caller"},
		"floor moved, on it":     {Contract{3, 2}, 2, ""},
		"floor moved, above all": {Contract{3, 2}, 4, "upgrade godot-mcp"},
		"negative":               {Contract{1, 1}, -1, "upgrade the caller"},
	} {
		t.Run(name, func(t *testing.T) {
			e := bridge.AsError(c.numbers.Check(c.client))
			if c.side == "" {
				if e != nil {
					t.Fatal(e)
				}
				return
			}
			if e == nil || e.Code != bridge.PreconditionFailed || e.Required != "contract_version" || !strings.Contains(e.Hint, c.side) {
				t.Errorf("got %v, want %s", e, c.side)
			}
		})
	}
}

type recordedCall struct {
	Contract  int             `json:"contract"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// recordedCalls are the calls of contract/calls.jsonl: what clients send that nobody can change any more.
func recordedCalls(t *testing.T) []recordedCall {
	t.Helper()
	file, err := os.Open("contract/calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var calls []recordedCall
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var call recordedCall
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	return calls
}

func TestRecordedCallsOfOlderClientsStillPass(t *testing.T) {
	for name, numbers := range builds {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			for _, call := range recordedCalls(t) {
				tool, _ := All().Lookup(call.Tool)
				if tool == nil {
					t.Errorf("%s of contract %d is gone", call.Tool, call.Contract)
					continue
				}
				sendRecorded(t, numbers, tool, call)
			}
		})
	}
}

// smallestAnswer is one that the tool can make its result of.
func smallestAnswer(tool *Tool) string {
	if tool.finish == nil {
		return `{}`
	}
	var pixel bytes.Buffer
	_ = png.Encode(&pixel, image.NewGray(image.Rect(0, 0, 1, 1))) // a buffer takes all
	return fmt.Sprintf(`{"width":1,"height":1,"original_width":1,"original_height":1,"data_base64":%q}`, base64.StdEncoding.EncodeToString(pixel.Bytes()))
}

// sendRecorded carries a call to the editor, or sees it refused when the floor has moved above its client.
func sendRecorded(t *testing.T, numbers Contract, tool *Tool, call recordedCall) {
	t.Helper()
	if tool.Command() == "" {
		if _, err := tool.Validate(call.Arguments, false); err != nil {
			t.Errorf("%s of contract %d: %v", call.Tool, call.Contract, err)
		}
		return
	}
	editor := bridgetest.New(t, bridgetest.Contract(numbers.Version, numbers.MinCompatible))
	editor.Reply(tool.Command(), smallestAnswer(tool))
	d := dispatcherFor(t, numbers, editor, call.Contract)
	arguments := call.Arguments
	if tool.Class == Destructive {
		arguments = withDryRun(arguments)
	}
	_, err := d.Call(context.Background(), Call{Tool: call.Tool, Arguments: arguments, Contract: call.Contract})
	served := call.Contract >= numbers.MinCompatible
	if served != (err == nil) || served != (len(editor.Calls()) == 1) {
		t.Errorf("%s of contract %d, served %d to %d: %v, %d calls reached the editor",
			call.Tool, call.Contract, numbers.MinCompatible, numbers.Version, err, len(editor.Calls()))
	}
	editor.Close()
}
