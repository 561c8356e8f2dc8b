package bridge

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// link is one socket to one editor, with one goroutine that reads and one that
// writes. It dies once and stays dead.
type link struct {
	client *Client
	editor Editor
	conn   *websocket.Conn
	// tcp is what conn runs on.
	tcp net.Conn

	// nonce and helloTimer are set before the goroutines start; hello before
	// proven is closed.
	nonce      string
	begun      time.Time
	helloTimer *time.Timer
	hello      HelloResult
	proven     chan struct{}

	slots chan struct{}
	out   chan outgoing
	wake  chan struct{}
	// done is closed when the link is dead, ended when its reader has gone.
	done  chan struct{}
	ended chan struct{}

	// heard is when the last message came, in Unix nanoseconds.
	heard atomic.Int64

	mu      sync.Mutex
	calls   map[int64]*Pending
	lastID  int64
	cancels []int64
	failure *failure
	// cancelled says that a cancellation was asked for.
	cancelled bool
	// idle runs while nothing is in flight; nil where the client keeps its link.
	idle *time.Timer
}

// outgoing is a request on its way to the socket, or a mark whose flushed
// channel is closed when everything before it has been written.
type outgoing struct {
	pending *Pending
	frame   []byte
	flushed chan struct{}
}

// errLinkDead says that a request could not be handed to this link at all, so
// that another may be tried.
var errLinkDead = errors.New("the link is dead")

// outQueue is how many requests may wait for the socket. It is short because
// each may have 16 MiB; a caller who is faster than the socket waits in Start.
const outQueue = 8

func newLink(c *Client, ed Editor, conn *websocket.Conn, tcp net.Conn) *link {
	return &link{
		client: c, editor: ed, conn: conn, tcp: tcp, begun: time.Now(),
		proven: make(chan struct{}),
		slots:  make(chan struct{}, MaxInFlight),
		out:    make(chan outgoing, outQueue),
		wake:   make(chan struct{}, 1),
		done:   make(chan struct{}),
		ended:  make(chan struct{}),
		calls:  map[int64]*Pending{},
		lastID: helloID,
	}
}

// run starts the goroutines; first is written before all else.
func (l *link) run(first []byte) {
	go l.write(first)
	go l.read()
}

func (l *link) alive() bool { return !isClosed(l.done) }

// send hands a request to the writer. It returns errLinkDead when nothing of it
// was taken.
func (l *link) send(ctx context.Context, req *Request, enc encodedRequest) (*Pending, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.done:
		return nil, errLinkDead
	case <-ctx.Done():
		return nil, unsent(req.Command, ctx.Err())
	}
	p, err := l.register(req, enc)
	if err != nil {
		<-l.slots
		return nil, err
	}
	select {
	case l.out <- outgoing{pending: p, frame: enc.frame(p.id)}:
	case <-p.done: // the link died and told p
	case <-ctx.Done():
		p.abandon(ctx.Err())
	}
	return p, nil
}

// register gives a request its id and makes it known to the reader.
func (l *link) register(req *Request, enc encodedRequest) (*Pending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure != nil {
		return nil, errLinkDead
	}
	id := l.lastID + 1
	if err := checkSize(req.Command, enc.size(id)); err != nil {
		return nil, err
	}
	l.lastID = id
	p := &Pending{
		link: l, id: id, size: enc.size(id), command: req.Command,
		onProgress: req.OnProgress, begun: time.Now(), done: make(chan struct{}),
	}
	l.calls[id] = p
	if l.idle != nil {
		l.idle.Stop()
	}
	return p, nil
}

// take removes a call from those in flight; whoever takes it completes it.
func (l *link) take(id int64) *Pending {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.calls[id]
	delete(l.calls, id)
	if p != nil && len(l.calls) == 0 {
		l.rest()
	}
	return p
}

// rest begins the time after which an idle link ends. It is called with l.mu held.
func (l *link) rest() {
	switch {
	case l.client.IdleTimeout == 0 || l.failure != nil:
	case l.idle == nil:
		l.idle = time.AfterFunc(l.client.IdleTimeout, l.retire)
	default:
		l.idle.Reset(l.client.IdleTimeout)
	}
}

// retire ends the link unless a call has come meanwhile.
func (l *link) retire() {
	l.mu.Lock()
	if len(l.calls) > 0 || l.failure != nil {
		l.mu.Unlock()
		return
	}
	calls := l.die(&failure{base: *errClosed()})
	l.mu.Unlock()
	l.bury(calls)
	_ = l.conn.CloseNow()
}

// judge adds to a time-out what is known of an editor from which nothing at all
// came since the call was made: it is not this call that takes long.
func (l *link) judge(e *Error, begun time.Time) {
	if l.heard.Load() > begun.UnixNano() {
		return
	}
	e.Silence = notAnswering(l.editor, time.Since(begun))
	p, _ := lookup(l.editor.PID)
	if p.stopped || !isClosed(l.proven) {
		e.Required = "editor_ready"
	}
	e.Hint = e.Silence + "; " + e.Hint
}

// cancel asks the editor to give up a command, if the link still lives.
func (l *link) cancel(id int64) {
	l.mu.Lock()
	l.cancels = append(l.cancels, id)
	l.cancelled = true
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// write is the goroutine that writes. It alone touches the socket's writing
// side, so requests go out in the order they were handed over. Writes have no
// deadline: the library closes the socket when one passes, and the callers'
// own deadlines free them anyway.
func (l *link) write(first []byte) {
	err := l.writeFrame(first)
	for err == nil {
		select {
		case o := <-l.out:
			err = l.writeOutgoing(o)
		case <-l.wake:
			err = l.writeCancels()
		case <-l.done:
			return
		}
	}
	// The reader knows better why the socket broke: it may find a close code.
	select {
	case <-l.done:
	case <-time.After(time.Second):
		l.fail(l.lost(err))
	}
}

func (l *link) writeOutgoing(o outgoing) error {
	if o.flushed != nil {
		err := l.writeCancels()
		close(o.flushed)
		return err
	}
	if !o.pending.state.CompareAndSwap(stateQueued, stateSent) {
		return nil // given up before it was sent
	}
	return l.writeFrame(o.frame)
}

func (l *link) writeCancels() error {
	l.mu.Lock()
	ids := l.cancels
	l.cancels = nil
	l.mu.Unlock()
	for _, id := range ids {
		if err := l.writeFrame(cancelFrame(id)); err != nil {
			return err
		}
	}
	return nil
}

func (l *link) writeFrame(frame []byte) error {
	return l.conn.Write(context.Background(), websocket.MessageText, frame)
}

// read is the goroutine that reads.
func (l *link) read() {
	defer close(l.ended)
	for {
		frame, err := l.readFrame()
		if err != nil {
			l.fail(l.readFailure(frame, err))
			return
		}
		l.heard.Store(time.Now().UnixNano())
		if f := l.handle(frame); f != nil {
			l.fail(f)
			return
		}
	}
}

// readFrame returns what it has read even when the message breaks off.
func (l *link) readFrame() ([]byte, error) {
	_, r, err := l.conn.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
