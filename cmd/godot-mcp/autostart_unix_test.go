//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// stuck is a project whose engine begins and never becomes an editor. Each begin writes its process id.
type stuck struct {
	project *bridgetest.Editor
	begun   string
}

func newStuck(t *testing.T) stuck {
	t.Helper()
	ghost := bridgetest.New(t)
	ghost.Close()
	if _, err := addon.Install(ghost.Project, addon.Options{}); err != nil {
		t.Fatal(err)
	}
	s := stuck{ghost, filepath.Join(ghost.Project, "begun")}
	t.Cleanup(func() {
		for _, pid := range s.pids() {
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	})
	return s
}

func (s stuck) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	engine := filepath.Join(s.project.Project, "engine")
	script := "#!/bin/sh\ncase $1 in\n--version) echo 4.6.3.stable ;;\n*) echo $$ >>begun; exec sleep 1000 ;;\nesac\n"
	if err := os.WriteFile(engine, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, s.project, args...)
	cmd.Env = append(cmd.Env, "GODOT_BIN="+engine, "GODOT_MCP_GODOT_BIN=")
	return cmd
}

func (s stuck) pids() []int {
	text, _ := os.ReadFile(s.begun)
	var pids []int
	for _, line := range strings.Fields(string(text)) {
		var pid int
		_, _ = fmt.Sscan(line, &pid)
		pids = append(pids, pid)
	}
	return pids
}

func until(t *testing.T, what string, there func() bool) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); !there(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestInterruptEndsTheEditorThatAutostartBegan(t *testing.T) {
	for name, args := range map[string][]string{
		"autostart":    {"scene", "list", "--autostart"},
		"editor start": {"editor", "start", "--headless"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStuck(t)
			cmd, stderr := begin(t, s.command(t, args...))
			until(t, "the engine to begin", func() bool { return len(s.pids()) == 1 })
			wantInterrupted(t, cmd, stderr, "")
			until(t, "the engine to end", func() bool { return !bridge.Alive(s.pids()[0]) })
			if _, err := os.Stat(filepath.Join(s.project.Project, ".godot", "godot_mcp_bridge", "starting")); err == nil {
				t.Error("the record of the ended start is still there")
			}
		})
	}
}

// The end of an MCP session takes along what nobody waits for any more.
func TestEndOfInputEndsTheEditorThatAutostartBegan(t *testing.T) {
	s := newStuck(t)
	cmd := s.command(t, "mcp", "--autostart")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stderr := begin(t, cmd)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"godot_scene_list","arguments":{}}}`,
	} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the engine to begin", func() bool { return len(s.pids()) > 0 })
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, stderr)
	}
	if pids := s.pids(); len(pids) != 1 || bridge.Alive(pids[0]) {
		t.Errorf("the engine was begun as %v; the first one lives: %v", pids, bridge.Alive(pids[0]))
	}
}

// A client whose time is up leaves the editor to the next one, which waits for the same.
func TestNextCallWaitsForTheStartUnderWay(t *testing.T) {
	s := newStuck(t)
	run := func(required string) {
		t.Helper()
		cmd, stderr := begin(t, s.command(t, "scene", "list", "--autostart", "--timeout", "500ms"))
		_ = cmd.Wait()
		e, err := envelope(stderr.String())
		if err != nil || e.Code != bridge.PreconditionFailed || e.Required != required || checkHint(e.Hint) != nil {
			t.Fatalf("got %v, %v: %s", e, err, stderr)
		}
	}
	run("editor_ready")
	until(t, "the engine to begin", func() bool { return len(s.pids()) == 1 })
	run("editor_ready")
	if pids := s.pids(); len(pids) != 1 || !bridge.Alive(pids[0]) {
		t.Errorf("the engine was begun as %v", pids)
	}
	// Ended by itself, it is begun anew.
	_ = syscall.Kill(-s.pids()[0], syscall.SIGKILL)
	until(t, "the first engine to end", func() bool { return !bridge.Alive(s.pids()[0]) })
	run("editor_ready")
	until(t, "the second engine to begin", func() bool { return len(s.pids()) == 2 })
}
