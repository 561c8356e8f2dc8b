package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/clients"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// Flags that say which server is meant, and those that only its start can have.
var (
	addressFlags = []string{"http-host", "http-port", "http-no-auth"}
	startFlags   = []string{"read-only", "allow", "deny", "approval", "audit-log", "toolsets", "autostart"}
)

// address is the launch that leads to a server that runs already: one that says where it is, else the one that
// the settings describe.
func (a *app) address(cmd *cobra.Command, s settings, t clientTarget) (l clients.Launch, from string, err error) {
	if t.Remote.URL == "" {
		return l, "", usageError("transport", "%s takes no addresses from its config (%s): leave --transport out, so that it starts the server itself: %s --client %s", t.Title, t.Remote.Source, cmd.CommandPath(), t.ID)
	}
	for _, flag := range startFlags {
		if cmd.Flags().Changed(flag) {
			return l, "", usageError(asKey(flag), "over HTTP --%s belongs to the start of the server, not to the client's entry: godot-mcp mcp --transport http --help", flag)
		}
	}
	base, token, from, err := a.servedAt(cmd, s, t)
	if err != nil {
		return l, "", err
	}
	if strings.ContainsAny(token, "${") {
		return l, "", bridge.Errorf(bridge.PreconditionFailed, authTokenKey, "clients read $ and { in a value as variables, and the token (%s) has one: choose another, then godot-mcp mcp --transport http", from)
	}
	return clients.Launch{URL: clients.Address(base, t.project), Token: token}, from, nil
}

// asKey is a flag as settings and errors call it.
func asKey(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// servedAt is the address of the server, the token that it wants, and where that is from.
func (a *app) servedAt(cmd *cobra.Command, s settings, t clientTarget) (base, token, from string, err error) {
	open, _ := cmd.Flags().GetBool("http-no-auth")
	found := slices.DeleteFunc(runningHTTP(), func(f foundHTTP) bool { return !f.meant(s) })
	switch {
	case open && s.authToken != "":
		return "", "", "", noAuthButToken(s)
	case !open && len(found) == 1:
		return found[0].URL, found[0].Token, found[0].path, nil
	case !open && len(found) > 1:
		return "", "", "", bridge.Errorf(bridge.PreconditionFailed, "http_port", "%d servers run, %s; name one by its port: %s --client %s --transport http --http-port %s",
			len(found), addresses(found), cmd.CommandPath(), t.ID, found[0].port())
	case !open && s.authToken == "":
		at, port := asked(s)
		return "", "", "", bridge.Errorf(bridge.PreconditionFailed, authTokenKey, "no server runs over HTTP%s, and no token of your own is set; start one: godot-mcp mcp --transport http%s, then %s --client %s --transport http%s; a token that stays is GODOT_MCP_AUTH_TOKEN, or auth_token in the user's file",
			at, port, cmd.CommandPath(), t.ID, port)
	case s.httpPort == 0:
		return "", "", "", bridge.Errorf(bridge.PreconditionFailed, "http_port", "http_port is 0 (%s), any that is free, so the server's is not known; name it: %s --client %s --transport http --http-port PORT", s.sourceOf("http_port"), cmd.CommandPath(), t.ID)
	}
	if !open {
		from = s.sourceOf(authTokenKey)
	}
	return "http://" + net.JoinHostPort(reachable(s.httpHost), strconv.Itoa(s.httpPort)) + mcp.HTTPPath, s.authToken, from, nil
}

// asked is the port that a flag names, in words and as that flag.
func asked(s settings) (at, flag string) {
	if s.sourceOf("http_port") != "flag" {
		return "", ""
	}
	port := strconv.Itoa(s.httpPort)
	return " at port " + port, " --http-port " + port
}

// reachable is where clients of this machine find what listens on every address.
func reachable(host string) string {
	switch ip := net.ParseIP(host); {
	case host == "" || ip != nil && ip.IsUnspecified() && ip.To4() != nil:
		return "127.0.0.1"
	case ip != nil && ip.IsUnspecified():
		return "::1"
	}
	return host
}

func addresses(found []foundHTTP) string {
	var all []string
	for _, f := range found {
		all = append(all, fmt.Sprintf("%s (process %d)", f.URL, f.PID))
	}
	return strings.Join(all, ", ")
}

// foundHTTP is a server that runs, with the file in which it says so.
type foundHTTP struct {
	httpFile
	path string
}

func (f foundHTTP) port() string { return strings.TrimSuffix(filepath.Base(f.path), ".json") }

// meant is true for a server at the host and port that the flags name, if they do.
func (f foundHTTP) meant(s settings) bool {
	u, err := url.Parse(f.URL)
	return err == nil && (s.sourceOf("http_port") != "flag" || u.Port() == strconv.Itoa(s.httpPort)) &&
		(s.sourceOf("http_host") != "flag" || u.Hostname() == reachable(s.httpHost))
}

// runningHTTP are the user's servers that made a token and run, by the files that only the user can write.
func runningHTTP() []foundHTTP {
	paths, _ := filepath.Glob(filepath.Join(httpFolder(), "*.json"))
	var out []foundHTTP
	for _, path := range paths {
		f := foundHTTP{path: path}
		text, err := bridge.ReadPrivate(path)
		if err != nil || json.Unmarshal(text, &f.httpFile) != nil {
			continue
		}
		u, err := url.Parse(f.URL)
		started, timeErr := time.Parse(time.RFC3339, f.Started)
		if err == nil && timeErr == nil && u.Scheme == "http" && u.Port() == f.port() && mcp.IsLoopback(u.Hostname()) && f.Token != "" && bridge.IsProcess(f.PID, started) {
			out = append(out, f)
		}
	}
	return out
}

// tokenNote says how long the token lasts, and who may see the file.
func (t clientTarget) tokenNote(from string) string {
	var notes []string
	if filepath.IsAbs(from) {
		notes = append(notes, "The token is of this start of the server: after another one install again, or choose one that stays with GODOT_MCP_AUTH_TOKEN.")
	}
	if t.scope == clients.Project {
		notes = append(notes, "The file has the token now: keep it out of version control.")
	}
	return strings.Join(notes, " ")
}
