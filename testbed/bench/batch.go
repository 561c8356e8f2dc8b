package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// batchEdits is how many edits one batch makes.
const batchEdits = 500

// measureBatch makes many edits in one call: of nodes that are there, and new nodes.
func (s *session) measureBatch() error {
	c := s.client()
	defer c.Close()
	// The editor brings the scene to the front in its first frames.
	scene := "res://" + sceneName(treeSizes[0])
	open := bridge.Request{Command: "scene.open", Params: json.RawMessage(fmt.Sprintf(`{"scene_path":%q}`, scene))}
	if _, err := c.Call(s.ctx, open); err != nil {
		return err
	}
	for _, what := range []struct{ name, command, params string }{
		{"set properties", "node.set-property", `{"node_path":"Group1/Row11","property":"position","value":{"x":%d,"y":%d}}`},
		{"add nodes", "node.add", `{"parent_path":"Group1","node_type":"Node2D","node_name":"New%d_%d"}`},
	} {
		var times samples
		for i := range s.pick(20, 3) {
			request := bridge.Request{Command: "batch.run", Params: batchOf(i, what.command, what.params)}
			begun := time.Now()
			answer, err := c.Call(s.ctx, request)
			if err != nil {
				return err
			}
			times = append(times, time.Since(begun))
			var result struct {
				OKAll bool `json:"ok_all"`
				Count int
			}
			if err := json.Unmarshal(answer, &result); err != nil || !result.OKAll || result.Count != batchEdits {
				return fmt.Errorf("the batch answered %.300s (%v)", answer, err)
			}
			if _, err := c.Call(s.ctx, bridge.Request{Command: "undo", Params: json.RawMessage(`{}`)}); err != nil {
				return err
			}
		}
		s.report.add(timed(s.mode.name, fmt.Sprintf("batch of %d: %s", batchEdits, what.name), times).atMost(100, 0))
	}
	return nil
}

func batchOf(run int, command, params string) json.RawMessage {
	list := make([]json.RawMessage, 0, batchEdits)
	for i := range batchEdits {
		list = append(list, json.RawMessage(fmt.Sprintf(`{"command":%q,"params":%s}`, command, fmt.Sprintf(params, run, i))))
	}
	text, _ := json.Marshal(map[string]any{"commands": list, "atomic": true})
	return text
}
