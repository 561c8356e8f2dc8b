package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// turns keep the calls of tools in the order in which a client sent them, as the SDK does not: it begins
// them in order but side by side, so that they would race to the editor. A call's turn is over when it is on
// its way to the editor or will not go there, not when it is answered.
type turns struct {
	mu      sync.Mutex
	current *open
	waiting []turn
}

type turn struct {
	request *jsonrpc.Request
	call    *open
}

// takeTurn hands the call to the SDK, now or when those before it are on their way.
func (s *session) takeTurn(ctx context.Context, request *jsonrpc.Request, call *open) {
	s.turns.mu.Lock()
	if s.turns.current != nil {
		s.turns.waiting = append(s.turns.waiting, turn{request, call})
		s.turns.mu.Unlock()
		return
	}
	s.turns.current = call
	s.turns.mu.Unlock()
	s.begin(ctx, turn{request, call})
}

func (s *session) begin(ctx context.Context, t turn) {
	s.receive(ctx, t.request)
	if n := s.pipe.calls.givenUp(t.call); n != nil {
		s.receive(ctx, n) // the first time it can have come before the request
	}
}

// turnOver lets the next call begin when this one still has its turn. Calls that were cancelled meanwhile
// never begin. A nil session, and a request that is no call, have none.
func (s *session) turnOver(call *open) {
	if s == nil || call == nil {
		return
	}
	for {
		s.turns.mu.Lock()
		if s.turns.current != call {
			s.turns.mu.Unlock()
			return
		}
		s.turns.current = nil
		if len(s.turns.waiting) == 0 {
			s.turns.mu.Unlock()
			return
		}
		next := s.turns.waiting[0]
		s.turns.waiting = s.turns.waiting[1:]
		s.turns.current = next.call
		s.turns.mu.Unlock()
		if s.pipe.calls.givenUp(next.call) == nil {
			s.begin(s.life, next)
			return
		}
		s.pipe.calls.end(next.request.ID)
		_ = s.pipe.answer(next.call.from, outgoing{})
		call = next.call
	}
}

type sessionKey struct{}

// turnOf ends the turn of the call that is being carried out with this context.
func turnOf(ctx context.Context) func() {
	s, _ := ctx.Value(sessionKey{}).(*session)
	if s == nil {
		return func() {}
	}
	s.turns.mu.Lock()
	call := s.turns.current
	s.turns.mu.Unlock()
	return func() { s.turnOver(call) }
}
