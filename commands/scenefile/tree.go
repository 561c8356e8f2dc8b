package scenefile

// How deep scenes may hold scenes, and how many nodes are gathered: what refers to itself ends.
const (
	maxDepth = 32
	maxNodes = 50_000
)

// Tree are all nodes of a scene as the editor shows them: those of its base scene and of instances too, each
// with what the file says last. open reads the scene of a res:// path; what it cannot read is left out.
func Tree(path string, open func(path string) (*Scene, error)) ([]Node, error) {
	scene, err := open(path)
	if err != nil {
		return nil, err
	}
	t := &tree{open: open, at: map[string]int{}}
	t.add(scene, ".", 0)
	return t.nodes, nil
}

type tree struct {
	open  func(path string) (*Scene, error)
	nodes []Node
	at    map[string]int
}

// add puts the nodes of a scene at or below a node.
func (t *tree) add(s *Scene, root string, depth int) {
	for _, n := range s.Nodes {
		path := Join(root, n.Path)
		if n.Instance != "" && depth < maxDepth {
			if inside, err := t.open(n.Instance); err == nil {
				t.add(inside, path, depth+1)
			}
		}
		if len(t.nodes) >= maxNodes {
			return
		}
		t.put(path, n)
	}
}

func (t *tree) put(path string, n Node) {
	n.Path = path
	i, there := t.at[path]
	if !there {
		t.at[path] = len(t.nodes)
		t.nodes = append(t.nodes, n)
		return
	}
	// The scene outside says last.
	have := &t.nodes[i]
	have.Name = n.Name
	if n.Type != "" {
		have.Type = n.Type
	}
	if n.Instance != "" {
		have.Instance = n.Instance
	}
	have.Groups = append(have.Groups, n.Groups...)
	have.Properties = append(n.Properties, have.Properties...)
}

// Join is the path of a node below another one, as results spell it.
func Join(parent, path string) string {
	switch {
	case parent == ".":
		return path
	case path == ".":
		return parent
	}
	return parent + "/" + path
}
