// Package scenefile reads the engine's text scenes (.tscn) without the engine: which nodes there are, of what
// class, in which groups, and which properties the file sets. Values stay in the engine's spelling.
package scenefile

import (
	"fmt"
	"strings"
)

// Scene is what one file says, in its order.
type Scene struct {
	// UID is empty for a file without one.
	UID      string
	External []External
	Nodes    []Node
	// Editable are the paths of instances whose children are editable.
	Editable []string
}

// External is another file that the scene uses.
type External struct {
	ID, Type, Path, UID string
}

// Node is one [node] section.
type Node struct {
	// Path is relative to the scene's root, which is ".".
	Path, Name string
	// Type is empty for an instance and for a node that another scene made.
	Type string
	// Instance is the path of the scene that the node is an instance of, as far as the file names it.
	Instance string
	Groups   []string
	// Properties are those that the file sets, by name.
	Properties []Property
}

// Property is one line of a section: a name and the value as it is written.
type Property struct {
	Name, Value string
}

// Property is the value as the file spells it; false when it sets none.
func (n *Node) Property(name string) (string, bool) {
	for _, p := range n.Properties {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// IsUnique is true for a node that %Name finds.
func (n *Node) IsUnique() bool {
	value, _ := n.Property("unique_name_in_owner")
	return value == "true"
}

// Parse reads a text scene. Error: where the text is not what the engine writes.
func Parse(text string) (*Scene, error) {
	r := &reader{text: text}
	s := &Scene{}
	var node *Node
	for r.skipBlank(); !r.atEnd(); r.skipBlank() {
		if r.peek() != '[' {
			p, err := r.property()
			if err != nil {
				return nil, err
			}
			if node != nil {
				node.Properties = append(node.Properties, p)
			}
			continue
		}
		tag, attributes, err := r.heading()
		if err != nil {
			return nil, err
		}
		node = s.take(tag, attributes)
	}
	if s.Nodes == nil && s.External == nil && s.UID == "" && !strings.HasPrefix(strings.TrimSpace(text), "[gd_scene") {
		return nil, fmt.Errorf("it is no text scene")
	}
	return s, nil
}

// take adds a section; the result is the node that the lines after it belong to, nil for none.
func (s *Scene) take(tag string, a map[string]string) *Node {
	switch tag {
	case "gd_scene":
		s.UID = Unquote(a["uid"])
	case "ext_resource":
		s.External = append(s.External, External{
			ID: Unquote(a["id"]), Type: Unquote(a["type"]), Path: Unquote(a["path"]), UID: Unquote(a["uid"]),
		})
	case "editable":
		s.Editable = append(s.Editable, Unquote(a["path"]))
	case "node":
		s.Nodes = append(s.Nodes, s.node(a))
		return &s.Nodes[len(s.Nodes)-1]
	}
	return nil
}

func (s *Scene) node(a map[string]string) Node {
	n := Node{Name: Unquote(a["name"]), Type: Unquote(a["type"]), Groups: Strings(a["groups"])}
	parent, below := a["parent"]
	switch parent = Unquote(parent); {
	case !below:
		n.Path = "."
	case parent == ".":
		n.Path = n.Name
	default:
		n.Path = parent + "/" + n.Name
	}
	instance := a["instance"]
	if instance == "" {
		n.Instance = Unquote(a["instance_placeholder"])
		return n
	}
	id, _ := strings.CutSuffix(strings.TrimPrefix(instance, "ExtResource("), ")")
	id = Unquote(strings.TrimSpace(id))
	for _, e := range s.External {
		if e.ID == id {
			n.Instance = e.Path
		}
	}
	return n
}
