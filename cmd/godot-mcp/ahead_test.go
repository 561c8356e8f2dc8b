package main

import (
	"io"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// A socket is opened ahead only for a call of a tool that the addon carries out, in the editor of the
// working directory.
func TestWhatConnectsAhead(t *testing.T) {
	for line, want := range map[string]bool{
		"scene tree":                           true,
		"node get-property . position --jq .x": true,
		"health-check":                         false,
		"scene":                                false,
		"scene tree --help":                    false,
		"scene tree -h":                        false,
		"scene tree --project elsewhere":       false,
		"scene tree --project=elsewhere":       false,
		"scene tree --editor 12":               false,
		"scene tree --contract=1":              false,
		"tool classes":                         false,
		"__complete scene tree":                false,
		"editor start":                         false,
		"call -":                               false,
		"version":                              false,
	} {
		t.Chdir(t.TempDir())
		ahead := connectAhead(commands.All(), strings.Fields(line))
		ahead.Close()
		if (ahead != nil) != want {
			t.Errorf("%s: connects ahead: %v", line, ahead != nil)
		}
	}
	t.Setenv("GODOT_MCP_PROJECT_DIR", t.TempDir())
	if connectAhead(commands.All(), []string{"scene", "tree"}) != nil {
		t.Error("it connects ahead although the environment names a project")
	}
}

// What was opened ahead carries no call that is refused, and the one call that is not.
func TestConnectedAheadOneSocketIsUsed(t *testing.T) {
	e := bridgetest.New(t)
	alone(t, e)
	t.Chdir(e.Project)
	e.Reply("node.get-property", `{"node_path":".","property":"position","value":1,"exists":true,"type":"int"}`)
	if code := run(strings.Fields("node get-property ."), streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}); code != 2 {
		t.Errorf("a call without a property: exit %d", code)
	}
	if n := len(e.Calls()); n != 0 {
		t.Errorf("the editor got %d calls", n)
	}
	if code := run(strings.Fields("node get-property . position"), streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}); code != 0 {
		t.Errorf("exit %d", code)
	}
	if calls, hellos := len(e.Calls()), len(e.Hellos()); calls != 1 || hellos != 1 {
		t.Errorf("%d calls, %d hellos", calls, hellos)
	}
}
