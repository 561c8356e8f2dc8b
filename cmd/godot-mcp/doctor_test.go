package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// On a terminal doctor speaks to a person: a mark a line, in colour unless NO_COLOR is set; a project's
// own text cannot steer the terminal.
func TestDoctorOnATerminal(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	t.Chdir(ed.Project)
	t.Setenv("TERM", "xterm")
	t.Setenv("GODOT_BIN", ed.Project+"/no\x1b[2Jbody")
	for noColor, colours := range map[string]bool{"": true, "1": false} {
		t.Setenv("NO_COLOR", noColor)
		var out bytes.Buffer
		code := run([]string{"doctor"}, streams{in: strings.NewReader(""), out: &out, err: &out, outTTY: true})
		text := out.String()
		if code != 10 || !strings.Contains(text, "PROBLEM") || !strings.Contains(text, "no[2Jbody") || !strings.Contains(text, "\nNext: ") {
			t.Errorf("exit %d\n%s", code, text)
		}
		if strings.Contains(text, "\x1b[31m") != colours || strings.Contains(text, "\x1b[2J") {
			t.Errorf("NO_COLOR=%q gave %q", noColor, text)
		}
	}
	var out bytes.Buffer
	code := run([]string{"doctor", "--jq", ".ok"}, streams{in: strings.NewReader(""), out: &out, err: &out, outTTY: true})
	if code != 10 || out.String() != "false\n" {
		t.Errorf("--jq on a terminal: exit %d, %q", code, out.String())
	}
}
