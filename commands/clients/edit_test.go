package clients

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An entry that is ours keeps what its owner wrote into it; only what differs changes.
func TestUpdateKeepsTheRestOfTheEntry(t *testing.T) {
	for id, c := range map[string]struct{ before, want string }{
		"claude-desktop": {
			`{
  "mcpServers": {
    "godot": {
      // mine
      "args": ["mcp", "--project", "/old"], // the old place
      "env": {"GODOT_BIN": "/g"},
      "command": "/old/bin/godot-mcp"
    },
    "b": {"url": "x"}
  }
}
`, `{
  "mcpServers": {
    "godot": {
      // mine
      "args": ["mcp", "--project", "/home/me/my game", "--read-only"], // the old place
      "env": {"GODOT_BIN": "/g"},
      "command": "/opt/godot-mcp"
    },
    "b": {"url": "x"}
  }
}
`,
		},
		"vscode": {
			`{"servers": {"godot": {"command": "C:\\bin\\GODOT-MCP.EXE", "args": ["mcp"]}}}`,
			`{"servers": {"godot": {"command": "/opt/godot-mcp", "args": ["mcp","--project","/home/me/my game","--read-only"], "type": "stdio"}}}`,
		},
		"opencode": {
			"{\n\"mcp\": {\"godot\": {\"type\": \"local\", \"command\": [\"godot-mcp\", \"mcp\"], \"enabled\": false}}\n}\n",
			"{\n\"mcp\": {\"godot\": {\"type\": \"local\", \"command\": [\"/opt/godot-mcp\", \"mcp\", \"--project\", \"/home/me/my game\", \"--read-only\"], \"enabled\": false}}\n}\n",
		},
		"codex": {
			`[mcp_servers.godot] # mine
args = [ # the arguments
  "mcp", "--project", "/old",
] # so far
startup_timeout_sec = 20
command = '/old/godot-mcp' # old

[mcp_servers.godot.env]
GODOT_BIN = "/g"
`, `[mcp_servers.godot] # mine
args = ["mcp", "--project", "/home/me/my game", "--read-only"] # so far
startup_timeout_sec = 20
command = "/opt/godot-mcp" # old

[mcp_servers.godot.env]
GODOT_BIN = "/g"
`,
		},
	} {
		client := named(t, id)
		if got := string(install(t, client, []byte(c.before), launch)); got != c.want {
			t.Errorf("%s became\n%s", id, got)
		} else if again := string(install(t, client, []byte(got), launch)); again != got {
			t.Errorf("%s, the second time, became\n%s", id, again)
		}
	}
}

// A name that belongs to another server is not taken without force, and given up whole with it.
func TestForeignEntries(t *testing.T) {
	for id, c := range map[string]struct{ before, forced string }{
		"cursor": {
			"{\n  \"mcpServers\": {\n    \"godot\": {\n      \"url\": \"https://example.com/mcp\"\n    },\n    \"z\": {}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"z\": {},\n    \"godot\": {\n      \"command\": \"/opt/godot-mcp\",\n      \"args\": [\"mcp\", \"--project\", \"/home/me/my game\", \"--read-only\"]\n    }\n  }\n}\n",
		},
		"gemini": {
			"{\"mcpServers\": {\"godot\": {\"command\": \"npx\", \"args\": [\"godot-mcp\"]}}}\n",
			"{\"mcpServers\":{\"godot\":{\"command\":\"/opt/godot-mcp\",\"args\":[\"mcp\",\"--project\",\"/home/me/my game\",\"--read-only\"]}}}\n",
		},
		"claude-code": {"{\"mcpServers\": {\"godot\": 1}}", ""},
		"codex": {
			"[mcp_servers.godot]\nurl = \"https://example.com\"\n[other]\na = 1\n",
			"[other]\na = 1\n\n[mcp_servers.godot]\ncommand = \"/opt/godot-mcp\"\nargs = [\"mcp\", \"--project\", \"/home/me/my game\", \"--read-only\"]\n",
		},
	} {
		client := named(t, id)
		if _, err := client.Install([]byte(c.before), "godot", launch, "", false); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: installed over it: %v", id, err)
		}
		if _, err := client.Uninstall([]byte(c.before), "godot", "", false); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: took it out: %v", id, err)
		}
		got, err := client.Install([]byte(c.before), "godot", launch, "", true)
		if err != nil || c.forced != "" && id != "gemini" && string(got) != c.forced {
			t.Errorf("%s with force: %v\n%s", id, err, got)
		}
		if got, err := client.Uninstall([]byte(c.before), "godot", "", true); err != nil || strings.Contains(string(got), "godot") {
			t.Errorf("%s, out with force: %v\n%s", id, err, got)
		}
	}
}

// What does not parse is told with its place; so is a config that has something else where servers stand.
func TestUnreadableConfigs(t *testing.T) {
	for _, c := range []struct{ id, text, says string }{
		{"cursor", "{\n  \"mcpServers\": {\n    \"a\" 1\n  }\n}\n", "line 3, column 9"},
		{"cursor", "{\"a\": 1", "line 1, column 8"},
		{"cursor", "[]", "line 1, column 1: an object"},
		{"cursor", "{\n  \"mcpServers\": []\n}", "line 2, column 17: \"mcpServers\" is no object"},
		{"cursor", "{\"mcpServers\": null}", "\"mcpServers\" is no object"},
		{"cursor", "not json", "line 1, column 1"},
		{"vscode", "// only a comment\n", "line 2, column 1"},
		{"vscode", "{\"servers\": {} /* not closed", "line 1"},
		{"codex", "model = \"a\"\nmodel = \"b\"\nx = 1\n", "line 2, column 1: key model is already defined"},
		{"codex", "[a]\nb = 1\n[c]\n[a]\n", "line 4, column 1"},
		{"codex", "[mcp_servers.docs\n", "line 1, column 18"},
		{"codex", "a = [1,\n", "line "},
		{"codex", "mcp_servers = { docs = { command = \"x\" } }\n", "line 1: mcp_servers is not written as a table [mcp_servers.godot]"},
		{"codex", "[mcp_servers]\nx = 1\ngodot = { command = \"godot-mcp\", args = [\"mcp\"] }\n", "line 3: godot is not written as a table"},
		{"codex", "mcp_servers.godot.command = \"godot-mcp\"\nmcp_servers.godot.args = [\"mcp\"]\n", "line 1: mcp_servers.godot.command is not"},
	} {
		_, err := named(t, c.id).Install([]byte(c.text), "godot", launch, "", false)
		var unreadable Unreadable
		if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}

// A BOM, CRLF and odd spacing stay; the new lines are like the others.
func TestBytesOfTheFileStay(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	for _, id := range []string{"cursor", "codex"} {
		c := named(t, id)
		before := map[string]string{
			"cursor": "{\r\n   \"a\" :  1,\r\n   \"mcpServers\" : {\r\n      \"x\": { }\r\n   }\r\n}\r\n\r\n",
			"codex":  "a  =  1\r\n\r\n[ mcp_servers . x ]\r\ncommand='y'\r\n\r\n\r\n",
		}[id]
		for _, text := range []string{before, bom + before} {
			after := string(install(t, c, []byte(text), launch))
			if strings.Count(after, "\n") != strings.Count(after, "\r\n") || strings.HasPrefix(after, bom) != strings.HasPrefix(text, bom) || strings.Count(after, bom) > 1 {
				t.Errorf("%s: %q", id, after)
			}
			if again := string(install(t, c, []byte(after), launch)); again != after {
				t.Errorf("%s, the second time: %q", id, again)
			}
			if removed := string(uninstall(t, c, []byte(after))); removed != text {
				t.Errorf("%s, taken out: %q, was %q", id, removed, text)
			}
		}
		for _, text := range []string{bom, "", " \n", "\r\n"} {
			if id == "codex" && strings.TrimSpace(strings.TrimPrefix(text, bom)) != "" {
				continue
			}
			after := install(t, c, []byte(text), launch)
			if entries, err := c.Entries(after); err != nil || entries["godot"] == nil {
				t.Errorf("%s from %q: %q", id, text, after)
			}
		}
	}
}

// Servers and comments stand around the entry in every way; put in and taken out again, the text is as before.
func TestPutInAndTakenOut(t *testing.T) {
	servers := []string{
		"{}", "{ }", "{\n  }", `{"a": {}}`, `{ "a": {}, "b": {} }`, `{"a": {},}`, "{\n    \"a\": {}\n  }", "{\n    \"a\": {},\n  }",
		"{\n    \"a\": {} // end\n  }", "{\n    \"a\": {}, // end\n    // more\n  }", "{\n    // first\n    \"a\": {},\n    \"b\": {} /* x */\n  }",
		"{ // only a comment\n  }", "{\n    \"a\": {}, \"b\": {}\n  }", "{\n    \"a\": {}}",
	}
	holders := []string{"{\"servers\": %s}", "{\n  \"servers\": %s\n}\n", "{\n  \"servers\": %s,\n  \"z\": [1, 2]\n}\n", "{\n\t\"z\": 1,\n\t\"servers\": %s,\n}", "// top\n{\"y\": 1, \"servers\": %s} // end\n"}
	c := named(t, "vscode")
	for _, holder := range holders {
		for _, inner := range servers {
			before := fmt.Sprintf(holder, inner)
			after := string(install(t, c, []byte(before), launch))
			if again := string(install(t, c, []byte(after), launch)); again != after {
				t.Errorf("%q, the second time %q", after, again)
			}
			removed := string(uninstall(t, c, []byte(after)))
			// An object that was empty may have lost its space.
			if removed != before && strings.TrimSpace(strings.Trim(inner, "{}")) != "" {
				t.Errorf("%q\nbecame %q\nand then %q", before, after, removed)
			}
			if strings.Contains(removed, "godot") || strings.Count(before, "//") != strings.Count(removed, "//") {
				t.Errorf("%q was left of %q", removed, before)
			}
		}
	}
}

// The same for the tables of TOML.
func TestTablesPutInAndTakenOut(t *testing.T) {
	c := named(t, "codex")
	for _, before := range []string{
		"# only a comment\n", "a = 1", "a = 1\n", "a = 1\n\n", "[x]\n", "[x]\nb = \"\"\"\n[mcp_servers.godot]\n\"\"\"\n", "[[list]]\na = 1\n[[list]]\na = 2\n",
		"[mcp_servers]\n", "[mcp_servers.other]\nargs = [\n  '[mcp_servers.godot]',\n]\n# tail\n", "'mcp_servers'.x.command = 'y'\n[z]\n",
	} {
		after := string(install(t, c, []byte(before), launch))
		if !strings.HasPrefix(after, before) {
			t.Errorf("%q became %q", before, after)
		}
		removed := string(uninstall(t, c, []byte(after)))
		if strings.TrimSuffix(removed, "\n") != strings.TrimSuffix(before, "\n") {
			t.Errorf("%q\nbecame %q\nand then %q", before, after, removed)
		}
	}
	// Sub-tables go with it wherever they stand, comments of what follows stay.
	before := "[mcp_servers.godot]\ncommand = \"godot-mcp\"\nargs = [\"mcp\"]\n\n# about a\n[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.godot.env]\nX = \"1\"\n\n[mcp_servers.\"godot\".tools.x]\napproval_mode = \"prompt\"\n\n# end\n"
	if got, want := string(uninstall(t, c, []byte(before))), "\n# about a\n[mcp_servers.a]\ncommand = \"a\"\n\n# end\n"; got != want {
		t.Errorf("left is %q", got)
	}
	// A table that is only there by its sub-table gets a header of its own.
	if got := string(install(t, c, []byte("[mcp_servers.godot]\ncommand = \"godot-mcp\"\nargs = [\"mcp\"]\nenv.X = \"1\"\n"), launch)); !strings.Contains(got, "env.X = \"1\"\n") {
		t.Errorf("became %q", got)
	}
}

// Paths of Windows, quotes and other scripts are written so that they are read back.
func TestOddPaths(t *testing.T) {
	l := Launch{Command: `C:\Program Files\godot-mcp.exe`, Args: []string{"mcp", "--project", `C:\Spiele\"Öde" 东 <&>`}}
	for _, c := range All() {
		out := install(t, c, nil, l)
		entries, err := c.Entries(out)
		got, _ := c.Launch(entries["godot"])
		if err != nil || got.Command != l.Command || got.Args[2] != l.Args[2] || !got.Ours("") {
			t.Errorf("%s: %+v, %v in %s", c.ID, got, err, out)
		}
	}
}

// A build is known by its name wherever it stands; programs of other makers are not.
func TestOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"godot-mcp": true, "/opt/bin/godot-mcp": true, `C:\x\Godot-MCP.exe`: true, "./godot-mcp-linux-amd64": true, "godot-mcp_windows.exe": true, "/own/gm": true,
		"npx": false, "/own/gm2": false, "mygodot-mcp": false, "godot": false, "": false,
	} {
		if got := (Launch{Command: command, Args: []string{"mcp"}}).Ours("/own/gm"); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
	if (Launch{Command: "godot-mcp", Args: []string{"serve"}}).Ours("") {
		t.Error("another command of that name")
	}
}

// Version 2 of OpenCode keeps its servers a level deeper; a server that is called servers is none of that.
func TestOpenCodeVersion2(t *testing.T) {
	c := named(t, "opencode")
	got := string(install(t, c, []byte("{\n  \"mcp\": {\n    \"timeout\": 5,\n    \"servers\": {}\n  }\n}\n"), launch))
	want := "{\n  \"mcp\": {\n    \"timeout\": 5,\n    \"servers\": {\n      \"godot\": {\n        \"type\": \"local\",\n        \"command\": [\"/opt/godot-mcp\", \"mcp\", \"--project\", \"/home/me/my game\", \"--read-only\"]\n      }\n    }\n  }\n}\n"
	if got != want {
		t.Errorf("became %s", got)
	}
	if removed := string(uninstall(t, c, []byte(got))); strings.Contains(removed, "godot") {
		t.Errorf("left is %s", removed)
	}
	got = string(install(t, c, []byte(`{"mcp": {"servers": {"type": "local", "command": ["x"]}}}`), launch))
	if entries, _ := c.Entries([]byte(got)); entries["godot"] == nil || entries["servers"] == nil {
		t.Errorf("became %s", got)
	}
}

// A config of many megabytes is edited like any other.
func TestHugeConfig(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\n  \"history\": [\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "    {\"display\": \"line %d { [ // \\\" \", \"pasted\": {\"text\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}},\n", i)
	}
	b.WriteString("    0\n  ]\n}\n")
	c := named(t, "claude-code")
	after := install(t, c, []byte(b.String()), launch)
	if removed := string(uninstall(t, c, after)); !strings.HasPrefix(removed, strings.TrimSuffix(b.String(), "\n}\n")) {
		t.Error("the rest has changed")
	}
}

// The diff is one that people read, without what other servers keep secret.
func TestDiffHidesSecrets(t *testing.T) {
	before := []byte("{\n  \"mcpServers\": {\n    \"a\": {\n      \"env\": { \"API_KEY\": \"geheim1\", \"X_TOKEN\": \"geheim2\" },\n      \"headers\": {\"Authorization\": \"Bearer geheim3\"}\n    }\n  }\n}\n")
	diff := Diff("/cfg", before, install(t, named(t, "cursor"), before, launch), "")
	if strings.Contains(diff, "geheim") || !strings.Contains(diff, "--- /cfg\n+++ /cfg\n@@ ") || !strings.Contains(diff, "\n+    \"godot\": {\n") || !strings.Contains(diff, `"API_KEY": "***"`) {
		t.Error(diff)
	}
	toml := []byte("[mcp_servers.a]\nurl = \"x\"\nhttp_headers = { Authorization = \"geheim\" }\nbearer_token = 'geheim'\n")
	if diff := Diff("/cfg", toml, install(t, named(t, "codex"), toml, launch), ""); strings.Contains(diff, "geheim") {
		t.Error(diff)
	}
	flags := []byte(`{"mcpServers": {"a": {"args": ["--api-key", "geheim", "--token=geheim", "x", "sk-geheim123456", "https://example.com/?access_token=geheim&y=1"]}}}`)
	if diff := Diff("/cfg", flags, install(t, named(t, "cursor"), flags, launch), ""); strings.Contains(diff, "geheim") || !strings.Contains(diff, "&y=1") {
		t.Error(diff)
	}
	long := []byte(`{"mcpServers": {"a": {"note": "` + strings.Repeat("ö", 5000) + `"}}}`)
	if diff := Diff("/cfg", long, install(t, named(t, "cursor"), long, launch), ""); len(diff) > 1500 || !strings.Contains(diff, "godot-mcp") {
		t.Error(diff)
	}
	if diff := Diff("/cfg", before, before, ""); diff != "" {
		t.Error(diff)
	}
}

// FuzzEdit puts the server into whatever is JSON and takes it out again.
func FuzzEdit(f *testing.F) {
	f.Add(`{"servers": {"a": {}}, /* c */ "b": [1,]}`, false)
	f.Add("[mcp_servers.a]\nb = [\n1,\n]\n", true)
	f.Fuzz(func(t *testing.T, text string, isTOML bool) {
		id := "vscode"
		if isTOML {
			id = "codex"
		}
		c, _ := Named(id)
		after, err := c.Install([]byte(text), "godot", launch, "", false)
		if err != nil {
			return
		}
		if again, err := c.Install(after, "godot", launch, "", false); err != nil || string(again) != string(after) {
			t.Fatalf("%q became %q, then %q, %v", text, after, again, err)
		}
		if _, err := c.Uninstall(after, "godot", "", false); err != nil {
			t.Fatalf("%q: %v", after, err)
		}
	})
}
