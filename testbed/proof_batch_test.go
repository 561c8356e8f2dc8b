package testbed

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
