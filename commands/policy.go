package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Policy says which tools may be called. It is read once, at start; its zero value allows everything.
type Policy struct {
	// ReadOnly allows nothing but the class read_only.
	ReadOnly bool
	// ReadOnlySource is where that was written, for the words of a refusal.
	ReadOnlySource string
	// Deny refuses what one of the rules names.
	Deny []Rule
	// Allow refuses what one of the lists does not name. Each place that has such a list is one of them.
	Allow [][]Rule
}

// Allows is true when a call of the tool may be made. The list of tools is cut by the same question. A tool
// that forwards calls is only refused by its own name, and otherwise judged by what is inside.
func (p Policy) Allows(t *Tool) bool { return p.refusal(t, t.Forwards) == "" }

// AllowsClass is true when no rule refuses the class as a whole. It judges what is no tool.
func (p Policy) AllowsClass(c Class) bool {
	return (!p.ReadOnly || c == ReadOnly) && !slices.ContainsFunc(p.Deny, func(r Rule) bool { return r.class == c })
}

// ClassOf is the class that the tool is listed by: its own or, where it forwards calls, the highest that is
// allowed.
func (p Policy) ClassOf(t *Tool, all *Table) Class {
	if !t.Forwards {
		return t.Class
	}
	class := ReadOnly
	for _, other := range all.Tools {
		if !other.Forwards && p.Allows(other) {
			class = highest(class, other.Class)
		}
	}
	return class
}

// check refuses a call of the tool, PRECONDITION_FAILED with required policy. inside says that the calls in
// it are judged by themselves.
func (p Policy) check(t *Tool, inside bool) error {
	why := p.refusal(t, inside)
	if why == "" {
		return nil
	}
	return bridge.Errorf(bridge.PreconditionFailed, "policy", "%s %s", t.Name, why)
}

// refusal is what a refused tool is, by which rule, and what to do; "" for a tool that is allowed.
func (p Policy) refusal(t *Tool, inside bool) string {
	if p.ReadOnly && !inside && t.Class != ReadOnly {
		return fmt.Sprintf("is %s and this is read-only mode: %s, or use a read_only tool", t.Class, p.leaveReadOnly())
	}
	for _, r := range p.Deny {
		if r.names(t) && (!inside || r.class == "" && !r.code) {
			return fmt.Sprintf("%s, and the policy refuses that: %s: godot-mcp config list", r.what(t), r.written("deny"))
		}
	}
	if inside {
		return ""
	}
	for _, list := range p.Allow {
		if !slices.ContainsFunc(list, func(r Rule) bool { return r.names(t) }) {
			return fmt.Sprintf("is %s of the toolset %s, and the policy allows only what it lists: %s: godot-mcp config list", t.Class, t.Toolset, writtenList(list))
		}
	}
	return ""
}

// leaveReadOnly says how read-only mode is left, by where it comes from.
func (p Policy) leaveReadOnly() string {
	if p.ReadOnlySource == "" || p.ReadOnlySource == "flag" {
		return "start without --read-only"
	}
	return "it comes from the " + p.ReadOnlySource + ", see godot-mcp config list"
}

// judgesInside is true when something refuses more than a step back by itself.
func (p Policy) judgesInside() bool { return len(p.Deny) > 0 || len(p.Allow) > 0 }

// Rule names tools: a class, executes_code, a toolset, or one tool. Table.Rules makes it.
type Rule struct {
	// Name is as it was written.
	Name string
	// Source is where that was, for the words of a refusal.
	Source string

	class   Class
	code    bool
	toolset string
	// older is an older server's toolset.
	older string
	tool  string
}

// executesCode is the rule that names each tool whose call can run code of the project.
const executesCode = "executes_code"

var byPower = []Class{ReadOnly, Runtime, Mutating, Destructive}

// highest is the class with the most power of the two.
func highest(a, b Class) Class {
	if slices.Index(byPower, b) > slices.Index(byPower, a) {
		return b
	}
	return a
}

// Rules reads the names of one list of a policy. A name that names nothing is an error: a slip of the pen
// must not leave a door open.
func (t *Table) Rules(source string, names []string) ([]Rule, error) {
	var rules []Rule
	for _, name := range names {
		r, err := t.rule(name)
		if err != nil {
			return nil, err
		}
		r.Source = source
		rules = append(rules, r)
	}
	return rules, nil
}

func (t *Table) rule(name string) (Rule, error) {
	r := Rule{Name: strings.TrimSpace(name)}
	set := strings.ReplaceAll(r.Name, "-", "_")
	tool, _ := t.Lookup(r.Name)
	switch {
	case slices.Contains(byPower, Class(r.Name)):
		r.class = Class(r.Name)
	case r.Name == executesCode:
		r.code = true
	case slices.Contains(t.Toolsets(), set):
		r.toolset = set
	case tool != nil:
		r.tool = tool.Name
	case slices.Contains(OlderToolsets(), set):
		r.older = set
	default:
		return r, fmt.Errorf("%q is no class, toolset or tool%s", r.Name, t.meant(r.Name))
	}
	return r, nil
}

// meant is the name that is spelled most like a rule that names nothing.
func (t *Table) meant(name string) string {
	known := append(t.Toolsets(), executesCode)
	for _, c := range byPower {
		known = append(known, string(c))
	}
	for _, tool := range t.Tools {
		known = append(known, tool.Name, tool.MCPName())
	}
	if best := nearest(name, known); best != "" {
		return ", did you mean " + best + "?"
	}
	return ": those are in godot-mcp toolset list and godot-mcp tool classes"
}

func (r Rule) names(t *Tool) bool {
	switch {
	case r.class != "":
		return r.class == t.Class
	case r.code:
		return t.ExecutesCode
	case r.toolset != "":
		return r.toolset == t.Toolset
	case r.older != "":
		return r.older == olderToolset(t)
	}
	return r.tool == t.Name
}

// what says of a tool for what the rule names it.
func (r Rule) what(t *Tool) string {
	switch {
	case r.class != "":
		return "is " + string(t.Class)
	case r.code:
		return "can run code of the project"
	case r.toolset != "" || r.older != "":
		return "is of the toolset " + r.Name
	}
	return "is named"
}

func (r Rule) written(list string) string {
	if r.Source == "" {
		return list + " " + r.Name
	}
	return list + " " + r.Name + " of the " + r.Source
}

func writtenList(list []Rule) string {
	names := make([]string, 0, len(list))
	for _, r := range list {
		names = append(names, r.Name)
	}
	return Rule{Name: strings.Join(names, ", "), Source: list[0].Source}.written("allow")
}
