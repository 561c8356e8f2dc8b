package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPrintIsOneLineInAPipe(t *testing.T) {
	value := json.RawMessage(`{"a":[1,2.0],"b":"\u001b[2J"}`)
	for tty, want := range map[bool]string{
		false: `{"a":[1,2.0],"b":"\u001b[2J"}` + "\n",
		true:  "{\n  \"a\": [\n    1,\n    2.0\n  ],\n  \"b\": \"\\u001b[2J\"\n}\n",
	} {
		var out bytes.Buffer
		s := streams{out: &out, outTTY: tty}
		if err := s.print(value); err != nil || out.String() != want {
			t.Errorf("terminal %v: got %q, error %v, want %q", tty, out.String(), err, want)
		}
	}
}

func TestWithoutControls(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc": "a\tb\nc", "\x1b[2J": "[2J", "a\rb\x00\x07": "ab", "\u009b31m": "31m", "\x7f": "", "äöü€😀": "äöü€😀",
		"safe\u202egnp.exe\u2069\u200f": "safegnp.exe", "שלום": "שלום",
	} {
		if got := string(withoutControls([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
