package bridge

import (
	"context"
	"net"
	"sync"

	"github.com/coder/websocket"
)

// Ahead is a socket that was opened before it was known for certain that it is
// needed. An editor that sleeps looks at its sockets ten times a second: what a
// short-lived process does before it connects comes on top of that wait, what it
// does meanwhile costs nothing. Nothing is sent but the handshake.
type Ahead struct {
	query  Query
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	open   *opened
	closed bool
}

// opened is a socket to an editor that has said nothing yet.
type opened struct {
	editor Editor
	conn   *websocket.Conn
	tcp    net.Conn
}

// ConnectAhead begins to look for the editor that q means and to open a socket
// to it. What goes wrong is not told: the client tries again itself.
func ConnectAhead(q Query) *Ahead {
	ctx, cancel := context.WithTimeout(context.Background(), DefaultDialTimeout)
	a := &Ahead{query: q, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		ed, err := Find(q)
		if err != nil {
			return
		}
		conn, tcp, err := openSocket(ctx, ed)
		if err != nil {
			return
		}
		a.keep(&opened{ed, conn, tcp})
	}()
	return a
}

// keep holds the socket for whoever takes it, unless it is not wanted any more.
func (a *Ahead) keep(open *opened) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		_ = open.conn.CloseNow()
		return
	}
	a.open = open
}

// For returns a when it looks for the editor that q means, and nil, with the
// socket closed, when it does not. A nil a is none.
func (a *Ahead) For(q Query) *Ahead {
	if a == nil || a.query == q {
		return a
	}
	a.Close()
	return nil
}

// take hands over the socket, once; nil when there is none.
func (a *Ahead) take(ctx context.Context) *opened {
	if a == nil {
		return nil
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	open := a.open
	a.open = nil
	return open
}

// Close gives up the socket if nobody took it. It does not wait.
func (a *Ahead) Close() {
	if a == nil {
		return
	}
	a.cancel()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.open != nil {
		_ = a.open.conn.CloseNow()
		a.open = nil
	}
}
