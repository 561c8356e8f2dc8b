package clients

import (
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// Remote is the form that a client has for a server that it does not start.
type Remote struct {
	// URL and Headers are the members that hold the address and the headers. URL is "" for a client whose config
	// takes none.
	URL, Headers string
	// Type is the value of the entry's member type, "" for none.
	Type string
	// NoOAuth is true when the entry says that the client need not log in.
	NoOAuth bool
	// Source is the client's own documentation of it where that is another page than the client's.
	Source string
	// Tried is the version of the client that listed the server from what is written here, in each scope.
	Tried string
}

const (
	serverPath    = "/mcp"
	projectParam  = "project"
	authorization = "Authorization"
	bearer        = "Bearer "
)

// Members that one of the two forms alone has.
var (
	startOnly  = []string{"command", "args", "env", "environment", "env_vars", "envFile", "cwd"}
	remoteOnly = []string{"oauth", "env_http_headers", "bearer_token_env_var"}
)

// AddressMark stands in every address with a project.
const AddressMark = serverPath + "?" + projectParam + "="

// Address is where a server is found that serves the project over HTTP at base.
func Address(base, project string) string {
	return base + "?" + projectParam + "=" + strings.ReplaceAll(url.QueryEscape(project), "+", "%20")
}

// AddressProject is the project that the address names, "" when it is none of this program's server.
func (l Launch) AddressProject() string {
	u, err := url.Parse(l.URL)
	if err != nil || u.Path != serverPath {
		return ""
	}
	project := u.Query().Get(projectParam)
	if !wholePath.MatchString(project) {
		return ""
	}
	return project
}

var wholePath = regexp.MustCompile(`^(/|\\\\|[A-Za-z]:[/\\])`)

// MayBeOurs is true for an address that may be of this program's server: one of this machine, or with a project.
func (l Launch) MayBeOurs() bool {
	u, err := url.Parse(l.URL)
	return err == nil && u.Path == serverPath && (l.OnThisMachine() || l.AddressProject() != "")
}

// OnThisMachine is true for an address that leads to this machine alone.
func (l Launch) OnThisMachine() bool {
	u, err := url.Parse(l.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// ShownURL is the address without what looks like a secret.
func (l Launch) ShownURL() string {
	u, err := url.Parse(l.URL)
	if err != nil {
		return hideSecrets(l.URL)
	}
	return hideSecrets(u.Redacted())
}

// sameServer is true for two addresses of one server, whatever project they name.
func (l Launch) sameServer(other Launch) bool {
	a, aErr := url.Parse(l.URL)
	b, bErr := url.Parse(other.URL)
	return l.URL != "" && aErr == nil && bErr == nil && a.Scheme == b.Scheme && a.Host == b.Host && a.Path == b.Path
}

// fields are the address and what is shown there. A header that is there keeps its spelling: two would be refused.
func (r Remote) fields(l Launch, present map[string]any) object {
	out := object{{r.URL, l.URL}}
	if r.NoOAuth {
		out = append(out, field{"oauth", false})
	}
	if l.Token != "" {
		name, _ := r.shown(present)
		out = append(out, field{r.Headers, object{{name, bearer + l.Token}}})
	}
	return out
}

// shown is the header of an entry that shows the token.
func (r Remote) shown(entry map[string]any) (name, value string) {
	headers, _ := entry[r.Headers].(map[string]any)
	for name, value := range headers {
		if text, ok := value.(string); ok && strings.EqualFold(name, authorization) {
			return name, text
		}
	}
	return authorization, ""
}

// read is the address of an entry and the token that the client shows there, from its environment where the
// entry says so.
func (r Remote) read(entry map[string]any) (address, token string) {
	address, _ = entry[r.URL].(string)
	_, value := r.shown(entry)
	if len(value) > len(bearer) && strings.EqualFold(value[:len(bearer)], bearer) {
		token = variable.ReplaceAllStringFunc(value[len(bearer):], func(text string) string {
			return os.Getenv(variable.FindStringSubmatch(text)[1])
		})
	}
	if named, ok := entry["bearer_token_env_var"].(string); ok && token == "" {
		token = os.Getenv(named)
	}
	return address, strings.TrimSpace(token)
}

// variable is how clients name one in a value.
var variable = regexp.MustCompile(`\$?\{(?:env:)?(\w+)\}`)

// stale are the members that an entry must not have beside what the launch puts there.
func (c Client) stale(l Launch) []string {
	if l.URL == "" {
		out := append([]string{c.Remote.URL, c.Remote.Headers}, remoteOnly...)
		if c.Type == "" {
			out = append(out, "type")
		}
		return out
	}
	out := startOnly
	if c.Remote.Type == "" {
		out = append([]string{"type"}, out...)
	}
	return out
}
