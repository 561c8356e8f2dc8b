package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/godot-mcp/godot-mcp/commands"
)

// eachOwnCommand visits the commands that are no tools, without cobra's own.
func eachOwnCommand(parent *cobra.Command, visit func(*cobra.Command)) {
	for _, cmd := range parent.Commands() {
		switch {
		case cmd.HasSubCommands():
			// mcp does something itself, which its own flags tell.
			if len(flagTypes(cmd.LocalNonPersistentFlags())) > 0 {
				visit(cmd)
			}
			eachOwnCommand(cmd, visit)
		case cmd.IsAdditionalHelpTopicCommand():
		case cmd.Annotations[toolKey] == "" && cmd.Name() != "help":
			visit(cmd)
		}
	}
}

func flagTypes(fs *pflag.FlagSet) []string {
	var flags []string
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			flags = append(flags, f.Name+" "+f.Shorthand+" "+f.Value.Type())
		}
	})
	slices.Sort(flags)
	return flags
}

func listed(command string) []string {
	var flags []string
	for _, f := range commands.FlagsOf(command) {
		flags = append(flags, f.Name+" "+f.Short+" "+f.Type)
	}
	slices.Sort(flags)
	return flags
}

// The contract lists commands and flags as data; this holds the parser to it.
func TestCommandsAndFlagsAreTheContracts(t *testing.T) {
	root := (&app{table: commands.All()}).root()
	if got, want := flagTypes(root.PersistentFlags()), listed(""); !slices.Equal(got, want) {
		t.Errorf("global flags: the parser has %q, the contract %q", got, want)
	}
	seen := []string{""}
	eachOwnCommand(root, func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		seen = append(seen, name)
		if got, want := flagTypes(cmd.LocalNonPersistentFlags()), listed(name); !slices.Equal(got, want) {
			t.Errorf("%s: the parser has the flags %q, commands.OwnCommands %q", name, got, want)
		}
	})
	for _, c := range commands.OwnCommands {
		if !slices.Contains(seen, c.Name) {
			t.Errorf("commands.OwnCommands lists %q, which the parser has not", c.Name)
		}
		seen = slices.DeleteFunc(seen, func(name string) bool { return name == c.Name })
	}
	if len(seen) > 0 {
		t.Errorf("not in commands.OwnCommands: %q", seen)
	}
}

// editorEnv is read inside the editor, not by this program.
const editorEnv = "GODOT_MCP_BRIDGE_PORT"

func TestVariablesAreTheContracts(t *testing.T) {
	read, refused := []string{editorEnv}, slices.Clone(refusedEnv)
	for _, o := range options() {
		read = append(read, strings.FieldsFunc(o.env, func(r rune) bool { return r == ',' })...)
	}
	for _, e := range commands.EnvVars {
		list := &read
		if e.Refused {
			list = &refused
		}
		if !slices.Contains(*list, e.Name) {
			t.Errorf("%s is in commands.EnvVars and nobody looks at it so", e.Name)
		}
		*list = slices.DeleteFunc(*list, func(name string) bool { return name == e.Name })
	}
	if len(read)+len(refused) > 0 {
		t.Errorf("not in commands.EnvVars: %q", append(read, refused...))
	}
}

func TestNoParameterHasTheNameOfAGlobalFlag(t *testing.T) {
	for _, tool := range commands.All().Tools {
		for _, f := range tool.Params() {
			// jq of tool call does what the flag does.
			if commands.IsGlobalFlag(f.Name) && tool.Name+" "+f.Name != "tool call jq" {
				t.Errorf("%s: the parameter %s is a flag of every command", tool.Name, f.Name)
			}
		}
	}
}
