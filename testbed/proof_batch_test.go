package testbed

import (
	"slices"
	"strings"
	"testing"
)

func batchProofs() []proof {
	const closed = "instanced_child_not_editable"
	return []proof{
		{tool: "batch run", scene: proofHolds, base: proofBase,
			args: batchOf(
				does("node add", args{"node_type": "Node2D", "node_name": "New", "parent_path": "Own"}),
				does("node set-property", args{"node_path": "Own/New", "property": "position", "value": []int{5, 6}}),
				does("node rename", args{"node_path": "Own", "new_name": "Mine"}),
				does("node delete", args{"node_path": "Inst", "confirm": true}),
			).with("atomic", true),
			drop: batchOf(
				does("node set-property", args{"node_path": "Inst/Hat", "property": "flip_h", "value": true}),
			), reason: closed},
		{tool: "batch compose-node", scene: proofHolds, base: proofBase,
			args: args{"parent_path": "Own", "node_type": "Area2D", "node_name": "Coin",
				"properties": map[string]any{"position": []int{1, 2}},
				"children": []args{
					{"node_type": "CollisionShape2D", "node_name": "Shape", "properties": map[string]any{"disabled": true}},
					{"node_type": "Node2D", "node_name": "Deep", "children": []args{{"node_type": "Sprite2D", "node_name": "Shine"}}},
				}},
			drop: args{"parent_path": "Inst/Hat", "node_type": "Node2D", "node_name": "Coin"}, reason: closed},
		{tool: "batch add-nodes", scene: proofHolds, base: proofBase,
			args: args{"parent_path": "Own", "node_type": "Marker2D", "names": []string{"A", "B", "A"}, "properties": map[string]any{"gizmo_extents": 4}},
			drop: args{"parent_path": "Inst/Hat", "node_type": "Node", "names": []string{"A"}}, reason: closed},
		{tool: "batch apply-edits", scene: proofHolds, base: proofBase,
			args: args{"edits": []args{
				{"node_path": "Own", "properties": map[string]any{"visible": false, "position": []int{7, 8}}},
				{"node_path": "Inst", "properties": map[string]any{"rotation": 0.5}},
			}},
			drop: args{"edits": []args{{"node_path": "Inst/Hat", "properties": map[string]any{"flip_h": true}}}}, reason: closed},
		{tool: "batch set-property", scene: proofHolds, base: proofBase,
			args: args{"property": "modulate", "value": "#ff0000", "node_paths": []string{"Own", "Inst"}},
			drop: args{"property": "flip_h", "value": true, "node_paths": []string{"Inst/Hat"}}, reason: closed},
	}
}

// proveClosedScenes is the tool that changes scene files that are not open.
func proveClosedScenes(t *testing.T, e *Editor, s surface, seen func(*testing.T, record, args)) {
	const tool = "batch set-property-in-scenes"
	t.Run("batch_set-property-in-scenes", func(t *testing.T) {
		base := write(t, e, "proof/closed_base.tscn", proofBase)
		paths := []string{base}
		for name, text := range map[string]string{"closed_inherits": proofInherits, "closed_holds": proofHolds} {
			paths = append(paths, write(t, e, "proof/"+name+".tscn", strings.ReplaceAll(text, "BASE", base)))
		}
		slices.Sort(paths)
		whole := func() (out string) {
			for _, path := range paths {
				out += path + "\n" + read(t, e, path)
			}
			return out
		}
		before := whole()
		a := args{"scenes": paths, "node_type": "Node2D", "property": "position", "value": []int{3, 4}}
		previewed(t, e, s, tool, a).has(t, map[string]string{"persisted": "true", "undoable": "true", "scene_count": "3"})
		after := whole()
		diff := checkDiff(t, tool, before, after)
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"history": "global", "last_action": tool})
		if got := whole(); got != before {
			t.Errorf("undo left\n%s", lineDiff(before, got))
		}
		s.call(t, "redo", nil).ok(t).has(t, map[string]string{"history": "global"})
		if got := whole(); got != after {
			t.Errorf("redo gave\n%s", lineDiff(after, got))
		}
		for _, path := range paths {
			open(t, e, path)
			s.call(t, "node get-property", args{"node_path": ".", "property": "position", "scene_path": path}).ok(t).has(t, map[string]string{"value": `{"x":3.0,"y":4.0}`})
		}
		seen(t, record{tool: tool, diff: diff, undone: true, redone: true, reopened: true}, a)
	})
}
