package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// The next command that an error code or a missing precondition names must be one that can be typed: its
// help is shown, which the parser does only for a command that exists with flags that it has.
func TestNextCommandsOfErrorsCanBeTyped(t *testing.T) {
	next := map[string]string{}
	for _, c := range bridge.Codes {
		next[string(c.Code)] = c.Next
	}
	for _, r := range bridge.Required {
		next[r.Name] = r.Next
	}
	for name, line := range next {
		words := strings.Fields(line)
		var out bytes.Buffer
		code := run(append(words[1:], "--help"), streams{in: strings.NewReader(""), out: &out, err: &out})
		if words[0] != "godot-mcp" || code != 0 || strings.HasPrefix(out.String(), "Drive a live Godot") {
			t.Errorf("%s: %q cannot be typed: exit %d, %s", name, line, code, out.String())
		}
	}
}
