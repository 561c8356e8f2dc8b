package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// serverGC lets the garbage of small messages grow to some megabytes before it is collected, which takes a
// third off a call.
const serverGC = 400

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools as MCP over standard input and output, or over HTTP",
		Long: "Serve the tools as MCP over standard input and output, or over HTTP.\n\n" +
			"The editor is found at the first call, not at the start, and found again when it was restarted.\n\n" +
			"With --transport http, standard error says the URL and where the token is that clients have to show.",
		Example: "  godot-mcp mcp install --client claude-code\n  godot-mcp mcp --project . --toolsets all\n  godot-mcp mcp --transport http --http-port 0",
		Args:    noCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serveMCP(cmd) },
	}
	addFlags(cmd.Flags(), commands.FlagsOf("mcp"))
	cmd.AddCommand(a.mcpSubcommands()...)
	return cmd
}

func (a *app) serveMCP(cmd *cobra.Command) error {
	s, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	server, err := a.newServer(cmd, s)
	if err != nil {
		return err
	}
	defer server.Close()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(serverGC)
	}
	if s.transport == "http" {
		return a.serveHTTP(cmd, s, server)
	}
	err = server.ServeStdio(cmd.Context(), a.in, a.out)
	switch {
	case errors.Is(err, mcp.ErrOutput):
		return outputError{err}
	case errors.Is(err, context.Canceled):
		return interrupted{hint: "only calls without an answer may have been carried out unseen"}
	}
	return err
}

// knownToolsets is the error for names that no toolset has.
func (a *app) knownToolsets(sets []string) error {
	if _, unknown := a.table.Select(sets); len(unknown) > 0 {
		return usageError("toolsets", "there is no toolset %s: godot-mcp toolset list", strings.Join(unknown, ", "))
	}
	return nil
}

// newServer is one project's server, by what the command line and the settings say. Nothing is dialled yet.
func (a *app) newServer(cmd *cobra.Command, s settings) (*mcp.Server, error) {
	if err := a.knownToolsets(s.toolsets); err != nil {
		// The others are served: a list in a client's config may be a newer build's.
		fmt.Fprintf(a.err, "godot-mcp: passed over: %s\n", bridge.AsError(err).Hint)
	}
	legacy, err := legacyNames(cmd)
	if err != nil {
		return nil, err
	}
	revisions, err := servedRevisions(cmd)
	if err != nil {
		return nil, err
	}
	d := a.dispatcher(s, s.transport)
	d.Env.Legacy = legacy
	server := mcp.NewServer(d, a.logger(s.logLevel), revisions...)
	if cmd.Flags().Changed("max-chars") {
		server.MaxChars = s.maxChars
	}
	return server, nil
}

// servedRevisions is the one that --protocol names, none for all.
func servedRevisions(cmd *cobra.Command) ([]string, error) {
	switch revision, _ := cmd.Flags().GetString("protocol"); revision {
	case "":
		return nil, nil
	case mcp.NewestRevision:
		return []string{revision}, nil
	default:
		return nil, usageError("protocol", "--protocol must be %s, or left out for all revisions, was given %q: godot-mcp mcp --help", mcp.NewestRevision, revision)
	}
}

// legacyNames is true for --names legacy.
func legacyNames(cmd *cobra.Command) (bool, error) {
	switch names, _ := cmd.Flags().GetString("names"); names {
	case "", "current":
		return false, nil
	case "legacy":
		return true, nil
	default:
		return false, usageError("names", "--names must be current or legacy, was given %q: godot-mcp mcp --help", names)
	}
}
