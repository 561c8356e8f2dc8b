package bridgetest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func serveScript(t *testing.T, script string, opts ...bridgetest.Option) *bridgetest.Editor {
	t.Helper()
	e, err := bridgetest.ServeScript(filepath.Join(t.TempDir(), "game"), []byte(script), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestScriptAnswers(t *testing.T) {
	e := serveScript(t, strings.Join([]string{
		"# a comment",
		"",
		"node.get\t{\"name\":\"Player\"}\r",
		"node.get\t\"second\"",
		"node.delete\t{\"ok\":false,\"error\":\"RESOURCE_NOT_FOUND\",\"hint\":\"no such node\"}",
		"node.find\traw:{\"id\":$id,\"ok\":true,\"result\":nan}",
	}, "\n"))
	for _, tc := range []struct{ command, want string }{
		{"node.get", `{"name":"Player"}`},
		{"node.get", `"second"`},
		{"node.get", `"second"`},
		{"node.delete", "RESOURCE_NOT_FOUND: no such node"},
		{"node.find", `"nan"`},
	} {
		got, err := call(e, tc.command)
		if err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.command, got, tc.want)
		}
	}
	if n := len(e.Calls()); n != 5 {
		t.Errorf("%d calls", n)
	}
	if _, err := call(e, "node.add"); err == nil || !slices.Equal(e.Unexpected(), []string{"node.add"}) {
		t.Errorf("got %v, unexpected %v", err, e.Unexpected())
	}
}

func TestScriptEditorIsFoundByItsFolder(t *testing.T) {
	e := serveScript(t, "node.get\t1\n")
	if ed, err := bridge.Find(e.Query()); err != nil || ed.Port != e.Info().Port {
		t.Errorf("got %v, %v", ed, err)
	}
	if editors, _ := bridge.Discover(bridge.Query{Dir: t.TempDir(), Registry: e.Registry()}); len(editors) != 0 {
		t.Error("there is a registry entry without the option Runtime")
	}
	runtime := t.TempDir()
	e = serveScript(t, "", bridgetest.Runtime(runtime))
	if editors, _ := bridge.Discover(bridge.Query{Dir: t.TempDir(), Registry: filepath.Join(runtime, "godot-mcp", "editors")}); len(editors) != 1 {
		t.Error("there is no registry entry with the option Runtime")
	}
	_ = e
}

func TestScriptOptions(t *testing.T) {
	e := serveScript(t, "@contract\t3\t2\n@versions\t2026.05.06\t4.7\n@display\n")
	info := e.Info()
	if info.ContractVersion != 3 || info.AddonVersion != "2026.05.06" || info.GodotVersion != "4.7" || info.Headless {
		t.Errorf("got %+v", info)
	}
	for script, code := range map[string]bridge.Code{
		"@wrong-proof\n":        bridge.BridgeDisconnected,
		"@wrong-token\n":        bridge.BridgeDisconnected,
		"@drop-after 0\n":       bridge.BridgeDisconnected,
		"@close-after 0 1001\n": bridge.BridgeDisconnected,
		"@close-after 0 1013\n": bridge.PreconditionFailed,
		"@max-message 10\n":     bridge.BridgeDisconnected,
		"@contract 1 1\n":       "",
	} {
		e := serveScript(t, script+"node.get\t1\n")
		_, err := call(e, "node.get")
		if got := bridge.AsError(err); (got == nil) != (code == "") {
			t.Errorf("%q: got %v, want %s", script, err, code)
		} else if got != nil && got.Code != code && got.Code != bridge.ValidationError {
			t.Errorf("%q: got %v, want %s", script, err, code)
		}
	}
}

func TestScriptErrorsNameTheLine(t *testing.T) {
	for script, want := range map[string]string{
		"node.get {}\n":                 "line 1",
		"\n\nnode.get\t{\n":             "line 3",
		"node.get\t1\nnode.get\n":       "line 2",
		"@\n":                           "no name",
		"@unknown 1\n":                  "@unknown",
		"@contract 1\n":                 "@contract",
		"@contract one two\n":           "@contract",
		"@versions 1\n":                 "@versions",
		"@drop-after\n":                 "@drop-after",
		"node.get\t1\n@close-after 0\n": "line 2",
	} {
		e, err := bridgetest.ServeScript(t.TempDir(), []byte(script))
		if err == nil {
			e.Close()
			t.Errorf("%q was taken", script)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v lacks %q", script, err, want)
		}
	}
}
