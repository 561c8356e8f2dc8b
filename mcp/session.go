package mcp

import (
	"context"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one session of the SDK behind the pipe, and its transport and connection in one.
type session struct {
	pipe   *pipe
	legacy bool
	inbox  chan jsonrpc.Message
	turns  turns
	// life is done when the session is closed, or who connected it has ended.
	life  context.Context
	close context.CancelFunc
}

// connect makes a session that lives until the pipe closes or, for a listen, until that is answered.
func (p *pipe) connect(ctx context.Context, legacy bool) *session {
	s := &session{pipe: p, legacy: legacy, inbox: make(chan jsonrpc.Message)}
	s.life, s.close = context.WithCancel(ctx)
	connected, err := p.server.server.Connect(context.WithValue(ctx, sessionKey{}, s), s, nil)
	if err != nil { // only Connect below could fail, and does not
		s.close()
		return s
	}
	p.sessions.Go(func() { _ = connected.Wait() })
	return s
}

// receive hands a message to the SDK. A nil session takes nothing.
func (s *session) receive(ctx context.Context, message jsonrpc.Message) {
	if s == nil {
		return
	}
	select {
	case s.inbox <- message:
	case <-s.life.Done():
	case <-ctx.Done():
	}
}

func (s *session) receiveCall(ctx context.Context, request *jsonrpc.Request, call *open) {
	s.pipe.calls.assign(call, s)
	if request.Method == "tools/call" {
		s.takeTurn(ctx, request, call)
		return
	}
	s.receive(ctx, request)
}

// Connect is the SDK's way to get the connection.
func (s *session) Connect(context.Context) (sdk.Connection, error) { return s, nil }

// Read gives the SDK its next message.
func (s *session) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message := <-s.inbox:
		return message, nil
	case <-s.life.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, io.EOF
	}
}

// Write takes a message of the SDK.
func (s *session) Write(ctx context.Context, message jsonrpc.Message) error {
	return s.pipe.write(ctx, s, message)
}

// Close ends Read.
func (s *session) Close() error {
	s.close()
	return nil
}

// SessionID is empty where there is one client.
func (s *session) SessionID() string { return s.pipe.id }
