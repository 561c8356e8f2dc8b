package commands

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// judgeSteps asks the policy, and who approves, about what undo and redo would do: redoing a delete deletes
// again. The editor is only asked when it matters.
func (d *Dispatcher) judgeSteps(ctx context.Context, tool *Tool, n *note) error {
	if !d.judgesSteps(tool) {
		return nil
	}
	steps, err := d.steps(ctx, tool, n.args, n.call)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := d.Policy.check(step, false); err != nil {
			return within(tool.Name, err)
		}
		again := step.Name == batchRunName && tool.Name == "redo"
		if again && d.Policy.judgesInside() {
			return bridge.Errorf(bridge.PreconditionFailed, "policy",
				"redo would carry out a batch run again, and what is in it is no longer known, which the policy must judge: call what it did by itself; the rules: godot-mcp config list")
		}
		class := step.Class
		if again {
			class = Destructive // as far as anybody knows
		}
		n.inside = append(n.inside, InsideCall{step.Name, class, []Target{}})
	}
	if err := d.approved(ctx, tool, n); err != nil || !n.approved {
		return err
	}
	// A person takes time, in which others go on: the yes counts for what was shown.
	now, err := d.steps(ctx, tool, n.args, n.call)
	if err == nil && !slices.Equal(now, steps) {
		n.approved = false
		err = Denied(Approval{Tool: tool.Name}, "meanwhile it would take other steps than those that were shown")
	}
	return err
}

// judgesSteps is true for undo and redo where their steps matter to somebody.
func (d *Dispatcher) judgesSteps(tool *Tool) bool {
	return (tool.Name == "undo" || tool.Name == "redo") && (d.Policy.judgesInside() || d.Approve != nil)
}

// steps are the tools whose steps undo or redo would take, by the editor's word.
func (d *Dispatcher) steps(ctx context.Context, tool *Tool, args json.RawMessage, call Call) ([]*Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout(call, args))
	defer cancel()
	preview, err := d.Env.call(ctx, bridge.Request{Command: tool.Command(), Params: withDryRun(args)})
	if err != nil {
		return nil, err
	}
	var told struct {
		Actions []string `json:"actions"`
	}
	if err := json.Unmarshal(preview, &told); err != nil {
		return nil, err
	}
	var steps []*Tool
	for _, action := range told.Actions {
		if inside, _ := d.Table.Lookup(action); inside != nil {
			steps = append(steps, inside)
		}
	}
	return steps, nil
}

// within says in which call an error about one inside it is.
func within(name string, err error) error {
	e := *bridge.AsError(err)
	e.Hint = "inside " + name + ": " + e.Hint
	return &e
}

func withDryRun(args json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(args, &fields) // args come from Validate
	fields["dry_run"] = json.RawMessage("true")
	out, _ := json.Marshal(fields)
	return out
}
