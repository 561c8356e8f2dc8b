package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/itchyny/gojq"
)

// output prints the result, or what --jq makes of it.
func (a *app) output(ctx context.Context, result json.RawMessage) error {
	if a.flags.jq == "" {
		return a.print(result)
	}
	code, err := compileJQ(a.flags.jq)
	if err != nil {
		return err
	}
	var input any
	d := json.NewDecoder(bytes.NewReader(result))
	d.UseNumber()
	if err := d.Decode(&input); err != nil {
		return err
	}
	values := code.RunWithContext(ctx, input)
	for {
		value, more := values.Next()
		if !more {
			return nil
		}
		if err, failed := value.(error); failed {
			return usageError("jq", "--jq: %v", err)
		}
		if err := a.printValue(value); err != nil {
			return err
		}
	}
}

// compileJQ compiles without the process's environment, further inputs and modules.
func compileJQ(expression string) (*gojq.Code, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, usageError("jq", "--jq: %v in %s", err, expression)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, usageError("jq", "--jq: %v in %s", err, expression)
	}
	return code, nil
}

func (a *app) printValue(value any) error {
	if text, ok := value.(string); ok && a.flags.raw {
		_, err := fmt.Fprintf(a.out, "%s\n", withoutControls([]byte(text)))
		return err
	}
	encoded, err := gojq.Marshal(value)
	if err != nil {
		return err
	}
	return a.print(encoded)
}
