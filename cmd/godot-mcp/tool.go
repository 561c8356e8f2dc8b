package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// toolKey marks a command as one of the table's.
const toolKey = "tool"

// addTools makes a bare command for each tool: name and summary, no flags yet.
func (a *app) addTools(root *cobra.Command) {
	for _, tool := range a.table.Tools {
		parent := root
		words := strings.Fields(tool.Name)
		if len(words) == 2 {
			parent = group(root, words[0], commands.GroupSummary(words[0]))
		}
		parent.AddCommand(&cobra.Command{
			Use:         words[len(words)-1],
			Short:       strings.TrimSuffix(tool.Summary, "."),
			Annotations: map[string]string{toolKey: tool.Name},
			Args:        cobra.ArbitraryArgs,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.runTool(cmd.Context(), cmd, tool, args)
			},
		})
	}
}

func toolName(cmd *cobra.Command) string { return cmd.Annotations[toolKey] }

// addToolFlags gives one command its flags and its help.
func (a *app) addToolFlags(cmd *cobra.Command, tool *commands.Tool) {
	fs := cmd.Flags()
	for _, f := range tool.Params() {
		if commands.IsGlobalFlag(f.Name) {
			continue
		}
		name := strings.ReplaceAll(f.Name, "_", "-")
		usage := f.Doc
		if len(f.Enum) > 0 {
			usage += ": " + strings.Join(f.Enum, ", ")
		}
		if f.Required {
			usage += " (required)"
		}
		switch f.Type {
		case "boolean":
			fs.Bool(name, string(f.Default) == "true", usage)
		case "array":
			fs.StringArray(name, nil, usage+"; repeat it or give a JSON list")
		default:
			fs.Var(&typedText{text: defaultText(f), kind: f.Type}, name, usage)
		}
	}
	cmd.Use = commands.WithPositionals(cmd.Name(), tool)
	cmd.Long = longHelp(tool)
	cmd.Example = "  godot-mcp " + commands.ShellLine(tool.Name, tool.Example())
}

// typedText is a flag that keeps what was typed, whose help says what is wanted. The table's validation
// reads it, as it reads what comes from elsewhere.
type typedText struct{ text, kind string }

func (t *typedText) Set(text string) error { t.text = text; return nil }
func (t *typedText) String() string        { return t.text }

// Type is what help shows behind the flag.
func (t *typedText) Type() string {
	switch t.kind {
	case "integer":
		return "int"
	case "object", "any":
		return "json"
	}
	return t.kind
}

func defaultText(f commands.Field) string {
	var text string
	if json.Unmarshal(f.Default, &text) == nil {
		return text
	}
	return string(f.Default)
}

func longHelp(tool *commands.Tool) string {
	text := fmt.Sprintf("%s\n\nClass %s, toolset %s, MCP name %s.", tool.Summary, tool.Class, tool.Toolset, tool.MCPName())
	text += "\n\nExit codes:"
	for _, c := range bridge.Codes {
		text += fmt.Sprintf("\n  %3d %s", c.Exit, c.Code)
	}
	if tool.Answer != "" {
		text += fmt.Sprintf("\n  %3d it did its work and %s is false", commands.ExitAnswerNo, tool.Answer)
	}
	return text
}

func (a *app) runTool(ctx context.Context, cmd *cobra.Command, tool *commands.Tool, positionals []string) error {
	settings, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	arguments, raw, err := a.arguments(ctx, cmd.Flags(), tool, positionals)
	if err != nil {
		return err
	}
	if _, err := a.jq(); err != nil {
		return err
	}
	d := a.dispatcher(settings, "cli")
	defer func() { d.Env.Close(ctx.Err() != nil) }()
	running := d.Start(a.atTerminal(ctx), commands.Call{
		Tool: tool.Name, Arguments: arguments, Raw: raw, Key: a.flags.requestKey,
		Timeout: settings.explicitTimeout(), Contract: settings.contract,
		MaxChars: settings.maxChars, OnProgress: a.progress(),
	})
	result, err := running.Wait()
	a.progressDone()
	a.notice(d)
	if err != nil {
		return err
	}
	if err := a.output(ctx, result); err != nil {
		return err
	}
	if !a.flags.exitZero && running.AnswersNo() {
		return errAnswerNo
	}
	return nil
}

// notice tells of an editor beside the one that the calls reached, where there is something to be done.
func (a *app) notice(d *commands.Dispatcher) {
	if text := d.Env.Notice(); text != "" {
		a.tell(text)
	}
}

// arguments puts together --params, positionals and flags, the later before the earlier.
func (a *app) arguments(ctx context.Context, fs *pflag.FlagSet, tool *commands.Tool, positionals []string) (json.RawMessage, map[string]string, error) {
	args, err := a.paramsObject(ctx, tool)
	if err != nil {
		return nil, nil, err
	}
	raw := map[string]string{}
	set := func(f commands.Field, text string) {
		args[f.Name] = toJSON(f, text)
		if f.Type == "any" {
			raw[f.Name] = text
		}
	}
	params := tool.Params()
	next := 0
	for _, f := range params {
		if f.Positional && next < len(positionals) {
			set(f, positionals[next])
			next++
		}
	}
	if next < len(positionals) {
		return nil, nil, usageError("arguments", "%s takes %d positional arguments, %q is one too many: godot-mcp %s --help", tool.Name, next, positionals[next], tool.Name)
	}
	for _, f := range params {
		if commands.IsGlobalFlag(f.Name) {
			continue
		}
		flag := fs.Lookup(strings.ReplaceAll(f.Name, "_", "-"))
		if !flag.Changed {
			continue
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			args[f.Name] = listJSON(list.GetSlice())
			continue
		}
		set(f, flag.Value.String())
	}
	out, err := json.Marshal(args)
	return out, raw, err
}

// toJSON is the typed text as the parameter's JSON. What is no JSON stays text; the table's validation
// says what is wrong with it.
func toJSON(f commands.Field, text string) json.RawMessage {
	if f.Type != "string" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}

func listJSON(texts []string) json.RawMessage {
	if len(texts) == 1 && strings.HasPrefix(strings.TrimSpace(texts[0]), "[") && json.Valid([]byte(texts[0])) {
		return json.RawMessage(texts[0])
	}
	list, _ := json.Marshal(texts)
	return list
}

func (a *app) paramsObject(ctx context.Context, tool *commands.Tool) (map[string]json.RawMessage, error) {
	if a.flags.params == "" {
		return map[string]json.RawMessage{}, nil
	}
	text, err := a.readFile(ctx, a.flags.params)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, usageError("params", "--params: %v: godot-mcp %s --help", err, tool.Name)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var args map[string]json.RawMessage
	err = json.Unmarshal(text, &args)
	if err == nil && args == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, usageError("params", "--params: %s must hold one JSON object as in %s: %v: godot-mcp %s --help", a.flags.params, tool.Example(), err, tool.Name)
	}
	return args, nil
}

// readFile reads a named file, or for - standard input, which an interrupt ends.
func (a *app) readFile(ctx context.Context, name string) ([]byte, error) {
	if name != "-" {
		return os.ReadFile(name)
	}
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := io.ReadAll(a.in)
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return nil, interrupted{hint: "nothing was sent"}
	}
}
