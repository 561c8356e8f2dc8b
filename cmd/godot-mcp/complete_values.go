package main

import (
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands/scenefile"
)

// nodes are the paths of the scene's nodes, and its unique names once a % is typed.
func (c *completer) nodes(typed string) []choice {
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
	var list []choice
	for _, n := range live.Nodes {
		list = append(list, choice{n.Path, n.Type})
	}
	return list
}

func nodeChoices(nodes []scenefile.Node, typed string) []choice {
	var list []choice
	for _, n := range nodes {
		switch {
		case !strings.HasPrefix(typed, "%"):
			list = append(list, choice{n.Path, n.Type})
		case n.IsUnique():
			list = append(list, choice{"%" + n.Name, n.Type})
		}
	}
	return list
}

// targetNode is the node that the call being typed is about, as far as it is typed.
func (c *completer) targetNode(parameters ...string) string {
	for _, name := range parameters {
		if path := c.given[name]; path != "" {
			return path
		}
	}
	return ""
}

// properties are those of the node that is named, from its file those that the file sets.
func (c *completer) properties() []choice {
	path := c.targetNode("node_path", "source_path")
	if path == "" {
		return nil
	}
	var live struct {
		Properties []struct{ Name, Type string }
	}
	var list []choice
	if c.ask("node.list-properties", map[string]any{"node_path": path}, &live) {
		for _, p := range live.Properties {
			list = append(list, choice{p.Name, p.Type})
		}
		return list
	}
	if n := c.sceneNode(path); n != nil {
		for _, p := range n.Properties {
			list = append(list, choice{p.Name, p.Value})
		}
	}
	return uniqueChoices(list)
}

// groups are those of the node for taking it out of one, else all that scenes of the project have.
func (c *completer) groups() []choice {
	if path := c.given["node_path"]; path != "" && c.tool.Name == "node remove-from-group" {
		var live struct{ Groups []string }
		if c.ask("node.list-groups", map[string]any{"node_path": path}, &live) {
			return named(live.Groups)
		}
		if n := c.sceneNode(path); n != nil {
			return uniqueChoices(named(n.Groups))
		}
		return nil
	}
	return uniqueChoices(named(c.projectGroups()))
}

func (c *completer) signals() []choice {
	var live struct{ Signals []struct{ Name string } }
	path := c.targetNode("source_path", "node_path")
	if path == "" || !c.ask("signal.list", map[string]any{"node_path": path}, &live) {
		return nil
	}
	var list []choice
	for _, s := range live.Signals {
		list = append(list, choice{text: s.Name})
	}
	return list
}

func (c *completer) methods() []choice {
	var live struct{ Methods []struct{ Name string } }
	path := c.targetNode("target_path", "node_path")
	if path == "" || !c.ask("signal.list", map[string]any{"node_path": path}, &live) {
		return nil
	}
	var list []choice
	for _, m := range live.Methods {
		list = append(list, choice{text: m.Name})
	}
	return list
}

// classes are base and those below it, of the engine and of the project. Without an editor only the
// project's own and those that its scenes use are known.
func (c *completer) classes(base string) []choice {
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
	var list []choice
	for _, class := range live.Classes {
		if base == "" || isBelow(class.ClassName, base, above) {
			list = append(list, choice{class.ClassName, class.Path})
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

func uniqueChoices(list []choice) []choice {
	slices.SortStableFunc(list, func(a, b choice) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(list, func(a, b choice) bool { return a.text == b.text })
}
