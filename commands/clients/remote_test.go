package clients

import (
	"strings"
	"testing"
)

const token = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

var remote = Launch{URL: Address("http://127.0.0.1:9090/mcp", "/home/me/my game"), Token: token}

// remoteClients are those whose config takes addresses.
func remoteClients() []Client {
	var out []Client
	for _, c := range All() {
		if c.Remote.URL != "" {
			out = append(out, c)
		}
	}
	return out
}

func TestAddress(t *testing.T) {
	if remote.URL != "http://127.0.0.1:9090/mcp?project=%2Fhome%2Fme%2Fmy%20game" {
		t.Error(remote.URL)
	}
	for address, want := range map[string]string{
		remote.URL: "/home/me/my game", "https://proxy/mcp?project=C%3A%5Cgame": `C:\game`,
		"http://127.0.0.1:9090/mcp": "", "https://mcp.example.com/mcp?project=abc": "", "http://127.0.0.1/other?project=%2Fg": "", "::": "",
	} {
		if got := (Launch{URL: address}).AddressProject(); got != want {
			t.Errorf("%s names %q, want %q", address, got, want)
		}
	}
}

// Every client with addresses: a new file, one with other servers and comments, nothing to do the second time,
// and the file as it was after the server is taken out again.
func TestAddressesOfAllClients(t *testing.T) {
	for _, c := range remoteClients() {
		t.Run(c.ID, func(t *testing.T) { comesAndGoes(t, c, remote, "http.out", "http_merge.out") })
	}
	if c := named(t, "claude-desktop"); c.Remote.URL != "" || c.Remote.Source == "" {
		t.Error("Claude Desktop takes no addresses, and says so somewhere")
	}
}

// What is written is what is read, and an entry changes its form without a trace of the other.
func TestEntriesChangeTheirForm(t *testing.T) {
	for _, c := range remoteClients() {
		local, away := install(t, c, nil, launch), install(t, c, nil, remote)
		entries, err := c.Entries(away)
		if err != nil {
			t.Fatal(err)
		}
		if l, ok := c.Launch(entries["godot"]); !ok || l.URL != remote.URL || l.Token != token || l.Disabled || l.Command != "" || len(c.Ours(entries, "")) != 1 {
			t.Errorf("%s: %+v", c.ID, l)
		}
		for _, turn := range []struct {
			text []byte
			to   Launch
			want []byte
		}{{local, remote, away}, {away, launch, local}} {
			got, err := c.Entries(install(t, c, turn.text, turn.to))
			if err != nil {
				t.Fatal(err)
			}
			want, err := c.Entries(turn.want)
			if err != nil || !covers(got["godot"], any(want["godot"])) || len(got["godot"]) != len(want["godot"]) {
				t.Errorf("%s: %v, want %v (%v)", c.ID, got["godot"], want["godot"], err)
			}
		}
	}
}

// An entry keeps what its owner wrote into it: other headers, the spelling of a header, what else it says.
func TestAnAddressKeepsTheRestOfTheEntry(t *testing.T) {
	for id, c := range map[string]struct{ before, want string }{
		"cursor": {
			`{
  "mcpServers": {
    "godot": {
      "headers": {
        // mine
        "X-Mine": "1",
        "authorization": "Bearer old-token" // so far
      },
      "url": "http://127.0.0.1:9000/mcp?project=%2Fold",
      "disabled": true
    }
  }
}
`, `{
  "mcpServers": {
    "godot": {
      "headers": {
        // mine
        "X-Mine": "1",
        "authorization": "Bearer ` + token + `" // so far
      },
      "url": "http://127.0.0.1:9090/mcp?project=%2Fhome%2Fme%2Fmy%20game",
      "disabled": true
    }
  }
}
`,
		},
		// The same server, named by hand without a project.
		"zed": {
			`{"context_servers": {"godot": {"url": "http://127.0.0.1:9090/mcp"}}}`,
			`{"context_servers": {"godot": {"url": "http://127.0.0.1:9090/mcp?project=%2Fhome%2Fme%2Fmy%20game", "headers": {"Authorization":"Bearer ` + token + `"}}}}`,
		},
		"codex": {
			`[mcp_servers.godot] # mine
command = "godot-mcp" # so far
  args = [
  "mcp",
]
startup_timeout_sec = 20

[mcp_servers.godot.env]
GODOT_BIN = "/g"

[mcp_servers.godot.tools.godot_undo]
approval_mode = "prompt"
`, `[mcp_servers.godot] # mine
url = "http://127.0.0.1:9090/mcp?project=%2Fhome%2Fme%2Fmy%20game"
http_headers = { "Authorization" = "Bearer ` + token + `" }
startup_timeout_sec = 20

[mcp_servers.godot.tools.godot_undo]
approval_mode = "prompt"
`,
		},
	} {
		client := named(t, id)
		if got := string(install(t, client, []byte(c.before), remote)); got != c.want {
			t.Errorf("%s became\n%s", id, got)
		} else if again := string(install(t, client, []byte(got), remote)); again != got {
			t.Errorf("%s, the second time, became\n%s", id, again)
		}
	}
}

// The headers of a TOML entry, in the forms that they may have.
func TestHeadersInTOML(t *testing.T) {
	const url = `url = "http://127.0.0.1:9000/mcp?project=%2Fold"` + "\n"
	c := named(t, "codex")
	for before, want := range map[string]string{
		"[mcp_servers.godot]\n" + url + `http_headers = { Mine = "1", Authorization = "Bearer old" }` + "\n": `http_headers = { "Authorization" = "Bearer ` + token + `", "Mine" = "1" }`,
		"[mcp_servers.godot]\n" + url + "[mcp_servers.godot.http_headers]\nMine = \"1\"\n":                   "[mcp_servers.godot.http_headers]\nAuthorization = \"Bearer " + token + "\"\nMine = \"1\"\n",
	} {
		got := string(install(t, c, []byte(before), remote))
		if !strings.Contains(got, want) {
			t.Errorf("%s became\n%s", before, got)
		}
		if again := string(install(t, c, []byte(got), remote)); again != got {
			t.Errorf("the second time it became\n%s", again)
		}
	}
}

// The token as clients find it: in the header, by a variable, or in a variable that Codex names.
func TestTokenOfAnEntry(t *testing.T) {
	t.Setenv("MY_TOKEN", token)
	for id, entry := range map[string]map[string]any{
		"cursor":   {"url": remote.URL, "headers": map[string]any{"authorization": "bearer ${env:MY_TOKEN}"}},
		"gemini":   {"httpUrl": remote.URL, "headers": map[string]any{"Authorization": "Bearer ${MY_TOKEN}"}},
		"opencode": {"url": remote.URL, "headers": map[string]any{"Authorization": "Bearer {env:MY_TOKEN}"}},
		"codex":    {"url": remote.URL, "bearer_token_env_var": "MY_TOKEN"},
		"windsurf": {"serverUrl": remote.URL, "headers": map[string]any{"Authorization": "Bearer " + token}},
	} {
		if l, ok := named(t, id).Launch(entry); !ok || l.Token != token || l.URL != remote.URL {
			t.Errorf("%s: %+v", id, l)
		}
	}
}

// The token stands in no diff, in whatever form it was or becomes.
func TestDiffHidesTheToken(t *testing.T) {
	for _, c := range remoteClients() {
		after := install(t, c, nil, remote)
		other := remote
		other.Token = "an-odd.token/of+mine=:;"
		for _, diff := range []string{Diff("/cfg", nil, after, token), Diff("/cfg", after, install(t, c, after, other), other.Token)} {
			if strings.Contains(diff, token) || strings.Contains(diff, other.Token) || !strings.Contains(diff, "***") {
				t.Errorf("%s:\n%s", c.ID, diff)
			}
		}
	}
}
