package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/godot-mcp/godot-mcp/commands"
)

const (
	// drainTime is how long calls in flight may take after the input has ended.
	drainTime = 5 * time.Second
	// closeTime is how long cancelled calls may take to notice.
	closeTime = time.Second
)

// ErrOutput is the error of a server whose client no longer reads.
var ErrOutput = errors.New("the client no longer reads")

// pipe serves one client on standard input and output. The SDK's own transport ends at one bad line
// (upstream issue 1209), answers what was cancelled, drops a repeated id, cancels calls in flight when the
// input ends, and keeps the revision of the first request and one listen for a whole session. Here a
// message is looked at first, and goes to the SDK's session of its era, or of its listen.
type pipe struct {
	server *Server
	calls  requests
	stop   context.CancelCauseFunc

	era era

	// Only the loop that reads uses these.
	legacy, modern *session
	sessions       sync.WaitGroup

	writing sync.Mutex
	out     io.Writer
}

// ServeStdio answers until the input ends, the client is gone, or ctx is cancelled. Only MCP messages are
// written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p := &pipe{server: s, stop: stop, out: out}
	p.calls.init()
	err := p.serve(ctx, in)
	p.close(stop)
	return err
}

type line struct {
	text []byte
	err  error
}

// serve handles lines until there are no more. Errors are those of reading and writing.
func (p *pipe) serve(ctx context.Context, in io.Reader) error {
	lines := make(chan line)
	go readLines(ctx, in, lines)
	client := newWatch()
	defer client.stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-client.look():
			if client.gone() {
				p.server.log.Warn("the process that started this server is gone")
				return nil
			}
		case l := <-lines:
			client.heard()
			switch {
			case errors.Is(l.err, io.EOF):
				p.calls.drain(ctx, drainTime)
				return nil
			case l.err != nil && !errors.Is(l.err, commands.ErrLineTooLong):
				return l.err
			}
			p.line(ctx, l)
		}
	}
}

func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
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
}

// line answers what is no message, and the session goes on.
func (p *pipe) line(ctx context.Context, l line) {
	switch {
	case l.err != nil:
		p.refuse(nil, invalidRequest("%v", l.err))
	case !utf8.Valid(l.text) || !json.Valid(l.text):
		p.refuse(nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not valid JSON in UTF-8"})
	case l.text[0] == '[':
		p.batch(ctx, l.text)
	default:
		p.message(ctx, l.text, nil)
	}
}

// message hands one message to its session.
func (p *pipe) message(ctx context.Context, text []byte, in *batch) {
	message, err := jsonrpc.DecodeMessage(text)
	request, ok := message.(*jsonrpc.Request)
	switch {
	case err != nil:
		in.expect()
		p.refuseIn(in, nil, invalidRequest("the line is no JSON-RPC message: %v", err))
	case !ok:
		p.legacy.receive(ctx, message) // only older clients are asked anything
	case request.ID.IsValid() && keptID(request.ID, writtenID(text)):
		in.expect()
		p.request(ctx, request, in)
	case writtenID(text) != nil:
		in.expect()
		p.refuseIn(in, nil, invalidRequest("the id of a request is a string or a whole number below 2^53"))
	default:
		p.notification(ctx, request)
	}
}

// writtenID is the id as the client wrote it, nil without one.
func writtenID(text []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(text, &m)
	return m.ID
}

// keptID is false where the SDK's whole number is another one than the client wrote: the answer would belong
// to no request of theirs, or to a different one.
func keptID(id jsonrpc.ID, written json.RawMessage) bool {
	number, whole := id.Raw().(int64)
	if !whole {
		return true
	}
	const exact = 1 << 53
	value, err := strconv.ParseFloat(string(written), 64)
	return err == nil && value == float64(number) && value > -exact && value < exact
}

func (p *pipe) request(ctx context.Context, request *jsonrpc.Request, in *batch) {
	id := request.ID.Raw()
	meta, problem := readMeta(request)
	if problem == nil {
		problem = p.era.check(request.Method, meta, in)
	}
	if problem != nil {
		p.refuseIn(in, id, problem)
		return
	}
	call := &open{method: request.Method, token: meta.Token, batch: in}
	if !p.calls.begin(request.ID, call) {
		p.refuseIn(in, id, invalidRequest("a request with this id is still at work"))
		return
	}
	p.sessionFor(ctx, request.Method, meta).receiveCall(ctx, request, call)
}

// sessionFor is the session that a request belongs to, connected when first needed.
func (p *pipe) sessionFor(ctx context.Context, method string, meta requestMeta) *session {
	switch {
	case method == "subscriptions/listen":
		// The SDK holds one listen per session.
		return p.connect(ctx, false)
	case meta.modern():
		if p.modern == nil {
			p.modern = p.connect(ctx, false)
		}
		return p.modern
	}
	if p.legacy == nil {
		p.legacy = p.connect(ctx, true)
	}
	return p.legacy
}

func (p *pipe) notification(ctx context.Context, n *jsonrpc.Request) {
	if n.Method != "notifications/cancelled" {
		p.legacy.receive(ctx, n) // newer clients have no other
		return
	}
	if call := p.calls.cancel(n.Params); call != nil {
		call.session.receive(ctx, n)
	}
}

// refuse writes an error response; a nil id is JSON-RPC's null, for a message whose id is not known.
func (p *pipe) refuse(id any, e *jsonrpc.Error) { p.refuseIn(nil, id, e) }

func (p *pipe) refuseIn(in *batch, id any, e *jsonrpc.Error) {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": e})
	if err == nil {
		_ = p.writeIn(in, text)
	}
}

func invalidRequest(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

func invalidParams(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// write sends a message of a session, unless nobody waits for it any more.
func (p *pipe) write(from *session, message jsonrpc.Message) error {
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		if from.legacy && !p.era.agreed() || !p.calls.wants(from, message.(*jsonrpc.Request)) {
			return nil
		}
		text, err := jsonrpc.EncodeMessage(message)
		if err != nil {
			return err
		}
		return p.writeLine(text)
	}
	call := p.calls.end(response.ID)
	if call == nil {
		return nil
	}
	if call.method == "subscriptions/listen" {
		defer from.close()
	}
	p.era.answered(call.method, response)
	response.Error = withCode(call.method, response.Error)
	if call.cancelled {
		return p.writeIn(call.batch, nil)
	}
	text, err := encodeResponse(response)
	if err != nil {
		return err
	}
	return p.writeIn(call.batch, text)
}

// encodeResponse writes a result as the bytes that it has; the SDK would read them once more.
func encodeResponse(response *jsonrpc.Response) ([]byte, error) {
	if response.Error != nil {
		return jsonrpc.EncodeMessage(response)
	}
	id, err := json.Marshal(response.ID.Raw())
	if err != nil {
		return nil, err
	}
	text := make([]byte, 0, len(response.Result)+len(id)+40)
	text = append(append(text, `{"jsonrpc":"2.0","id":`...), id...)
	text = append(append(text, `,"result":`...), response.Result...)
	return append(text, '}'), nil
}

// withCode gives the errors that the SDK leaves at code 0 one of JSON-RPC's.
func withCode(method string, err error) error {
	if err == nil {
		return nil
	}
	var coded *jsonrpc.Error
	if errors.As(err, &coded) && coded.Code != 0 {
		return coded
	}
	if method == "initialize" {
		return invalidParams("%v", err)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// writeIn sends a response by itself or, when its request came in a batch, with the others of the batch.
// Nil stands for the response of a request that was cancelled.
func (p *pipe) writeIn(in *batch, text []byte) error {
	if in != nil {
		text = in.add(text)
	}
	if text == nil {
		return nil
	}
	return p.writeLine(text)
}

// writeLine ends the server when the line cannot be written: nobody is there to read another.
func (p *pipe) writeLine(text []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, err := p.out.Write(append(text, '\n'))
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrOutput, err)
		p.stop(err)
	}
	return err
}

// close ends the sessions, which cancels what is still at work, and waits a little for them.
func (p *pipe) close(stop context.CancelCauseFunc) {
	stop(nil)
	ended := make(chan struct{})
	go func() {
		p.sessions.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(closeTime):
	}
}
