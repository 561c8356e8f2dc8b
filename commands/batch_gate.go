package commands

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const batchRunName = "batch run"

// batch is a call of batch run that passed the gate.
type batch struct {
	// request is what the editor is sent.
	request json.RawMessage
	steps   []gatedStep
}

// gatedStep is one command of a batch, checked as if it were called by itself.
type gatedStep struct {
	given  string
	tool   *Tool
	legacy bool
	args   json.RawMessage
}

// openBatch checks every command of a batch before anything reaches an editor: names, parameters,
// confirmation of what destroys, and each against the policy.
// older says that the call came by the older name, whose one confirm is for all commands.
func (d *Dispatcher) openBatch(args json.RawMessage, older bool) (*batch, error) {
	var fields map[string]json.RawMessage
	var given []json.RawMessage
	if err := json.Unmarshal(args, &fields); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(fields["commands"], &given); err != nil {
		return nil, err
	}
	preview := string(fields["dry_run"]) == "true"
	b := &batch{}
	for i, text := range given {
		step, err := d.gate(text, preview, older)
		if err != nil {
			return nil, inStep(i, step.given, err)
		}
		b.steps = append(b.steps, step)
	}
	for i, step := range b.steps {
		if err := step.fitsAtomic(string(fields["atomic"]) == "true"); err != nil {
			return nil, inStep(i, step.given, err)
		}
	}
	fields["commands"] = b.commands()
	var err error
	b.request, err = json.Marshal(fields)
	return b, err
}

// gate checks one command of a batch. The step has the command's name also when it is refused.
func (d *Dispatcher) gate(text json.RawMessage, preview, older bool) (gatedStep, error) {
	var step gatedStep
	var command struct {
		Command string          `json:"command"`
		Params  json.RawMessage `json:"params"`
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil || json.Unmarshal(text, &command) != nil {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "a command is {command, params}, was given %s", shorten(text))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "command" && name != "params" {
			return step, bridge.Errorf(bridge.ValidationError, "commands", "a command has no %s, only command and params", name)
		}
	}
	step.given = command.Command
	if step.tool, step.legacy = d.Table.Lookup(command.Command); step.tool == nil {
		return step, d.Table.unknown(command.Command)
	}
	if step.tool.Forwards {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "%s inside a batch: put the tool that it names there", step.tool.Name)
	}
	if step.tool.Command() == "" {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "%s is not carried out in the editor: call it by itself", step.tool.Name)
	}
	if step.tool.Content {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "%s answers with a picture or the like, which a list of results cannot hold: call it by itself", step.tool.Name)
	}
	if step.tool.Name == batchRunName {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "a batch inside a batch: put its commands into this one")
	}
	if preview && !step.tool.canPreview() {
		return step, bridge.Errorf(bridge.ValidationError, "commands", "%s has no preview, and one of the batch would carry it out: leave it out: godot-mcp %s --help", step.tool.Name, step.tool.Name)
	}
	if err := d.Policy.check(step.tool, false); err != nil {
		return step, err
	}
	if d.judgesSteps(step.tool) {
		return step, bridge.Errorf(bridge.ValidationError, "commands",
			"%s inside a batch: which steps it would take is not known before, and policy or approval must judge them: call it by itself", step.tool.Name)
	}
	if older && step.tool.Class != Destructive {
		command.Params = without(command.Params, "confirm")
	}
	var err error
	if step.args, err = step.tool.Validate(command.Params, step.legacy); err != nil {
		return step, err
	}
	if err := d.Policy.checkScript(step.tool, step.args); err != nil {
		return step, err
	}
	if !preview {
		if err := confirmed(step.tool, step.args); err != nil {
			return step, bridge.Errorf(bridge.PreconditionFailed, "confirm",
				"%s is destructive: look with dry_run first, then put confirm: true into its params: godot-mcp %s --help", step.tool.Name, step.tool.Name)
		}
	}
	return step, nil
}

// canPreview is true for what changes nothing, or can be asked to change nothing.
func (t *Tool) canPreview() bool {
	return t.Class == ReadOnly || slices.ContainsFunc(t.Params(), func(f Field) bool { return f.Name == "dry_run" })
}

// checkLinks follows symbolic links of the project paths in all commands.
func (b *batch) checkLinks(project func() (string, error)) error {
	for i, step := range b.steps {
		if err := checkProjectLinks(project, step.tool, step.args); err != nil {
			return inStep(i, step.given, err)
		}
	}
	return nil
}

// fitsAtomic refuses what undo would not take back, before anything is carried out.
func (s gatedStep) fitsAtomic(atomic bool) error {
	if !atomic || s.tool.Class == ReadOnly {
		return nil
	}
	var flags struct {
		Save bool `json:"save"`
	}
	if err := json.Unmarshal(s.args, &flags); err != nil {
		return err
	}
	if s.tool.NoUndo || flags.Save {
		what := s.tool.Name
		if flags.Save {
			what += " with save"
		}
		return bridge.Errorf(bridge.ValidationError, "atomic",
			"%s cannot be taken back, and atomic is all or nothing: call it by itself, before or after the batch: godot-mcp %s --help", what, s.tool.Name)
	}
	return nil
}

func without(params json.RawMessage, name string) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(params, &fields) != nil {
		return params
	}
	delete(fields, name)
	return encoded(fields, params)
}

// inStep says in which command of a batch an error is.
func inStep(i int, given string, err error) error {
	e := *bridge.AsError(err)
	name := ""
	if given != "" {
		name = " (" + given + ")"
	}
	prefix := bridge.Errorf(e.Code, e.Required, "commands[%d]%s: %s", i, name, e.Hint)
	e.Hint = bridge.AsError(prefix).Hint
	return &e
}

// commands are the steps as the editor takes them: its own names, the given ones beside them.
func (b *batch) commands() json.RawMessage {
	type sent struct {
		Command string          `json:"command"`
		Params  json.RawMessage `json:"params"`
		As      string          `json:"as"`
	}
	out := make([]sent, 0, len(b.steps))
	for _, s := range b.steps {
		out = append(out, sent{s.tool.Command(), s.tool.request(s.args), s.given})
	}
	return encoded(out, nil)
}

// close puts the plan into the editor's answer, and answers of tools called by an older name into their
// older shape. Others pass as they were encoded, and so do those of what is no batch.
func (b *batch) close(answer json.RawMessage) (json.RawMessage, error) {
	if b == nil {
		return answer, nil
	}
	if slices.ContainsFunc(b.steps, func(s gatedStep) bool { return s.legacy }) {
		var err error
		if answer, err = b.inOlderShape(answer); err != nil {
			return nil, err
		}
	}
	plan := make([]batchPlan, 0, len(b.steps))
	for _, s := range b.steps {
		plan = append(plan, batchPlan{Command: s.given, Tool: s.tool.Name, Toolset: s.tool.Toolset, Class: s.tool.Class})
	}
	rest := strings.TrimPrefix(strings.TrimSpace(string(answer)), "{")
	comma := ","
	if strings.TrimSpace(rest) == "}" {
		comma = ""
	}
	return json.RawMessage(`{"planned":` + string(encoded(plan, nil)) + comma + rest), nil
}

func (b *batch) inOlderShape(answer json.RawMessage) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	var results []map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(fields["results"], &results); err != nil {
		return nil, err
	}
	for i, result := range results {
		if i >= len(b.steps) || !b.steps[i].legacy || result["result"] == nil {
			continue
		}
		older, err := b.steps[i].tool.olderResult(result["result"], b.steps[i].args)
		if err != nil {
			return nil, err
		}
		result["result"] = older
	}
	fields["results"] = encoded(results, nil)
	return json.Marshal(fields)
}
