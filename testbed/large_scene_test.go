package testbed

import (
	"fmt"
	"strings"
	"testing"
)

// levelNodes is how many nodes a level of levelScene has.
const levelNodes = 10000

// levelScene is a scene as levels are built: below one node groups of a hundred nodes, in each of them rows of
// ten. All paths of its nodes, the root's first, come with it, depth first.
func levelScene() (text string, paths []string) {
	var b strings.Builder
	b.WriteString("[gd_scene format=3]\n\n[node name=\"Level\" type=\"Node2D\"]\n\n[node name=\"Big\" type=\"Node2D\" parent=\".\"]\n")
	paths = []string{".", "Big"}
	group, row := "", ""
	for i := 0; len(paths) < levelNodes; i++ {
		name, parent, kind := fmt.Sprintf("Item%d", i), row, "Sprite2D"
		switch {
		case i%100 == 0:
			name, parent, kind = fmt.Sprintf("Group%d", i), "Big", "Node2D"
			group, row = "Big/"+name, "Big/"+name
		case i%10 == 0:
			name, parent, kind = fmt.Sprintf("Row%d", i), group, "Node2D"
			row = group + "/" + name
		}
		fmt.Fprintf(&b, "\n[node name=%q type=%q parent=%q]\nposition = Vector2(%d, %d)\n", name, kind, parent, i%100, i/100)
		paths = append(paths, parent+"/"+name)
	}
	return b.String(), paths
}

// TestF15SceneOfTenThousandNodes on both surfaces: a tree that is cut says so with its total and how to go on,
// its pages to the end hold every node once and in order, depth 0 and a branch can be had alone, and what is
// found is counted whole whatever the limit.
func TestF15SceneOfTenThousandNodes(t *testing.T) {
	e := sharedEditor(t)
	text, paths := levelScene()
	openLarge(t, e, "large/level.tscn", text)
	sprites := strings.Count(text, `type="Sprite2D"`)
	for name, s := range map[string]surface{"cli": cli(e), "mcp": mcpSessionWith(t, e)} {
		t.Run(name, func(t *testing.T) {
			first := s.call(t, "scene tree", nil).ok(t).has(t, map[string]string{"total": fmt.Sprint(levelNodes)})
			if cut := name == "mcp"; (first.fields["truncated"] == true) != cut {
				t.Errorf("truncated is %v", first.fields["truncated"])
			}
			s.call(t, "scene tree", args{"max_depth": 0}).ok(t).has(t, map[string]string{
				"total": "1", "truncated": "false", "tree.child_count": "1", "tree.children": "null", "next_offset": "null"})
			s.call(t, "scene tree", args{"root": "Big/Group700"}).ok(t).has(t, map[string]string{
				"total": "100", "truncated": "false", "tree.path": "Big/Group700"})
			s.call(t, "scene tree", args{"root": "Big", "max_depth": 1}).ok(t).has(t, map[string]string{
				"total": "101", "truncated": "false", "tree.child_count": "100"})
			samePaths(t, paths, pagedTree(t, s, args{"lightweight": true, "limit": 2500}))
			found := s.call(t, "node find", args{"node_type": "Sprite2D", "limit": 25}).ok(t).has(t, map[string]string{
				"count": "25", "total": fmt.Sprint(sprites), "truncated": "true", "next_offset": "25"})
			if n := len(found.value("nodes").([]any)); n != 25 {
				t.Errorf("%d nodes came", n)
			}
			s.call(t, "node find", args{"node_type": "Sprite2D", "offset": sprites - 1}).ok(t).has(t, map[string]string{
				"count": "1", "total": fmt.Sprint(sprites), "truncated": "false", "next_offset": "null", "nodes.0.path": paths[len(paths)-1]})
			s.call(t, "node find", args{"name": "Group*", "limit": 0}).ok(t).has(t, map[string]string{"count": "100", "total": "100", "truncated": "false"})
		})
	}
}

// pagedTree are the paths of all pages of a tree, each page without the parents that lead to its first node.
func pagedTree(t *testing.T, s surface, a args) []string {
	t.Helper()
	var all []string
	for offset := 0; ; {
		page := s.call(t, "scene tree", a.with("offset", offset)).ok(t).has(t, map[string]string{"total": fmt.Sprint(levelNodes)})
		var in []string
		walkTree(page.fields["tree"].(map[string]any), func(path string) { in = append(in, path) })
		next, more := page.number("next_offset")
		end := levelNodes
		if more {
			end = next
		}
		if end <= offset || end-offset > len(in) || more != (page.fields["truncated"] == true) {
			t.Fatalf("the page at %d holds %d nodes and goes on at %d (%t)", offset, len(in), next, more)
		}
		all = append(all, in[len(in)-(end-offset):]...)
		if !more {
			return all
		}
		offset = next
	}
}

func samePaths(t *testing.T, want, got []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("the pages hold %d nodes, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("node %d is %s, want %s", i, got[i], want[i])
		}
	}
}
