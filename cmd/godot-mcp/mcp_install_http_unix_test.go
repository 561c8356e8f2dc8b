//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// addressee is a home in which clients get the address of a server.
type addressee struct {
	ed   *bridgetest.Editor
	home string
}

func newAddressee(t *testing.T) addressee {
	t.Helper()
	ed := bridgetest.New(t)
	ed.Reply("get-server-info", `{"active_scene":null}`)
	return addressee{ed, t.TempDir()}
}

// run is a command in that home: its exit status and what it printed.
func (a addressee) run(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	cmd := command(t, a.ed, args...)
	cmd.Env = append(append(cmd.Env, "HOME="+a.home, "XDG_CONFIG_HOME="+a.home+"/.config", "CODEX_HOME=", "CLAUDE_CONFIG_DIR="), env...)
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// tokenOf is the token that a server made.
func (s *httpServer) tokenOf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSpace(strings.TrimPrefix(s.says, "godot-mcp: the token that clients show is in ")))
	var told httpFile
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatalf("%q: %v", s.says, err)
	}
	return told.Token
}

func (s *httpServer) port() string { return regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(s.url)[1] }

// checksOf are the failed checks of the first client, with what mends them.
func checksOf(t *testing.T, report string) map[string]check {
	t.Helper()
	var r doctorReport
	if err := json.Unmarshal([]byte(report), &r); err != nil || len(r.Clients) == 0 {
		t.Fatalf("%v: %s", err, report)
	}
	failed := map[string]check{}
	for _, c := range r.Clients[0].Checks {
		if !c.OK {
			failed[c.Check] = c
		}
	}
	return failed
}

// Every client that takes addresses gets the one of the server that runs, with its token, and reaches it.
func TestInstallFindsTheServerThatRuns(t *testing.T) {
	a := newAddressee(t)
	s := startHTTP(t, a.ed, nil)
	token := s.tokenOf(t)
	want := 0
	for _, c := range clients.All() {
		if c.Remote.URL == "" {
			continue
		}
		want++
		exit, out := a.run(t, nil, "mcp", "install", "--client", c.ID, "--project", a.ed.Project, "--transport", "http")
		if exit != 0 || !strings.Contains(out, clients.Address(s.url, a.ed.Project)) || strings.Contains(out, token) || !strings.Contains(out, "after another one install again") {
			t.Errorf("%s: %d, %s", c.ID, exit, out)
		}
		if exit, out = a.run(t, nil, "mcp", "install", "--client", c.ID, "--project", a.ed.Project, "--transport", "http"); exit != 0 || !strings.Contains(out, `"changed":false`) {
			t.Errorf("%s, the second time: %d, %s", c.ID, exit, out)
		}
	}
	exit, out := a.run(t, nil, "mcp", "doctor", "--project", a.ed.Project)
	if n := strings.Count(out, `{"check":"editor","ok":true,"detail":"connected"}`); exit != 0 || n != want || strings.Contains(out, token) {
		t.Errorf("%d of %d are connected: %d, %s", n, want, exit, out)
	}
	if n := strings.Count(out, `"check":"token","ok":true`); n != want {
		t.Errorf("%d of %d tokens: %s", n, want, out)
	}
	for _, c := range clients.All() {
		if exit, out := a.run(t, nil, "mcp", "uninstall", "--client", c.ID); exit != 0 || strings.Contains(out, token) || strings.Contains(out, `"changed":true`) == (c.Remote.URL == "") {
			t.Errorf("%s: %d, %s", c.ID, exit, out)
		}
	}
	s.end(t)
}

// Of several servers one is named; the others are listed.
func TestInstallAsksWhichServer(t *testing.T) {
	a := newAddressee(t)
	first, second := startHTTP(t, a.ed, nil), startHTTP(t, a.ed, nil)
	install := []string{"mcp", "install", "--client", "cursor", "--project", a.ed.Project, "--transport", "http"}
	exit, out := a.run(t, nil, install...)
	e, problem := envelope(out)
	if exit != 3 || problem != nil || e.Required != "http_port" || !strings.Contains(e.Hint, first.url) || !strings.Contains(e.Hint, second.url) || checkHint(e.Hint) != nil {
		t.Errorf("%d, %s", exit, out)
	}
	for _, s := range []*httpServer{first, second} {
		exit, out = a.run(t, nil, append(slices.Clone(install), "--http-port", s.port())...)
		if text, _ := os.ReadFile(a.home + "/.cursor/mcp.json"); exit != 0 || !strings.Contains(string(text), s.url) || !strings.Contains(string(text), s.tokenOf(t)) {
			t.Errorf("%d, %s, %s", exit, out, text)
		}
	}
	// What others could have written is not believed.
	file := strings.TrimSpace(strings.TrimPrefix(second.says, "godot-mcp: the token that clients show is in "))
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if exit, out = a.run(t, nil, install...); exit != 0 || !strings.Contains(out, first.url) {
		t.Errorf("%d, %s", exit, out)
	}
	second.end(t)
	first.end(t)
}

// What is wrong with an address is told, with the command that mends it, and that one does.
func TestDoctorOfAnAddress(t *testing.T) {
	a := newAddressee(t)
	const mine = "a-token-of-my-own"
	s := startHTTP(t, a.ed, []string{"GODOT_MCP_AUTH_TOKEN=" + mine})
	install := []string{"mcp", "install", "--client", "cursor", "--project", a.ed.Project, "--transport", "http", "--http-port", s.port()}
	doctor := []string{"mcp", "doctor", "--client", "cursor", "--project", a.ed.Project}
	expect := func(what, name, says, fix string) {
		t.Helper()
		exit, out := a.run(t, nil, doctor...)
		failed := checksOf(t, out)
		if c := failed[name]; exit != 10 || len(failed) != 1 || !strings.Contains(c.Detail, says) || !strings.Contains(c.Fix, fix) || strings.Contains(out, mine) {
			t.Errorf("%s: %d, %+v", what, exit, failed)
		}
	}
	again := fmt.Sprintf("godot-mcp mcp install --client cursor --scope user --name godot --transport http --project %q", a.ed.Project)
	a.run(t, []string{"GODOT_MCP_AUTH_TOKEN=" + mine + "-not"}, install...)
	expect("another token", "token", "another token than the entry (401)", again)
	a.run(t, []string{"GODOT_MCP_AUTH_TOKEN=" + mine}, install...)
	if exit, out := a.run(t, nil, doctor...); exit != 0 {
		t.Errorf("%d, %s", exit, out)
	}
	config := filepath.Join(a.home, ".cursor", "mcp.json")
	rewrite := func(entry string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(`{"mcpServers":{"godot":`+entry+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(fmt.Sprintf(`{"url":%q}`, clients.Address(s.url, a.ed.Project)))
	expect("no token", "token", "the entry has no token", again)
	// This machine's look at the folder says nothing where the name leads elsewhere.
	rewrite(fmt.Sprintf(`{"url":%q,"headers":{"Authorization":"Bearer %s"}}`, clients.Address(s.url, t.TempDir()), mine))
	expect("no project", "project", "has no project.godot", "--transport http --project DIR")
	s.end(t)
	a.run(t, []string{"GODOT_MCP_AUTH_TOKEN=" + mine}, install...)
	expect("no server", "connect", "no server answers at 127.0.0.1:"+s.port(), "godot-mcp mcp --transport http --http-port "+s.port()+", then "+again)
	newest := startHTTP(t, a.ed, []string{"GODOT_MCP_AUTH_TOKEN=" + mine}, "--protocol", "2026-07-28")
	rewrite(fmt.Sprintf(`{"url":%q,"headers":{"Authorization":"Bearer %s"}}`, clients.Address(newest.url, a.ed.Project), mine))
	expect("one revision", "connect", "refuses what clients ask", "start the server without --protocol")
	newest.end(t)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	rewrite(fmt.Sprintf(`{"url":%q,"headers":{"Authorization":"Bearer %s"}}`, clients.Address(other.URL+"/mcp", a.ed.Project), mine))
	expect("another program", "connect", "refuses (404): 404 page not found", "another program may have the port")
}
