package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// mcpPosition is positionRequest as a client of MCP asks it.
const mcpPosition = `"tools/call","params":{"name":"godot_node_get_property","arguments":{"node_path":".","property":"position"}`

// asker is a server that is asked one thing after the other.
type asker interface {
	ask(method string) ([]byte, error)
	end() error
}

// measureMCP sets calls over MCP beside the same calls over the bridge, in turn.
func (s *session) measureMCP() error {
	for _, era := range []struct{ name, tail string }{{"2025-11-25", "}"}, {"2026-07-28", "," + modernMeta + "}"}} {
		m, err := s.startMCP(s.editor.Project, s.editor.Env, s.editor.Bin)
		if err == nil {
			err = m.begin()
		}
		if err == nil {
			err = s.measureLayer("stdio, "+era.name, 0.35, m, mcpPosition+era.tail)
		}
		if err != nil {
			return err
		}
		w, err := s.startWeb(s.editor.Project, s.editor.Env, s.editor.Bin)
		if err == nil {
			err = w.begin(era.name, "godot_node_get_property")
		}
		if err == nil {
			err = s.measureLayer("HTTP, "+era.name, 0.8, w, mcpPosition+era.tail)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measureLayer is what MCP adds to a call, at most so many milliseconds.
func (s *session) measureLayer(way string, most float64, m asker, request string) error {
	c := s.client()
	defer c.Close()
	var over, bare samples
	for i := range s.pick(3000, 300) + 20 {
		begun := time.Now()
		answer, err := m.ask(request)
		if err != nil {
			return err
		}
		took := time.Since(begun)
		if !bytes.Contains(answer, []byte(`"exists":true`)) {
			return fmt.Errorf("the call was answered with %.300s", answer)
		}
		begun = time.Now()
		if _, err := c.Call(s.ctx, positionRequest); err != nil {
			return err
		}
		// The first calls also connect.
		if i >= 20 {
			over, bare = append(over, took), append(bare, time.Since(begun))
		}
	}
	layer := timed(s.mode.name, "MCP call, "+way, over)
	beside := timed(s.mode.name, "  the same on the bridge", bare)
	added := counted(s.mode.name, "  layer of MCP, "+way, "ms", layer.P50-beside.P50)
	s.report.add(layer, beside, added.atMost(most, 0))
	return m.end()
}

// mixed are calls of all kinds that leave the scene as it was: reads, edits that are undone, errors.
var mixed = []string{
	mcpPosition + "}",
	`"tools/call","params":{"name":"godot_scene_tree","arguments":{}}`,
	`"tools/call","params":{"name":"godot_node_set_property","arguments":{"node_path":".","property":"position","value":{"x":1,"y":2}}}`,
	`"tools/call","params":{"name":"godot_undo","arguments":{}}`,
	`"tools/call","params":{"name":"godot_node_add","arguments":{"node_type":"Sprite2D","node_name":"Added","properties":{"position":[1,2]}}}`,
	`"tools/call","params":{"name":"godot_undo","arguments":{}}`,
	`"tools/call","params":{"name":"godot_node_get","arguments":{"node_path":"."}}`,
	`"tools/call","params":{"name":"godot_node_get","arguments":{"node_path":"Nowhere"}}`,
	`"tools/call","params":{"name":"godot_node_find","arguments":{"node_type":"Node2D"},` + modernMeta + `}`,
	`"tools/call","params":{"name":"godot_node_add","arguments":{"node_tipe":"Node"}}`,
	`"tools/call","params":{"name":"godot_no_such"}`,
	`"tools/list"`,
}

// health is what the editor's process holds.
type health struct {
	rss            float64
	memory, orphan float64
}

// measureMemory looks at server and editor after many calls. What both hold after the first third is the measure
// for the rest: caches are filled by then, and the addon's list of what the editor printed, which has an end.
func (s *session) measureMemory() error {
	if s.mode.sleep != 0 {
		return nil // the idle sleep has nothing to do with it
	}
	if err := s.open("monitor.tscn"); err != nil {
		return err
	}
	m, err := s.startMCP(s.editor.Project, s.editor.Env, s.editor.Bin)
	if err != nil {
		return err
	}
	if err := m.begin(); err != nil {
		return err
	}
	// Whole rounds, so that both looks meet the same state: the node that was undone last waits, as an orphan,
	// for a redo.
	first, rest := s.pick(2834, 57)*len(mixed), s.pick(5500, 110)*len(mixed)
	calls := first + rest
	if err := s.callMixed(m, first); err != nil {
		return err
	}
	before, err := s.health(m)
	if err != nil {
		return err
	}
	if err := s.callMixed(m, rest); err != nil {
		return err
	}
	after, err := s.health(m)
	if err != nil {
		return err
	}
	held, err := rss(m.cmd.Process.Pid)
	if err != nil {
		return err
	}
	name := func(what string) string { return fmt.Sprintf("%s, %d mixed MCP calls", what, calls) }
	s.report.add(
		counted(s.mode.name, name("RSS of the server"), "MB", held).atMost(40, 0),
		counted(s.mode.name, name("growth of the editor's RSS"), "MB", after.rss-before.rss),
		counted(s.mode.name, name("growth of the editor's memory but for its Output panel"), "MB", after.memory-before.memory).atMost(1, 0),
		counted(s.mode.name, name("growth of orphan nodes"), "", after.orphan-before.orphan).atMost(0, 0),
	)
	if err := m.end(); err != nil {
		return err
	}
	return s.open("main.tscn")
}

// callMixed keeps some requests at work, in the order in which edits need them.
func (s *session) callMixed(m *mcpServer, calls int) error {
	const ahead = 8
	sent, failed := 0, map[string]int{}
	for received := 0; received < calls; received++ {
		for ; sent < calls && sent < received+ahead; sent++ {
			if err := m.send(mixed[sent%len(mixed)]); err != nil {
				return err
			}
		}
		answer, err := m.receive()
		if err != nil {
			return err
		}
		switch {
		case bytes.Contains(answer, []byte(`"isError":true`)):
			failed["result"]++
		case bytes.Contains(answer, []byte(`"error":{"code"`)):
			failed["protocol"]++
		}
	}
	rounds := calls / len(mixed)
	// Two calls of a round are errors of their own, one is the protocol's.
	if failed["protocol"] < rounds || failed["protocol"] > rounds+1 || failed["result"] < 2*rounds || failed["result"] > 2*rounds+2 {
		return fmt.Errorf("%d rounds had %v errors", rounds, failed)
	}
	return nil
}

// health asks the scene's own script for the engine's counters.
func (s *session) health(m *mcpServer) (h health, err error) {
	cleared, err := m.ask(`"tools/call","params":{"name":"godot_node_call","arguments":{"node_path":".","method":"clear_output"}}`)
	if err != nil || !bytes.Contains(cleared, []byte(`"value":true`)) {
		return h, fmt.Errorf("the Output panel was not emptied: %.300s, %v", cleared, err)
	}
	for name, value := range map[string]*float64{"memory": &h.memory, "orphans": &h.orphan} {
		var samples []float64
		for range 5 {
			answer, err := m.ask(`"tools/call","params":{"name":"godot_node_get_property","arguments":{"node_path":".","property":"` + name + `"}}`)
			if err != nil {
				return h, err
			}
			var read struct {
				Result struct{ StructuredContent struct{ Value *float64 } }
			}
			if err := json.Unmarshal(answer, &read); err != nil || read.Result.StructuredContent.Value == nil {
				return h, fmt.Errorf("%s was answered with %.300s", name, answer)
			}
			samples = append(samples, *read.Result.StructuredContent.Value)
		}
		*value = slices.Min(samples)
	}
	h.memory /= 1 << 20
	h.rss, err = rss(s.editor.PID)
	return h, err
}
