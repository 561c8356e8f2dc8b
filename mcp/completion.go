package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/complete"
)

const (
	// liveWait is how long completion waits for an editor; after that the files are asked.
	liveWait = time.Second
	// maxCompletions is the protocol's.
	maxCompletions = 100
)

// completeResult is a completion/complete result.
type completeResult struct {
	sdk.ResultBase
	values []string
	total  int
	modern bool
}

// MarshalJSON writes the result.
func (r *completeResult) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"completion":`)
	b.Write(marshalled(map[string]any{"values": r.values, "total": r.total, "hasMore": r.total > len(r.values)}))
	return finish(&b, r.modern, ``, r.Meta)
}

// complete tells what the argument of a prompt, or the variable of a resource's URI, can be.
func (s *Server) complete(ctx context.Context, request *sdk.CompleteRequest) (sdk.Result, error) {
	params := request.Params
	if params.Ref == nil || params.Argument.Name == "" {
		return nil, invalidParams("completion takes a ref and an argument with a name")
	}
	field, tool, err := s.completed(params.Ref, params.Argument.Name)
	if err != nil {
		return nil, err
	}
	given := map[string]string{}
	if params.Context != nil {
		given = params.Context.Arguments
	}
	ctx, cancel := context.WithTimeout(ctx, liveWait)
	defer cancel()
	c := &complete.Completer{
		Table: s.dispatcher.Table, Tool: tool, Given: given, WholePaths: true, Folder: s.projectFolder,
		Artifacts: s.dispatcher.Env.OwnArtifacts,
		Live: func(command string, params map[string]any, answer any) bool {
			return s.askLive(ctx, command, params, answer)
		},
	}
	result := &completeResult{values: []string{}, modern: modern(params.Meta)}
	result.Meta = sdk.Meta{metaProjectText: true}
	for _, choice := range c.Values(field, params.Argument.Value).List {
		if !choice.Fits(params.Argument.Value) && !choice.Fits("res://"+params.Argument.Value) {
			continue
		}
		if result.total++; result.total <= maxCompletions {
			result.values = append(result.values, choice.Text)
		}
	}
	return result, nil
}

// completed is the parameter that an argument stands for.
func (s *Server) completed(ref *sdk.CompleteReference, argument string) (commands.Field, *commands.Tool, error) {
	if ref.Type == "ref/resource" {
		return s.completedVariable(ref.URI, argument)
	}
	prompt := commands.FindPrompt(ref.Name)
	if prompt == nil {
		return commands.Field{}, nil, invalidParams("unknown prompt %s", ref.Name)
	}
	for _, a := range prompt.Arguments {
		if a.Name == argument {
			return a.Field(), nil, nil
		}
	}
	return commands.Field{}, nil, invalidParams("the prompt %s has no argument %s", ref.Name, argument)
}

func (s *Server) completedVariable(uri, variable string) (commands.Field, *commands.Tool, error) {
	for _, r := range commands.Resources() {
		if r.URI != uri || !s.mayRead(r) {
			continue
		}
		tool, _ := s.dispatcher.Table.Lookup(r.Tool)
		for _, f := range tool.Params() {
			if f.Name == r.ToolParameter() && variable == r.Variable() {
				return f, tool, nil
			}
		}
		return commands.Field{}, nil, invalidParams("%s has no variable %s", uri, variable)
	}
	return commands.Field{}, nil, invalidParams("there is no resource %s", uri)
}

// askLive puts a question to the editor, none being started for it. What the policy refuses as a tool is not
// asked either.
func (s *Server) askLive(ctx context.Context, command string, params map[string]any, answer any) bool {
	tool, _ := s.dispatcher.Table.Lookup(strings.Replace(command, ".", " ", 1))
	encoded, err := json.Marshal(params)
	if tool == nil || err != nil || !s.dispatcher.Policy.Allows(tool) {
		return false
	}
	result, err := s.dispatcher.Env.Bridge.Call(ctx, bridge.Request{Command: command, Params: encoded})
	return err == nil && json.Unmarshal(result, answer) == nil
}

// projectFolder is the project of the editor that is reached, else the one that the server was started for.
func (s *Server) projectFolder() string {
	if ed, ok := s.dispatcher.Env.Bridge.Editor(); ok {
		return ed.ProjectPath
	}
	return complete.FolderOf(s.dispatcher.Env.Query)
}
