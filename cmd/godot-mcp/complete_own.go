package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// valueCompletions tell what the flags can be that do not come from the table, by "command --flag"; those of
// every command have no command in front. Flags that take any text are not among them.
func (a *app) valueCompletions() map[string]func(typed string) []choice {
	textOrJSON := func(string) []choice { return named([]string{"text", "json"}) }
	scopes := func(string) []choice { return named([]string{string(clients.User), string(clients.Project)}) }
	transports := func(string) []choice { return named([]string{"stdio", "http"}) }
	return map[string]func(string) []choice{
		"--editor":                a.editorChoices,
		"--contract":              func(string) []choice { return named([]string{strconv.Itoa(a.contract.Version)}) },
		"contract check --format": textOrJSON,
		"contract show --format":  func(string) []choice { return named([]string{"json", "facts", "markdown"}) },
		"mcp --toolsets":          a.toolsetChoices,
		"mcp install --toolsets":  a.toolsetChoices,
		"mcp install --client":    clientChoices,
		"mcp uninstall --client":  clientChoices,
		"mcp doctor --client":     clientChoices,
		"mcp install --scope":     scopes,
		"mcp uninstall --scope":   scopes,
		"mcp doctor --scope":      scopes,
		"mcp install --transport": transports,
		"mcp --transport":         transports,
		"mcp install --format":    textOrJSON,
		"mcp uninstall --format":  textOrJSON,
		"mcp doctor --format":     textOrJSON,
		"mcp --names":             func(string) []choice { return named([]string{"current", "legacy"}) },
		"watch --event":           func(string) []choice { return eventChoices() },
	}
}

// addOwnCompletions is for the commands that are no tools, and for the flags of all.
func (a *app) addOwnCompletions(root *cobra.Command) {
	none := cobra.ShellCompDirectiveNoFileComp
	root.CompletionOptions.DefaultShellCompDirective = &none
	root.ValidArgsFunction = func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var list []choice
		for _, t := range topics() {
			list = append(list, choice{Text: t.name, Doc: t.short})
		}
		if len(args) > 0 {
			list = nil
		}
		return asCompletions(list, typed), none
	}
	_ = root.MarkPersistentFlagDirname("project")
	a.complete(root, "params", filesOfMachine, nil)
	for place, values := range a.valueCompletions() {
		command, flag, _ := strings.Cut(place, "--")
		cmd, _, err := root.Find(strings.Fields(command))
		if err == nil {
			a.complete(cmd, flag, none, values)
		}
	}
	for _, place := range []string{"contract check --against", "contract check --of", "mcp install --config", "mcp uninstall --config", "mcp doctor --config"} {
		command, flag, _ := strings.Cut(place, " --")
		if cmd, _, err := root.Find(strings.Fields(command)); err == nil {
			a.complete(cmd, flag, filesOfMachine, nil)
		}
	}
	if call, _, err := root.Find([]string{"call"}); err == nil {
		call.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, none
			}
			return nil, filesOfMachine
		}
	}
}

func (a *app) complete(cmd *cobra.Command, flag string, directive cobra.ShellCompDirective, values func(string) []choice) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if values == nil {
			return nil, directive
		}
		return asCompletions(values(typed), typed), directive
	})
}

// editorChoices are the processes of the editors that run, with their projects.
func (a *app) editorChoices(string) []choice {
	editors, _ := bridge.Discover(bridge.Query{Project: a.flags.project})
	var list []choice
	for _, ed := range editors {
		list = append(list, choice{Text: strconv.Itoa(ed.PID), Doc: filepath.Base(ed.ProjectPath)})
	}
	return list
}

// toolsetChoices continue a comma list.
func (a *app) toolsetChoices(typed string) []choice {
	before := ""
	if at := strings.LastIndexByte(typed, ','); at >= 0 {
		before = typed[:at+1]
	}
	list := named(a.table.Toolsets())
	for i := range list {
		list[i] = choice{Text: before + list[i].Text, Doc: commands.GroupSummary(list[i].Text)}
	}
	if before == "" {
		list = append(list, choice{Text: "starter", Doc: "The tools that are listed by default"}, choice{Text: "all", Doc: "Every tool"})
	}
	return list
}

func clientChoices(string) []choice {
	var list []choice
	for _, c := range clients.All() {
		list = append(list, choice{Text: c.ID, Doc: c.Title})
	}
	return list
}

func eventChoices() []choice {
	var list []choice
	for _, e := range commands.Events() {
		list = append(list, choice{Text: e.Name, Doc: e.Doc})
	}
	return list
}

// completionCommand replaces the parser's own, whose scripts have the shell read what was typed once more as
// a command line: a name with $(...) in it would be run by a press of the tab key.
func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that completes commands, nodes, files and more in a shell",
		Long: "Print the script that completes commands, nodes, files and more in a shell.\n\n" +
			"Names come from the editor that runs for the project, else from its files. No editor is started for them and\n" +
			"nothing is changed. A name with control characters is not offered.\n\n" +
			"  bash        source <(godot-mcp completion bash), in ~/.bashrc\n" +
			"  zsh         godot-mcp completion zsh > \"${fpath[1]}/_godot-mcp\", before compinit\n" +
			"  fish        godot-mcp completion fish > ~/.config/fish/completions/godot-mcp.fish\n" +
			"  powershell  godot-mcp completion powershell | Out-String | Invoke-Expression, in $PROFILE",
		Example:   "  godot-mcp completion bash",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && shellScripts[args[0]] != "" {
				return nil
			}
			return usageError("arguments", "completion takes the name of a shell, bash, zsh, fish or powershell, was given %s: godot-mcp completion bash", fmt.Sprint(args))
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.write([]byte(shellScripts[args[0]])) },
	}
}
