package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// errAnswerNo ends a command that did its work when the answer is no; its result has been printed.
var errAnswerNo = errors.New("the answer is no")

// usageError is a command line that cannot be read.
func usageError(required, format string, args ...any) error {
	return bridge.Errorf(bridge.ValidationError, required, format, args...)
}

// exitCode is the one switch from an error to the exit status of the contract.
func exitCode(err error) int {
	switch {
	case err == nil:
		return commands.ExitOK
	case errors.Is(err, errAnswerNo):
		return commands.ExitAnswerNo
	case errors.Is(err, context.Canceled):
		return commands.ExitInterrupted
	}
	code := bridge.AsError(err).Code
	for _, c := range bridge.Codes {
		if c.Code == code {
			return c.Exit
		}
	}
	return 1
}

// report writes the error as the last line on stderr: JSON for programs, text for a person.
func (s streams) report(err error) {
	if err == nil || errors.Is(err, errAnswerNo) {
		return
	}
	if errors.Is(err, context.Canceled) {
		err = bridge.Errorf(bridge.Timeout, "", "interrupted; whether a change was carried out is unknown: godot-mcp undo --dry-run")
	}
	e := bridge.AsError(err)
	if !s.errTTY {
		line, _ := json.Marshal(e)
		fmt.Fprintf(s.err, "%s\n", line)
		return
	}
	s.progressDone()
	required := ""
	if e.Required != "" {
		required = ", required: " + e.Required
	}
	fmt.Fprintf(s.err, "godot-mcp: %s\n  (%s%s)\n", withoutControls([]byte(e.Hint)), e.Code, required)
}
