package commands

import (
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func ruled(t *testing.T, names ...string) []Rule {
	t.Helper()
	rules, err := All().Rules("user file", names)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func denying(t *testing.T, names ...string) Policy {
	t.Helper()
	return Policy{Deny: ruled(t, names...)}
}

func named(t *testing.T, name string) *Tool {
	t.Helper()
	tool, _ := All().Lookup(name)
	if tool == nil {
		t.Fatalf("there is no %s", name)
	}
	return tool
}

func TestRulesNameToolsByEachOfTheirNames(t *testing.T) {
	for rule, c := range map[string]struct{ names, not string }{
		"destructive":                  {"node delete", "node add"},
		"executes_code":                {"node attach-script", "node add"},
		"input-map":                    {"input-map list", "node add"},
		"input_map":                    {"input-map list", "node add"},
		"scene_edit":                   {"node add", "scene tree"},
		"node delete":                  {"node delete", "node add"},
		"godot_node_delete":            {"node delete", "node add"},
		"scene_edit_create_node":       {"node add", "node delete"},
		"godot_scene_edit_create_node": {"node add", "node delete"},
		" node ":                       {"node add", "scene tree"},
	} {
		deny := denying(t, rule)
		if deny.Allows(named(t, c.names)) || !deny.Allows(named(t, c.not)) {
			t.Errorf("deny %s refuses %s: %t, %s: %t", rule, c.names, !deny.Allows(named(t, c.names)), c.not, !deny.Allows(named(t, c.not)))
		}
		allow := Policy{Allow: [][]Rule{ruled(t, rule)}}
		if !allow.Allows(named(t, c.names)) || allow.Allows(named(t, c.not)) {
			t.Errorf("allow %s allows %s: %t, %s: %t", rule, c.names, allow.Allows(named(t, c.names)), c.not, allow.Allows(named(t, c.not)))
		}
	}
}

func TestARuleThatNamesNothingIsAnError(t *testing.T) {
	for rule, want := range map[string]string{
		"destructiv": "did you mean destructive?", "node delet": "did you mean node delete?", "xyzzy": "godot-mcp toolset list", "": "godot-mcp toolset list",
	} {
		if _, err := All().Rules("flag", []string{rule}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", rule, err)
		}
	}
}

// Each list must name a tool, and what is denied is not allowed by any of them.
func TestListsOfSeveralPlacesCountTogether(t *testing.T) {
	p := Policy{Allow: [][]Rule{ruled(t, "node", "scene"), ruled(t, "read_only", "node")}, Deny: ruled(t, "node delete")}
	var allowed []string
	for _, name := range []string{"node add", "node delete", "node get", "scene tree", "scene save", "script read"} {
		if p.Allows(named(t, name)) {
			allowed = append(allowed, name)
		}
	}
	if want := []string{"node add", "node get", "scene tree"}; !slices.Equal(allowed, want) {
		t.Errorf("allowed %q, want %q", allowed, want)
	}
}

func TestARefusalNamesTheRuleAndItsPlace(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		tool   string
		want   string
	}{
		{denying(t, "destructive"), "node delete", "node delete is destructive, and the policy refuses that: deny destructive of the user file: godot-mcp config list"},
		{denying(t, "executes_code"), "script write", "script write can run code of the project, and the policy refuses that: deny executes_code of the user file"},
		{denying(t, "node"), "node get", "node get is of the toolset node, and the policy refuses that: deny node of"},
		{denying(t, "node get"), "node get", "node get is named, and the policy refuses that: deny node get of"},
		{Policy{Allow: [][]Rule{ruled(t, "read_only", "scene")}}, "node add", "node add is mutating of the toolset node, and the policy allows only what it lists: allow read_only, scene of the user file"},
		{Policy{ReadOnly: true, ReadOnlySource: "flag"}, "node add", "node add is mutating and this is read-only mode: start without --read-only"},
		{Policy{ReadOnly: true, ReadOnlySource: "environment GODOT_MCP_READ_ONLY"}, "node add", "it comes from the environment GODOT_MCP_READ_ONLY, see godot-mcp config list"},
	} {
		e := bridge.AsError(c.policy.check(named(t, c.tool), false))
		if e == nil || e.Code != bridge.PreconditionFailed || e.Required != "policy" || !strings.HasPrefix(e.Hint, c.want) && !strings.Contains(e.Hint, c.want) {
			t.Errorf("got %v, want %s", e, c.want)
		}
	}
}

// What holds other calls is judged by them, unless it is named itself.
func TestWhatHoldsCallsIsJudgedByThem(t *testing.T) {
	call, batch := named(t, "tool call"), named(t, batchRunName)
	for _, c := range []struct {
		policy Policy
		ok     bool
	}{
		{Policy{ReadOnly: true}, true},
		{denying(t, "mutating", "runtime"), true},
		{Policy{Allow: [][]Rule{ruled(t, "node")}}, true},
		{denying(t, "tool call", "batch run"), false},
		{denying(t, "tool", "batch"), false},
	} {
		for _, tool := range []*Tool{call, batch} {
			if err := c.policy.check(tool, true); (err == nil) != c.ok {
				t.Errorf("%+v: %s: %v", c.policy, tool.Name, err)
			}
		}
	}
}

// The list of toolsets, of classes and of a toolset's tools have what may be called, and nothing else.
func TestToolsAboutToolsShowWhatMayBeCalled(t *testing.T) {
	env := &Env{Table: All(), Listed: []string{"all"}}
	p := denying(t, "destructive", "plugin", "node add")
	ctx := withPolicy(t.Context(), p)
	for _, set := range env.toolsets(p) {
		if set.Name == "plugin" {
			t.Error("a toolset with nothing to call is listed")
		}
	}
	for _, entry := range env.toolsOf("node", p) {
		if entry.Name == "godot_node_add" || entry.Name == "godot_node_delete" {
			t.Errorf("%s is shown", entry.Name)
		}
	}
	classes, err := toolClasses(ctx, env, none{})
	if err != nil || len(classes.Destructive) != 0 || slices.Contains(classes.Mutating, "godot_node_add") || !slices.Contains(classes.Mutating, "godot_node_rename") {
		t.Errorf("%v %v", classes, err)
	}
	found, err := searchTools(ctx, env, toolSearchParams{Query: "node add", Limit: 50})
	if err != nil || len(found.Tools) == 0 || slices.ContainsFunc(found.Tools, func(f foundTool) bool { return f.Name == "godot_node_add" }) {
		t.Errorf("%v %v", found, err)
	}
	if d, err := describeTool(ctx, env, toolDescribeParams{Tool: "node add"}); err != nil || d.Allowed {
		t.Errorf("node add is described as allowed (%v)", err)
	}
}

func TestToolCallIsListedByTheHighestClassInReach(t *testing.T) {
	call := named(t, "tool call")
	for _, c := range []struct {
		policy Policy
		want   Class
	}{
		{Policy{}, Destructive}, {denying(t, "destructive"), Mutating}, {Policy{ReadOnly: true}, ReadOnly},
		{Policy{Allow: [][]Rule{ruled(t, "class")}}, ReadOnly}, {denying(t, "node delete"), Destructive},
	} {
		if got := c.policy.ClassOf(call, All()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.policy, got, c.want)
		}
	}
}
