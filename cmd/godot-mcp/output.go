package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/itchyny/gojq"

	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// output prints the result, or what --jq makes of it.
func (a *app) output(ctx context.Context, result json.RawMessage) error {
	code, err := a.jq()
	if err != nil {
		return err
	}
	if code == nil {
		return a.print(result)
	}
	input, err := jqInput(result)
	if err != nil {
		return err
	}
	// One write for many small values.
	buffered := bufio.NewWriterSize(a.out, 1<<16)
	to := a.streams
	to.out = buffered
	err = printAll(&to, code.RunWithContext(ctx, input), a.flags.raw)
	if flushErr := buffered.Flush(); flushErr != nil {
		return outputError{flushErr}
	}
	return err
}

// jqInput reads JSON so that long whole numbers keep their digits.
func jqInput(value json.RawMessage) (input any, err error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	err = d.Decode(&input)
	return input, err
}

func printAll(to *streams, values gojq.Iter, raw bool) error {
	for {
		value, more := values.Next()
		if !more || jq.IsHalt(value) {
			return nil
		}
		if err, failed := value.(error); failed {
			return jqFailed(err)
		}
		if err := printValue(to, value, raw); err != nil {
			return err
		}
	}
}

// jq compiles --jq, nil without it; it is asked for before the call, so that a slip in the expression
// changes nothing. It is the user's own and the process does nothing else, so its run has no bounds but an
// interrupt.
func (a *app) jq() (*gojq.Code, error) {
	if a.flags.jq == "" {
		return nil, nil
	}
	code, err := jq.Compile(a.flags.jq)
	if err != nil {
		return nil, usageError("jq", "--jq: %v; nothing was called; one that works: godot-mcp version --jq .version", err)
	}
	return code, nil
}

// jqFailed words what the expression met in the result.
func jqFailed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return usageError("jq", "--jq: %v; the call itself was carried out, a change can be taken back: godot-mcp undo", err)
}

func printValue(to *streams, value any, raw bool) error {
	if text, ok := value.(string); ok && raw {
		return to.write(append(withoutControls([]byte(text)), '\n'))
	}
	encoded, err := gojq.Marshal(value)
	if err != nil {
		return err
	}
	return to.print(encoded)
}
