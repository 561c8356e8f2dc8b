package bridge

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

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
	// editor is set once it has been found; silent, before done is closed, when it
	// does not take the connection.
	editor atomic.Pointer[Editor]
	silent *Error

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
// to it. What goes wrong is not told, the client tries again itself, but for an
// editor that takes no connection: that would take as long again.
func ConnectAhead(q Query) *Ahead {
	ctx, cancel := context.WithTimeout(context.Background(), DefaultDialTimeout)
	a := &Ahead{query: q, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		ed, err := Find(q)
		if err != nil {
			return
		}
		a.editor.Store(&ed)
		conn, tcp, err := openWatched(ctx, ed)
		if err != nil {
			if e := AsError(err); e.Required == "editor_ready" {
				a.silent = e
			}
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

// take hands over the socket, or what it says of a silent editor, once; nil when
// there is neither.
func (a *Ahead) take(ctx context.Context) (*opened, error) {
	if a == nil {
		return nil, nil
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		return nil, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	open, silent := a.open, a.silent
	a.open, a.silent = nil, nil
	if silent != nil {
		return nil, silent
	}
	return open, nil
}

// found is the editor that was found, nil when there is none yet.
func (a *Ahead) found() *Editor {
	if a == nil {
		return nil
	}
	return a.editor.Load()
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
