package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

const mcpSession = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
no message
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
`

// One line of text on standard output breaks a client's session: debug logging, settings that are passed
// over, and a missing editor are told on standard error.
func TestF18_NothingButMessagesOnStandardOutput(t *testing.T) {
	ed := bridgetest.New(t)
	ed.Close()
	settings := "godot_bin = \"/no/such/godot\"\n" // a project's file may not name a program
	if err := os.WriteFile(filepath.Join(ed.Project, projectConfig), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, ed, "mcp", "--toolsets", "starter,no_such")
	cmd.Env = append(cmd.Env, "GODOT_MCP_LOG_LEVEL=debug")
	cmd.Stdin = strings.NewReader(mcpSession)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	for _, line := range lines {
		var m struct{ JSONRPC string }
		if json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0" {
			t.Errorf("no message: %s", line)
		}
	}
	if len(lines) != 4 {
		t.Errorf("%d messages, 4 are wanted:\n%s", len(lines), out)
	}
	for _, want := range []string{"godot_bin", "no_such"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error does not tell of %s:\n%s", want, &stderr)
		}
	}
}

// With settings that cannot be read there is no server, and still nothing on standard output.
func TestF18_ABrokenConfigurationIsToldOnStandardError(t *testing.T) {
	ed := bridgetest.New(t)
	if err := os.WriteFile(filepath.Join(ed.Project, projectConfig), []byte("= broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, ed, "mcp")
	cmd.Stdin = strings.NewReader(mcpSession)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil || len(out) > 0 || !strings.Contains(stderr.String(), `"ok":false`) {
		t.Errorf("%v, on standard output %q, on standard error %q", err, out, &stderr)
	}
}
