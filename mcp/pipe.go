package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// outgoing is one message to the client. An answer ends what the client waits for; its text is nil where
// nothing is to be said: a notification was taken, a request was cancelled.
type outgoing struct {
	text   []byte
	answer bool
	// code of an error, 0 for none.
	code int64
}

// outlet is where messages go: standard output, or the answer to one HTTP request.
type outlet interface {
	send(outgoing) error
}

// origin is where a message came from and its answer goes to.
type origin struct {
	to outlet
	// in is the array that the message was part of, nil for none.
	in *batch
}

// pipe serves one client. The SDK's own transports end at one bad line (upstream issue 1209), answer what was
// cancelled, drop a repeated id, cancel calls in flight when the input ends, and keep the revision of the
// first request and one listen for a whole session. Here a message is looked at first, and goes to the SDK's
// session of its era, or of its listen.
type pipe struct {
	server *Server
	calls  requests
	era    era
	// out takes what belongs to no request, and everything where there is one output.
	out outlet
	// id of the session, where the client has to name it.
	id string
	// perRequest says that each request has an outlet of its own, and what comes of it goes there.
	perRequest bool

	// Only who reads uses these; where several do, legacy is there before.
	legacy, modern *session
	sessions       sync.WaitGroup
}

func (s *Server) newPipe(out outlet) *pipe {
	p := &pipe{server: s, out: out, era: era{served: s.revisions}}
	p.calls.init()
	return p
}

// take handles one text that should be a message, or an array of them.
func (p *pipe) take(ctx context.Context, text []byte, to outlet) {
	text = bytes.TrimLeft(text, " \t\r\n")
	switch {
	case !utf8.Valid(text) || !json.Valid(text):
		p.refuse(origin{to: to}, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this is not valid JSON in UTF-8"})
	case text[0] == '[':
		p.batch(ctx, text, to)
	default:
		p.message(ctx, text, origin{to: to})
	}
}

// message hands one message to its session.
func (p *pipe) message(ctx context.Context, text []byte, from origin) {
	message, err := jsonrpc.DecodeMessage(text)
	request, ok := message.(*jsonrpc.Request)
	from.in.expect()
	switch {
	case err != nil:
		p.refuse(from, nil, invalidRequest("this is no JSON-RPC message: %v", err))
	case !ok && isEmpty(message):
		p.refuse(from, message.(*jsonrpc.Response).ID.Raw(), invalidRequest("a message has a method, a result or an error"))
	case !ok:
		p.legacy.receive(ctx, message) // only older clients are asked anything
		_ = p.answer(from, outgoing{})
	case request.ID.IsValid() && keptID(request.ID, writtenID(text)):
		p.request(ctx, request, from)
	case writtenID(text) != nil:
		p.refuse(from, nil, invalidRequest("the id of a request is a string or a whole number below 2^53"))
	default:
		p.notification(ctx, request)
		_ = p.answer(from, outgoing{})
	}
}

// isEmpty is true for what the SDK takes for a response and that answers nothing.
func isEmpty(message jsonrpc.Message) bool {
	response, ok := message.(*jsonrpc.Response)
	return ok && response.Result == nil && response.Error == nil
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

func (p *pipe) request(ctx context.Context, request *jsonrpc.Request, from origin) {
	id := request.ID.Raw()
	meta, problem := readMeta(request)
	if problem == nil {
		problem = p.era.check(request, meta, from.in)
	}
	if problem != nil {
		p.refuse(from, id, problem)
		return
	}
	call := &open{method: request.Method, token: meta.Token, from: from}
	if !p.calls.begin(request.ID, call) {
		p.refuse(from, id, invalidRequest("a request with this id is still at work"))
		return
	}
	if p.perRequest {
		request.Extra = carry(from.to)
	}
	p.sessionFor(ctx, request.Method, meta).receiveCall(ctx, request, call)
}

// sessionFor is the session that a request belongs to, connected when first needed.
func (p *pipe) sessionFor(ctx context.Context, method string, meta requestMeta) *session {
	switch {
	case lasts(method):
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
	if call := p.calls.cancel(n); call != nil {
		call.session.receive(ctx, n)
	}
}

// refuse answers with an error; a nil id is JSON-RPC's null, for a message whose id is not known.
func (p *pipe) refuse(from origin, id any, e *jsonrpc.Error) {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": e})
	if err == nil {
		_ = p.answer(from, outgoing{text: text, code: e.Code})
	}
}

func invalidRequest(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

func invalidParams(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// write sends a message of a session, unless nobody waits for it any more.
func (p *pipe) write(ctx context.Context, from *session, message jsonrpc.Message) error {
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		return p.tell(ctx, from, message.(*jsonrpc.Request))
	}
	call := p.calls.end(response.ID)
	if call == nil {
		return nil
	}
	call.session.turnOver(call)
	if call.lasts() {
		defer from.close()
	}
	p.era.answered(call.method, response)
	response.Error = withCode(call.method, response.Error)
	if call.cancelled != nil {
		return p.answer(call.from, outgoing{})
	}
	text, err := encodeResponse(response)
	if err != nil {
		return err
	}
	return p.answer(call.from, outgoing{text: text, code: codeOf(response.Error)})
}

// tell sends what is no answer: a notification, or a request to an older client.
func (p *pipe) tell(ctx context.Context, from *session, message *jsonrpc.Request) error {
	if from.legacy && !p.era.agreed() || !p.calls.wants(from, message) {
		return nil
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if to := carried(ctx); to != nil && to.send(outgoing{text: text}) == nil {
		return nil
	}
	return p.out.send(outgoing{text: text})
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

func codeOf(err error) int64 {
	var coded *jsonrpc.Error
	if errors.As(err, &coded) {
		return coded.Code
	}
	return 0
}

// answer sends a response by itself or, when its request came in an array, with the others of that.
func (p *pipe) answer(from origin, m outgoing) error {
	if from.in != nil {
		all, last := from.in.add(m.text)
		if !last {
			return nil
		}
		m = outgoing{text: all}
	}
	m.answer = true
	if err := from.to.send(m); !errors.Is(err, errGone) {
		return err
	}
	return nil // an error would end the SDK's session, which has other requests
}

// close ends the sessions, which cancels what is still at work, and waits a little for them.
func (p *pipe) close(stop context.CancelCauseFunc) {
	stop(nil)
	waitAtMost(closeTime, p.sessions.Wait)
}

// waitAtMost waits for something, but not for longer than limit.
func waitAtMost(limit time.Duration, wait func()) {
	ended := make(chan struct{})
	go func() {
		wait()
		close(ended)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}
