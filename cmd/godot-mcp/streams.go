package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"golang.org/x/term"
)

// streams are the three standard streams and whether a person sits at them. Output is never coloured, so
// NO_COLOR and the variables that force colour have nothing to change (field report F25).
type streams struct {
	in       io.Reader
	out, err io.Writer
	outTTY   bool
	errTTY   bool
}

func stdStreams() streams {
	return streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

// print writes a JSON value as one line in a pipe, indented on a terminal.
func (s streams) print(value json.RawMessage) error {
	if !s.outTTY {
		_, err := s.out.Write(append(value, '\n'))
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, value, "", "  "); err != nil {
		return err
	}
	pretty.WriteByte('\n')
	_, err := s.out.Write(withoutControls(pretty.Bytes()))
	return err
}

// withoutControls drops control characters but newline and tab: text of the project must not reach a
// person's terminal as commands. JSON has them escaped, so only the C1 range and DEL can be there.
func withoutControls(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, text)
}

// progress shows one line that is written over, and is nil where no person looks.
func (s streams) progress() func(string) {
	if !s.errTTY {
		return nil
	}
	return func(message string) { _, _ = io.WriteString(s.err, "\r\x1b[K"+message) }
}

func (s streams) progressDone() {
	if s.errTTY {
		_, _ = io.WriteString(s.err, "\r\x1b[K")
	}
}
