package jq

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/itchyny/gojq"
)

const workerFlag = "--jq-worker"

// How a worker ends when it has no values; 2 is the runtime's own, for a stack or a heap without end.
const (
	exitFailed = 1
	exitMemory = 3
	exitTime   = 4
	exitOutput = 5
)

// task is what a worker reads.
type task struct {
	Expression string          `json:"expression"`
	Input      json.RawMessage `json:"input"`
}

// Worker does the work and ends the process, when that is what the process was started for.
func Worker() {
	if len(os.Args) != 2 || os.Args[1] != workerFlag {
		return
	}
	limit()
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))) // one for the watch
	debug.SetMemoryLimit(MaxMemory * 3 / 4)
	debug.SetMaxStack(MaxMemory / 4)
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	go watch(time.Now().Add(MaxTime))
	values, err := run(text)
	if err != nil {
		fail(err)
	}
	if _, err := os.Stdout.Write(values); err != nil {
		fail(err)
	}
	os.Exit(0)
}

func fail(err error) {
	if errors.Is(err, errOutput) {
		os.Exit(exitOutput)
	}
	_, _ = io.WriteString(os.Stderr, err.Error())
	os.Exit(exitFailed)
}

// watch ends the process at a bound, whatever it is in the midst of.
func watch(end time.Time) {
	sizes := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
	}
	for range time.Tick(time.Millisecond) {
		metrics.Read(sizes)
		switch {
		case sizes[0].Value.Uint64()+sizes[1].Value.Uint64() > MaxMemory:
			os.Exit(exitMemory)
		case time.Now().After(end):
			os.Exit(exitTime)
		}
	}
}

var errOutput = errors.New("too much output")

// run is the list of values as JSON.
func run(text []byte) ([]byte, error) {
	var t task
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, err
	}
	code, err := Compile(t.Expression)
	if err != nil {
		return nil, err
	}
	input, err := decode(t.Input)
	if err != nil {
		return nil, err
	}
	out := []byte{'['}
	for values := code.Run(input); ; {
		value, more := values.Next()
		if !more || IsHalt(value) {
			break
		}
		if err, failed := value.(error); failed {
			return nil, err
		}
		encoded, err := gojq.Marshal(value)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if out = append(out, encoded...); len(out) > MaxOutput {
			return nil, errOutput
		}
	}
	out = append(out, ']')
	if !json.Valid(out) {
		return nil, errors.New("its values are nested deeper than JSON readers take")
	}
	return out, nil
}

// decode keeps numbers as they are written.
func decode(text json.RawMessage) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return value, d.Decode(&value)
}

// IsHalt is true for the end that an expression asked for with halt, which is no failure.
func IsHalt(value any) bool {
	err, failed := value.(error)
	var halt *gojq.HaltError
	return failed && errors.As(err, &halt) && halt.Value() == nil
}
