package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var negativeNumber = regexp.MustCompile(`^-(\d|\.\d|inf$)`)

// prepare finds the command that is meant, gives it its flags (no other command's are built), and puts its
// positionals behind "--", so that negative numbers are not taken for flags.
func (a *app) prepare(root *cobra.Command, args []string) ([]string, error) {
	if len(args) > 0 && strings.HasPrefix(args[0], "__complete") {
		a.prepareCompletion(root, args[1:])
		return args, nil
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return nil, err
	}
	if cmd.Annotations[toolKey] == "" && asksHelp(rest) {
		return a.prepareHelp(root, cmd, rest)
	}
	if cmd.Annotations[toolKey] == "" {
		return args, nil
	}
	tool, _ := a.table.Lookup(toolName(cmd))
	for _, arg := range rest {
		if !utf8.ValidString(arg) {
			return nil, usageError("arguments", "%q is not valid UTF-8: godot-mcp %s --help", arg, tool.Name)
		}
	}
	a.addToolFlags(cmd, tool)
	flags, positionals, bare := split(cmd, rest)
	path := strings.Fields(tool.Name)
	if bare {
		return append(path, flags...), nil // for the parser to complain about
	}
	return append(append(path, flags...), append([]string{"--"}, positionals...)...), nil
}

// prepareCompletion only gives the command its flags and what they can be; the last word is the unfinished
// one.
func (a *app) prepareCompletion(root *cobra.Command, args []string) {
	a.addOwnCompletions(root)
	if len(args) == 0 {
		return
	}
	cmd, _, err := root.Find(args[:len(args)-1])
	if err != nil || cmd.Annotations[toolKey] == "" {
		return
	}
	tool, _ := a.table.Lookup(toolName(cmd))
	a.addToolFlags(cmd, tool)
	a.addToolCompletions(cmd, tool)
}

// prepareHelp is for help on what is no command: a tool by another of its names, or nothing that exists.
func (a *app) prepareHelp(root, cmd *cobra.Command, rest []string) ([]string, error) {
	_, words, _ := split(cmd, rest)
	path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), root.Name()), " ")
	if len(words) == 0 || !cmd.HasSubCommands() {
		return append(strings.Fields(path), "--help"), nil
	}
	if tool, _ := a.table.Lookup(strings.Join(words, " ")); tool != nil && cmd == root {
		return a.prepare(root, append(strings.Fields(tool.Name), "--help"))
	}
	return nil, noCommand(cmd, words)
}

func asksHelp(args []string) bool {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	return slices.Contains(args[:end], "--help") || slices.Contains(args[:end], "-h")
}

// split tells flags, with their values, from positionals; bare says that the last flag lacks its value.
func split(cmd *cobra.Command, args []string) (flags, positionals []string, bare bool) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return flags, append(positionals, args[i+1:]...), false
		case arg == "-" || !strings.HasPrefix(arg, "-") || negativeNumber.MatchString(arg):
			positionals = append(positionals, arg)
		case !takesNext(cmd, arg):
			flags = append(flags, arg)
		case i+1 == len(args):
			return append(flags, arg), positionals, true
		default:
			flags = append(flags, arg, args[i+1])
			i++
		}
	}
	return flags, positionals, false
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
