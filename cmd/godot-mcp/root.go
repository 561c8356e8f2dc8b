package main

import (
	"context"
	"os"
	"os/signal"
	"regexp"
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
	flags globalFlags
}

// globalFlags are the flags of every command. No parameter of a tool may have one of these names.
type globalFlags struct {
	params, jq, project, timeout, requestKey string
	raw, readOnly, exitZero                  bool
	editor, contract                         int
}

func run(args []string, s streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{streams: s, table: commands.All()}
	err := a.execute(ctx, args)
	if ctx.Err() != nil && err != nil {
		err = context.Canceled
	}
	a.report(err)
	return exitCode(err)
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root()
	if len(args) > 1 && strings.HasPrefix(args[0], "__complete") {
		a.prepare(root, args[1:len(args)-1])
	} else {
		args = a.prepare(root, args)
	}
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	return explainUsage(root, root.ExecuteContext(ctx))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "godot-mcp",
		Short: "Drive a live Godot 4 editor from the shell and from AI agents",
		Long: "Drive a live Godot 4 editor from the shell and from AI agents.\n\n" +
			"Every tool prints JSON. The same table of tools is served as MCP by godot-mcp mcp.\n\n" +
			"Begin with:\n  godot-mcp addon install\n  godot-mcp editor start\n  godot-mcp scene tree",
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	a.addGlobalFlags(root.PersistentFlags())
	a.addTools(root)
	group(root, "addon", "Put the addon into a project, look after it, take it out").AddCommand(a.addonCommands()...)
	group(root, "config", "Settings and where they come from").AddCommand(a.configListCommand())
	root.AddCommand(a.callCommand(), a.mcpCommand(), a.trustCommand(), a.versionCommand())
	return root
}

func (a *app) addGlobalFlags(fs *pflag.FlagSet) {
	f := &a.flags
	fs.StringVar(&f.project, "project", "", "project folder; default the one around the working directory")
	fs.IntVar(&f.editor, "editor", 0, "process id of the editor, see editor list")
	fs.StringVar(&f.timeout, "timeout", "", "longest wait for an answer: seconds, or 500ms, 2m (default 30s)")
	fs.IntVar(&f.contract, "contract", 0, "contract number that the caller was built against")
	fs.BoolVar(&f.readOnly, "read-only", false, "refuse everything that could change something")
	fs.StringVar(&f.params, "params", "", "file with the parameters as one JSON object, - for standard input")
	fs.StringVar(&f.jq, "jq", "", "jq expression over the result")
	fs.BoolVarP(&f.raw, "raw-output", "r", false, "with --jq: print strings without quotes")
	fs.StringVar(&f.requestKey, "request-key", "", "the same key is carried out once")
	fs.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 also when the answer is no")
}

// group finds or makes the command that holds others.
func group(root *cobra.Command, name, short string) *cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c
		}
	}
	g := &cobra.Command{
		Use: name, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(g)
	return g
}

// noArgs refuses a word after a group: it was meant as a command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	typed := strings.TrimPrefix(cmd.CommandPath()+" "+strings.Join(args, " "), "godot-mcp ")
	if best := nearestCommand(cmd.Root(), cmd, args[0]); best != "" {
		return usageError("tool", "there is no command %q, did you mean %s? %s --help", typed, best, best)
	}
	return usageError("tool", "there is no command %q: %s --help", typed, cmd.CommandPath())
}

// nearestCommand looks among the group's commands, then among all tools.
func nearestCommand(root, parent *cobra.Command, word string) string {
	parent.SuggestionsMinimumDistance = 2
	if near := parent.SuggestionsFor(word); len(near) > 0 {
		return parent.CommandPath() + " " + near[0]
	}
	typed := strings.TrimPrefix(parent.CommandPath()+" "+word, root.Name()+" ")
	if best := commands.All().Nearest(typed); best != "" {
		return root.Name() + " " + best
	}
	return ""
}

var negativeNumber = regexp.MustCompile(`^-(\d|\.\d|inf$)`)

// prepare finds the command that is meant, gives it its flags (no other command's are built), and puts its
// positionals behind "--", so that negative numbers are not taken for flags.
func (a *app) prepare(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil {
		return args
	}
	tool, _ := a.table.Lookup(toolName(cmd))
	if tool == nil || cmd.Annotations[toolKey] == "" {
		return args
	}
	a.addToolFlags(cmd, tool)
	flags, positionals := split(cmd, rest)
	path := strings.Fields(tool.Name)
	return append(append(path, flags...), append([]string{"--"}, positionals...)...)
}

// split tells flags, with their values, from positionals.
func split(cmd *cobra.Command, args []string) (flags, positionals []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return flags, append(positionals, args[i+1:]...)
		case arg == "-" || !strings.HasPrefix(arg, "-") || negativeNumber.MatchString(arg):
			positionals = append(positionals, arg)
		default:
			flags = append(flags, arg)
			if takesNext(cmd, arg) && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		}
	}
	return flags, positionals
}

// takesNext is true for a flag whose value is the next word.
func takesNext(cmd *cobra.Command, arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	var flag *pflag.Flag
	if name, long := strings.CutPrefix(arg, "--"); long {
		flag = cmd.Flag(strings.ReplaceAll(name, "_", "-"))
	} else if len(arg) == 2 {
		flag = cmd.Root().PersistentFlags().ShorthandLookup(arg[1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}

var unknownFlag = regexp.MustCompile(`^unknown (?:shorthand )?flag: (?:'.' in )?-*([^ ]+)`)

// explainUsage gives the parser's own complaints the shape of our errors.
func explainUsage(root *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	if _, ours := err.(*bridge.Error); ours {
		return err
	}
	if m := unknownFlag.FindStringSubmatch(err.Error()); m != nil {
		return usageError(m[1], "%v%s", err, nearFlag(root, m[1]))
	}
	if strings.HasPrefix(err.Error(), "invalid argument") || strings.HasPrefix(err.Error(), "flag needs an argument") || strings.HasPrefix(err.Error(), "unknown command") {
		return usageError("arguments", "%v: godot-mcp --help", err)
	}
	return err
}

// nearFlag offers the flag of any prepared command that is spelled most like name.
func nearFlag(root *cobra.Command, name string) string {
	best, at := "", 3
	visit := func(f *pflag.Flag) {
		if d := commands.Distance(name, f.Name); d < at {
			best, at = f.Name, d
		}
	}
	root.PersistentFlags().VisitAll(visit)
	for _, g := range root.Commands() {
		g.LocalFlags().VisitAll(visit)
		for _, c := range g.Commands() {
			c.LocalFlags().VisitAll(visit)
		}
	}
	if best == "" {
		return ": see --help"
	}
	return ", did you mean --" + best + "?"
}
