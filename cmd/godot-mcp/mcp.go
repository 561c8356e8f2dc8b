package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// serverGC lets the garbage of small messages grow to some megabytes before it is collected, which takes a
// third off a call.
const serverGC = 400

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools as MCP over standard input and output",
		Long: "Serve the tools as MCP over standard input and output.\n\n" +
			"The editor is found at the first call, not at the start, and found again when it was restarted.",
		Example: "  godot-mcp mcp install --client claude-code\n  godot-mcp mcp --project . --toolsets all",
		Args:    noCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.settings(cmd.Flags())
			if err != nil {
				return err
			}
			d := a.dispatcher(s, "stdio")
			// Nobody waits for an answer any more.
			defer d.Env.Close(true)
			if d.Env.Legacy, err = legacyNames(cmd); err != nil {
				return err
			}
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(serverGC)
			}
			server := mcp.NewServer(d, a.logger(s.logLevel))
			if cmd.Flags().Changed("max-chars") {
				server.MaxChars = s.maxChars
			}
			err = server.ServeStdio(cmd.Context(), a.in, a.out)
			switch {
			case errors.Is(err, mcp.ErrOutput):
				return outputError{err}
			case errors.Is(err, context.Canceled):
				return interrupted{hint: "only calls without an answer may have been carried out unseen"}
			}
			return err
		},
	}
	addFlags(cmd.Flags(), commands.FlagsOf("mcp"))
	cmd.AddCommand(a.mcpSubcommands()...)
	return cmd
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
