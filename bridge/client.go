package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"
)

// Client talks to one editor at a time over one socket. It connects when first
// needed and, when the link has died, once more at the next call, asking Find
// again, so that an editor on another port is found.
//
// The zero value finds the editor of the working directory. Fields must not be
// changed after the first call. All methods may be used concurrently.
type Client struct {
	// Find says which editor to connect to; nil means Find(Query{}).
	Find func(context.Context) (Editor, error)
	// Ahead is a socket that was opened beforehand, used for the first link; nil
	// means none. Its query must mean the editor that Find finds.
	Ahead *Ahead
	// Name and Version say who connects; "" means "godot-mcp" and "dev".
	Name, Version string
	// Contract is the contract the caller is built for; 0 = this build's.
	Contract int
	// OwnContract and MinContract are the newest and the oldest contract this
	// build serves; 0 = 1.
	OwnContract, MinContract int
	// Events names the events wanted; the editor sends no others.
	Events []string
	// OnEvent is told of events in order. It is called from the goroutine that
	// reads the socket and must not block or call the client.
	OnEvent func(Event)
	// DialTimeout bounds finding, connecting and hello together; 0 means
	// DefaultDialTimeout or, if that is later, the caller's deadline.
	DialTimeout time.Duration
	// IdleTimeout ends a link on which nothing was in flight for so long, so that
	// the editor has its place back; the next call connects again. 0 keeps it.
	IdleTimeout time.Duration
	// Log takes debug messages; nil means slog.Default.
	Log *slog.Logger

	mu     sync.Mutex
	link   *link
	dial   *dialing
	closed bool
}

// Event is what an editor tells without being asked.
type Event struct {
	// Name is the event's name, such as "scene_saved"; "dropped" says that this
	// client read too slowly.
	Name string
	// Data is the whole message, a JSON object.
	Data json.RawMessage
}

// HelloResult is how an editor introduced itself.
type HelloResult struct {
	Server                string `json:"server"`
	AddonVersion          string `json:"addon_version"`
	GodotVersion          string `json:"godot_version"`
	ContractVersion       int    `json:"contract_version"`
	MinCompatibleContract int    `json:"min_compatible_contract"`
	PID                   int    `json:"pid"`
	ProjectPath           string `json:"project_path"`
}

// Call sends a request and waits for its answer, the JSON of the result. An
// error is an *Error: what the editor answered, or
//
//   - TIMEOUT when ctx ends first, with the context's error inside; the editor
//     is asked to give up, and Error.Sent says whether the request may have
//     been carried out;
//   - VALIDATION_ERROR when the request has more than MaxMessage bytes;
//   - BRIDGE_DISCONNECTED when no editor is found or the link breaks;
//   - PRECONDITION_FAILED when the contract numbers do not fit, when several
//     editors could be meant, or when the editor has MaxClients clients.
func (c *Client) Call(ctx context.Context, req Request) (json.RawMessage, error) {
	return c.Start(ctx, req).Wait(ctx)
}

// Start sends a request without waiting for the answer. Requests started one
// after the other arrive in that order. It blocks while connecting and while
// MaxInFlight requests are without an answer; ctx bounds only that. What goes
// wrong is told by Wait.
func (c *Client) Start(ctx context.Context, req Request) *Pending {
	p, err := c.start(ctx, req)
	if err != nil {
		return failedPending(err)
	}
	return p
}

// maxAttempts bounds how often one request looks for a living link. A request
// is never sent twice.
const maxAttempts = 3

func (c *Client) start(ctx context.Context, req Request) (*Pending, error) {
	if err := ctx.Err(); err != nil {
		return nil, unsent(req.Command, err)
	}
	enc, err := req.encode()
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		l, err := c.connected(ctx)
		if err != nil {
			return nil, err
		}
		p, err := l.send(ctx, &req, enc)
		switch {
		case err != errLinkDead:
			return p, err
		case attempt == maxAttempts || !isClosed(l.proven):
			return nil, l.failure.errorFor(nil)
		}
	}
}

// Connect makes sure that there is a link to an editor that has proved itself,
// and returns how it introduced itself. Errors are those of Call.
func (c *Client) Connect(ctx context.Context) (HelloResult, error) {
	l, err := c.connected(ctx)
	if err != nil {
		return HelloResult{}, err
	}
	select {
	case <-l.proven:
		return l.hello, nil
	case <-l.done:
		return HelloResult{}, l.failure.errorFor(nil)
	case <-ctx.Done():
		return HelloResult{}, unsent("hello", ctx.Err())
	}
}

// Ended waits until the present link has ended and tells why; all its events
// have been told by then. It returns nil at once when there is no link, and
// ctx's error when that ends first.
func (c *Client) Ended(ctx context.Context) error {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil {
		return nil
	}
	select {
	case <-l.ended:
		return l.failure.errorFor(nil)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Hello returns how the editor of the present link introduced itself; false
// when there is no link, or none yet that has proved itself.
func (c *Client) Hello() (HelloResult, bool) {
	if l := c.present(); l != nil {
		return l.hello, true
	}
	return HelloResult{}, false
}

// Editor returns the editor of the present link; false as for Hello.
func (c *Client) Editor() (Editor, bool) {
	if l := c.present(); l != nil {
		return l.editor, true
	}
	return Editor{}, false
}

// present returns the link that lives and has proved itself, or nil.
func (c *Client) present() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil || !c.link.alive() || !isClosed(c.link.proven) {
		return nil
	}
	return c.link
}

// Close ends the link after what was already handed over, cancellations too,
// has been written; for that, and for the editor to read a cancellation, it
// waits at most twice a quarter of a second. Calls without an answer get
// BRIDGE_DISCONNECTED, later ones too. It always returns nil.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	d := c.dial
	c.mu.Unlock()
	if d != nil {
		d.cancel()
		<-d.done
	}
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l != nil {
		l.close()
	}
	return nil
}

func errClosed() *Error {
	return Errorf(BridgeDisconnected, "bridge_connected", "this client was closed; start anew: godot-mcp editor list")
}

func (c *Client) find(ctx context.Context) (Editor, error) {
	if c.Find != nil {
		return c.Find(ctx)
	}
	return Find(Query{})
}

func (c *Client) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.Default()
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
