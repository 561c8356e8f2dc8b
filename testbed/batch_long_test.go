package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestLongBatchTellsProgressAndIsCancelled: an atomic one that is given up leaves nothing behind, and what
// the client sent meanwhile is carried out afterwards.
func TestLongBatchTellsProgressAndIsCancelled(t *testing.T) {
	e := sharedEditor(t)
	batchScene(t, e, "Top")
	before := state(t, e)
	c := direct(t, e, &bridge.Client{})
	const count = 8000
	step := `{"command":"node.set-property","params":{"node_path":"Player/Label","property":"text","value":"%d"}}`
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(step, i)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan bridge.Progress, count)
	pending := c.Start(ctx, bridge.Request{
		Command: "batch.run", Params: json.RawMessage(`{"atomic":true,"commands":[` + strings.Join(list, ",") + `]}`),
		OnProgress: func(p bridge.Progress) {
			told <- p
			cancel()
		},
	})
	if _, err := pending.Wait(ctx); err == nil {
		t.Fatal("the batch was not cancelled")
	}
	answer, err := send(t, c, bridge.Request{Command: "node.get-property", Params: json.RawMessage(`{"node_path":"Player/Label","property":"text"}`)})
	if err != nil || !strings.Contains(string(answer), `"Hero"`) {
		t.Errorf("afterwards the text is %s, %v", answer, err)
	}
	if first := <-told; first.Total != count || first.Progress <= 0 || first.Progress >= count {
		t.Errorf("the progress was %+v", first)
	}
	same(t, "a batch that was given up", before, state(t, e))
}
