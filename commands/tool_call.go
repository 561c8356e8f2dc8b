package commands

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

type toolCallParams struct {
	Tool      string `json:"tool" p:"required" doc:"MCP name, command or older name of the tool"`
	Arguments Object `json:"arguments" p:"option" doc:"Its arguments, dry_run and confirm among them"`
	JQ        string `json:"jq" default:"" doc:"jq expression over the result; the answer is then {values: [...]}"`
}

type toolCallResult struct {
	Values []Any `json:"values,omitempty" doc:"With jq: what the expression gave; without it the answer is that of the named tool"`
}

// inner is the call that a tool which forwards is asked for, with the expression over its result.
func (d *Dispatcher) inner(outer *Tool, call Call) (Call, string, error) {
	given, err := parseObject(call.Arguments)
	if err != nil {
		return call, "", err
	}
	arguments := given["arguments"]
	delete(given, "arguments")
	rest, err := json.Marshal(given)
	if err != nil {
		return call, "", err
	}
	complete, err := outer.Validate(rest, false)
	var p toolCallParams
	if err != nil {
		_ = json.Unmarshal(given["tool"], &p.Tool) // for the words of the error alone
		return call, "", d.misplaced(p.Tool, err)
	}
	if err := json.Unmarshal(complete, &p); err != nil {
		return call, "", err
	}
	var text string
	if json.Unmarshal(arguments, &text) == nil {
		arguments = json.RawMessage(text)
	}
	call.Tool, call.Arguments, call.Raw = p.Tool, arguments, nil
	return call, p.JQ, d.checkInner(p)
}

// misplaced tells where a parameter of the named tool belongs.
func (d *Dispatcher) misplaced(name string, err error) error {
	tool, _ := d.Table.Lookup(name)
	var e *bridge.Error
	if tool == nil || tool.Forwards || !errors.As(err, &e) {
		return err
	}
	for _, f := range tool.Params() {
		if f.Name == e.Required {
			return bridge.Errorf(bridge.ValidationError, e.Required, "%s is a parameter of %s, put it into arguments: godot-mcp tool call --help", f.Name, tool.Name)
		}
	}
	return err
}

// checkInner finds before the call what would be found too late after it.
func (d *Dispatcher) checkInner(p toolCallParams) error {
	if tool, _ := d.Table.Lookup(p.Tool); tool != nil && tool.Forwards {
		return bridge.Errorf(bridge.ValidationError, "tool", "%s calls every tool but itself: godot-mcp tool search 'what is to be done'", tool.Name)
	}
	if p.JQ == "" {
		return nil
	}
	if !d.Env.JQ.Available() {
		return bridge.Errorf(bridge.ValidationError, "jq", "this program cannot run jq expressions, nothing was called; call without jq: godot-mcp tool call --help")
	}
	if _, err := jq.Compile(p.JQ); err != nil {
		return bridge.Errorf(bridge.ValidationError, "jq", "jq: %v; nothing was called; .tree.name is one that works on scene tree: godot-mcp tool describe godot_tool_call", err)
	}
	return nil
}

// startInner starts the call of the named tool as if it had come by itself: contract, policy, arguments,
// dry_run, confirm and request key are that tool's.
func (d *Dispatcher) startInner(ctx context.Context, outer *Tool, call Call, n *note) *Running {
	inner, expression, err := d.inner(outer, call)
	if err != nil {
		n.refused = true
		return &Running{Tool: outer, wait: func() (json.RawMessage, error) { return nil, err }}
	}
	n.passedOn, inner.via = true, outer.Name
	if expression == "" {
		return d.Start(ctx, inner)
	}
	inner.MaxChars = 0 // the expression sees all, its values may be cut
	running := d.Start(ctx, inner)
	running.picked = true
	wait := running.wait
	running.wait = func() (json.RawMessage, error) {
		result, err := wait()
		if err != nil {
			return nil, err
		}
		values, err := d.values(ctx, running.Tool, expression, result)
		if err != nil {
			return nil, err
		}
		return outer.Cut(values, json.RawMessage(`{}`), call.MaxChars)
	}
	return running
}

// values is the answer of a call with an expression.
func (d *Dispatcher) values(ctx context.Context, tool *Tool, expression string, result json.RawMessage) (json.RawMessage, error) {
	values, err := d.Env.JQ.Run(ctx, expression, result)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil && tool.Class == ReadOnly:
		return nil, bridge.Errorf(bridge.ValidationError, "jq", "jq: %v; %s itself went well: godot-mcp %s --help", err, tool.Name, tool.Name)
	case err != nil:
		return nil, bridge.Errorf(bridge.ValidationError, "jq", "jq: %v; %s itself was carried out, look before you call it again: godot-mcp undo --dry-run", err, tool.Name)
	}
	return append(append([]byte(`{"values":`), values...), '}'), nil
}

// answersNo reads the one field that says so.
func (t *Tool) answersNo(result json.RawMessage) bool {
	if t.Answer == "" {
		return false
	}
	fields := map[string]json.RawMessage{}
	return json.Unmarshal(result, &fields) == nil && string(fields[t.Answer]) == "false"
}
