// Package clients knows where MCP clients keep their servers, and puts this program's server into those
// files and out of them. What else a file holds, comments and order too, stays byte for byte.
package clients

import (
	"os"
	"path"
	"slices"
	"strings"
)

// Format is how a config file is written.
type Format string

// The formats of config files. JSON files are read with comments and trailing commas too.
const (
	JSON Format = "json"
	TOML Format = "toml"
)

// Environment is what a client hands on to the servers that it starts.
type Environment string

// Inherited is the client's own environment, as a terminal program has it. Minimal has the user's PATH and
// the few variables that MCP client libraries hand on. Bare has the PATH of a program that was started from
// the desktop.
const (
	Inherited Environment = "inherited"
	Minimal   Environment = "minimal"
	Bare      Environment = "bare"
)

// Scope says for whom a config file holds.
type Scope string

// The scopes: all projects of the user, or one project.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Client is one MCP client.
type Client struct {
	ID, Title string
	Format    Format
	// Key leads to the object that holds the servers.
	Key []string
	// Type is the value of the entry's member type, "" for none.
	Type string
	// CommandList is true when program and arguments are one list.
	CommandList bool
	// Enabled is true when the entry says enabled.
	Enabled bool
	// Remote is the form of an entry for a server that runs already.
	Remote Remote
	// Places are the user's file by system; the first one whose variables are set counts.
	Places map[string][]string
	// ProjectPlace is the file in a project, "" where the client documents none.
	ProjectPlace string
	// Other is a file name that counts in the same folder when it is there.
	Other string
	// Profiles is a pattern, beside the user's file, of the same file in further profiles.
	Profiles    string
	Environment Environment
	// NameLimit is the most characters that the names of server and tool may have together, 0 for no limit.
	NameLimit int
	// Source is the client's own documentation, Read the title of the page.
	Source, Read string
	// Unverified lists the systems for which the place stands neither in the documentation nor in the source
	// of the client's makers.
	Unverified []string
	// Tried is the version of the client that listed the server from what is written here, in each scope.
	Tried string
	// Note is what a user should know besides, ProjectNote the same of the file in a project.
	Note, ProjectNote string
}

// everywhere is one list of places for all systems.
func everywhere(places ...string) map[string][]string {
	return map[string][]string{"linux": places, "darwin": places, "windows": places}
}

// All lists the clients that are known.
func All() []Client {
	return []Client{
		{
			ID: "claude-code", Title: "Claude Code", Format: JSON, Key: []string{"mcpServers"}, Type: "stdio",
			Places:       everywhere("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json"),
			ProjectPlace: ".mcp.json", Environment: Inherited,
			Remote: Remote{URL: "url", Headers: "headers", Type: "http", Tried: "2.1.197"},
			Source: "https://code.claude.com/docs/en/mcp", Read: "Connect Claude Code to tools via MCP",
			Tried: "2.1.197",
		},
		{
			ID: "cursor", Title: "Cursor", Format: JSON, Key: []string{"mcpServers"},
			Places: everywhere("~/.cursor/mcp.json"), ProjectPlace: ".cursor/mcp.json", Environment: Minimal, NameLimit: 60,
			Remote: Remote{URL: "url", Headers: "headers"},
			Source: "https://cursor.com/docs/mcp", Read: "Model Context Protocol (MCP)",
		},
		{
			ID: "vscode", Title: "VS Code", Format: JSON, Key: []string{"servers"}, Type: "stdio",
			Places: map[string][]string{
				"linux":   {"$XDG_CONFIG_HOME/Code/User/mcp.json", "~/.config/Code/User/mcp.json"},
				"darwin":  {"~/Library/Application Support/Code/User/mcp.json"},
				"windows": {"$APPDATA/Code/User/mcp.json", "~/AppData/Roaming/Code/User/mcp.json"},
			},
			ProjectPlace: ".vscode/mcp.json", Profiles: "profiles/*/mcp.json", Environment: Minimal,
			Remote: Remote{URL: "url", Headers: "headers", Type: "http"},
			Source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration", Read: "MCP configuration reference",
			Note: "Each profile has a file of its own, and so have VS Code Insiders and VSCodium: name it with --config.",
		},
		{
			ID: "codex", Title: "Codex", Format: TOML, Key: []string{"mcp_servers"},
			Places:       everywhere("$CODEX_HOME/config.toml", "~/.codex/config.toml"),
			ProjectPlace: ".codex/config.toml", Environment: Minimal,
			Remote: Remote{URL: "url", Headers: "http_headers", Tried: "0.171.0"},
			Source: "https://developers.openai.com/codex/mcp", Read: "Model Context Protocol",
			Tried:       "0.171.0",
			ProjectNote: "Codex reads a project's file only when it trusts the project.",
		},
		{
			ID: "gemini", Title: "Gemini CLI", Format: JSON, Key: []string{"mcpServers"},
			Places: everywhere("~/.gemini/settings.json"), ProjectPlace: ".gemini/settings.json", Environment: Inherited,
			Remote: Remote{URL: "httpUrl", Headers: "headers", Tried: "0.61.0"},
			Source: "https://geminicli.com/docs/tools/mcp-server/", Read: "MCP servers with the Gemini CLI",
			Tried: "0.61.0",
		},
		{
			ID: "opencode", Title: "OpenCode", Format: JSON, Key: []string{"mcp"}, Type: "local", CommandList: true, Enabled: true,
			Places:       everywhere("$XDG_CONFIG_HOME/opencode/opencode.json", "~/.config/opencode/opencode.json"),
			ProjectPlace: "opencode.json", Other: "opencode.jsonc", Environment: Inherited,
			Remote: Remote{URL: "url", Headers: "headers", Type: "remote", NoOAuth: true, Tried: "1.18.33"},
			Source: "https://opencode.ai/docs/mcp-servers/", Read: "MCP servers",
			Tried: "1.18.33",
			Note:  "Written in the form that versions 1 and 2 read, or under mcp.servers in a file that has that.",
		},
		{
			ID: "claude-desktop", Title: "Claude Desktop", Format: JSON, Key: []string{"mcpServers"},
			Places: map[string][]string{
				"linux":   {"$XDG_CONFIG_HOME/Claude/claude_desktop_config.json", "~/.config/Claude/claude_desktop_config.json"},
				"darwin":  {"~/Library/Application Support/Claude/claude_desktop_config.json"},
				"windows": {"$APPDATA/Claude/claude_desktop_config.json", "~/AppData/Roaming/Claude/claude_desktop_config.json"},
			},
			Environment: Bare,
			Remote: Remote{
				Source: "https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers",
			},
			Source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers", Read: "Connect to local MCP servers",
			Unverified: []string{"linux"},
			Note:       "Reads its file at the start: quit it and start it again.",
		},
		{
			ID: "windsurf", Title: "Windsurf", Format: JSON, Key: []string{"mcpServers"},
			Places: everywhere("~/.codeium/windsurf/mcp_config.json"), Environment: Minimal,
			Remote: Remote{URL: "serverUrl", Headers: "headers"},
			Source: "https://docs.devin.ai/desktop/cascade/mcp", Read: "Model Context Protocol (MCP)",
			Note: "Its successor Devin Desktop may read ~/.config/devin/mcp_config.json: name it with --config.",
		},
		{
			ID: "zed", Title: "Zed", Format: JSON, Key: []string{"context_servers"},
			Places: map[string][]string{
				"linux":   {"$XDG_CONFIG_HOME/zed/settings.json", "~/.config/zed/settings.json"},
				"darwin":  {"~/.config/zed/settings.json"},
				"windows": {"$APPDATA/Zed/settings.json", "~/AppData/Roaming/Zed/settings.json"},
			},
			Environment: Minimal,
			Remote:      Remote{URL: "url", Headers: "headers"},
			Source:      "https://zed.dev/docs/ai/mcp", Read: "Model Context Protocol",
		},
	}
}

// IDs are the names of all clients.
func IDs() []string {
	var ids []string
	for _, c := range All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Named finds a client.
func Named(id string) (Client, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Client) bool { return c.ID == id })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// System is where the paths hold; tests set another one than this.
type System struct {
	OS, Home string
	Getenv   func(string) string
}

// ThisSystem is the one that runs.
func ThisSystem(goos string) System {
	home, _ := os.UserHomeDir()
	return System{OS: goos, Home: home, Getenv: os.Getenv}
}

// slashed is a path with the separators of the system.
func (s System) slashed(p string) string {
	if s.OS == "windows" {
		return strings.ReplaceAll(p, "/", `\`)
	}
	return p
}

// expand fills in home and a variable at the front; false when that is not set.
func (s System) expand(place string) (string, bool) {
	first, rest, _ := strings.Cut(place, "/")
	base := s.Home
	if name, ok := strings.CutPrefix(first, "$"); ok {
		base = s.Getenv(name)
	}
	if base == "" {
		return "", false
	}
	return s.slashed(strings.TrimRight(base, `/\`) + "/" + rest), true
}

// known is the system whose places count here: others are like Linux.
func (s System) known() string {
	if s.OS == "darwin" || s.OS == "windows" {
		return s.OS
	}
	return "linux"
}

// ConfigPath is the client's file for a scope, project being the game's folder; "" when there is none.
func (c Client) ConfigPath(s System, scope Scope, project string) string {
	if scope == Project {
		if c.ProjectPlace == "" {
			return ""
		}
		return c.present(s, s.slashed(strings.TrimRight(project, `/\`)+"/"+c.ProjectPlace))
	}
	for _, place := range c.Places[s.known()] {
		if path, ok := s.expand(place); ok {
			return c.present(s, path)
		}
	}
	return ""
}

// present is the other file in the same folder, when that one is there and path is not.
func (c Client) present(s System, path string) string {
	if c.Other == "" {
		return path
	}
	other := path[:strings.LastIndexAny(path, `/\`)+1] + c.Other
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if _, err := os.Stat(other); err == nil {
		return other
	}
	return path
}

// Verified is true when the client's makers say where the file is and what it holds.
func (c Client) Verified(s System) bool { return !slices.Contains(c.Unverified, s.known()) }

// Scopes are the scopes that the client documents.
func (c Client) Scopes() []Scope {
	if c.ProjectPlace == "" {
		return []Scope{User}
	}
	return []Scope{User, Project}
}

// Place is the user's file as documentation writes it.
func (c Client) Place(goos string) string {
	places := c.Places[goos]
	return places[len(places)-1]
}

// base is the last part of a path of any system, without .exe.
func base(p string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(p, `\`, "/"))), ".exe")
}
