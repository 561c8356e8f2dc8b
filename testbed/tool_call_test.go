package testbed

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestToolCall changes a scene through tool call as the named tool would: previewed, carried out, undone,
// refused.
func TestToolCall(t *testing.T) {
	e := sharedEditor(t)
	open(t, e, "res://main.tscn")
	both(t, e, func(t *testing.T, s surface) {
		named := func(tool string, given args) args { return args{"tool": tool, "arguments": given} }
		add := args{"node_type": "Sprite2D", "node_name": "Called", "parent_path": "Player"}
		s.call(t, "tool call", named("node add", add.with("dry_run", true))).ok(t).
			has(t, map[string]string{"node_path": "Player/Called", "dry_run": "true", "persisted": "true"})
		s.call(t, "node get", args{"node_path": "Player/Called"}).fails(t, bridge.ResourceNotFound, "node_exists")

		s.call(t, "tool call", named("godot_node_add", add).with("jq", ".node_path, .created")).ok(t).
			has(t, map[string]string{"values.0": "Player/Called", "values.1": "true"})
		s.call(t, "tool call", named("node get-property", args{"node_path": "Player/Called", "property": "visible"})).ok(t).
			has(t, map[string]string{"value": "true", "exists": "true"})

		s.call(t, "tool call", named("node delete", args{"node_path": "Player/Called"})).
			fails(t, bridge.PreconditionFailed, "confirm", "--confirm")
		s.call(t, "tool call", named("node add", args{"node_type": "NoSuchType"})).fails(t, bridge.ValidationError, "node_type")
		s.call(t, "tool call", named("godot_scene_edit_delete_node", args{"node_path": "Player/Called", "confirm": true})).ok(t)
		s.call(t, "node get", args{"node_path": "Player/Called"}).fails(t, bridge.ResourceNotFound, "node_exists")
		s.call(t, "tool call", named("undo", args{"count": 2})).ok(t).has(t, map[string]string{"undone": "2"})
	})
}

func TestToolCallInReadOnlyMode(t *testing.T) {
	e := sharedEditor(t)
	open(t, e, "res://main.tscn")
	out := e.Run("tool", "call", "node add", "--read-only")
	if out.Exit != 3 || !strings.Contains(out.Stderr, `"required":"policy"`) {
		t.Errorf("exit %d: %s", out.Exit, out.Stderr)
	}
	var tree struct{ Tree struct{ Name string } }
	out = e.Run("tool", "call", "scene tree", "--read-only")
	if out.Exit != 0 || json.Unmarshal([]byte(out.Stdout), &tree) != nil || tree.Tree.Name == "" {
		t.Errorf("exit %d: %s %s", out.Exit, out.Stdout, out.Stderr)
	}
}

// TestToolSearchLeadsToACall goes the way of an agent: search, describe, call with the example's arguments.
func TestToolSearchLeadsToACall(t *testing.T) {
	e := sharedEditor(t)
	open(t, e, "res://main.tscn")
	both(t, e, func(t *testing.T, s surface) {
		name := s.call(t, "tool search", args{"query": "show me the hierarchy"}).ok(t).text("tools.0.name")
		described := s.call(t, "tool describe", args{"tool": name}).ok(t).
			has(t, map[string]string{"command": "scene tree", "safety_class": "read_only", "allowed": "true"})
		given := args{"tool": name}
		if arguments := described.value("example_arguments"); arguments != nil {
			given["arguments"] = arguments
		}
		s.call(t, "tool call", given).ok(t).has(t, map[string]string{"tree.name": "Main"})
	})
}
