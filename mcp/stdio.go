package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// drainTime is how long calls in flight may take after the input has ended.
const drainTime = 5 * time.Second

// stdio is the transport on standard input and output. The SDK's own ends the session at one bad line
// (upstream issue 1209), answers cancelled requests, leaves a repeated id without an answer and cancels
// calls in flight when the input ends; this one does not.
type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect is called once by the SDK's server.
func (t *stdio) Connect(context.Context) (sdk.Connection, error) {
	c := &stdioConn{
		out: t.out, lines: make(chan line), closed: make(chan struct{}),
		open: map[jsonrpc.ID]bool{}, cancelled: map[jsonrpc.ID]bool{}, idle: make(chan struct{}, 1),
	}
	go c.readLines(t.in)
	return c, nil
}

type line struct {
	text []byte
	err  error
}

type stdioConn struct {
	lines  chan line
	closed chan struct{}
	close  sync.Once
	// idle is told when the last open request was answered.
	idle chan struct{}

	mu  sync.Mutex
	out io.Writer
	// open holds the requests that wait for an answer, cancelled those of them that get none.
	open, cancelled map[jsonrpc.ID]bool
}

// SessionID is empty: standard input and output carry one session.
func (c *stdioConn) SessionID() string { return "" }

func (c *stdioConn) readLines(in io.Reader) {
	reader := bufio.NewReaderSize(in, 1<<16)
	for {
		text, err := commands.ReadLine(reader)
		select {
		case c.lines <- line{text, err}:
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, commands.ErrLineTooLong) {
			return
		}
	}
}

// Read returns the next message that the server is to see. What is none is answered here, and the session
// goes on. After the end of the input it waits until the calls in flight are answered.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil && !errors.Is(l.err, commands.ErrLineTooLong) {
				c.drain(ctx)
				return nil, l.err
			}
			message, err := c.decode(l)
			if err != nil {
				return nil, err
			}
			if message != nil {
				return message, nil
			}
		}
	}
}

// decode returns nil for a line that was answered here. Its error is one of writing.
func (c *stdioConn) decode(l line) (jsonrpc.Message, error) {
	if l.err != nil {
		return nil, c.refuse(nil, jsonrpc.CodeInvalidRequest, l.err.Error())
	}
	if !utf8.Valid(l.text) || !json.Valid(l.text) {
		return nil, c.refuse(nil, jsonrpc.CodeParseError, "the line is not valid JSON in UTF-8")
	}
	message, err := jsonrpc.DecodeMessage(l.text)
	if err != nil {
		return nil, c.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC message: "+err.Error())
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return message, nil
	}
	if request.Method == "notifications/cancelled" {
		c.noteCancelled(request.Params)
	}
	if request.ID.IsValid() && !c.begin(request.ID) {
		return nil, c.refuse(request.ID.Raw(), jsonrpc.CodeInvalidRequest, "a request with this id is still at work")
	}
	return message, nil
}

// begin notes an open request; false when its id is open already.
func (c *stdioConn) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[id] {
		return false
	}
	c.open[id] = true
	return true
}

func (c *stdioConn) noteCancelled(params json.RawMessage) {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[id] {
		c.cancelled[id] = true
	}
}

// refuse writes an error response; a nil id is JSON-RPC's null, for a message whose id is not known.
func (c *stdioConn) refuse(id any, code int64, message string) error {
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeLine(text)
}

// Write sends a message, unless it answers a request that was cancelled.
func (c *stdioConn) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		return c.writeLine(text)
	}
	dropped := c.cancelled[response.ID]
	delete(c.open, response.ID)
	delete(c.cancelled, response.ID)
	if len(c.open) == 0 {
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
	if dropped {
		return nil
	}
	return c.writeLine(text)
}

func (c *stdioConn) writeLine(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// drain waits until no request is open, at most drainTime.
func (c *stdioConn) drain(ctx context.Context) {
	limit := time.NewTimer(drainTime)
	defer limit.Stop()
	for {
		c.mu.Lock()
		open := len(c.open)
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-c.idle:
		case <-limit.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Close ends Read.
func (c *stdioConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}
