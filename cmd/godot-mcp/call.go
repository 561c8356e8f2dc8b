package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// callLine is one line of NDJSON: {tool, arguments}, or the bridge's own {command, params}.
type callLine struct {
	ID         json.RawMessage `json:"id"`
	Tool       string          `json:"tool"`
	Arguments  json.RawMessage `json:"arguments"`
	Command    string          `json:"command"`
	Params     json.RawMessage `json:"params"`
	RequestKey string          `json:"request_key"`
	TimeoutMS  int             `json:"timeout_ms"`
	Contract   int             `json:"contract"`
	MaxChars   *int            `json:"max_chars"`
}

// callAnswer is one line out, in the order of the lines in.
type callAnswer struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Tool     string          `json:"tool"`
	OK       bool            `json:"ok"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    bridge.Code     `json:"error,omitempty"`
	Hint     string          `json:"hint,omitempty"`
	Required string          `json:"required,omitempty"`
}

// queued is a line whose answer is on its way.
type queued struct {
	line    callLine
	running *commands.Running
	err     error
}

func (a *app) callCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "call FILE|-",
		Short: "Carry out NDJSON lines {tool, arguments} over one connection, one answer a line",
		Long: "Carry out NDJSON lines {tool, arguments} over one connection, one answer a line.\n\n" +
			"Answers come in the order of the lines: {tool, ok, result} or {tool, ok:false, error, hint, required}.\n" +
			"A line may have id, request_key, timeout_ms, contract and max_chars. The exit code is 0 when every line was answered.",
		Example: `  printf '{"tool":"scene tree","arguments":{}}\n' | godot-mcp call -`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, closeInput, err := a.openInput(args[0])
			if err != nil {
				return err
			}
			defer closeInput()
			settings, err := a.settings(cmd.Flags())
			if err != nil {
				return err
			}
			d := a.dispatcher(settings, "ndjson")
			defer func() { d.Env.Close(cmd.Context().Err() != nil) }()
			defer a.notice(d)
			return a.callLines(cmd.Context(), d, settings, in)
		},
	}
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usageError("file", "%s takes one file, or - for standard input, was given %d: %s -", cmd.CommandPath(), len(args), cmd.CommandPath())
}

func (a *app) openInput(name string) (io.Reader, func(), error) {
	if name == "-" {
		return a.in, func() {}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, usageError("file", "%v: godot-mcp call -", err)
	}
	return file, func() { _ = file.Close() }, nil
}

// callLines sends each line as it comes and writes the answers behind it. A tool that the binary answers
// itself, such as editor stop, waits until all before it are answered.
func (a *app) callLines(ctx context.Context, d *commands.Dispatcher, s settings, in io.Reader) error {
	waiting := make(chan queued, bridge.MaxInFlight)
	written := make(chan error, 1)
	answered := make(chan struct{}, 1)
	go func() { written <- a.writeAnswers(waiting, answered) }()
	readErr := eachLine(ctx, in, func(text []byte, err error) {
		q := startLine(ctx, d, s, text, err)
		waiting <- q
		if q.running != nil && q.running.Local() {
			<-answered
		}
	})
	close(waiting)
	if err := <-written; err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted{hint: "each line that was begun has its answer"}
	}
	return readErr
}

// eachLine hands on lines, or what is wrong with one, until the input or the context ends. Input is read
// beside, since an interrupt cannot end a read.
func eachLine(ctx context.Context, in io.Reader, do func(text []byte, err error)) error {
	type line struct {
		text []byte
		err  error
	}
	lines := make(chan line)
	go func() {
		reader := bufio.NewReaderSize(in, 1<<16)
		for {
			text, err := commands.ReadLine(reader)
			select {
			case lines <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, commands.ErrLineTooLong) {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l := <-lines:
			switch {
			case errors.Is(l.err, io.EOF):
				return nil
			case l.err != nil && !errors.Is(l.err, commands.ErrLineTooLong):
				return usageError("file", "the input cannot be read: %w: godot-mcp call -", l.err)
			}
			do(l.text, l.err)
		}
	}
}

func startLine(ctx context.Context, d *commands.Dispatcher, s settings, text []byte, err error) queued {
	if err != nil {
		return queued{err: err}
	}
	line, err := parseLine(text)
	if err != nil {
		return queued{line: line, err: err}
	}
	call := commands.Call{
		Tool: line.Tool, Arguments: line.Arguments, Key: line.RequestKey,
		Timeout: time.Duration(line.TimeoutMS) * time.Millisecond, Contract: line.Contract,
	}
	if call.Timeout == 0 {
		call.Timeout = s.explicitTimeout()
	}
	if call.Contract == 0 {
		call.Contract = s.contract
	}
	call.MaxChars = s.maxChars
	if line.MaxChars != nil {
		call.MaxChars = *line.MaxChars
	}
	return queued{line: line, running: d.Start(ctx, call)}
}

const lineForm = `{"tool":"scene tree","arguments":{}}: godot-mcp call --help`

// parseLine reads one line. Where it is refused, its id is kept as far as it can be read.
func parseLine(text []byte) (callLine, error) {
	var line callLine
	if !utf8.Valid(text) {
		return line, usageError("line", "the line is not valid UTF-8; a line is a JSON object %s", lineForm)
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return line, usageError("line", "the line cannot be read (%v); a line is a JSON object %s", err, lineForm)
	}
	if line.Tool == "" {
		// The bridge writes a dot where the table has a space.
		line.Tool = strings.Replace(line.Command, ".", " ", 1)
	}
	if line.Arguments == nil {
		line.Arguments = line.Params
	}
	switch {
	case line.Tool == "":
		return line, usageError("tool", "the line names no tool; a line is a JSON object %s", lineForm)
	case line.MaxChars != nil && *line.MaxChars < 0:
		return line, usageError("max_chars", "max_chars must be a number of characters, 0 for no limit, was given %d: godot-mcp call --help", *line.MaxChars)
	case line.TimeoutMS < 0:
		return line, usageError("timeout_ms", "timeout_ms must be above zero, was given %d: godot-mcp call --help", line.TimeoutMS)
	}
	return line, nil
}

// writeAnswers writes in order, and flushes whenever nothing more is waiting.
func (a *app) writeAnswers(waiting <-chan queued, answered chan<- struct{}) error {
	out := bufio.NewWriterSize(a.out, 1<<16)
	var failed error
	for q := range waiting {
		line := q.answer()
		if failed == nil {
			_, failed = out.Write(line)
		}
		if failed == nil && len(waiting) == 0 {
			failed = out.Flush()
		}
		if q.running != nil && q.running.Local() {
			answered <- struct{}{}
		}
	}
	if failed == nil {
		failed = out.Flush()
	}
	if failed != nil {
		return outputError{failed}
	}
	return nil
}

func (q queued) answer() []byte {
	answer := callAnswer{ID: q.line.ID, Tool: q.line.Tool}
	err := q.err
	if err == nil {
		answer.Result, err = q.running.Wait()
	}
	if err != nil {
		e := bridge.AsError(err)
		answer.Error, answer.Hint, answer.Required = e.Code, e.Hint, e.Required
	}
	answer.OK = err == nil
	return encodeLine(answer)
}

// encodeLine writes the result's bytes as they came, which json.Marshal would scan once more.
func encodeLine(answer callAnswer) []byte {
	result := answer.Result
	answer.Result = nil
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // texts, and an id that came as JSON
	head := buffer.Bytes()
	if result == nil {
		return head
	}
	line := append(head[:len(head)-2], `,"result":`...)
	line = append(line, result...)
	return append(line, '}', '\n')
}
