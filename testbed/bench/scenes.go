package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// treeSizes are the scenes whose trees are read, in nodes.
var treeSizes = []int{1000, 10000}

func sceneName(nodes int) string { return fmt.Sprintf("tree_%d.tscn", nodes) }

// monitor is a scene whose root tells the engine's counters as properties, and empties the editor's own Output
// panel: that shows every undo, in lines of some 2 KB up to ten thousand, which are no growth of ours.
var monitor = map[string]string{
	"monitor.gd": "@tool\nextends Node2D\nvar memory: float:\n\tget: return Performance.get_monitor(Performance.MEMORY_STATIC)\n" +
		"var orphans: float:\n\tget: return Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)\n" +
		"func clear_output() -> bool:\n\tvar base := EditorInterface.get_base_control()\n" +
		"\tfor log: Node in base.find_children(\"*\", \"EditorLog\", true, false):\n" +
		"\t\tfor child: Node in log.find_children(\"*\", \"Button\", true, false):\n\t\t\tvar button := child as Button\n" +
		"\t\t\tif button.shortcut != null and button.shortcut.resource_name.contains(\"lear\"):\n" +
		"\t\t\t\tbutton.pressed.emit()\n\t\t\t\treturn true\n\treturn false\n",
	"monitor.tscn": "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://monitor.gd\" id=\"1\"]\n\n" +
		"[node name=\"Monitor\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n",
}

// writeScenes puts scenes of the tree sizes and the monitor into a project.
func writeScenes(project string) error {
	for name, text := range monitor {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, nodes := range treeSizes {
		if err := os.WriteFile(filepath.Join(project, sceneName(nodes)), []byte(sceneOf(nodes)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sceneOf makes a scene as levels are built: groups of a hundred nodes, in each of them rows of ten.
func sceneOf(nodes int) string {
	var b strings.Builder
	b.WriteString("[gd_scene format=3]\n\n[node name=\"Level\" type=\"Node2D\"]\n")
	group, line := ".", "."
	for i := 1; i < nodes; i++ {
		name, parent, kind := fmt.Sprintf("Item%d", i), line, "Sprite2D"
		switch {
		case i%100 == 1:
			name, parent, kind = fmt.Sprintf("Group%d", i), ".", "Node2D"
			group, line = name, name
		case i%10 == 1:
			name, parent, kind = fmt.Sprintf("Row%d", i), group, "Node2D"
			line = group + "/" + name
		}
		fmt.Fprintf(&b, "\n[node name=%q type=%q parent=%q]\nposition = Vector2(%d, %d)\n", name, kind, parent, i%100, i/100)
	}
	return b.String()
}
