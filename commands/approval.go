package commands

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Approval is a call that somebody is asked about: the tool and what it acts on, and no other text of the
// caller or the project.
type Approval struct {
	RequestID string `json:"request_id"`
	Tool      string `json:"tool"`
	// Class is the effective one.
	Class   Class    `json:"class"`
	Project string   `json:"project"`
	Targets []Target `json:"targets"`
	// Inside are the calls that a batch holds, or the steps that undo or redo would take.
	Inside []InsideCall `json:"inside"`
	// ArgumentsSHA256 is of the complete arguments, in lower-case hex.
	ArgumentsSHA256 string `json:"arguments_sha256"`
	Surface         string `json:"surface"`
	Client          string `json:"client"`
}

// InsideCall is a call inside another.
type InsideCall struct {
	Tool    string   `json:"tool"`
	Class   Class    `json:"class"`
	Targets []Target `json:"targets"`
}

// Target is a path or name that a call acts on, shortened, with nothing that could move a cursor or turn
// the direction of writing.
type Target struct {
	Parameter string `json:"parameter"`
	Value     string `json:"value"`
}

// Approver asks about a call; nil is yes. A no is an APPROVAL_DENIED, see Denied.
type Approver func(context.Context, Approval) error

type askerKey struct{}

// WithAsker gives a call the way to the person who made it, which Ask takes.
func WithAsker(ctx context.Context, asker Approver) context.Context {
	return context.WithValue(ctx, askerKey{}, asker)
}

// Ask asks the person at the client or terminal that the call came from. Without one, and after the
// time-out, the answer is no.
func Ask(timeout time.Duration) Approver {
	return func(ctx context.Context, a Approval) error {
		asker, _ := ctx.Value(askerKey{}).(Approver)
		if asker == nil {
			return Denied(a, "nobody can be asked here: --approval ask needs a terminal, or a client that can ask its user")
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		err := asker(ctx, a)
		if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return Denied(a, "nobody answered in "+timeout.String())
		}
		return err
	}
}

// Denied is the answer to a call that was not approved.
func Denied(a Approval, why string) error {
	return bridge.Errorf(bridge.ApprovalDenied, "human_approval", "%s was not approved (%s), and nothing was changed: look with godot-mcp %s --dry-run, and ask the person in charge before you try again", a.Tool, why, a.Tool)
}

// Question is the call in words for a person.
func (a Approval) Question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Carry out %s? It is %s.", a.Tool, a.Class)
	if a.Project != "" {
		fmt.Fprintf(&b, "\nproject: %s", inQuotes(a.Project))
	}
	writeTargets(&b, "", a.Targets)
	a.writeInside(&b)
	return b.String()
}

// writeInside lists what destroys first: nothing of it hides behind the rest.
func (a Approval) writeInside(b *strings.Builder) {
	const most = 20
	inside := slices.Clone(a.Inside)
	slices.SortStableFunc(inside, func(x, y InsideCall) int {
		return slices.Index(byPower, y.Class) - slices.Index(byPower, x.Class)
	})
	for _, c := range inside[:min(most, len(inside))] {
		fmt.Fprintf(b, "\ninside: %s (%s)", c.Tool, c.Class)
		writeTargets(b, "  ", c.Targets)
	}
	if len(inside) <= most {
		return
	}
	destroying := 0
	for _, c := range inside[most:] {
		if c.Class == Destructive {
			destroying++
		}
	}
	fmt.Fprintf(b, "\nand %d more inside, %d of them destructive", len(inside)-most, destroying)
}

func writeTargets(b *strings.Builder, indent string, targets []Target) {
	for _, t := range targets {
		fmt.Fprintf(b, "\n%s%s: %s", indent, t.Parameter, inQuotes(t.Value))
	}
}

// inQuotes has no quote inside: one behind a backslash of the text's own would look like the end.
func inQuotes(visible string) string { return `"` + strings.ReplaceAll(visible, `"`, `\u0022`) + `"` }

// Digest is of all that was asked about, so that a yes counts for that alone.
func (a Approval) Digest() string {
	a.RequestID = ""
	text, _ := json.Marshal(a) // texts
	return sum(text)
}

func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

// approved asks about a call that destroys, if anybody is to be asked. A preview is not asked about.
func (d *Dispatcher) approved(ctx context.Context, tool *Tool, n *note) error {
	class := n.class(tool)
	if d.Approve == nil || class != Destructive || isPreview(n.args) {
		return nil
	}
	a := Approval{
		RequestID: rand.Text(), Tool: tool.Name, Class: class, Targets: tool.targets(n.args), Inside: n.inside,
		ArgumentsSHA256: sum(n.args), Surface: d.Env.Transport, Client: n.call.Client,
	}
	if a.Inside == nil {
		a.Inside = []InsideCall{}
	}
	if project, err := d.Env.Project(); err == nil {
		a.Project = visible(project)
	}
	if call := n.call; call.StepAside != nil {
		call.StepAside()
	}
	n.requestID = a.RequestID
	err := d.Approve(ctx, a)
	n.approved = err == nil
	return err
}

func isPreview(args json.RawMessage) bool {
	var flags struct {
		DryRun bool `json:"dry_run"`
	}
	return json.Unmarshal(args, &flags) == nil && flags.DryRun
}

// calls are what a batch holds, as a person is told.
func (b *batch) calls() []InsideCall {
	if b == nil {
		return nil
	}
	var calls []InsideCall
	for _, s := range b.steps {
		class := s.tool.Class
		if isPreview(s.args) {
			class = ReadOnly
		}
		calls = append(calls, InsideCall{s.tool.Name, class, s.tool.targets(s.args)})
	}
	return calls
}

// targets are the paths and names among the arguments: what has a kind, and what is positional. Values of
// any type are not among them.
func (t *Tool) targets(args json.RawMessage) []Target {
	targets := []Target{}
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return targets
	}
	for _, f := range t.Params() {
		if f.Kind == "commands" || f.Kind == "" && !f.Positional {
			continue
		}
		switch f.Type {
		case "string", "array":
			for _, text := range texts(fields[f.Name]) {
				targets = append(targets, Target{f.Name, visible(text)})
			}
		case "integer":
			targets = append(targets, Target{f.Name, string(fields[f.Name])})
		}
	}
	return targets
}

// Steers is true for a character that moves a cursor, or turns the direction of what follows.
func Steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// visible is a text in which what has no shape of its own is written as \u..... A long one keeps its beginning
// and its end, where a path says what it leads to.
func visible(text string) string {
	const begin, end = 100, 60
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		if len(runes) > begin+end && i >= begin && i < len(runes)-end {
			if i == begin {
				fmt.Fprintf(&b, "... (%d characters) ...", len(runes)-begin-end)
			}
			continue
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
