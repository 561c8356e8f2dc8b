package testbed

import "testing"

// TestF3ChangesInsideAnInstance: what the next save leaves out is said before, with the reason; what it
// keeps is in the file. The sample has EnemyA with editable children and EnemyB without.
func TestF3ChangesInsideAnInstance(t *testing.T) {
	e := sharedEditor(t)
	text := read(t, e, "res://main.tscn")
	both(t, e, func(t *testing.T, s surface) {
		scene := openScene(t, e, "f3/"+t.Name()[len("TestF3ChangesInsideAnInstance/"):]+".tscn", text[:len("[gd_scene format=3")]+text[len(`[gd_scene format=3 uid="uid://b5yfyn3pfjl04"`):])
		closed := map[string]string{"persisted": "false", "reason": "instanced_child_not_editable", "undoable": "true"}
		kept := map[string]string{"persisted": "true", "reason": "null"}
		previewed(t, e, s, "node set-property", setTo("Enemies/EnemyB/Body", "color", "#ff0000")).has(t, closed)
		previewed(t, e, s, "node set-property", setTo("Enemies/EnemyA/Body", "color", "#ff0000")).has(t, kept)
		previewed(t, e, s, "node set-property", setTo("Enemies/EnemyB", "walk_distance", 12.5)).has(t, kept)
		previewed(t, e, s, "node add", args{"parent_path": "Enemies/EnemyB/Body", "node_name": "InB"}).has(t, closed)
		previewed(t, e, s, "node add", args{"parent_path": "Enemies/EnemyA/Body", "node_name": "InA"}).has(t, kept)
		previewed(t, e, s, "node add", args{"parent_path": "Enemies/EnemyB", "node_name": "BelowB"}).has(t, kept)
		inherited := previewed(t, e, s, "node delete", args{"node_path": "Enemies/EnemyA/Shape", "confirm": true})
		inherited.has(t, map[string]string{"persisted": "false", "reason": "node_from_base_scene"})
		s.call(t, "scene save", nil).ok(t)

		file := readTSCN(read(t, e, scene))
		if got := file.nodes["Enemies/EnemyA/Body"].properties["color"]; got != "Color(1, 0, 0, 1)" {
			t.Errorf("EnemyA's body has the colour %q in the file", got)
		}
		if got := file.nodes["Enemies/EnemyB"].properties["walk_distance"]; got != "12.5" {
			t.Errorf("EnemyB walks %q in the file", got)
		}
		for path, want := range map[string]bool{
			"Enemies/EnemyB/Body": false, "Enemies/EnemyB/Body/InB": false, "Enemies/EnemyA/Body/InA": true, "Enemies/EnemyB/BelowB": true,
		} {
			if _, there := file.nodes[path]; there != want {
				t.Errorf("the file has %s: %v, want %v", path, there, want)
			}
		}
		user(t, e, "tab", scene)
		closeTab(t, e, scene)
		open(t, e, scene)
		s.call(t, "node get-property", args{"node_path": "Enemies/EnemyA/Shape", "property": "name"}).ok(t).has(t, map[string]string{"exists": "true"})
		s.call(t, "node get-property", args{"node_path": "Enemies/EnemyB/Body", "property": "color"}).ok(t).has(t, map[string]string{"value.g": "0.8"})
	})
}
