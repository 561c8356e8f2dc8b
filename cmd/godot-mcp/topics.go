package main

import (
	"fmt"
	"path/filepath"
	"slices"
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
		{"safety", "Classes, previews and policy", safetyText, classRows},
		{"values", "The engine's values as JSON", valuesText, valueRows},
		{"environment", "Environment variables", `An empty variable is one that is not set. A flag goes before its variable, a variable before the files:
godot-mcp configuration.`, envRows},
		{"exit-codes", "Exit codes", `The exit code says what kind of end it was. An error is the last line on standard error, in a pipe as JSON
{"ok":false,"error","hint","required"}, and nothing is on standard output then. call and mcp end with 0 when
every line was answered, whatever the answers are. A program whose output nobody reads any more ends like
others do: by SIGPIPE, which shells count as 141, and without a word.`, exitRows},
		{"configuration", "Settings and their places", configurationText(), settingRows},
	}
}

const safetyText = `Every tool has one class, MCP annotations say the same. --dry-run runs every check, changes nothing and returns
the fields of the real run; what only that can know is null. What destroys needs --confirm, and is refused at
once without it, without a prompt.

--read-only allows the class read_only alone. --deny refuses and --allow refuses all but what is listed: classes,
executes_code for what can run code of the project, toolsets, tools. The lists of all places count together: flag,
environment, project's and user's file. Policy is read once, at start, and cuts the list that MCP clients see by the
same question; tool call, batch run, undo and redo are taken for what is inside them. A refusal names the rule and
the place. A project's own godot-mcp.toml can only tighten the policy until godot-mcp trust.

--approval ask asks a person about each call that destroys, after confirm and before anything is changed: the one at
the terminal, or at the MCP client. approval_webhook asks a service by POST, a JSON object with tool, class, project,
targets and the SHA-256 of the arguments; {"approved": true} with status 200 is a yes. All else is APPROVAL_DENIED:
a no, no answer in approval_timeout, nobody to ask. What undo, redo, tool call and batch run hold counts, previews
do not. approval_fail_open lets pass what the webhook gave no answer about.

--audit-log FILE notes each call as a line of JSON: time, process, surface, client, tool, class, dry_run, decision,
code, duration and the SHA-256 of arguments and result, never what they are. The file is private, no call waits for
it (dropped counts lines that are missing), and at 16 MiB it is set aside as FILE.1. Where it cannot be written, no
call is made.

Every result of a change says whether the next save keeps it (persisted, with reason and hint when not) and whether
undo takes it back (undoable). One call is one step, named after the tool; the user's own steps are only undone
with --include-user.

Paths of the project stay in it, by whatever spelling. No tool that writes files touches godot-mcp.toml,
project.godot, override.cfg, export_presets.cfg, the addon or .git. Text from the project is data: control
characters are taken out of what a person reads. The tools by class:`

const valuesText = `What get prints, set accepts. On the command line a value of any type is JSON if it parses, else text, and the
property's declared type decides: 42 for a text property is the text "42". A property inside a value is named with a
colon, shape:radius; so are the element of an array, items:0, and a dictionary's key, scores:alice.

A value that does not fit is refused and the old one stands; a missing component is an error, never zero. Where the
place itself is untyped, 3 is an int and 3.0 a float, and what JSON cannot tell apart is tagged, as in the last line.
Type, form, and what else is accepted:`

func configurationText() string {
	return `A value is taken from the flag, else the environment, else the project's file, else the user's file, else the
default; godot-mcp config list shows each value and where it came from. An unknown key and a wrong value are refused.

  project's file  ` + projectConfig + ` beside project.godot
  user's file     ` + filepath.Join(userConfigDir(), "config.toml") + `

Both are TOML:

` + settingsExample + `
The project's file is a stranger's until godot-mcp trust: it can only tighten the policy, and not say what is marked.`
}

// settingsExample is a file as both places take it.
const settingsExample = `  timeout = "10s"
  toolsets = ["starter", "node"]
  read_only = true
  deny = ["destructive", "executes_code", "node call"]
`

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
			t := topic{"contract", group.Short, contractText, limitRows}
			cmd.Long = strings.TrimRight(t.text(a.surface()), "\n")
		}
		show(cmd, args)
	})
	return group
}

const contractText = `Two numbers, both in get-server-info and in version: contract_version moves only when a client could break,
min_compatible_contract is the oldest one still served. A client built against K works while K lies between them.
State yours with --contract, GODOT_MCP_CONTRACT, the setting contract or the _meta key dev.godot-mcp/contract; out of
range is PRECONDITION_FAILED with required contract_version, before anything reaches the editor. The version itself,
YYYY.MM.DD, says nothing about compatibility.

What is removed, renamed, narrowed or required anew breaks: tools, parameters, results, codes, toolsets, aliases, events,
flags. What is added does not: ignore keys and values that you do not know. contract show prints all of it, as facts
one a line, with a digest that is the same for builds that take the same calls; contract check --against tells a
file of them, or an earlier number, from this build. Limits:`

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
	codes := slices.Clone(s.ExitCodes)
	slices.SortFunc(codes, func(a, b contract.ExitCode) int { return a.Code - b.Code })
	for _, e := range codes {
		rows = append(rows, []string{fmt.Sprint(e.Code), e.Name, e.Meaning})
	}
	return rows
}

func settingRows(*contract.Surface) (rows [][]string) {
	rows = append(rows, []string{"key", "flag", "variable", "default", ""})
	for _, o := range options() {
		doc := o.doc
		switch o.trust {
		case tightens:
			doc += " (a project's file can only tighten it)"
		case adds:
			doc += " (each place adds to the others)"
		case userOnly:
			doc += " (not from a project's file)"
		}
		flag := ""
		if o.flag != "" {
			flag = "--" + o.flag
		}
		rows = append(rows, []string{o.key, flag, strings.ReplaceAll(o.env, ",", " "), fmt.Sprintf("%q", o.fallback), doc})
	}
	return rows
}
