package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// app is one process: its streams, its table, its settings once they are read.
type app struct {
	streams
	table *commands.Table
	// contract is what this build serves; tests set other numbers.
	contract commands.Contract
	flags    globalFlags
	// ahead is a socket that is being opened while the commands are put together; nil where none may be.
	ahead *bridge.Ahead
}

// globalFlags are the values of commands.GlobalFlags.
type globalFlags struct {
	params, jq, project, timeout, requestKey, allow, deny, approval, auditLog string
	raw, readOnly, autostart, exitZero                                        bool
	editor, contract, maxChars                                                int
}

func run(args []string, s streams) int {
	a := &app{streams: s, table: commands.All(), contract: commands.ThisContract}
	a.ahead = connectAhead(a.table, args)
	defer a.ahead.Close()
	return a.run(args)
}

func (a *app) run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the process whatever it is doing.
	context.AfterFunc(ctx, stop)
	if len(args) > 0 && args[0] == completeWord {
		a.completeFor(ctx, args[1:])
		return commands.ExitOK
	}
	err := a.execute(ctx, args)
	if ctx.Err() != nil && err != nil && !errors.As(err, new(interrupted)) {
		err = context.Canceled
	}
	a.report(err)
	return exitCode(err)
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root()
	args, err := a.prepare(root, args)
	if err != nil {
		return err
	}
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	return root.ExecuteContext(ctx)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "godot-mcp",
		Short: "Drive a live Godot 4 editor from the shell and from AI agents",
		Long: "Drive a live Godot 4 editor from the shell and from AI agents.\n\n" +
			"Every tool prints JSON. The same table of tools is served as MCP by godot-mcp mcp.\n\n" +
			"Begin with:\n  godot-mcp addon install\n  godot-mcp editor start\n  godot-mcp scene tree\n\n" +
			"What is missing and how to mend it: godot-mcp doctor\n\n" +
			"Exit status: 0 done, 10 done and the answer is no, 130 interrupted, 141 nobody reads the output any more;\n" +
			"else by the kind of error, see the help of any tool.",
		Args:          noCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,

		PersistentPreRunE: a.refuseIdleFlags,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	a.addGlobalFlags(root.PersistentFlags())
	a.addTools(root)
	group(root, "addon", "Put the addon into a project, look after it, take it out").AddCommand(a.addonCommands()...)
	a.addContractHelp(group(root, "contract", "What other software can build against")).AddCommand(a.contractCommands()...)
	group(root, "config", "Settings and where they come from").AddCommand(a.configListCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.topicCommands()...)
	root.AddCommand(a.callCommand(), a.mcpCommand(), a.trustCommand(), a.versionCommand(), a.watchCommand(), a.doctorCommand(), a.completionCommand())
	wrapArgs(root)
	finishHelp(root)
	return root
}

// group finds or makes the command that holds others.
func group(root *cobra.Command, name, short string) *cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c
		}
	}
	g := &cobra.Command{
		Use: name, Short: short, Args: noCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(g)
	return g
}
