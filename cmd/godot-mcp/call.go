package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

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
			"A line may have id, request_key, timeout_ms and contract. The exit code is 0 when every line was answered.",
		Example: `  printf '{"tool":"scene tree","arguments":{}}\n' | godot-mcp call -`,
		Args:    cobra.ExactArgs(1),
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
			defer d.Env.Bridge.Close()
			return a.callLines(cmd.Context(), d, settings, in)
		},
	}
}

func (a *app) openInput(name string) (io.Reader, func(), error) {
	if name == "-" {
		return a.in, func() {}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, usageError("file", "%v", err)
	}
	return file, func() { _ = file.Close() }, nil
}

// callLines sends each line as it comes and writes the answers behind it. A tool that the binary answers
// itself, such as editor stop, waits until all before it are answered.
func (a *app) callLines(ctx context.Context, d *commands.Dispatcher, s settings, in io.Reader) error {
	waiting := make(chan queued, bridge.MaxInFlight)
	written := make(chan error, 1)
	answered := make(chan struct{}, 1)
	go func() { written <- a.writeAnswers(ctx, waiting, answered) }()
	reader := bufio.NewReaderSize(in, 1<<16)
	var readErr error
	for ctx.Err() == nil {
		text, err := readLine(reader)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errLineTooLong) {
			readErr = err
			break
		}
		q := startLine(ctx, d, s, text, err)
		waiting <- q
		if q.running != nil && q.running.Local() {
			<-answered
		}
	}
	close(waiting)
	if err := <-written; err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Canceled
	}
	return readErr
}

func startLine(ctx context.Context, d *commands.Dispatcher, s settings, text []byte, err error) queued {
	if err != nil {
		return queued{err: err}
	}
	var line callLine
	if err := json.Unmarshal(text, &line); err != nil {
		return queued{err: usageError("line", `a line must be one JSON object {"tool":"..","arguments":{..}}: %v`, err)}
	}
	if line.Tool == "" {
		line.Tool, line.Arguments = line.Command, line.Params
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
	return queued{line: line, running: d.Start(ctx, call)}
}

// writeAnswers writes in order, and flushes whenever nothing more is waiting.
func (a *app) writeAnswers(ctx context.Context, waiting <-chan queued, answered chan<- struct{}) error {
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
	return failed
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
	head, err := json.Marshal(answer)
	if err != nil {
		head, _ = json.Marshal(callAnswer{Tool: answer.Tool, Error: bridge.InternalError, Hint: err.Error()})
		return append(head, '\n')
	}
	if result == nil {
		return append(head, '\n')
	}
	line := append(head[:len(head)-1], `,"result":`...)
	line = append(line, result...)
	return append(line, '}', '\n')
}

var errLineTooLong = bridge.Errorf(bridge.ValidationError, "line", "the line has more than %d bytes, which is the limit: split the work into several calls", bridge.MaxMessage)

// readLine reads one line of at most bridge.MaxMessage bytes and skips empty ones and a BOM. The rest of a
// longer one is read past.
func readLine(r *bufio.Reader) ([]byte, error) {
	for {
		line, err := readWhole(r)
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		if len(line) > 0 {
			return line, nil
		}
	}
}

func readWhole(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > bridge.MaxMessage {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(line) == 0 && !tooLong || !errors.Is(err, io.EOF)):
			return nil, err
		case tooLong:
			return nil, errLineTooLong
		}
		return line, nil
	}
}
