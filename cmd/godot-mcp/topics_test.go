package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// The lists of the topics are those of the things themselves.
func TestTopicsListWhatThereIs(t *testing.T) {
	surface := commands.All().Surface("", commands.ThisContract)
	want := map[string][]string{"contract": {}, "safety": {}, "values": {}, "environment": {}, "exit-codes": {"130", "interrupted"}, "configuration": {}}
	for _, l := range surface.Limits {
		want["contract"] = append(want["contract"], l.Name, l.Doc)
	}
	for _, tool := range commands.All().Tools {
		want["safety"] = append(want["safety"], tool.Name)
	}
	for _, v := range surface.Values {
		want["values"] = append(want["values"], v.Out)
	}
	for _, e := range commands.EnvVars {
		want["environment"] = append(want["environment"], e.Name)
	}
	for _, c := range bridge.Codes {
		want["exit-codes"] = append(want["exit-codes"], string(c.Code))
	}
	for _, o := range options() {
		want["configuration"] = append(want["configuration"], o.key)
	}
	for topic, words := range want {
		for _, line := range [][]string{{"help", topic}, {topic, "--help"}, {topic}} {
			var out bytes.Buffer
			if code := run(line, streams{in: strings.NewReader(""), out: &out, err: &out}); code != 0 {
				t.Errorf("%v: exit %d: %s", line, code, out.String())
			}
			for _, word := range words {
				if !strings.Contains(out.String(), word) {
					t.Errorf("%v lacks %q", line, word)
				}
			}
		}
	}
}
