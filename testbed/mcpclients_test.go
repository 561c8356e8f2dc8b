package testbed

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The scene that the clients work on. Its property slow keeps the editor busy for as long as session.mjs says.
var slowScene = map[string]string{
	"slow.gd": "@tool\nextends Node2D\nvar slow: int:\n\tget:\n\t\tOS.delay_msec(3000)\n\t\treturn 1\n",
	"slow.tscn": "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://slow.gd\" id=\"1\"]\n\n" +
		"[node name=\"Größe\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n[node name=\"Child\" type=\"Node2D\" parent=\".\"]\n",
}

// installedClients is the folder of the pinned clients, with Node. Without them there is no test, and no
// skipping one.
var installedClients = sync.OnceValues(func() (string, error) {
	cmd := exec.Command(filepath.Join(Root(), "testbed", "install-clients.sh"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
})

// clientFolder holds the pinned packages and our own programs beside them, as Node wants it.
func clientFolder(t *testing.T) (folder, node string) {
	t.Helper()
	installed, err := installedClients()
	if err != nil {
		t.Fatalf("the MCP clients cannot be installed: %v", err)
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(Root(), "testbed", "clients"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	nodes, err := filepath.Glob(filepath.Join(installed, "node_modules", "node-*-*", "bin", "node"))
	if err != nil || len(nodes) != 1 {
		t.Fatalf("Node: %v, %v", nodes, err)
	}
	return folder, nodes[0]
}

// clientProject is a project whose editor the clients start.
func clientProject(t *testing.T) *Editor {
	t.Helper()
	project := CopyProject(t, "platformer2d")
	for name, text := range slowScene {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := stopShared(); err != nil {
		t.Fatal(err)
	}
	e, err := Workspace(project, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Run("editor", "stop", "--force", "--confirm") })
	return e
}

// run runs a client's program in the project; its own words are the test's.
func (e *Editor) run(t *testing.T, program string, args ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = e.Project, append(e.Env, "MCP_INSPECTOR_SECRET_STORE=file", "HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	t.Log(stderr.String())
	return out, err
}

// TestTypeScriptClients: the clients that most agents are built on, over standard input and output, in both
// eras: list, progress, read, edit, errors, an unknown tool, a cancelled call.
func TestTypeScriptClients(t *testing.T) {
	folder, node := clientFolder(t)
	e := clientProject(t)
	for name, program := range map[string][]string{
		"v1":        {"v1.mjs", e.Bin},
		"v2_legacy": {"v2.mjs", e.Bin, "legacy"},
		"v2_auto":   {"v2.mjs", e.Bin, "auto"},
		"v2_modern": {"v2.mjs", e.Bin, "modern"},
	} {
		t.Run(name, func(t *testing.T) {
			program[0] = filepath.Join(folder, program[0])
			if out, err := e.run(t, node, program...); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestApprovalByTypeScriptClients: each asks its person in its own way, and only yes is yes.
func TestApprovalByTypeScriptClients(t *testing.T) {
	folder, node := clientFolder(t)
	e := ownWorkspace(t, "empty")
	for _, kind := range []string{"v1", "legacy", "auto", "modern"} {
		t.Run(kind, func(t *testing.T) {
			if out, err := e.run(t, node, filepath.Join(folder, "approval.mjs"), e.Bin, kind); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestInspector: the official tool finds no error in any schema, in all of its modes, and calls and reads
// like a client.
func TestInspector(t *testing.T) {
	folder, node := clientFolder(t)
	e := clientProject(t)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	launcher := filepath.Join(folder, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	s := serveHTTP(t, e, "--toolsets", "all")
	for name, server := range map[string]map[string]any{
		"stdio": {"type": "stdio", "command": e.Bin, "args": []string{"mcp", "--toolsets", "all"}, "env": inspectorEnv(e)},
		"http":  {"type": "streamable-http", "url": s.url, "headers": map[string]string{"Authorization": "Bearer " + s.token}},
	} {
		for _, era := range []string{"legacy", "auto", "modern"} {
			server = maps.Clone(server)
			server["protocolEra"] = era
			t.Run(name+"_"+era, func(t *testing.T) { inspectAs(t, e, launcher, node, server) })
		}
	}
}

// inspectAs is the Inspector's work with one server.
func inspectAs(t *testing.T, e *Editor, launcher, node string, server map[string]any) {
	config := filepath.Join(t.TempDir(), "config.json")
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"godot": server}})
	if err == nil {
		err = os.WriteFile(config, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	inspect := func(args ...string) ([]byte, int) {
		all := append([]string{launcher, "--cli", "--config", config, "--server", "godot", "--format", "json"}, args...)
		out, err := e.run(t, node, all...)
		return out, exitOf(err)
	}
	list, exit := inspect("--method", "tools/list", "--strict")
	if exit != 0 || !bytes.Contains(list, []byte("godot_scene_tree")) {
		t.Errorf("tools/list ended with %d: %.300s", exit, list)
	}
	tree, exit := inspect("--method", "tools/call", "--tool-name", "godot_scene_list")
	if exit != 0 || !bytes.Contains(tree, []byte("slow.tscn")) {
		t.Errorf("tools/call ended with %d: %.300s", exit, tree)
	}
	failed, exit := inspect("--method", "tools/call", "--tool-name", "godot_scene_open", "--tool-arg", "scene_path=res://nowhere.tscn")
	if exit != 5 || !bytes.Contains(failed, []byte("RESOURCE_NOT_FOUND")) {
		t.Errorf("a failed call ended with %d: %.300s", exit, failed)
	}
	inspectOffers(t, inspect)
}

// inspectorEnv is what the editor is found by; the Inspector hands on nothing else.
func inspectorEnv(e *Editor) map[string]string {
	env := map[string]string{}
	for _, one := range e.Env {
		name, value, _ := strings.Cut(one, "=")
		if strings.HasPrefix(name, "XDG_") || name == "GODOT_BIN" || name == "PATH" {
			env[name] = value
		}
	}
	env["GODOT_MCP_PROJECT_DIR"] = e.Project
	return env
}

func exitOf(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return -1
}
