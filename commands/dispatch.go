package commands

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// DefaultTimeout is how long a call may take when nobody says otherwise.
const DefaultTimeout = 30 * time.Second

// The transport of a single call. By the others several come, and are carried out in their order.
const oneCall = "cli"

// What a call may take beyond the wait that its timeout_ms asks for.
const waitMargin = 5 * time.Second

// Call is one call of a tool, from whatever surface.
type Call struct {
	// Tool is a command line path, an MCP name or an alias.
	Tool      string
	Arguments json.RawMessage
	// Raw holds, by parameter, the text of any-typed arguments as it was typed on a command line.
	Raw map[string]string
	// Key makes the same request do nothing twice; "" for none.
	Key string
	// Timeout of this call; 0 is the dispatcher's.
	Timeout time.Duration
	// Contract is the contract that the caller was built against; 0 is the binary's own.
	Contract int
	// Client is the caller's name, by its own word.
	Client string
	// via is the tool that passed the call on.
	via string
	// MaxChars is how many characters the result may have before it is cut; 0 is no limit.
	MaxChars   int
	OnProgress func(bridge.Progress)
	// StepAside, unless nil, is called before the call waits for a person: the calls behind it need not.
	StepAside func()
}

// Dispatcher is the one gate: every surface's calls go through Start, which checks contract, policy,
// arguments and confirmation before anything reaches the editor.
type Dispatcher struct {
	Table  *Table
	Policy Policy
	// Approve is asked about calls that destroy; nil asks nobody.
	Approve Approver
	// Timeout of a call that brings none; 0 is DefaultTimeout.
	Timeout time.Duration
	Env     *Env
}

// Running is a call on its way. Wait returns its answer.
type Running struct {
	// Tool is what is carried out: of tool call the one that it names.
	Tool *Tool
	wait func() (json.RawMessage, error)
	no   bool
	// picked is true when the answer is what an expression made of the tool's.
	picked bool
}

// ShowsContent is true when the answer is that of a tool with Content.
func (r *Running) ShowsContent() bool { return r.Tool != nil && r.Tool.Content && !r.picked }

// Local is true for a tool that the binary answers itself, in Wait.
func (r *Running) Local() bool { return r.Tool != nil && r.Tool.run != nil }

// AnswersNo is true, after Wait, when the tool did its work and the answer is no.
func (r *Running) AnswersNo() bool { return r.no }

// Wait blocks until the answer is there. Every error is a *bridge.Error with a hint.
func (r *Running) Wait() (json.RawMessage, error) {
	result, err := r.wait()
	if err != nil {
		return nil, explain(r.Tool, err)
	}
	return result, nil
}

// Call is Start and Wait.
func (d *Dispatcher) Call(ctx context.Context, call Call) (json.RawMessage, error) {
	return d.Start(ctx, call).Wait()
}

// Start checks the call and sends it; calls started one after another reach the editor in that order. A
// refused call is answered by Wait like any other error.
func (d *Dispatcher) Start(ctx context.Context, call Call) *Running {
	n := &note{call: call, began: time.Now()}
	running := d.begin(ctx, call, n)
	if d.Env.Audit == nil || n.passedOn {
		return running
	}
	wait := running.wait
	running.wait = func() (json.RawMessage, error) {
		result, err := wait()
		d.Env.Audit.note(n.line(running.Tool, d.Env.Transport, result, err))
		return result, err
	}
	return running
}

// begin is Start, and notes what it learns.
func (d *Dispatcher) begin(ctx context.Context, call Call, n *note) *Running {
	tool, legacy := d.Table.Lookup(call.Tool)
	running := &Running{Tool: tool}
	refuse := func(err error) *Running {
		n.refused = true
		running.wait = func() (json.RawMessage, error) { return nil, err }
		return running
	}
	if err := d.Env.Audit.check(); err != nil {
		return refuse(err)
	}
	if err := d.Env.Contract.Check(call.Contract); err != nil {
		return refuse(err)
	}
	if tool == nil {
		return refuse(d.Table.unknown(call.Tool))
	}
	// Of what holds other calls these count.
	if err := d.Policy.check(tool, tool.Forwards || tool.Name == batchRunName); err != nil {
		return refuse(err)
	}
	if tool.Forwards {
		return d.startInner(ctx, tool, call, n)
	}
	args, err := tool.Validate(call.Arguments, legacy)
	if err != nil {
		return refuse(err)
	}
	n.args = args
	if err := d.Policy.checkScript(tool, args); err != nil {
		return refuse(err)
	}
	if err := confirmed(tool, args); err != nil {
		return refuse(err)
	}
	if err := d.Env.checkHostPaths(tool, args); err != nil {
		return refuse(err)
	}
	var inside *batch
	if tool.Name == batchRunName {
		if inside, err = d.openBatch(args, legacy); err != nil {
			return refuse(err)
		}
	}
	if d.Approve != nil || d.Env.Audit != nil {
		n.inside = inside.calls()
	}
	if err := d.approved(ctx, tool, n); err != nil {
		return refuse(err)
	}
	if err := d.ready(ctx, tool, args, call); err != nil {
		return refuse(err)
	}
	if err := d.judgeSteps(ctx, tool, n); err != nil {
		return refuse(err)
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout(call, args))
	wait, err := d.carryOut(ctx, tool, tool.bounded(args, call.MaxChars), call, inside)
	if err != nil {
		cancel()
		return refuse(err)
	}
	running.wait = func() (json.RawMessage, error) {
		defer cancel()
		result, err := wait()
		running.no = err == nil && tool.answersNo(result)
		if err != nil {
			return nil, d.aboutAddon(tool, err)
		}
		return tool.shaped(result, args, legacy, call.MaxChars)
	}
	return running
}

// aboutAddon words it in this binary's terms when the addon does not know the tool's command: an older addon
// knows no better than what its own version said.
func (d *Dispatcher) aboutAddon(tool *Tool, err error) error {
	var e *bridge.Error
	if tool.run != nil || !errors.As(err, &e) || e.Code != bridge.PreconditionFailed || e.Required != "addon_version" {
		return err
	}
	hello, connected := d.Env.Bridge.Hello()
	if !connected {
		return err
	}
	return bridge.Errorf(e.Code, e.Required, "the addon %s in the editor does not know %s; this godot-mcp brings %s: godot-mcp addon update --project %s",
		hello.AddonVersion, tool.Name, AddonVersion, quote(hello.ProjectPath))
}

// timeout of a call: its own, else the dispatcher's, and never shorter than what the tool itself was asked
// to wait.
func (d *Dispatcher) timeout(call Call, args json.RawMessage) time.Duration {
	if call.Timeout > 0 {
		return call.Timeout
	}
	timeout := d.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	var own struct {
		TimeoutMS      int     `json:"timeout_ms"`
		TimeoutSeconds float64 `json:"timeout_seconds"`
	}
	if json.Unmarshal(args, &own) != nil {
		return timeout
	}
	wait := max(time.Duration(own.TimeoutMS)*time.Millisecond, time.Duration(own.TimeoutSeconds*float64(time.Second)))
	if wait > 0 {
		timeout = max(timeout, wait+waitMargin)
	}
	return timeout
}

func (d *Dispatcher) carryOut(ctx context.Context, tool *Tool, args json.RawMessage, call Call, inside *batch) (func() (json.RawMessage, error), error) {
	if tool.run != nil {
		ctx = heard(ctx, call.OnProgress)
		return func() (json.RawMessage, error) {
			return runLocally(withCaller(withPolicy(ctx, d.Policy), d, call), d.Env, tool, args)
		}, nil
	}
	project := func() (string, error) {
		editor, err := d.Env.editor(ctx)
		return editor.ProjectPath, err
	}
	if err := checkProjectLinks(project, tool, args); err != nil {
		return nil, err
	}
	if inside != nil {
		if err := inside.checkLinks(project); err != nil {
			return nil, err
		}
		args = inside.request
	}
	request := bridge.Request{
		Command: tool.Command(), Params: tool.request(args), Raw: call.Raw, OnProgress: call.OnProgress,
	}
	if tool.Class != ReadOnly {
		request.Key = call.Key
	}
	if err := d.Env.place(ctx); err != nil {
		return nil, err
	}
	pending := d.Env.Bridge.Start(ctx, request)
	return func() (json.RawMessage, error) {
		result, err := d.answerOf(ctx, pending, request, tool, call)
		if err != nil {
			return nil, err
		}
		if tool.finish != nil {
			return tool.finish(ctx, d.Env, args, result)
		}
		return inside.close(result)
	}, nil
}

// answerOf waits for the answer and calls again where the first call cannot have done anything.
func (d *Dispatcher) answerOf(ctx context.Context, pending *bridge.Pending, request bridge.Request, tool *Tool, call Call) (json.RawMessage, error) {
	result, err := pending.Wait(ctx)
	var e *bridge.Error
	if !errors.As(err, &e) {
		return result, err
	}
	switch {
	case e.Broken && (!e.Sent || tool.Class == ReadOnly):
		// The editor went, or came back on another port, between two calls.
		if err := d.ready(ctx, tool, request.Params, call); err != nil {
			return nil, err
		}
		return d.Env.call(ctx, request)
	case e.Full && (d.Env.Transport == oneCall || tool.Class == ReadOnly):
		// The calls of a stream keep their order, so one that writes does not come again later.
		return d.Env.call(ctx, request)
	}
	return result, err
}

// runLocally answers by the tool's Go function. A panic there is an error of this call, not the end of
// the process that serves others.
func runLocally(ctx context.Context, env *Env, tool *Tool, args json.RawMessage) (result json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = bridge.Errorf(bridge.InternalError, "", "%s stopped: %v; please report it with this text:\n%s", tool.Name, p, debug.Stack())
		}
	}()
	value, err := tool.run(ctx, env, args)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// unknown words the error for a name that no tool has.
func (t *Table) unknown(name string) error {
	if best := t.Nearest(name); best != "" {
		return bridge.Errorf(bridge.ValidationError, "tool", "there is no tool %q, did you mean %s? godot-mcp %s --help", name, best, best)
	}
	if group, _, _ := strings.Cut(strings.TrimSpace(name), " "); t.hasGroup(group) {
		return bridge.Errorf(bridge.ValidationError, "tool", "there is no tool %q: godot-mcp %s --help", name, group)
	}
	return bridge.Errorf(bridge.ValidationError, "tool", "there is no tool %q: godot-mcp --help", name)
}

func (t *Table) hasGroup(name string) bool {
	return slices.ContainsFunc(t.Tools, func(tool *Tool) bool { return strings.HasPrefix(tool.Name, name+" ") })
}

// confirmed refuses a destructive call without confirm, at once.
func confirmed(tool *Tool, args json.RawMessage) error {
	if tool.Class != Destructive {
		return nil
	}
	var flags struct {
		Confirm bool `json:"confirm"`
		DryRun  bool `json:"dry_run"`
	}
	if err := json.Unmarshal(args, &flags); err != nil {
		return err
	}
	if flags.Confirm || flags.DryRun {
		return nil
	}
	return bridge.Errorf(bridge.PreconditionFailed, "confirm", "%s is destructive: look with --dry-run, then run it with --confirm", tool.Name)
}

// checkProjectLinks follows symbolic links of project paths, which only the machine of the project can.
func checkProjectLinks(project func() (string, error), tool *Tool, args json.RawMessage) error {
	var fields map[string]json.RawMessage
	for _, f := range tool.Params() {
		if !f.InProject() {
			continue
		}
		if fields == nil {
			if err := json.Unmarshal(args, &fields); err != nil {
				return err
			}
		}
		for _, text := range texts(fields[f.Name]) {
			dir, err := project()
			if err != nil {
				return err
			}
			if err := checkLinks(dir, f.Name, text, tool.Class); err != nil {
				return err
			}
		}
	}
	return nil
}

// texts are what a parameter holds, one text or a list, without empty ones.
func texts(value json.RawMessage) []string {
	var list []string
	if json.Unmarshal(value, &list) != nil {
		list = make([]string, 1)
		if json.Unmarshal(value, &list[0]) != nil {
			return nil
		}
	}
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

// explain makes sure that an error says what to do next.
func explain(tool *Tool, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := *bridge.AsError(err)
	if e.Code == bridge.Timeout && tool != nil && tool.Class != ReadOnly && e.Sent {
		e.Hint = "the editor did not answer in time; whether " + tool.Name + " was carried out is unknown: look with " + tool.lookAgain() + " before you try again"
		if e.Silence != "" {
			e.Hint = e.Silence + "; " + e.Hint
		}
	}
	if e.Hint == "" {
		e.Hint = "godot-mcp health-check"
	}
	if tool == nil || strings.Contains(e.Hint, "godot-mcp ") {
		return &e
	}
	switch e.Code {
	case bridge.ValidationError:
		e.Hint += ": godot-mcp " + tool.Name + " --help"
	case bridge.ResourceNotFound:
		e.Hint += ": " + tool.lookFor(e.Required)
	}
	return &e
}

// lookAgain are the commands that show whether the tool did its work.
func (t *Tool) lookAgain() string {
	switch t.Group() {
	case "game", "input":
		return "godot-mcp game status"
	default:
		return "godot-mcp scene tree or godot-mcp undo --dry-run"
	}
}

// lookFor is the command that shows what there is of the kind that the parameter names.
func (t *Tool) lookFor(parameter string) string {
	for _, f := range t.Params() {
		switch {
		case f.Name != parameter:
		case f.Kind == "node":
			return "godot-mcp scene tree"
		case strings.Contains(f.Name, "scene"):
			return "godot-mcp scene list"
		}
	}
	return "godot-mcp " + t.Name + " --help"
}
