package clients

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

var launch = Launch{Command: "/opt/godot-mcp", Args: []string{"mcp", "--project", "/home/me/my game", "--read-only"}}

// golden compares with a file in testdata.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(file))
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s (%v): run go test ./clients -update and look at the difference; got\n%s", path, err, got)
	}
}

func named(t *testing.T, id string) Client {
	t.Helper()
	c, ok := Named(id)
	if !ok {
		t.Fatalf("there is no client %s", id)
	}
	return c
}

func install(t *testing.T, c Client, text []byte, l Launch) []byte {
	t.Helper()
	out, err := c.Install(text, "godot", l, "/opt/godot-mcp", false)
	if err != nil {
		t.Fatalf("%s: %v in\n%s", c.ID, err, text)
	}
	return out
}

func uninstall(t *testing.T, c Client, text []byte) []byte {
	t.Helper()
	out, err := c.Uninstall(text, "godot", "/opt/godot-mcp", false)
	if err != nil {
		t.Fatalf("%s: %v in\n%s", c.ID, err, text)
	}
	return out
}

// Every client: a new file, a file that has other servers and comments, nothing to do the second time, and
// the file as it was after the server is taken out again.
func TestConfigsOfAllClients(t *testing.T) {
	for _, c := range All() {
		t.Run(c.ID, func(t *testing.T) {
			before := comesAndGoes(t, c, launch, "fresh.out", "merge.out")
			if got := uninstall(t, c, before); !bytes.Equal(got, before) {
				t.Errorf("taken out where it is not:\n%s", got)
			}
		})
	}
}

// comesAndGoes puts a server into a new file and into one that has others, twice, takes it out again, and
// gives the file with the others.
func comesAndGoes(t *testing.T, c Client, server Launch, fresh, merged string) []byte {
	t.Helper()
	golden(t, c.ID+"/"+fresh, install(t, c, nil, server))
	before, err := os.ReadFile(filepath.Join("testdata", c.ID, "merge.in"))
	if err != nil {
		t.Fatal(err)
	}
	after := install(t, c, before, server)
	golden(t, c.ID+"/"+merged, after)
	if again := install(t, c, after, server); !bytes.Equal(again, after) {
		t.Errorf("the second time it became\n%s", again)
	}
	// An empty object that was made for the server stays.
	removed := uninstall(t, c, after)
	if c.ID == "zed" || c.ID == "gemini" {
		golden(t, c.ID+"/removed.out", removed)
	} else if !bytes.Equal(removed, before) {
		t.Errorf("taken out again it is\n%s", removed)
	}
	return before
}

// What is written is what is read.
func TestLaunchIsReadBack(t *testing.T) {
	for _, c := range All() {
		entries, err := c.Entries(install(t, c, nil, launch))
		if err != nil {
			t.Fatal(err)
		}
		l, ok := c.Launch(entries["godot"])
		if got, want := l.Command+" "+strings.Join(l.Args, "|"), launch.Command+" "+strings.Join(launch.Args, "|"); !ok || got != want || l.Disabled {
			t.Errorf("%s: %q, want %q", c.ID, got, want)
		}
		if ours := c.Ours(entries, ""); len(ours) != 1 || ours[0] != "godot" {
			t.Errorf("%s: ours are %q", c.ID, ours)
		}
	}
}

// The places of the user's files by the rules of the three systems.
func TestConfigPaths(t *testing.T) {
	homes := map[string]string{"linux": "/home/me", "darwin": "/Users/me", "windows": `C:\Users\me`}
	type set = map[string]string
	win := set{"APPDATA": `C:\Users\me\AppData\Roaming`}
	for _, c := range []struct {
		id, goos string
		env      set
		want     string
	}{
		{"claude-code", "linux", nil, "/home/me/.claude.json"},
		{"claude-code", "linux", set{"CLAUDE_CONFIG_DIR": "/work/claude/"}, "/work/claude/.claude.json"},
		{"claude-code", "darwin", nil, "/Users/me/.claude.json"},
		{"claude-code", "windows", win, `C:\Users\me\.claude.json`},
		{"cursor", "linux", nil, "/home/me/.cursor/mcp.json"},
		{"cursor", "darwin", nil, "/Users/me/.cursor/mcp.json"},
		{"cursor", "windows", win, `C:\Users\me\.cursor\mcp.json`},
		{"vscode", "linux", nil, "/home/me/.config/Code/User/mcp.json"},
		{"vscode", "linux", set{"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Code/User/mcp.json"},
		{"vscode", "darwin", nil, "/Users/me/Library/Application Support/Code/User/mcp.json"},
		{"vscode", "windows", win, `C:\Users\me\AppData\Roaming\Code\User\mcp.json`},
		{"vscode", "windows", set{"APPDATA": `D:\roam`}, `D:\roam\Code\User\mcp.json`},
		{"vscode", "windows", nil, `C:\Users\me\AppData\Roaming\Code\User\mcp.json`},
		{"codex", "linux", nil, "/home/me/.codex/config.toml"},
		{"codex", "darwin", set{"CODEX_HOME": "/c"}, "/c/config.toml"},
		{"codex", "windows", win, `C:\Users\me\.codex\config.toml`},
		{"gemini", "linux", nil, "/home/me/.gemini/settings.json"},
		{"gemini", "darwin", nil, "/Users/me/.gemini/settings.json"},
		{"gemini", "windows", win, `C:\Users\me\.gemini\settings.json`},
		{"opencode", "linux", nil, "/home/me/.config/opencode/opencode.json"},
		{"opencode", "darwin", nil, "/Users/me/.config/opencode/opencode.json"},
		{"opencode", "windows", win, `C:\Users\me\.config\opencode\opencode.json`},
		{"claude-desktop", "linux", nil, "/home/me/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", "darwin", nil, "/Users/me/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", win, `C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json`},
		{"windsurf", "linux", nil, "/home/me/.codeium/windsurf/mcp_config.json"},
		{"windsurf", "darwin", nil, "/Users/me/.codeium/windsurf/mcp_config.json"},
		{"windsurf", "windows", win, `C:\Users\me\.codeium\windsurf\mcp_config.json`},
		{"zed", "linux", nil, "/home/me/.config/zed/settings.json"},
		{"zed", "darwin", set{"XDG_CONFIG_HOME": "/cfg"}, "/Users/me/.config/zed/settings.json"},
		{"zed", "windows", win, `C:\Users\me\AppData\Roaming\Zed\settings.json`},
		{"zed", "freebsd", nil, "/home/me/.config/zed/settings.json"},
	} {
		home := homes[c.goos]
		if home == "" {
			home = homes["linux"]
		}
		s := System{OS: c.goos, Home: home, Getenv: func(name string) string { return c.env[name] }}
		if got := named(t, c.id).ConfigPath(s, User, ""); got != c.want {
			t.Errorf("%s on %s with %v: %s, want %s", c.id, c.goos, c.env, got, c.want)
		}
	}
}

func TestProjectPaths(t *testing.T) {
	want := map[string]string{
		"claude-code": "/g/.mcp.json", "cursor": "/g/.cursor/mcp.json", "vscode": "/g/.vscode/mcp.json", "codex": "/g/.codex/config.toml",
		"gemini": "/g/.gemini/settings.json", "opencode": "/g/opencode.json", "claude-desktop": "", "windsurf": "", "zed": "",
	}
	for _, c := range All() {
		for _, goos := range []string{"linux", "darwin"} {
			if got := c.ConfigPath(System{OS: goos, Home: "/h", Getenv: os.Getenv}, Project, "/g/"); got != want[c.ID] {
				t.Errorf("%s: %s, want %s", c.ID, got, want[c.ID])
			}
		}
	}
	if got := named(t, "vscode").ConfigPath(System{OS: "windows"}, Project, `C:\g`); got != `C:\g\.vscode\mcp.json` {
		t.Error(got)
	}
}

// Of opencode.json and opencode.jsonc the one that is there counts.
func TestOtherFileNameCounts(t *testing.T) {
	dir := t.TempDir()
	s := System{OS: "linux", Home: dir, Getenv: func(string) string { return "" }}
	c := named(t, "opencode")
	if got := c.ConfigPath(s, Project, dir); got != dir+"/opencode.json" {
		t.Error(got)
	}
	write(t, filepath.Join(dir, "opencode.jsonc"), "{}")
	if got := c.ConfigPath(s, Project, dir); got != dir+"/opencode.jsonc" {
		t.Error(got)
	}
	write(t, filepath.Join(dir, "opencode.json"), "{}")
	if got := c.ConfigPath(s, Project, dir); got != dir+"/opencode.json" {
		t.Error(got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each row says where it is from, and which systems its source does not cover.
func TestEveryClientHasASource(t *testing.T) {
	for _, c := range All() {
		if !strings.HasPrefix(c.Source, "https://") || c.Read == "" || len(c.Places["linux"]) == 0 || len(c.Places["darwin"]) == 0 || len(c.Places["windows"]) == 0 {
			t.Errorf("%s lacks something: %+v", c.ID, c)
		}
	}
	desktop := named(t, "claude-desktop")
	if desktop.Verified(System{OS: "linux"}) || desktop.Verified(System{OS: "freebsd"}) || !desktop.Verified(System{OS: "darwin"}) || !named(t, "zed").Verified(System{OS: "linux"}) {
		t.Error("verified is wrong")
	}
}
