package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// topic is a page of help that belongs to no command. Its lists come from where the things themselves are
// declared.
type topic struct {
	name, short, intro string
	rows               func(*contract.Surface) [][]string
}

func topics() []topic {
	return []topic{
		{"safety", "Classes, previews and policy", `Every tool has one class. dry_run runs every check and changes nothing; what destroys needs confirm.
--read-only allows read_only alone; deny in the settings refuses classes. The tools by class:`, classRows},
		{"values", "The engine's values as JSON", `What get prints, set accepts. Type, form, and what else is accepted:`, valueRows},
		{"environment", "Environment variables", "An empty variable is one that is not set.", envRows},
		{"exit-codes", "Exit codes", "The exit code says what kind of end it was; an error is one JSON line on standard error in a pipe.", exitRows},
		{"configuration", "Settings and their places", `A value is taken from the flag, else the environment, else godot-mcp.toml beside project.godot, else the user's
config.toml, else the default. godot-mcp config list shows each value and where it came from. What a project's
own file may not hold until godot-mcp trust is marked.`, settingRows},
	}
}

func (a *app) topicCommands() []*cobra.Command {
	var out []*cobra.Command
	for _, t := range topics() {
		// A command that cannot run is what cobra lists as a further topic of help.
		cmd := &cobra.Command{Use: t.name, Short: t.short}
		cmd.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(a.out, t.text(a.surface())) })
		out = append(out, cmd)
	}
	return out
}

func (t topic) text(s *contract.Surface) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\n%s\n\n", t.short, t.intro)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range t.rows(s) {
		fmt.Fprintf(w, "  %s\n", strings.Join(row, "\t"))
	}
	_ = w.Flush() // into memory
	return b.String()
}

func limitRows(s *contract.Surface) (rows [][]string) {
	for _, l := range s.Limits {
		rows = append(rows, []string{l.Name, fmt.Sprint(l.Value), l.Unit, l.Doc})
	}
	return rows
}

// addContractHelp puts the topic contract above the help of its group, when that is asked for.
func (a *app) addContractHelp(group *cobra.Command) *cobra.Command {
	show := group.HelpFunc()
	group.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == group {
			t := topic{"contract", group.Short, `Two numbers: contract_version moves only when a client could break, min_compatible_contract is the oldest one
still served. State yours with --contract, GODOT_MCP_CONTRACT or the _meta key dev.godot-mcp/contract. Limits:`, limitRows}
			cmd.Long = strings.TrimRight(t.text(a.surface()), "\n")
		}
		show(cmd, args)
	})
	return group
}

func classRows(s *contract.Surface) (rows [][]string) {
	for _, class := range []commands.Class{commands.ReadOnly, commands.Mutating, commands.Destructive, commands.Runtime} {
		var names []string
		for _, t := range s.Tools {
			if t.Class == string(class) {
				names = append(names, t.CLI)
			}
		}
		rows = append(rows, []string{string(class), strings.Join(names, ", ")})
	}
	return rows
}

func valueRows(s *contract.Surface) (rows [][]string) {
	for _, v := range s.Values {
		rows = append(rows, []string{v.Type + ": " + v.Out})
		if len(v.Accepted) > 0 {
			rows = append(rows, []string{"    also " + strings.Join(v.Accepted, "; ")})
		}
	}
	return rows
}

func envRows(s *contract.Surface) (rows [][]string) {
	for _, e := range s.Env {
		doc := e.Doc
		if e.Refused {
			doc = "refused: " + doc
		}
		rows = append(rows, []string{e.Name, doc})
	}
	return rows
}

func exitRows(s *contract.Surface) (rows [][]string) {
	for _, e := range s.ExitCodes {
		rows = append(rows, []string{fmt.Sprint(e.Code), e.Name, e.Meaning})
	}
	return rows
}

func settingRows(*contract.Surface) (rows [][]string) {
	for _, o := range options() {
		doc := o.doc
		switch o.trust {
		case tightens:
			doc += " (a project's file can only tighten it)"
		case userOnly:
			doc += " (not from a project's file)"
		}
		rows = append(rows, []string{o.key, "default " + fmt.Sprintf("%q", o.fallback), doc})
	}
	return rows
}
