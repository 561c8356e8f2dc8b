package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// usageError is a command line that cannot be read.
func usageError(required, format string, args ...any) error {
	return bridge.Errorf(bridge.ValidationError, required, format, args...)
}

// noCommands refuses a word after a group: it was meant as a command.
func noCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return noCommand(cmd, args)
}

func noCommand(parent *cobra.Command, words []string) error {
	typed := strings.TrimPrefix(parent.CommandPath()+" "+strings.Join(words, " "), parent.Root().Name()+" ")
	if best := nearestCommand(parent, words); best != "" {
		return usageError("tool", "there is no command %q, did you mean %s? %s --help", typed, best, best)
	}
	return usageError("tool", "there is no command %q: %s --help", typed, parent.CommandPath())
}

// nearestCommand looks among the group's commands, then among all tools; "" when none is near.
func nearestCommand(parent *cobra.Command, words []string) string {
	var names []string
	for _, c := range parent.Commands() {
		names = append(names, c.Name())
	}
	near := commands.Nearest(words[0], names)
	if near != "" && parent.HasParent() {
		return parent.CommandPath() + " " + near
	}
	root := parent.Root()
	typed := strings.TrimPrefix(parent.CommandPath()+" "+strings.Join(words[:min(len(words), 2)], " "), root.Name()+" ")
	if tool, _ := commands.All().Lookup(typed); tool != nil {
		return root.Name() + " " + tool.Name
	}
	if best := commands.All().Nearest(typed); best != "" {
		return root.Name() + " " + best
	}
	if near != "" {
		return parent.CommandPath() + " " + near
	}
	return ""
}

// noPositionals is for a command that has flags only.
func noPositionals(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError("arguments", "%s takes no arguments, %q is one too many: %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())
}

// wrapArgs gives what the parser itself says about positionals the shape of our errors, for every command.
func wrapArgs(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		wrapArgs(cmd)
		check := cmd.Args
		if check == nil {
			continue
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var ours *bridge.Error
			if err == nil || errors.As(err, &ours) {
				return err
			}
			return usageError("arguments", "%s: %v: %s --help", cmd.CommandPath(), err, cmd.CommandPath())
		}
	}
}

// finishHelp gives the pages of the commands that are no tools what the tools' pages have: the summary in the
// first line and the exit codes.
func finishHelp(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		finishHelp(cmd)
		if cmd.Annotations[toolKey] != "" || cmd.RunE == nil || cmd.HasSubCommands() && cmd.Example == "" {
			continue
		}
		if cmd.Long == "" {
			cmd.Long = cmd.Short + "."
		}
		if !strings.Contains(strings.ToLower(cmd.Long), "exit code") {
			cmd.Long += "\n\nExit codes: 0 done, else by the kind of error: godot-mcp exit-codes"
		}
	}
}

// flagError gives what the parser says about flags the shape of our errors.
func flagError(cmd *cobra.Command, err error) error {
	help := cmd.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
			return noCommand(cmd, words)
		}
		name := unknown.GetSpecifiedName()
		if sub, _, err := cmd.Find([]string{name}); err == nil && sub != cmd {
			return usageError(parameter(name), "%s has no flag %s, did you mean %s? %s --help", cmd.CommandPath(), dashed(name), sub.CommandPath(), sub.CommandPath())
		}
		if best := nearestFlag(cmd, name); best != "" {
			return usageError(parameter(name), "%s has no flag %s, did you mean --%s? %s", cmd.CommandPath(), dashed(name), best, help)
		}
		return usageError(parameter(name), "%s has no flag %s: %s", cmd.CommandPath(), dashed(name), help)
	case errors.As(err, &bare):
		name := bare.GetFlag().Name
		return usageError(parameter(name), "--%s needs a value (%s): %s", name, bare.GetFlag().Usage, help)
	case errors.As(err, &wrong):
		flag := wrong.GetFlag()
		return usageError(parameter(flag.Name), "--%s must be %s, was given %q: %s", flag.Name, wanted(flag), wrong.GetValue(), help)
	}
	return usageError("arguments", "%v: %s", err, help)
}

// parameter is a flag's name as errors spell it, like the parameters in JSON.
func parameter(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func wanted(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "a " + flag.Value.Type()
}

// nearestFlag offers the flag that is spelled most like name, else one that has name as a part.
func nearestFlag(cmd *cobra.Command, name string) string {
	best, part, at := "", "", 3
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := commands.Distance(name, f.Name); d < at {
			best, at = f.Name, d
		}
		if part == "" && len(name) > 2 && strings.Contains(f.Name, name) {
			part = f.Name
		}
	})
	// A whole part of a flag's name is more than a word that is spelled a little like another flag.
	if best == "" || at >= len(name) || at > 1 && part != "" {
		return part
	}
	return best
}

// refuseIdleFlags refuses flags that the command would pass over in silence: who gives one means something.
func (a *app) refuseIdleFlags(cmd *cobra.Command, _ []string) error {
	idle := []string{}
	switch {
	case cmd.Annotations[toolKey] != "":
	case cmd.Name() == "call" || cmd.Name() == "mcp":
		idle = []string{"params", "request-key", "jq", "raw-output"}
	case cmd.Name() == "install" && cmd.Parent().Name() == "mcp", cmd.Name() == "uninstall" && cmd.Parent().Name() == "mcp":
		idle = []string{"params", "request-key", "max-chars", "editor", "timeout", "contract"}
	default:
		idle = []string{"params", "request-key", "max-chars", "autostart"}
	}
	for _, name := range idle {
		if cmd.Flags().Changed(name) {
			return usageError(parameter(name), "--%s has no meaning for %s: %s --help", name, cmd.CommandPath(), cmd.CommandPath())
		}
	}
	if a.flags.maxChars < 0 {
		return usageError("max_chars", "--max-chars must be a number of characters, 0 for no limit, was given %d: %s --help", a.flags.maxChars, cmd.CommandPath())
	}
	if cmd.Flags().Changed("editor") && a.flags.editor <= 0 {
		return usageError("editor", "--editor must be the process id of an editor, was given %d: godot-mcp editor list", a.flags.editor)
	}
	return nil
}
