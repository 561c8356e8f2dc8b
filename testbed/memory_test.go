package testbed

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// memoryScript tells what the engine has allocated, and empties the editor's own Output panel: it shows each
// undo, keeps a record of all and draws the last ten thousand lines, some 24 MB.
const memoryScript = `@tool
extends Node2D
var used: int:
	get: return int(Performance.get_monitor(Performance.MEMORY_STATIC))
func clear_output() -> bool:
	var base := EditorInterface.get_base_control()
	for log: Node in base.find_children("*", "EditorLog", true, false):
		for child: Node in log.find_children("*", "Button", true, false):
			var button := child as Button
			if button.shortcut != null and button.shortcut.resource_name.contains("lear"):
				button.pressed.emit()
				return true
	return false
`

// TestEditorMemoryStaysFlat over edits that are undone, batches, reads and errors, once caches are filled.
func TestEditorMemoryStaysFlat(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	write(t, e, "memory.gd", memoryScript)
	open(t, e, write(t, e, "memory.tscn", "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://memory.gd\" id=\"1\"]\n\n"+
		"[node name=\"Memory\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n[node name=\"Face\" type=\"Label\" parent=\".\"]\n"))
	c := direct(t, e, &bridge.Client{})
	var edits []args
	for i := range 20 {
		edits = append(edits, args{"node_path": "Face", "properties": args{"text": fmt.Sprint(i)}})
	}
	undo := request("undo", args{})
	round := []bridge.Request{
		request("node.set-property", args{"node_path": ".", "property": "position", "value": []int{1, 2}}), undo,
		request("node.add", args{"node_type": "Sprite2D", "node_name": "New"}), undo,
		request("batch.add-nodes", args{"parent_path": ".", "node_type": "Node2D", "names": []string{"A", "B", "C"}}), undo,
		request("batch.apply-edits", args{"edits": edits}), undo,
		request("batch.run", args{"atomic": true, "commands": []args{
			{"command": "node.add", "params": args{"node_name": "New"}}, {"command": "node.delete", "params": args{"node_path": "Nobody", "confirm": true}}}}),
		request("scene.tree", args{}),
		request("node.snapshot", args{}),
		request("node.get", args{"node_path": "Nowhere"}),
	}
	rounds := func(count int) {
		for range count {
			for _, r := range round {
				_, err := send(t, c, r)
				if err != nil && r.Command != "node.get" {
					t.Fatalf("%s: %v", r.Command, err)
				}
			}
		}
	}
	used := func() int {
		if cleared, err := send(t, c, request("node.call", args{"node_path": ".", "method": "clear_output"})); err != nil || !strings.Contains(string(cleared), `"value":true`) {
			t.Fatalf("the Output panel was not emptied: %s, %v", cleared, err)
		}
		var samples []int
		for range 5 {
			raw, err := send(t, c, request("node.get-property", args{"node_path": ".", "property": "used"}))
			var got struct{ Value int }
			if err != nil || json.Unmarshal(raw, &got) != nil || got.Value == 0 {
				t.Fatalf("%s, %v", raw, err)
			}
			samples = append(samples, got.Value)
		}
		return slices.Min(samples)
	}
	rounds(60) // more snapshots than are kept
	before := used()
	const count = 100
	rounds(count)
	// The step of the twenty edits alone, kept somewhere, has some ten thousand bytes.
	if grown := used() - before; grown > 2000*count {
		t.Errorf("the engine holds %d bytes more after %d rounds of %d calls", grown, count, len(round))
	}
}
