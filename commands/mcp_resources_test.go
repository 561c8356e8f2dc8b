package commands

import (
	"slices"
	"strings"
	"testing"
)

func TestResourcesStandForToolsThatRead(t *testing.T) {
	var known []string
	for _, e := range Events() {
		known = append(known, e.Name)
	}
	if uris := ResourceURIs(); !slices.IsSorted(uris) || len(slices.Compact(slices.Clone(uris))) != len(uris) {
		t.Errorf("not in order: %q", uris)
	}
	for _, r := range Resources() {
		tool, _ := All().Lookup(r.Tool)
		if tool == nil || tool.Class != ReadOnly || tool.Command() == "" && !r.Content {
			t.Errorf("%s: %s is no tool of the editor that reads", r.URI, r.Tool)
			continue
		}
		if name := r.ToolParameter(); name != "" && find(tool.Params(), name) == nil {
			t.Errorf("%s has no parameter %s", r.Tool, name)
		}
		if r.Name == "" || len(r.Summary) < 15 || strings.HasSuffix(r.Summary, ".") || len(r.Events) == 0 && !r.Content {
			t.Errorf("%+v", r)
		}
		for _, event := range r.Events {
			if !slices.Contains(known, event) {
				t.Errorf("%s: there is no event %s", r.URI, event)
			}
		}
	}
}

func TestURIsLeadToTheirArguments(t *testing.T) {
	for uri, want := range map[string]string{
		"godot://scene/tree": "scene tree {}", "godot://scene/tree/3": `scene tree {"max_depth":3}`, "godot://scene/tree/-1": `scene tree {"max_depth":-1}`,
		"godot://scene/tree/%33": `scene tree {"max_depth":3}`, "godot://scene/tree/x": `scene tree {"max_depth":"x"}`,
		"godot://node/selected": "node get-selected {}", "godot://scene": "", "": "", "godot://scene/tree/": "", "GODOT://scene/tree": "", "godot://scene/tree?x=1": "",
	} {
		got := ""
		if _, tool, arguments, ok := All().FindResource(uri); ok {
			got = tool.Name + " " + string(arguments)
		}
		if got != want {
			t.Errorf("%s leads to %q, want %q", uri, got, want)
		}
	}
}
