package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/clients"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// Every tool, called through the server's usual name, is short enough for every client.
func TestNamesFitEveryClient(t *testing.T) {
	for _, c := range clients.All() {
		for _, tool := range commands.All().Tools {
			if n := len(defaultServerName) + 1 + len(tool.MCPName()); c.NameLimit > 0 && n > c.NameLimit {
				t.Errorf("%s drops %s: %d characters of %d", c.Title, tool.MCPName(), n, c.NameLimit)
			}
		}
	}
	if cursor, _ := clients.Named("cursor"); cursor.NameLimit != 60 {
		t.Errorf("Cursor allows %d", cursor.NameLimit)
	}
}

// The help of --client names the clients that there are, and the shell offers them.
func TestClientsAreNamedAndOffered(t *testing.T) {
	ids := clients.IDs()
	for _, f := range commands.FlagsOf("mcp install") {
		if listed := strings.FieldsFunc(f.Doc, func(r rune) bool { return r == ',' || r == ' ' }); f.Name == "client" {
			listed = slices.DeleteFunc(listed, func(word string) bool { return word == "or" })
			if !slices.Equal(listed, ids) {
				t.Errorf("--client says %q, there are %q", listed, ids)
			}
		}
	}
	for line, want := range map[string][]string{
		"mcp install --client ": ids, "mcp doctor --client z": {"zed"}, "mcp uninstall --scope ": {"user", "project"}, "mcp ": {"install\t", "doctor\t"},
		"mcp install --toolsets scene,no": {"scene,node"}, "mcp install --transport ": {"stdio", "http"}, "mcp --transport h": {"http"}, "mcp install --format ": {"text", "json"},
	} {
		var out bytes.Buffer
		run(append([]string{"__complete"}, strings.Split(line, " ")...), streams{in: strings.NewReader(""), out: &out, err: &bytes.Buffer{}})
		for _, word := range want {
			if !strings.Contains("\n"+out.String(), "\n"+word) {
				t.Errorf("%q: %q is not offered in %q", line, word, out.String())
			}
		}
	}
}

// What a probe says becomes checks, each failing one with what mends it.
func TestChecksOfAProbe(t *testing.T) {
	was := version
	version = "2026.03.01"
	defer func() { version = was }()
	good := mcp.Probe{Took: time.Millisecond, Version: "2026.03.01", ToolCount: 3}
	for _, c := range []struct {
		change       func(*mcp.Probe)
		check, says  string
		answeredWell bool
	}{
		{func(*mcp.Probe) {}, "", "", true},
		{func(p *mcp.Probe) { p.Version = "2026.03.01.2" }, "", "", true},
		{func(p *mcp.Probe) { p.Version = "dev" }, "", "", true},
		{func(p *mcp.Probe) { p.Version = "2026.02.28.9" }, "version", "older than this program's 2026.03.01", true},
		{func(p *mcp.Probe) { p.Took = 11 * time.Second }, "start", "answered after 11000 ms", true},
		{func(p *mcp.Probe) { p.ToolCount = 0 }, "tools", "0 listed", true},
		{func(p *mcp.Probe) { p.Noise = "hello" }, "stdout", `"hello"`, true},
		{func(p *mcp.Probe) { p.Failed, p.Err, p.Stderr = "initialize", errors.New("gone"), "why" }, "start", "initialize: gone; it wrote: why", false},
		{func(p *mcp.Probe) { p.Failed, p.Err = "tools/list", errors.New("gone") }, "tools", "tools/list: gone", false},
		{func(p *mcp.Probe) { p.Failed, p.Err = "get-server-info", errors.New("unknown tool") }, "call", "unknown tool", false},
	} {
		p := good
		c.change(&p)
		d := diagnosis{OK: true}
		answered := d.judge(p, mcp.Start{Path: "/bin/godot-mcp", Args: []string{"mcp"}})
		bad := slices.DeleteFunc(slices.Clone(d.Checks), func(c check) bool { return c.OK })
		switch {
		case answered != c.answeredWell || d.OK != (c.check == ""):
			t.Errorf("%s: %+v", c.check, d)
		case c.check == "" && len(bad) > 0 || c.check != "" && len(bad) != 1:
			t.Errorf("%s: %+v", c.check, bad)
		case c.check != "" && (bad[0].Check != c.check || !strings.Contains(bad[0].Detail, c.says) || bad[0].Fix == ""):
			t.Errorf("%s: %+v", c.check, bad)
		}
	}
}

// An entry holds this program's name only where the client finds it by that; else a path that lasts.
func TestOwnCommandAsTheClientFindsIt(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "v1", "godot-mcp"), filepath.Join(dir, "bin", "godot-mcp")
	for _, path := range []string{real, link} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(real, []byte("#!/bin/sh\n"), 0o700), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	target := func(id string) clientTarget {
		c, _ := clients.Named(id)
		return clientTarget{Client: c, system: clients.System{OS: "linux"}, own: real}
	}
	t.Setenv("PATH", filepath.Dir(link))
	for id, want := range map[string]string{"claude-code": "godot-mcp", "cursor": "godot-mcp", "claude-desktop": link} {
		if got := ownCommand(target(id)); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	// Another program of that name is first on PATH.
	other := filepath.Join(dir, "other", "godot-mcp")
	if err := errors.Join(os.Mkdir(filepath.Dir(other), 0o700), os.WriteFile(other, []byte("#!/bin/sh\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fmt.Sprintf("%s%c%s", filepath.Dir(other), filepath.ListSeparator, filepath.Dir(link)))
	if got := ownCommand(target("claude-code")); got != real {
		t.Errorf("%s, want %s", got, real)
	}
}

// The guide's commands do what it says, as they stand there.
func TestCommandsOfTheClientsGuide(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "clients.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := fence.FindStringSubmatch(string(guide))
	if block == nil || block[1] != "sh" {
		t.Fatal("the guide begins with no commands")
	}
	ed := bridgetest.New(t)
	ed.Reply("get-server-info", `{"active_scene":null}`)
	for i, line := range strings.Split(block[2], "\n") {
		words := strings.Fields(strings.ReplaceAll(strings.Split(line, " #")[0], "my-game", ed.Project))
		out, err := command(t, ed, words[1:]...).Output()
		if err != nil || !strings.Contains(string(out), []string{`"dry_run":true,"diff":"diff `, `"created":true,"dry_run":false`, `"check":"editor","ok":true`}[i]) {
			t.Errorf("%s: %v, %s", line, err, out)
		}
	}
}

// An entry never has arguments with which the server does not start.
func TestEntriesHoldOnlyWhatTheServerTakes(t *testing.T) {
	a := &app{table: commands.All(), flags: globalFlags{jq: ".changed"}}
	if err := a.acceptsArguments([]string{"mcp", "--project", "/x", "--read-only", "--toolsets", "all"}); err != nil {
		t.Error(err)
	}
	if err := a.acceptsArguments([]string{"mcp", "--no-such-flag"}); err == nil || checkHint(err.(*bridge.Error).Hint) != nil {
		t.Error(err)
	}
	if a.flags.jq != ".changed" {
		t.Error("the flags of this call are gone")
	}
}
