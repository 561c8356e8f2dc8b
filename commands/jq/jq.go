// Package jq carries out jq expressions that callers send. They have no environment, no further inputs and
// no modules. A [Runner] bounds them: the language has single steps that take any amount of time and memory
// and that nothing in the same process could end, so they run in a process of their own.
package jq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// Bounds of a run.
const (
	MaxTime   = 2 * time.Second
	MaxMemory = 512 << 20
	// MaxOutput is the most bytes that all values may have as JSON.
	MaxOutput = 4 << 20
	// MaxExpression is the most bytes of an expression: it is read in the caller's own process, where nesting
	// without end would be the end of that process.
	MaxExpression = 16 << 10
)

// How long a run may take with the start and the end of its process.
const patience = MaxTime + 20*time.Second

// Compile reads an expression. It is asked before the call whose result the expression is for, so that a
// slip changes nothing.
func Compile(expression string) (*gojq.Code, error) {
	if len(expression) > MaxExpression {
		return nil, fmt.Errorf("the expression has %d bytes, the most is %d", len(expression), MaxExpression)
	}
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, expression)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, expression)
	}
	return code, nil
}

// Runner starts the processes. Its zero value runs nothing.
type Runner struct {
	program, name string
}

// Self runs expressions in further processes of this program, whose main function must call [Worker] first.
func Self() Runner {
	const running = "/proc/self/exe" // stays this program when an update has replaced its file
	if _, err := os.Stat(running); err == nil {
		return Runner{running, os.Args[0]}
	}
	program, err := os.Executable()
	if err != nil {
		return Runner{}
	}
	return Runner{program, os.Args[0]}
}

// Available is false where no process can be started.
func (r Runner) Available() bool { return r.program != "" }

// Run is the JSON text of all values that the expression makes of the input, as a list. Errors are what the
// expression met, or the bound that it went over.
func (r Runner) Run(ctx context.Context, expression string, input json.RawMessage) (json.RawMessage, error) {
	question, err := json.Marshal(task{expression, input})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	worker := exec.CommandContext(ctx, r.program, workerFlag)
	worker.Args[0] = r.name
	worker.Env = []string{"GOTRACEBACK=none"}
	worker.Stdin = bytes.NewReader(question)
	worker.WaitDelay = time.Second
	values, said := &capped{most: MaxOutput + 2}, &capped{most: 1 << 10}
	worker.Stdout, worker.Stderr = values, said
	err = worker.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return values.kept.Bytes(), nil
	case errors.Is(context.Cause(ctx), context.Canceled):
		return nil, context.Canceled
	case errors.As(err, &exit):
		return nil, failure(exit.ExitCode(), said.kept.String())
	}
	return nil, fmt.Errorf("the process for it could not be run: %w", err)
}

// failure words how the worker ended.
func failure(code int, said string) error {
	switch code {
	case exitFailed:
		return errors.New(strings.TrimSpace(said))
	case exitTime:
		return fmt.Errorf("it took longer than %s", MaxTime)
	case exitOutput:
		return fmt.Errorf("it gave more than %d MiB: take fewer with first(...) or limit(100; ...)", MaxOutput>>20)
	}
	// Anything else is the runtime's end of a process that has too much in memory or on its stack.
	return fmt.Errorf("it needed more than %d MiB of memory", MaxMemory>>20)
}

// capped keeps the first bytes and drops the rest.
type capped struct {
	kept bytes.Buffer
	most int
}

func (c *capped) Write(p []byte) (int, error) {
	c.kept.Write(p[:min(len(p), c.most-c.kept.Len())])
	return len(p), nil
}

var _ io.Writer = (*capped)(nil)
