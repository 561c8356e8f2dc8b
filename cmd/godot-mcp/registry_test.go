package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// registryEntry is server.json as the registry's schema of 2025-12-11 has it; what else a file has is refused.
type registryEntry struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
	Repository  struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	} `json:"repository"`
	WebsiteURL string            `json:"websiteUrl"`
	Packages   []registryPackage `json:"packages"`
}

type registryPackage struct {
	RegistryType string `json:"registryType"`
	Identifier   string `json:"identifier"`
	Transport    struct {
		Type    string          `json:"type"`
		URL     string          `json:"url"`
		Headers []registryInput `json:"headers"`
	} `json:"transport"`
	PackageArguments     []registryInput `json:"packageArguments"`
	EnvironmentVariables []registryInput `json:"environmentVariables"`
}

type registryInput struct {
	Type        string                   `json:"type"`
	Name        string                   `json:"name"`
	Description string                   `json:"description"`
	Format      string                   `json:"format"`
	Value       string                   `json:"value"`
	Default     string                   `json:"default"`
	Placeholder string                   `json:"placeholder"`
	Choices     []string                 `json:"choices"`
	IsRequired  bool                     `json:"isRequired"`
	IsSecret    bool                     `json:"isSecret"`
	Variables   map[string]registryInput `json:"variables"`
}

func readRegistryEntry(t *testing.T) registryEntry {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var entry registryEntry
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&entry); err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestRegistryEntryFitsTheRegistry(t *testing.T) {
	e := readRegistryEntry(t)
	if e.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" {
		t.Errorf("$schema %q", e.Schema)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(e.Name) || !strings.HasSuffix(e.Name, "/godot-mcp") || len(e.Name) > 200 {
		t.Errorf("name %q", e.Name)
	}
	for what, text := range map[string]string{"title": e.Title, "description": e.Description} {
		if n := len([]rune(text)); n < 1 || n > 100 {
			t.Errorf("%s has %d characters, 1 to 100 are taken", what, n)
		}
	}
	if e.Version != commands.AddonVersion {
		t.Errorf("version %q, this build's addon is %s", e.Version, commands.AddonVersion)
	}
	module, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil || !strings.HasPrefix(string(module), "module "+strings.TrimPrefix(e.Repository.URL, "https://")+"\n") || e.Repository.Source != "github" {
		t.Errorf("repository %+v, %v", e.Repository, err)
	}
	for _, p := range e.Packages {
		for _, in := range slices.Concat(p.PackageArguments, p.EnvironmentVariables, p.Transport.Headers) {
			if !slices.Contains([]string{"", "string", "number", "boolean", "filepath"}, in.Format) {
				t.Errorf("%s: format %q", in.Name, in.Format)
			}
			if in.Type == "positional" && in.Value == "" || in.Type != "positional" && in.Name == "" {
				t.Errorf("%+v names nothing", in)
			}
		}
	}
}

// What an entry starts is what this program is: its arguments are parsed, its variables read, its URL served.
func TestRegistryEntryStartsThisServer(t *testing.T) {
	served := []string{}
	for _, p := range readRegistryEntry(t).Packages {
		if !strings.HasSuffix(p.Identifier, "/cmd/godot-mcp") {
			t.Errorf("identifier %q", p.Identifier)
		}
		a := &app{table: commands.All(), contract: commands.ThisContract}
		cmd, rest, err := a.root().Find(arguments(p.PackageArguments))
		if err != nil || cmd.CommandPath() != "godot-mcp mcp" || cmd.ParseFlags(rest) != nil {
			t.Errorf("%q is not taken: %v", arguments(p.PackageArguments), err)
		}
		for _, v := range p.EnvironmentVariables {
			known := slices.ContainsFunc(commands.EnvVars, func(e contract.Env) bool { return e.Name == v.Name && !e.Refused })
			if !known {
				t.Errorf("%s is not read", v.Name)
			}
		}
		served = append(served, p.Transport.Type)
		if p.Transport.Type == "streamable-http" {
			port, path := defaultOf("http_port"), "/mcp"
			if want := "http://" + defaultOf("http_host") + ":" + port + path; p.Transport.URL != want || !slices.Contains(arguments(p.PackageArguments), "http") {
				t.Errorf("URL %q, served is %q", p.Transport.URL, want)
			}
		}
	}
	if !slices.Equal(served, []string{"stdio", "streamable-http"}) {
		t.Errorf("transports %q", served)
	}
}

func defaultOf(key string) string {
	for _, o := range options() {
		if o.key == key {
			return o.fallback
		}
	}
	return ""
}

func arguments(inputs []registryInput) []string {
	var args []string
	for _, in := range inputs {
		if in.Type == "named" {
			args = append(args, in.Name)
		}
		value := in.Value
		if in.Type == "named" && value == "" {
			value = "x"
		}
		args = append(args, value)
	}
	return args
}
