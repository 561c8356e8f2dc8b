package complete

import (
	"strings"

	"github.com/godot-mcp/godot-mcp/commands/scenefile"
)

// nodes are the paths of the scene's nodes, and its unique names once a % is typed.
func (c *Completer) nodes(typed string) []Choice {
	var live struct {
		ScenePath string `json:"scene_path"`
		Nodes     []struct{ Path, Type string }
	}
	if !c.ask("node.find", map[string]any{"limit": 0}, &live) {
		return nodeChoices(c.sceneNodes(c.scene()), typed)
	}
	if strings.HasPrefix(typed, "%") {
		return nodeChoices(c.sceneNodes(live.ScenePath), typed)
	}
	var list []Choice
	for _, n := range live.Nodes {
		list = append(list, Choice{n.Path, n.Type})
	}
	return list
}

func nodeChoices(nodes []scenefile.Node, typed string) []Choice {
	var list []Choice
	for _, n := range nodes {
		switch {
		case !strings.HasPrefix(typed, "%"):
			list = append(list, Choice{n.Path, n.Type})
		case n.IsUnique():
			list = append(list, Choice{"%" + n.Name, n.Type})
		}
	}
	return list
}

// targetNode is the node that the call being typed is about, as far as it is typed.
func (c *Completer) targetNode(parameters ...string) string {
	for _, name := range parameters {
		if path := c.Given[name]; path != "" {
			return path
		}
	}
	return ""
}

// properties are those of the node that is named, from its file those that the file sets.
func (c *Completer) properties() []Choice {
	var live struct {
		Properties []struct{ Name, Type string }
	}
	path := c.targetNode("node_path", "source_path")
	if path == "" {
		return c.propertiesOfClass()
	}
	var list []Choice
	if c.ask("node.list-properties", map[string]any{"node_path": path}, &live) {
		for _, p := range live.Properties {
			list = append(list, Choice{p.Name, p.Type})
		}
		return list
	}
	if n := c.sceneNode(path); n != nil {
		for _, p := range n.Properties {
			list = append(list, Choice{p.Name, p.Value})
		}
	}
	return unique(list)
}

// propertiesOfClass are those of the class that is named, where no node is.
func (c *Completer) propertiesOfClass() []Choice {
	var live struct {
		Properties []struct{ Name, Type string }
	}
	class := c.Given["node_type"]
	if class == "" || !c.Live("class.describe", map[string]any{"class_name": class, "include_inherited": true}, &live) {
		return nil
	}
	var list []Choice
	for _, p := range live.Properties {
		list = append(list, Choice{p.Name, p.Type})
	}
	return list
}

// groups are those of the node for taking it out of one, else all that scenes of the project have.
func (c *Completer) groups() []Choice {
	if path := c.Given["node_path"]; path != "" && c.Tool != nil && c.Tool.Name == "node remove-from-group" {
		var live struct{ Groups []string }
		if c.ask("node.list-groups", map[string]any{"node_path": path}, &live) {
			return Named(live.Groups)
		}
		if n := c.sceneNode(path); n != nil {
			return unique(Named(n.Groups))
		}
		return nil
	}
	return unique(Named(c.projectGroups()))
}

func (c *Completer) signals() []Choice {
	var live struct{ Signals []struct{ Name string } }
	path := c.targetNode("source_path", "node_path")
	if path == "" || !c.ask("signal.list", map[string]any{"node_path": path}, &live) {
		return nil
	}
	var list []Choice
	for _, s := range live.Signals {
		list = append(list, Choice{Text: s.Name})
	}
	return list
}

func (c *Completer) methods() []Choice {
	var live struct{ Methods []struct{ Name string } }
	path := c.targetNode("target_path", "node_path")
	if path == "" || !c.ask("signal.list", map[string]any{"node_path": path}, &live) {
		return nil
	}
	var list []Choice
	for _, m := range live.Methods {
		list = append(list, Choice{Text: m.Name})
	}
	return list
}

// classes are base and those below it, of the engine and of the project. Without an editor only the
// project's own and those that its scenes use are known.
func (c *Completer) classes(base string) []Choice {
	var live struct {
		Classes []struct {
			ClassName string `json:"class_name"`
			Base      string
			Path      string
		}
	}
	if !c.ask("class.list", map[string]any{"limit": 0}, &live) {
		return c.classesOfFiles(base == "Node" || base == "")
	}
	above := map[string]string{}
	for _, class := range live.Classes {
		above[class.ClassName] = class.Base
	}
	var list []Choice
	for _, class := range live.Classes {
		if base == "" || isBelow(class.ClassName, base, above) {
			list = append(list, Choice{class.ClassName, class.Path})
		}
	}
	return list
}

func isBelow(class, base string, above map[string]string) bool {
	for range len(above) {
		if class == base {
			return true
		}
		class = above[class]
	}
	return false
}
