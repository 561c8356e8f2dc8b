package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// errAnswerNo ends a command that did its work when the answer is no; its result has been printed.
var errAnswerNo = errors.New("the answer is no")

// interrupted ends a command when it is known what an interrupt has left behind; next is what to type then,
// by default a look at what undo would take. Without a hint nothing is said: an interrupt is how it ends.
type interrupted struct{ hint, next string }

func (e interrupted) Error() string { return e.hint }
func (e interrupted) Unwrap() error { return context.Canceled }

// outputError is a result that could not be written. The call itself went well.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// readerGone is true when nobody reads the output any more, which is no failure (field report F24). Where
// there are signals, SIGPIPE ends the process before this is asked.
func readerGone(err error) bool {
	const windowsBrokenPipe, windowsNoData = 109, 232
	var output outputError
	var errno syscall.Errno
	if !errors.As(err, &output) || !errors.As(err, &errno) {
		return false
	}
	return errno == syscall.EPIPE || runtime.GOOS == "windows" && (errno == windowsBrokenPipe || errno == windowsNoData)
}

// Exit status of a program whose reader has gone, as shells count it: 128 + SIGPIPE.
const exitReaderGone = 141

// exitCode is the one switch from an error to the exit status of the contract.
func exitCode(err error) int {
	switch {
	case err == nil:
		return commands.ExitOK
	case errors.Is(err, errAnswerNo):
		return commands.ExitAnswerNo
	case errors.Is(err, errContractBreak):
		return commands.ExitContractBreak
	case errors.Is(err, context.Canceled):
		return commands.ExitInterrupted
	case readerGone(err):
		return exitReaderGone
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
func (s *streams) report(err error) {
	s.progressDone()
	var known interrupted
	isMeant := errors.As(err, &known) && known.hint == ""
	if err == nil || isMeant || errors.Is(err, errAnswerNo) || errors.Is(err, errContractBreak) || readerGone(err) {
		return
	}
	e := told(err)
	if !s.errTTY {
		line, _ := e.MarshalJSON() // an Error always encodes
		fmt.Fprintf(s.err, "%s\n", line)
		return
	}
	required := ""
	if e.Required != "" {
		required = ", required: " + e.Required
	}
	fmt.Fprintf(s.err, "godot-mcp: %s\n  (%s%s)\n", withoutControls([]byte(e.Hint)), e.Code, required)
}

// told is the error in words for the caller.
func told(err error) *bridge.Error {
	var output outputError
	var known interrupted
	switch {
	case errors.As(err, &known):
		return bridge.Errorf(bridge.Timeout, "", "interrupted; %s: %s", known.hint, cmp.Or(known.next, "godot-mcp undo --dry-run"))
	case errors.Is(err, context.Canceled):
		return bridge.Errorf(bridge.Timeout, "", "interrupted; whether a change was carried out is unknown: godot-mcp undo --dry-run")
	case errors.As(err, &output):
		return bridge.Errorf(bridge.InternalError, "", "the call was carried out, its result could not be written: %w; look with godot-mcp undo --dry-run before you call again", output.error)
	}
	return bridge.AsError(err)
}
