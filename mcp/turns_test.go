package mcp

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

const metaModern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// Calls that a client sends without waiting reach the editor in the order of sending, those before the first
// link too; what is answered here, and what was given up before its turn, keeps nobody.
func TestCallsReachTheEditorInTheOrderSent(t *testing.T) {
	const count = 200
	ed := bridgetest.New(t)
	ed.Reply("node.get", `{"node_path":"a","properties":{},"children":[]}`)
	w := plug(t, ed.Query())
	for i := range count {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"godot_node_get","arguments":{"node_path":"n%d"},%s}}`, i, i, metaModern))
		if i%10 == 5 {
			w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"v%d","method":"tools/call","params":{"name":"godot_tool_classes",%s}}`, i, metaModern))
			w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"x%d","method":"tools/call","params":{"name":"godot_no_such",%s}}`, i, metaModern))
		}
	}
	for range count + 2*count/10 {
		w.next()
	}
	calls := ed.WaitCalls(count)
	for i, call := range calls {
		var params struct {
			NodePath string `json:"node_path"`
		}
		if err := json.Unmarshal(call.Params, &params); err != nil || params.NodePath != fmt.Sprintf("n%d", i) {
			t.Fatalf("call %d was that of %s, %v", i, params.NodePath, err)
		}
	}
}

// What is given up while it waits for its turn never reaches the editor, and the calls behind it do.
func TestACallGivenUpBeforeItsTurnNeverBegins(t *testing.T) {
	s := &session{pipe: &pipe{}, inbox: make(chan jsonrpc.Message, 10), life: t.Context()}
	s.pipe.calls.init()
	var asked []*open
	for i := range 3 {
		call := &open{method: "tools/call", session: s, from: origin{to: unread{}}}
		request := &jsonrpc.Request{ID: mustID(t, float64(i)), Method: call.method}
		if !s.pipe.calls.begin(request.ID, call) {
			t.Fatal("the id is taken")
		}
		s.receiveCall(t.Context(), request, call)
		asked = append(asked, call)
	}
	if s.pipe.calls.cancel(&jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":1}`)}) != asked[1] {
		t.Fatal("the second was not given up")
	}
	s.turnOver(asked[0])
	s.turnOver(asked[0])
	s.turnOver(asked[1])
	if len(s.inbox) != 2 || s.turns.current != asked[2] {
		t.Errorf("%d were begun, at work is %+v", len(s.inbox), s.turns.current)
	}
	s.turnOver(asked[2])
	if s.turns.current != nil || len(s.pipe.calls.open) != 2 {
		t.Errorf("at work is %+v, open are %d", s.turns.current, len(s.pipe.calls.open))
	}
}

// unread is an outlet that nobody reads.
type unread struct{}

func (unread) send(outgoing) error { return nil }

func mustID(t *testing.T, n float64) jsonrpc.ID {
	t.Helper()
	id, err := jsonrpc.MakeID(n)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
