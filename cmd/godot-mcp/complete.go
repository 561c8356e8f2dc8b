package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
	"github.com/godot-mcp/godot-mcp/commands/complete"
)

// How long completion waits for a live editor. A prompt must not hang: after that the files are asked.
const liveWait = 300 * time.Millisecond

// completeWord is what the scripts of the shells call: it is followed by the shell's name and the words, or
// for bash by the line.
const completeWord = "__complete_for"

// filesOfMachine says that a file of the machine is meant. The machinery's own default does not: it is also
// what a line gets that cannot be parsed.
const filesOfMachine = cobra.ShellCompDirectiveFilterFileExt

// choice is one thing that can stand at the cursor.
type choice = complete.Choice

// choices are all that can, with what the shell is to do beside.
type choices struct {
	list []choice
	// open: the word goes on after it, so that no space follows.
	open bool
	// files and folders: the shell is to offer those of the machine.
	files, folders bool
}

// choices asks the parser what the last of the words can be. Nothing is printed and nothing fails: what
// cannot be found out is not offered.
func (a *app) choices(ctx context.Context, words []string) choices {
	if len(words) > 1 && words[0] == "help" {
		words = words[1:]
	}
	var out bytes.Buffer
	quiet := &app{streams: streams{in: a.in, out: &out, err: io.Discard}, table: a.table, contract: a.contract}
	if quiet.execute(ctx, append([]string{cobra.ShellCompRequestCmd}, words...)) != nil {
		return choices{}
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[len(lines)-1], ":"))
	if err != nil {
		return choices{}
	}
	has := func(d cobra.ShellCompDirective) bool { return cobra.ShellCompDirective(directive)&d != 0 }
	c := choices{
		open: has(cobra.ShellCompDirectiveNoSpace), folders: has(cobra.ShellCompDirectiveFilterDirs),
		files: has(filesOfMachine),
	}
	last := words[len(words)-1]
	for _, line := range lines[:len(lines)-1] {
		text, doc, _ := strings.Cut(line, "\t")
		// Behind --flag= the parser speaks of the value alone.
		if flag, _, ok := strings.Cut(last, "="); ok && strings.HasPrefix(flag, "-") {
			text = flag + "=" + text
		}
		if strings.HasPrefix(text, last) {
			c.list = append(c.list, choice{Text: text, Doc: doc})
		}
	}
	return c
}

// asCompletions are the choices that begin with what is typed, as the parser's machinery takes them. It
// trims them and ends them at a tab or a line's end, so that a name with such characters cannot be offered.
func asCompletions(list []choice, typed string) []cobra.Completion {
	var out []cobra.Completion
	for _, c := range list {
		if c.Fits(typed) {
			out = append(out, cobra.CompletionWithDesc(c.Text, plainText(c.Doc)))
		}
	}
	return out
}

// plainText is text of the project as it may stand in a prompt.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		if commands.Steers(r) {
			return -1
		}
		return r
	}, text)
}

// addCompletions makes the parser ask us about the values of a tool's parameters.
func (a *app) addToolCompletions(cmd *cobra.Command, tool *commands.Tool) {
	var positional []commands.Field
	for _, f := range tool.Params() {
		if f.Positional {
			positional = append(positional, f)
		}
		_ = cmd.RegisterFlagCompletionFunc(strings.ReplaceAll(f.Name, "_", "-"),
			func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return a.completer(cmd, tool, args).complete(f, typed, false)
			})
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(positional) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.completer(cmd, tool, args).complete(positional[len(args)], typed, true)
	}
}

// completer answers what can be the value of a parameter of one call that is being typed.
type completer struct {
	complete.Completer
	app *app
	cmd *cobra.Command
	// until bounds the waiting for a live editor.
	until time.Time
}

func (a *app) completer(cmd *cobra.Command, tool *commands.Tool, args []string) *completer {
	c := &completer{app: a, cmd: cmd, until: time.Now().Add(liveWait)}
	c.Completer = complete.Completer{Table: a.table, Tool: tool, Given: map[string]string{}, Folder: c.project, Live: c.live, Artifacts: c.artifacts}
	next := 0
	for _, f := range tool.Params() {
		if f.Positional && next < len(args) {
			c.Given[f.Name] = args[next]
			next++
		}
		if flag := cmd.Flags().Lookup(strings.ReplaceAll(f.Name, "_", "-")); flag != nil && flag.Changed {
			c.Given[f.Name] = flag.Value.String()
		}
	}
	return c
}

func (c *completer) complete(f commands.Field, typed string, positional bool) ([]cobra.Completion, cobra.ShellCompDirective) {
	values := c.Values(f, typed)
	if positional {
		for i := range values.List {
			// A node's name may begin like a flag.
			if strings.HasPrefix(values.List[i].Text, "-") && complete.IsNode(f) {
				values.List[i].Text = "./" + values.List[i].Text
			}
		}
	}
	switch {
	case values.Machine:
		return nil, filesOfMachine
	case values.Open:
		return asCompletions(values.List, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return asCompletions(values.List, typed), cobra.ShellCompDirectiveNoFileComp
}

func named(texts []string) []choice { return complete.Named(texts) }

// project is the folder of the project that the call is about, "" when there is none.
func (c *completer) project() string {
	settings, err := c.app.settings(c.cmd.Flags())
	if err != nil {
		return ""
	}
	return complete.FolderOf(bridge.Query{Project: settings.project, PID: settings.editorPID})
}

// artifacts are those that are kept for the project.
func (c *completer) artifacts() []artifact.Artifact {
	settings, err := c.app.settings(c.cmd.Flags())
	if err != nil {
		return nil
	}
	return commands.ArtifactsOf(&settings.artifacts, c.project())
}

// live puts one question to the editor that runs; false when none answers in time. It only ever reads, and
// no editor is started for it.
func (c *completer) live(command string, params map[string]any, answer any) bool {
	settings, err := c.app.settings(c.cmd.Flags())
	if err != nil {
		return false
	}
	ctx, cancel := context.WithDeadline(c.context(), c.until)
	defer cancel()
	client := c.app.dispatcher(settings, "completion").Env.Bridge
	client.DialTimeout = time.Until(c.until)
	defer client.Close()
	encoded, err := json.Marshal(params)
	if err != nil || client.DialTimeout <= 0 {
		return false
	}
	result, err := client.Call(ctx, bridge.Request{Command: command, Params: encoded})
	return err == nil && json.Unmarshal(result, answer) == nil
}

func (c *completer) context() context.Context {
	if ctx := c.cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
