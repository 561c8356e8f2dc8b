package main

import (
	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools as MCP over standard input and output",
		Long: "Serve the tools as MCP over standard input and output.\n\n" +
			"The editor is found at the first call, not at the start, and found again when it was restarted.",
		Example: "  claude mcp add godot -- godot-mcp mcp --project .",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.settings(cmd.Flags())
			if err != nil {
				return err
			}
			d := a.dispatcher(s, "stdio")
			defer d.Env.Bridge.Close()
			server := mcp.NewServer(d, a.logger(s.logLevel))
			return server.ServeStdio(cmd.Context(), a.in, a.out)
		},
	}
	addFlags(cmd.Flags(), commands.FlagsOf("mcp"))
	return cmd
}
