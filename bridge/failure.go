package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/coder/websocket"
)

// failure is why a link died.
type failure struct {
	base Error
	// carried says that commands which were sent may have been carried out.
	carried bool
	// tooBig is the id of the call whose message broke the link; 0 = none.
	tooBig int64
	// tooBigHint is what that call is told.
	tooBigHint string
}

// errorFor is what the call p is told; nil stands for nobody's call.
func (f *failure) errorFor(p *Pending) *Error {
	e := f.base
	if p == nil {
		return &e
	}
	if f.tooBig == p.id {
		return &Error{Code: ValidationError, Hint: p.command + ": " + f.tooBigHint, Sent: f.carried && p.Sent()}
	}
	if !f.carried {
		return &e
	}
	// An editor that was too slow to say hello will be so again.
	e.Sent, e.Broken = p.Sent(), e.Code == BridgeDisconnected
	if e.Sent {
		e.Hint = p.command + ": " + e.Hint + "; the request had been sent, whether it was carried out is unknown"
	} else {
		e.Hint = p.command + ": " + e.Hint + "; the request had not been sent, nothing was changed"
	}
	return &e
}

// fail ends the link and its socket.
func (l *link) fail(f *failure) {
	if l.end(f) {
		_ = l.conn.CloseNow()
	}
}

// end makes the link dead, the first time, and tells all calls in flight. The
// socket is left to whoever made it end.
func (l *link) end(f *failure) bool {
	l.mu.Lock()
	if l.failure != nil {
		l.mu.Unlock()
		return false
	}
	calls := l.die(f)
	l.mu.Unlock()
	l.bury(calls)
	return true
}

// die is called once, with l.mu held; the calls that it returns are to be told by bury, without it.
func (l *link) die(f *failure) map[int64]*Pending {
	l.failure = f
	calls := l.calls
	l.calls = map[int64]*Pending{}
	if l.idle != nil {
		l.idle.Stop()
	}
	// Whoever finds the failure finds the link dead too, and does not try it again.
	close(l.done)
	return calls
}

func (l *link) bury(calls map[int64]*Pending) {
	l.helloTimer.Stop()
	for _, p := range calls {
		p.state.CompareAndSwap(stateQueued, stateDropped)
		p.complete(nil, l.failure.errorFor(p))
	}
	l.client.log().Debug("bridge: link ended", "pid", l.editor.PID, "why", l.failure.base.Hint)
}

// readFailure tells from a read error why the link died; got is what had been
// read of the message at hand.
func (l *link) readFailure(got []byte, err error) *failure {
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return l.answerTooBig(got)
	}
	switch code := websocket.CloseStatus(err); code {
	case websocket.StatusMessageTooBig:
		return l.requestTooBig()
	case websocket.StatusTryAgainLater:
		return l.full()
	}
	if !isClosed(l.proven) {
		return l.lostEarly(err)
	}
	return l.lost(err)
}

// full is for close code 1013, which the editor answers instead of hello.
func (l *link) full() *failure {
	f := &failure{base: *Errorf(PreconditionFailed, "bridge_connected",
		"the editor (%s) already has %d clients, as many as it serves: end a program that keeps a place (an MCP server that idles, a godot-mcp call -), then see that one is free: godot-mcp health-check", where(l.editor), MaxClients)}
	f.base.Full = true
	return f
}

// lost is the end of a link to an editor that had proved itself.
func (l *link) lost(err error) *failure {
	return &failure{carried: true, base: *Errorf(BridgeDisconnected, "bridge_connected",
		"the link to the editor (process %d) broke (%s); see whether it runs: godot-mcp editor list", l.editor.PID, breakReason(err))}
}

// lostEarly is the end of a link before the answer to hello.
func (l *link) lostEarly(err error) *failure {
	return &failure{carried: true, base: *Errorf(BridgeDisconnected, "bridge_token",
		"the editor (%s) broke the link (%s) before it had proved that it wrote the bridge file; see which run: godot-mcp editor list", where(l.editor), breakReason(err))}
}

// breakReason words a read or write error in few words.
func breakReason(err error) string {
	var closed websocket.CloseError
	switch {
	case errors.As(err, &closed) && closed.Reason != "":
		return fmt.Sprintf("close code %d, %q", closed.Code, closed.Reason)
	case errors.As(err, &closed):
		return fmt.Sprintf("close code %d", closed.Code)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "end of stream"
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return "protocol error"
}

// requestTooBig is for close code 1009. It must be the biggest request in
// flight that was over the editor's limit.
func (l *link) requestTooBig() *failure {
	l.mu.Lock()
	defer l.mu.Unlock()
	var biggest *Pending
	for _, p := range l.calls {
		if p.Sent() && (biggest == nil || p.size > biggest.size) {
			biggest = p
		}
	}
	f := &failure{carried: true, base: *Errorf(BridgeDisconnected, "bridge_connected",
		"the editor closed the link because a message was over its size limit (close code 1009); try again: godot-mcp health-check")}
	if biggest != nil {
		f.tooBig = biggest.id
		f.tooBigHint = fmt.Sprintf("the message of %d bytes is over the size limit of this editor, which closed the link (close code 1009), although the protocol allows %d bytes; send it in parts, or upgrade the addon: godot-mcp addon update --project %s",
			biggest.size, MaxMessage, quote(l.editor.ProjectPath))
	}
	return f
}

// answerTooBig is for an answer over our own limit.
func (l *link) answerTooBig(got []byte) *failure {
	f := &failure{carried: true, base: *Errorf(BridgeDisconnected, "bridge_connected",
		"the link was closed because an answer of the editor was over the size limit of %d bytes (16 MiB); try again: godot-mcp health-check", MaxMessage)}
	id, ok := peekID(got[:min(len(got), 4096)])
	if !ok {
		id, ok = l.onlyCall()
	}
	if ok {
		f.tooBig = id
		f.tooBigHint = fmt.Sprintf("the answer is over the size limit of %d bytes (16 MiB) a message; the command may have been carried out; ask for less: godot-mcp contract show --format markdown", MaxMessage)
	}
	return f
}

// unsent is for a context that ended before anything was sent.
func unsent(what string, err error) *Error {
	return contextError(what, err, false)
}

// contextError is what a call is told whose context ended.
func contextError(what string, err error, sent bool) *Error {
	how := "no answer in time"
	if errors.Is(err, context.Canceled) {
		how = "cancelled"
	}
	state := "it had not been sent, nothing was changed"
	next := "godot-mcp editor wait"
	if sent {
		state = "it had been sent, whether it was carried out is unknown"
		next = "godot-mcp history list"
	}
	return &Error{Code: Timeout, Err: err, Sent: sent, Hint: fmt.Sprintf("%s: %s; %s: %s", what, how, state, next)}
}
