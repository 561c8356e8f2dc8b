package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"
)

// States of a request on its way to the socket.
const (
	stateQueued int32 = iota
	// stateSent begins before the first byte is written.
	stateSent
	// stateDropped is for a request that will not be written any more.
	stateDropped
)

// Pending is a request that was started.
type Pending struct {
	link       *link
	id         int64
	size       int
	command    string
	onProgress func(Progress)
	state      atomic.Int32
	begun      time.Time

	// result and err are set before done is closed.
	result json.RawMessage
	err    error
	done   chan struct{}
}

// failedPending is a request that never came as far as a link.
func failedPending(err error) *Pending {
	p := &Pending{err: err, done: make(chan struct{})}
	close(p.done)
	return p
}

// Wait returns the answer. When ctx ends first the editor is asked to give the
// command up and the error is a TIMEOUT that wraps the context's error. Further
// calls return the same. Errors are those of Client.Call.
func (p *Pending) Wait(ctx context.Context) (json.RawMessage, error) {
	select {
	case <-p.done:
		return p.result, p.err
	default:
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.abandon(ctx.Err())
		<-p.done
	}
	return p.result, p.err
}

// Done is closed when Wait would not block.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Sent reports whether the request may have reached the editor.
func (p *Pending) Sent() bool { return p.state.Load() == stateSent }

// abandon completes the call with a TIMEOUT unless its answer is there.
func (p *Pending) abandon(cause error) {
	if p.link.take(p.id) == nil {
		return
	}
	sent := !p.state.CompareAndSwap(stateQueued, stateDropped)
	if sent {
		p.link.cancel(p.id)
	}
	e := contextError(p.command, cause, sent)
	if errors.Is(cause, context.DeadlineExceeded) {
		p.link.judge(e, p.begun)
	}
	p.complete(nil, e)
}

// complete is called once, by whoever took the call out of the link's table.
func (p *Pending) complete(result json.RawMessage, err error) {
	p.result, p.err = result, err
	<-p.link.slots
	close(p.done)
}
