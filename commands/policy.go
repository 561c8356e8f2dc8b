package commands

import (
	"slices"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Policy says which tools may be called. It is read once, at start; its zero value allows everything.
type Policy struct {
	// ReadOnly allows nothing but the class read_only.
	ReadOnly bool
	// Deny lists classes that are refused.
	Deny []Class
}

// Allows is true when a call of this class may be made. The list of tools is cut by the same question.
func (p Policy) Allows(c Class) bool {
	if p.ReadOnly && c != ReadOnly {
		return false
	}
	return !slices.Contains(p.Deny, c)
}

// ClassOf is the class that the tool is listed by: its own or, where it forwards calls, the highest that is
// allowed.
func (p Policy) ClassOf(t *Tool) Class {
	if !t.Forwards {
		return t.Class
	}
	for _, c := range slices.Backward(byPower) {
		if p.Allows(c) {
			return c
		}
	}
	return t.Class
}

// check refuses a call of the effective class, PRECONDITION_FAILED with required policy.
func (p Policy) check(t *Tool, effective Class) error {
	if p.Allows(effective) {
		return nil
	}
	inside := ""
	if effective != t.Class {
		inside = " of what is inside"
	}
	if p.ReadOnly {
		return bridge.Errorf(bridge.PreconditionFailed, "policy",
			"%s is %s%s and this is read-only mode: start without --read-only, or use a read_only tool", t.Name, effective, inside)
	}
	return bridge.Errorf(bridge.PreconditionFailed, "policy",
		"%s is %s%s and the policy refuses that class: godot-mcp config list", t.Name, effective, inside)
}

var byPower = []Class{ReadOnly, Runtime, Mutating, Destructive}

// highest is the class with the most power of the two.
func highest(a, b Class) Class {
	if slices.Index(byPower, b) > slices.Index(byPower, a) {
		return b
	}
	return a
}
