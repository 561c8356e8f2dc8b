package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// clientTarget is the config that a call is about.
type clientTarget struct {
	clients.Client
	system clients.System
	scope  clients.Scope
	path   string
	// project is the game's folder, "" when none is needed.
	project string
	name    string
	// own is this program's path.
	own string
	// autostart is true when the user's settings have every server start an editor.
	autostart bool
}

const defaultServerName = "godot"

func (a *app) mcpSubcommands() []*cobra.Command {
	install := &cobra.Command{
		Use:   "install",
		Short: "Put the server into an MCP client's config; everything else in the file stays as it is",
		Long: "Put the server into an MCP client's config; everything else in the file stays as it is.\n\n" +
			"The server is for the project that --project names, else the one around the working directory. --read-only,\n" +
			"--toolsets and --autostart go into the entry. Restart the client afterwards, then godot-mcp mcp doctor.\n\n" +
			"With --transport http the entry is the address and the token of a server that you start yourself: the one that\n" +
			"runs, else the one that http_host, http_port and auth_token of the settings say.",
		Example: "  godot-mcp mcp install --client claude-code --project my-game --dry-run\n" +
			"  godot-mcp mcp install --client cursor --project my-game --transport http",
		Args: noPositionals,
		RunE: a.mcpInstall,
	}
	uninstall := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the server out of an MCP client's config",
		Args:  noPositionals, RunE: a.mcpUninstall,
		Example: "  godot-mcp mcp uninstall --client claude-code",
	}
	doctor := &cobra.Command{
		Use:   "doctor",
		Short: "Start the server as the client would and tell what works; exit 10 when something does not",
		Long: "Start the server as the client would and tell what works; exit 10 when something does not.\n\n" +
			"Without --client, every config that has this server is looked at. --timeout is the limit for each server.",
		Example: "  godot-mcp mcp doctor --client claude-desktop",
		Args:    noPositionals, RunE: a.mcpDoctor,
	}
	for _, c := range []*cobra.Command{install, uninstall, doctor} {
		addFlags(c.Flags(), commands.FlagsOf("mcp "+c.Name()))
	}
	return []*cobra.Command{install, uninstall, doctor}
}

var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// clientTarget reads the flags that say which config is meant.
func (a *app) clientTarget(cmd *cobra.Command, s settings) (clientTarget, error) {
	t := clientTarget{system: clients.ThisSystem(runtime.GOOS), scope: clients.User, name: defaultServerName}
	id, _ := cmd.Flags().GetString("client")
	var known bool
	if t.Client, known = clients.Named(id); !known {
		return t, noClient(cmd, id)
	}
	scope, err := scopeFlag(cmd)
	if err != nil {
		return t, err
	}
	if scope != "" {
		t.scope = scope
	}
	if name, _ := cmd.Flags().GetString("name"); name != "" {
		t.name = name
	}
	if err := a.checkServerName(cmd, t.Client, t.name); err != nil {
		return t, err
	}
	if t.own, err = ownPath(); err != nil {
		return t, err
	}
	if cmd.Name() == "install" || t.scope == clients.Project {
		if t.project, err = a.dispatcher(s, "cli").Env.Project(); err != nil {
			return t, err
		}
	}
	t.path, _ = cmd.Flags().GetString("config")
	if t.path == "" {
		t.path = t.ConfigPath(t.system, t.scope, t.project)
	}
	if t.path == "" && t.scope == clients.User {
		return t, usageError("config", "the home folder is not known, so neither is the config of %s: set HOME, or name the file with --config", t.Title)
	}
	if t.path == "" {
		return t, usageError("scope", "%s has no config for --scope %s that its documentation names: leave --scope out, or name the file with --config", t.Title, t.scope)
	}
	t.path, err = filepath.Abs(t.path)
	return t, err
}

// scopeFlag is --scope, "" when it was not given.
func scopeFlag(cmd *cobra.Command) (clients.Scope, error) {
	text, _ := cmd.Flags().GetString("scope")
	scope := clients.Scope(text)
	if scope != "" && scope != clients.User && scope != clients.Project {
		return "", usageError("scope", "--scope must be user or project, was given %q: %s --help", text, cmd.CommandPath())
	}
	return scope, nil
}

func noClient(cmd *cobra.Command, id string) error {
	all := strings.Join(clients.IDs(), ", ")
	if id == "" {
		return usageError("client", "%s needs --client, one of %s: %s --help", cmd.CommandPath(), all, cmd.CommandPath())
	}
	best, at := "", 4
	for _, each := range clients.IDs() {
		if d := commands.Distance(id, each); d < at {
			best, at = each, d
		}
	}
	if best != "" {
		return usageError("client", "there is no client %q, did you mean %s? %s --client %s", id, best, cmd.CommandPath(), best)
	}
	return usageError("client", "there is no client %q, only %s: %s --help", id, all, cmd.CommandPath())
}

// checkServerName refuses names that some client cannot show, or that leave too little room for the tools'.
func (a *app) checkServerName(cmd *cobra.Command, c clients.Client, name string) error {
	if !serverName.MatchString(name) {
		return usageError("name", "--name may have letters, digits, - and _ only, was given %q: %s --help", name, cmd.CommandPath())
	}
	if longest := longestTool(a.table); c.NameLimit > 0 && len(name)+1+longest > c.NameLimit {
		return usageError("name", "%s drops tools whose name together with the server's has more than %d characters; --name may have %d", c.Title, c.NameLimit, c.NameLimit-1-longest)
	}
	return nil
}

func longestTool(table *commands.Table) int {
	longest := 0
	for _, t := range table.Tools {
		longest = max(longest, len(t.MCPName()))
	}
	return longest
}

func (a *app) mcpInstall(cmd *cobra.Command, _ []string) error {
	s, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	if s.readOnly && s.sourceOf("read_only") != "flag" {
		return readOnlyMode(cmd)
	}
	t, err := a.clientTarget(cmd, s)
	if err != nil {
		return err
	}
	l, from, err := a.launch(cmd, s, t)
	if err != nil {
		return err
	}
	force, _ := cmd.Flags().GetBool("force")
	return a.changeClient(cmd, t, l, from, func(text []byte) ([]byte, error) { return t.Install(text, t.name, l, t.own, force) })
}

// launch is what the entry is to say, and where its token is from.
func (a *app) launch(cmd *cobra.Command, s settings, t clientTarget) (l clients.Launch, from string, err error) {
	if s.transport == "http" && s.sourceOf("transport") == "flag" {
		return a.address(cmd, s, t)
	}
	for _, flag := range addressFlags {
		if cmd.Flags().Changed(flag) {
			return l, "", usageError(asKey(flag), "--%s is for the address of a server that runs: %s --client %s --transport http", flag, cmd.CommandPath(), t.ID)
		}
	}
	l, err = a.started(cmd, s, t)
	return l, "", err
}

// started is the launch of a server that the client starts.
func (a *app) started(cmd *cobra.Command, s settings, t clientTarget) (clients.Launch, error) {
	l := clients.Launch{Args: []string{"mcp", "--project", t.project}}
	if s.readOnly {
		l.Args = append(l.Args, "--read-only")
	}
	auditLog, err := absolute(a.flags.auditLog)
	if err != nil {
		return l, err
	}
	for _, flag := range []struct{ name, value string }{{"--allow", a.flags.allow}, {"--deny", a.flags.deny}, {"--approval", a.flags.approval}, {"--audit-log", auditLog}} {
		if flag.value != "" {
			l.Args = append(l.Args, flag.name, flag.value)
		}
	}
	if toolsets, _ := cmd.Flags().GetString("toolsets"); toolsets != "" {
		if err := a.knownToolsets(splitList(toolsets)); err != nil {
			return l, err
		}
		l.Args = append(l.Args, "--toolsets", toolsets)
	}
	if s.transport != "stdio" || s.sourceOf("transport") == "flag" {
		// The settings mean the server that the user starts; this one's client speaks on standard input.
		l.Args = append(l.Args, "--transport", "stdio")
	}
	if on, _ := cmd.Flags().GetBool("autostart"); on {
		l.Args = append(l.Args, "--autostart")
	}
	if err := a.acceptsArguments(l.Args); err != nil {
		return l, err
	}
	l.Command = ownCommand(t)
	return l, nil
}

func (a *app) mcpUninstall(cmd *cobra.Command, _ []string) error {
	s, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	if s.readOnly {
		return readOnlyMode(cmd)
	}
	t, err := a.clientTarget(cmd, s)
	if err != nil {
		return err
	}
	force, _ := cmd.Flags().GetBool("force")
	return a.changeClient(cmd, t, clients.Launch{}, "", func(text []byte) ([]byte, error) { return t.Uninstall(text, t.name, t.own, force) })
}

func readOnlyMode(cmd *cobra.Command) error {
	return bridge.Errorf(bridge.PreconditionFailed, "policy", "%s changes a file and this is read-only mode; see where that comes from: godot-mcp config list", cmd.CommandPath())
}

// acceptsArguments asks the parser that will read them: an entry with which the server does not start is
// worse than none.
func (a *app) acceptsArguments(args []string) error {
	// One of its own: making a parser sets the flags of its process back.
	server := &app{table: a.table, contract: a.contract}
	served, rest, err := server.root().Find(args)
	if err == nil {
		err = served.ParseFlags(rest)
	}
	if err != nil {
		return usageError("arguments", "the server would not start with these arguments: %v: godot-mcp mcp --help", err)
	}
	return nil
}

func ownPath() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", bridge.Errorf(bridge.InternalError, "", "this program's own path is unknown: %v; start it by its whole path, then godot-mcp mcp install", err)
	}
	return own, nil
}

// ownCommand is this program as the client finds it: by its name where that leads here, else by its path.
func ownCommand(t clientTarget) string {
	const name = "godot-mcp"
	if found, err := clients.LookPath(name, t.Environ(t.system, os.Environ(), clients.Launch{})); err == nil && sameFile(found, t.own) {
		return name
	}
	// A link on PATH outlives the version that it leads to now.
	if found, err := exec.LookPath(name); err == nil && filepath.IsAbs(found) && sameFile(found, t.own) {
		return found
	}
	return t.own
}

func sameFile(a, b string) bool {
	ai, aErr := os.Stat(a)
	bi, bErr := os.Stat(b)
	return aErr == nil && bErr == nil && os.SameFile(ai, bi)
}

// absolute is the path from anywhere: a client starts the server elsewhere.
func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}
