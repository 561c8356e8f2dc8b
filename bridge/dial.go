package bridge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// dialing is one attempt to connect, shared by all calls that need the link. It
// does not end with the call that began it.
type dialing struct {
	cancel context.CancelFunc
	done   chan struct{}
	begun  time.Time
	// editor is set once it has been found.
	editor atomic.Pointer[Editor]
	ahead  *Ahead
	link   *link
	err    error
}

// givenUp is what a caller is told whose context ended while it waited.
func (d *dialing) givenUp(cause error) *Error {
	ed := d.editor.Load()
	if ed == nil {
		ed = d.ahead.found()
	}
	if ed == nil || !errors.Is(cause, context.DeadlineExceeded) {
		return unsent("connecting to the editor", cause)
	}
	return errNotAnswering(*ed, time.Since(d.begun))
}

// errorCopy gives each caller an error of its own, which it may change.
func (d *dialing) errorCopy() error {
	if d.err == nil {
		return nil
	}
	e := *AsError(d.err)
	return &e
}

// connected returns a living link. It may not have proved itself yet.
func (c *Client) connected(ctx context.Context) (*link, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, errClosed()
	}
	if c.link != nil && c.link.alive() {
		defer c.mu.Unlock()
		return c.link, nil
	}
	if c.dial == nil {
		c.dial = c.beginDial(ctx)
	}
	d := c.dial
	c.mu.Unlock()
	select {
	case <-d.done:
		return d.link, d.errorCopy()
	case <-ctx.Done():
		return nil, d.givenUp(ctx.Err())
	}
}

// beginDial is called with c.mu held.
func (c *Client) beginDial(ctx context.Context) *dialing {
	until := time.Now().Add(DefaultDialTimeout)
	if deadline, ok := ctx.Deadline(); ok && deadline.After(until) {
		until = deadline
	}
	if c.DialTimeout > 0 {
		until = time.Now().Add(c.DialTimeout)
	}
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	d := &dialing{cancel: cancel, done: make(chan struct{}), begun: time.Now(), ahead: c.Ahead}
	go func() {
		defer cancel()
		d.link, d.err = c.connect(ctx, d, until)
		c.mu.Lock()
		c.dial = nil
		if d.link != nil {
			c.link = d.link
		}
		c.mu.Unlock()
		close(d.done)
	}()
	return d
}

// connect finds the editor, opens the socket and says hello. Where the bridge
// file already shows that the contracts fit, it does not wait for the answer to
// hello: that saves a command-line call one of its two round trips.
func (c *Client) connect(ctx context.Context, d *dialing, until time.Time) (*link, error) {
	if err := c.checkBuild(); err != nil {
		return nil, err
	}
	open, err := c.openEditor(ctx, d)
	if err != nil {
		return nil, err
	}
	l := newLink(c, open.editor, open.conn, open.tcp)
	if err := l.sayHello(until); err != nil {
		return nil, err
	}
	if c.contract() == open.editor.ContractVersion {
		return l, nil
	}
	select {
	case <-l.proven:
		return l, nil
	case <-l.done:
		return nil, l.failure.errorFor(nil)
	case <-ctx.Done():
		l.fail(l.noHello(ctx.Err()))
		return nil, l.failure.errorFor(nil)
	}
}

// openEditor finds the editor and opens a socket to it, unless that was done
// ahead.
func (c *Client) openEditor(ctx context.Context, d *dialing) (*opened, error) {
	open, err := c.Ahead.take(ctx)
	if err != nil {
		return nil, err
	}
	if open != nil {
		if err := c.checkAddon(0, open.editor.ContractVersion, open.editor.ProjectPath); err != nil {
			_ = open.conn.CloseNow()
			return nil, err
		}
		return open, nil
	}
	ed, err := c.find(ctx)
	if err != nil {
		return nil, AsError(err)
	}
	if err := c.checkAddon(0, ed.ContractVersion, ed.ProjectPath); err != nil {
		return nil, err
	}
	d.editor.Store(&ed)
	conn, tcp, err := openWatched(ctx, ed)
	if err != nil {
		return nil, err
	}
	return &opened{ed, conn, tcp}, nil
}

// openWatched is openSocket that does not wait for an editor whose process is
// stopped: the system takes connections for it, and it never answers them.
func openWatched(ctx context.Context, ed Editor) (*websocket.Conn, net.Conn, error) {
	begun := time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		ticker := time.NewTicker(stoppedLook)
		defer ticker.Stop()
		for seen := false; ; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			p, _ := lookup(ed.PID)
			if p.stopped && seen {
				cancel(errNotAnswering(ed, time.Since(begun)))
				return
			}
			seen = p.stopped
		}
	}()
	conn, tcp, err := openSocket(ctx, ed)
	var stopped *Error
	if err != nil && errors.As(context.Cause(ctx), &stopped) {
		err = stopped
	}
	return conn, tcp, err
}

// openSocket connects to the editor's port and shakes hands. It returns the TCP
// connection below the socket too.
func openSocket(ctx context.Context, ed Editor) (*websocket.Conn, net.Conn, error) {
	var tcp net.Conn
	dialer := net.Dialer{KeepAlive: -1}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (conn net.Conn, err error) {
			tcp, err = dialer.DialContext(ctx, network, address)
			return tcp, err
		},
		DisableKeepAlives:  true,
		DisableCompression: true,
		// A stranger on the port must not make us read without end.
		MaxResponseHeaderBytes: 64 << 10,
	}
	client := &http.Client{
		Transport: transport,
		// A redirect would carry the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	begun := time.Now()
	url := "ws://127.0.0.1:" + strconv.Itoa(ed.Port) + "/"
	conn, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient:   client,
		Subprotocols: []string{ed.Token.Secret()},
	})
	if err != nil {
		return nil, nil, dialError(ed, resp, err, time.Since(begun))
	}
	if conn.Subprotocol() != ed.Token.Secret() {
		_ = conn.CloseNow()
		return nil, nil, errStranger(ed, "it did not take up the token as its subprotocol")
	}
	conn.SetReadLimit(MaxMessage)
	return conn, tcp, nil
}

// dialError words why a socket could not be opened. The library's own text is
// not used: it may quote the token.
func dialError(ed Editor, resp *http.Response, err error, waited time.Duration) *Error {
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errNotAnswering(ed, waited)
	case errors.Is(err, context.Canceled):
		return &Error{Code: Timeout, Err: context.Canceled, Hint: "cancelled while connecting; nothing was sent"}
	case resp != nil && resp.StatusCode != http.StatusSwitchingProtocols:
		return errStranger(ed, "it refused the handshake with status "+strconv.Itoa(resp.StatusCode))
	case errors.As(err, &op) && op.Op == "dial":
		return Errorf(BridgeDisconnected, "bridge_connected",
			"nobody listens where the bridge file says (%s): the editor is closing or the addon was switched off; see which run: godot-mcp editor list, or godot-mcp editor start --project %s",
			where(ed), quote(ed.ProjectPath))
	}
	return errStranger(ed, "it broke off the handshake")
}

// errStranger is about a process that is not the editor of the bridge file.
func errStranger(ed Editor, what string) *Error {
	return Errorf(BridgeDisconnected, "bridge_token",
		"the process on the port of the bridge file (%s) is not the editor that wrote it: %s; see which run: godot-mcp editor list, or godot-mcp editor start --project %s",
		where(ed), what, quote(ed.ProjectPath))
}

// noHello is why a link ends whose editor is silent: for cause, which is a
// context's error.
func (l *link) noHello(cause error) *failure {
	if errors.Is(cause, context.Canceled) {
		return &failure{base: *errClosed()}
	}
	return &failure{carried: true, base: Error{Code: Timeout, Required: "editor_ready", Err: context.DeadlineExceeded,
		Hint: notAnswering(l.editor, time.Since(l.begun)) + "; it took the connection and did not answer hello; wait for it: " + waitFor(l.editor)}}
}

// errNotAnswering is about an editor whose process lives and that nothing was
// sent to, because its main thread does not take the connection.
func errNotAnswering(ed Editor, waited time.Duration) *Error {
	return &Error{Code: PreconditionFailed, Required: "editor_ready", Err: context.DeadlineExceeded,
		Hint: notAnswering(ed, waited) + "; nothing was sent; wait for it: " + waitFor(ed)}
}

// waitFor is the command that waits for an editor that is busy.
func waitFor(ed Editor) string {
	return "godot-mcp editor wait --timeout 120 --project " + quote(ed.ProjectPath)
}

// notAnswering says what is known of an editor that is silent: which process,
// for how long, and what the system says of it.
func notAnswering(ed Editor, waited time.Duration) string {
	text := "the editor (" + where(ed) + ") has not answered for " + waited.Round(time.Millisecond).String()
	p, alive := lookup(ed.PID)
	switch {
	case !alive:
		return text + ": its process has just ended"
	case p.stopped:
		return text + ": its process is stopped, by a signal or a debugger, and must be continued (kill -CONT " + strconv.Itoa(ed.PID) + ")"
	}
	return text + ": its process lives and its main thread is busy or blocked (an import, a script that does not return, a dialog of the system)"
}

// where names an editor in an error text.
func where(ed Editor) string {
	s := "port " + strconv.Itoa(ed.Port) + ", process " + strconv.Itoa(ed.PID)
	if ed.File != "" {
		s += ", " + quote(ed.File)
	}
	return s
}

// nonce is a fresh challenge for the proof.
func nonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
