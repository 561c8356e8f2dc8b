package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/godot-mcp/godot-mcp/commands"
)

// streams are the three standard streams and whether a person sits at them. Results are never coloured, so
// NO_COLOR and the variables that force colour have nothing to change (field report F25); doctor's text is,
// on a terminal without NO_COLOR.
type streams struct {
	in       io.Reader
	out, err io.Writer
	inTTY    bool
	outTTY   bool
	errTTY   bool
	// line is where a call tells how far it is; nil where nobody looks.
	line *progressLine
}

func stdStreams() streams {
	return streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

// print writes a JSON value as one line in a pipe, indented on a terminal.
func (s *streams) print(value json.RawMessage) error {
	if !s.outTTY {
		return s.write(append(value, '\n'))
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, value, "", "  "); err != nil {
		return err
	}
	pretty.WriteByte('\n')
	return s.write(withoutControls(pretty.Bytes()))
}

func (s *streams) write(text []byte) error {
	if _, err := s.out.Write(text); err != nil {
		return outputError{err}
	}
	return nil
}

// withoutControls drops control characters but newline and tab, and what turns the direction of writing:
// text of the project must not reach a person's terminal as commands, nor read as another. JSON has the
// first ones escaped, so only the C1 range and DEL can be there.
func withoutControls(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && commands.Steers(r) {
			return -1
		}
		return r
	}, text)
}

// tell writes a line for the person who called.
func (s *streams) tell(text string) {
	fmt.Fprintf(s.err, "godot-mcp: %s\n", withoutControls([]byte(text)))
}
