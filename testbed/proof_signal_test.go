package testbed

// The base scene with a connection of its own, which comes back with every load.
const proofConnects = proofBase + `
[connection signal="visibility_changed" from="Hat" to="." method="queue_redraw"]
`

func signalProofs() []proof {
	ready := between("Own", "visibility_changed", "Inst", "queue_redraw")
	return []proof{
		{tool: "signal connect", signals: "Own", scene: proofHolds, base: proofBase,
			args: ready.with("deferred", true).with("binds", []any{1, 2.5, "x"}),
			drop: between("Inst/Hat", "visibility_changed", "Own", "queue_redraw"), reason: "instanced_child_not_editable"},
		{tool: "signal disconnect", signals: "Own", scene: proofHolds, base: proofConnects,
			before:    []step{{"signal connect", ready}},
			args:      ready,
			dropScene: proofInherits + "\n[node name=\"Inst\" type=\"Node2D\" parent=\".\"]\n",
			drop:      between("Hat", "visibility_changed", ".", "queue_redraw"), reason: "connection_from_base_scene"},
	}
}
