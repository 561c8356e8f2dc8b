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
	for _, batch := range batches() {
		var times samples
		for i := range s.pick(20, 3) {
			request := bridge.Request{Command: batch.command, Params: batch.params(i)}
			begun := time.Now()
			answer, err := c.Call(s.ctx, request)
			if err != nil {
				return err
			}
			times = append(times, time.Since(begun))
			var result struct {
				OKAll *bool `json:"ok_all"`
				Count int
			}
			if err := json.Unmarshal(answer, &result); err != nil || result.Count != batchEdits || result.OKAll != nil && !*result.OKAll {
				return fmt.Errorf("%s answered %.300s (%v)", batch.command, answer, err)
			}
			if _, err := c.Call(s.ctx, bridge.Request{Command: "undo", Params: json.RawMessage(`{}`)}); err != nil {
				return err
			}
		}
		s.report.add(timed(s.mode.name, batch.name, times).atMost(100, 0))
	}
	return nil
}

// batch is one way to make many edits in one call.
type batch struct {
	name, command string
	params        func(run int) json.RawMessage
}

func batches() []batch {
	paths, names := sprites(batchEdits), make([]string, batchEdits)
	edits := make([]json.RawMessage, batchEdits)
	for i := range names {
		names[i] = fmt.Sprintf("New%d", i)
	}
	return []batch{
		{"batch run, 500 node set-property", "batch.run", func(run int) json.RawMessage {
			return commandsOf("node.set-property", func(i int) string {
				return fmt.Sprintf(`{"node_path":%q,"property":"position","value":{"x":%d,"y":%d}}`, paths[i], run, i)
			})
		}},
		{"batch run, 500 node add", "batch.run", func(run int) json.RawMessage {
			return commandsOf("node.add", func(i int) string {
				return fmt.Sprintf(`{"parent_path":"Group1","node_type":"Node2D","node_name":"New%d_%d"}`, run, i)
			})
		}},
		{"batch set-property, 500 nodes", "batch.set-property", func(run int) json.RawMessage {
			return encoded(map[string]any{"node_paths": paths, "property": "position", "value": []int{run, 1}})
		}},
		{"batch add-nodes, 500 names", "batch.add-nodes", func(int) json.RawMessage {
			return encoded(map[string]any{"parent_path": "Group1", "node_type": "Node2D", "names": names})
		}},
		{"batch apply-edits, 500 nodes", "batch.apply-edits", func(run int) json.RawMessage {
			for i := range edits {
				edits[i] = json.RawMessage(fmt.Sprintf(`{"node_path":%q,"properties":{"position":[%d,%d]}}`, paths[i], run, i))
			}
			return encoded(map[string]any{"edits": edits})
		}},
	}
}

// sprites are the paths of the first sprites in a scene of treeSizes.
func sprites(count int) []string {
	var paths []string
	group, row := "", ""
	for i := 1; len(paths) < count; i++ {
		switch {
		case i%100 == 1:
			group = fmt.Sprintf("Group%d", i)
			row = group
		case i%10 == 1:
			row = fmt.Sprintf("%s/Row%d", group, i)
		default:
			paths = append(paths, fmt.Sprintf("%s/Item%d", row, i))
		}
	}
	return paths
}

func commandsOf(command string, params func(i int) string) json.RawMessage {
	list := make([]json.RawMessage, batchEdits)
	for i := range list {
		list[i] = json.RawMessage(fmt.Sprintf(`{"command":%q,"params":%s}`, command, params(i)))
	}
	return encoded(map[string]any{"commands": list, "atomic": true})
}

func encoded(value any) json.RawMessage {
	text, _ := json.Marshal(value) // texts, numbers and JSON always encode
	return text
}
