package main

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// Flags come before "--", positionals behind it, however they were typed.
func TestPrepareSortsFlagsFromPositionals(t *testing.T) {
	for typed, want := range map[string]string{
		"node add":                          "node add --",
		"node add Node Hat":                 "node add -- Node Hat",
		"node add --dry-run Node":           "node add --dry-run -- Node",
		"node add --parent-path A Node":     "node add --parent-path A -- Node",
		"node add --parent_path=A Node":     "node add --parent_path=A -- Node",
		"--project p node add -r Node":      "node add --project p -r -- Node",
		"node --timeout 1s add Node":        "node add --timeout 1s -- Node",
		"node set-property A x -1.5":        "node set-property -- A x -1.5",
		"node set-property A x -1 --jq .":   "node set-property --jq . -- A x -1",
		"node set-property A x --value -1":  "node set-property --value -1 -- A x",
		"node set-property A x -- --jq":     "node set-property -- A x --jq",
		"node set-property A x -":           "node set-property -- A x -",
		"node add --parent-path":            "node add --parent-path",
		"node add Node --parent-path":       "node add --parent-path",
		"help node add":                     "node add --help --",
		"godot_node_add -h":                 "node add --help --",
		"version --jq .":                    "version --jq .",
		"call -":                            "call -",
		"addon --help":                      "addon --help",
		"__complete node add --parent-path": "__complete node add --parent-path",
	} {
		a := &app{table: commands.All()}
		got, err := a.prepare(a.root(), strings.Fields(typed))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s\n gave %s, error %v\n want %s", typed, strings.Join(got, " "), err, want)
		}
	}
}
