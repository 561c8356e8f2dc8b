package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestGoClient: the Go SDK's own client does in both eras what those of TypeScript do.
func TestGoClient(t *testing.T) {
	e := clientProject(t)
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		t.Run(revision, func(t *testing.T) {
			client, told := newGoClient()
			server := exec.Command(e.Bin, "mcp")
			server.Dir, server.Env = e.Project, e.Env
			s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: server}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.InitializeResult().ProtocolVersion; revision != "2026-07-28" && got != revision {
				t.Errorf("%s was agreed on", got)
			}
			goClient{t, session{s}}.steps(told)
		})
	}
}

// newGoClient also tells the progress that it hears.
func newGoClient() (*sdk.Client, <-chan float64) {
	told := make(chan float64, 100)
	return sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *sdk.ProgressNotificationClientRequest) { told <- n.Params.Progress },
	}), told
}

type goClient struct {
	t *testing.T
	session
}

func (c goClient) steps(told <-chan float64) {
	t := c.t
	list, err := c.client.ListTools(t.Context(), nil)
	if err != nil || !slices.IsSortedFunc(list.Tools, func(a, b *sdk.Tool) int { return strings.Compare(a.Name, b.Name) }) {
		t.Fatalf("%v, %v", list, err)
	}
	start := &sdk.CallToolParams{Name: "godot_editor_start", Arguments: args{"headless": true}}
	start.SetProgressToken("start")
	if started, err := c.client.CallTool(t.Context(), start); err != nil || started.IsError {
		t.Fatalf("%+v, %v", started, err)
	}
	select {
	case <-told:
	case <-time.After(10 * time.Second):
		t.Error("no progress while the editor started")
	}
	c.call(t, "scene open", args{"scene_path": "res://slow.tscn"}).ok(t)
	c.call(t, "scene tree", nil).ok(t).has(t, map[string]string{"scene_path": "res://slow.tscn"})
	c.call(t, "node set-property", args{"node_path": ".", "property": "position", "value": args{"x": 3, "y": 4.5}}).ok(t)
	c.call(t, "undo", nil).ok(t).has(t, map[string]string{"undone": "1"})
	c.call(t, "node get", args{"node_path": "Nowhere"}).fails(t, "RESOURCE_NOT_FOUND", "node_exists")
	var coded *jsonrpc.Error
	if _, err := c.try("godot_no_such_tool", nil); !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("an unknown tool got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	slow := &sdk.CallToolParams{Name: "godot_node_get_property", Arguments: args{"node_path": ".", "property": "slow"}}
	if _, err := c.client.CallTool(ctx, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that was given up got %v", err)
	}
	c.call(t, "node get-property", args{"node_path": "Child", "property": "name"}).ok(t).has(t, map[string]string{"value": "Child"})
	c.call(t, "editor stop", args{"force": true, "confirm": true}).ok(t)
}

// TestF15TreeOverMCP: a tree that is cut says so, node by node and with the total; the pages together are
// the whole, and a branch and depth 0 can be had alone.
func TestF15TreeOverMCP(t *testing.T) {
	e := sharedEditor(t)
	var scene strings.Builder
	scene.WriteString("[gd_scene format=3]\n\n[node name=\"Wide\" type=\"Node2D\"]\n")
	for g := range 30 {
		fmt.Fprintf(&scene, "\n[node name=\"Group%d\" type=\"Node2D\" parent=\".\"]\n", g)
		for i := range 99 {
			fmt.Fprintf(&scene, "\n[node name=\"Item%d\" type=\"Node2D\" parent=\"Group%d\"]\n", i, g)
		}
	}
	openLarge(t, e, "large/wide.tscn", scene.String())
	s := mcpSessionWith(t, e)
	seen := map[string]bool{}
	for offset, pages := 0, 0; offset >= 0; pages++ {
		page := s.call(t, "scene tree", args{"offset": offset}).ok(t).has(t, map[string]string{"total": "3001"})
		if n := len([]rune(string(page.raw))); n > 25000 {
			t.Fatalf("a page has %d characters", n)
		}
		omitted := walkTree(page.fields["tree"].(map[string]any), func(path string) { seen[path] = true })
		next, more := page.number("next_offset")
		if cut := page.fields["truncated"] == true; cut != more || cut && omitted == 0 {
			t.Errorf("at %d: truncated %t, next_offset %d, %d omitted", offset, cut, next, omitted)
		}
		if !more {
			break
		}
		if next <= offset || pages > 50 {
			t.Fatalf("page %d at %d goes on at %d", pages, offset, next)
		}
		offset = next
	}
	if len(seen) != 3001 {
		t.Errorf("the pages held %d nodes of 3001", len(seen))
	}
	s.call(t, "scene tree", args{"max_depth": 0}).ok(t).has(t, map[string]string{"total": "1", "truncated": "false"})
	s.call(t, "scene tree", args{"root": "Group7"}).ok(t).has(t, map[string]string{"total": "100", "truncated": "false"})
}

// number is a whole number of the answer, if it has it.
func (a answer) number(field string) (int, bool) {
	n, ok := a.fields[field].(json.Number)
	value, err := n.Int64()
	return int(value), ok && err == nil
}

// walkTree tells each node's path, and returns how many children are said to be missing.
func walkTree(node map[string]any, see func(path string)) (omitted int) {
	see(node["path"].(string))
	if n, ok := node["children_omitted"].(json.Number); ok {
		many, _ := n.Int64()
		omitted = int(many)
	}
	children, _ := node["children"].([]any)
	for _, child := range children {
		omitted += walkTree(child.(map[string]any), see)
	}
	return omitted
}
