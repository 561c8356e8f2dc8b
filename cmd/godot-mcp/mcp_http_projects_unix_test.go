//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// call is the text that a tool answers with in the project of a folder.
func (s *httpServer) call(t *testing.T, folder, tool string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": map[string]any{},
		"_meta": map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}},
	}})
	r, err := http.NewRequest("POST", s.url+"?"+url.Values{"project": {folder}}.Encode(), strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(response.StatusCode, " ", string(text))
}

// A URL's project has the server's settings, and those of its own file that only tighten.
func TestHTTPProjectsKeepThePolicy(t *testing.T) {
	own := bridgetest.New(t)
	strict := bridgetest.New(t, bridgetest.Runtime(own.Runtime))
	broken := bridgetest.New(t, bridgetest.Runtime(own.Runtime))
	for ed, scene := range map[*bridgetest.Editor]string{own: "own", strict: "strict"} {
		ed.Reply("scene.list", fmt.Sprintf(`{"scenes":["res://%s.tscn"],"main_scene":null}`, scene))
		ed.Reply("get-server-info", `{"active_scene":null}`)
	}
	for ed, text := range map[*bridgetest.Editor]string{
		strict: "deny = [\"scene tree\"]\nread_only = false\n", broken: "no_such_setting = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(ed.Project, projectConfig), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(t.TempDir(), "audit.jsonl")
	s := startHTTP(t, own, nil, "--http-no-auth", "--read-only", "--project", own.Project, "--audit-log", log)
	for _, c := range []struct{ folder, tool, says string }{
		{own.Project, "godot_scene_list", "res://own.tscn"},
		{strict.Project, "godot_scene_list", "res://strict.tscn"},
		{strict.Project, "godot_scene_tree", "deny scene tree of the project file "},
		{strict.Project, "godot_scene_save", "this is read-only mode"},
		{broken.Project, "godot_scene_list", "there is no setting no_such_setting"},
		{t.TempDir(), "godot_scene_list", "404 "},
	} {
		if got := s.call(t, c.folder, c.tool); !strings.Contains(got, c.says) {
			t.Errorf("%s in %s got %s, not %q", c.tool, filepath.Base(c.folder), got, c.says)
		}
	}
	if n, m := len(own.Hellos()), len(strict.Hellos()); n != 1 || m != 1 {
		t.Errorf("the editors were dialled %d and %d times", n, m)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadAll(s.stderr)
	_ = s.cmd.Wait()
	if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), `"tool":"scene list"`) != 2 {
		t.Errorf("the audit log has %s, %v", text, err)
	}
}
