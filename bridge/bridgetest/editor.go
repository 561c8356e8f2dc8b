// Package bridgetest is a fake editor for tests: it writes real bridge files
// and speaks the protocol of docs/bridge.md on a real socket. A command that
// the test did not expect fails the test. Options make it misbehave.
package bridgetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Editor is a fake editor that runs until Close. Its methods may be used
// concurrently.
type Editor struct {
	// Project is the project's folder, absolute.
	Project string
	// Runtime is the folder to be named by XDG_RUNTIME_DIR, so that the client
	// sees the registry entry; "" when there is none.
	Runtime string

	cfg      config
	tb       testing.TB
	token    string
	info     bridge.Editor
	server   *http.Server
	running  sync.WaitGroup
	work     sync.Mutex // held while a command is at work, as in the engine
	registry string
	crashed  chan struct{} // closed by Crash

	mu         sync.Mutex
	changed    sync.Cond
	handlers   map[string]*handler
	calls      []Call
	cancels    []int64
	hellos     []Hello
	unexpected []string
	// refused counts sockets for which there was no place.
	refused int
	sockets map[*socket]bool
	stopped bool
}

// Call is a command that came in; hello is not among them.
type Call struct {
	ID      int64
	Command string
	Params  []byte
	Raw     map[string]string
	Key     string
}

// Hello is what a client said about itself.
type Hello struct {
	Client   string   `json:"client"`
	Version  string   `json:"version"`
	Contract int      `json:"contract"`
	Nonce    string   `json:"nonce"`
	Events   []string `json:"events"`
}

// New starts a fake editor that lives as long as the test, in folders of its
// own unless options say otherwise. It fails the test when it cannot start and
// whenever an unexpected command comes.
func New(t testing.TB, opts ...Option) *Editor {
	t.Helper()
	cfg := newConfig(opts)
	if cfg.project == "" {
		cfg.project = t.TempDir()
	}
	if cfg.runtime == "" {
		cfg.runtime = t.TempDir()
	}
	e, err := start(cfg, t)
	if err != nil {
		t.Fatalf("bridgetest: %v", err)
	}
	t.Cleanup(e.Close)
	return e
}

// Serve starts a fake editor for the project in dir, which is made if need be.
// There is a registry entry only with the option Runtime. The caller closes it
// and asks Unexpected. Error: a folder, file or port could not be made.
func Serve(dir string, opts ...Option) (*Editor, error) {
	return start(newConfig(append([]Option{Project(dir)}, opts...)), nil)
}

func start(cfg config, tb testing.TB) (*Editor, error) {
	project, err := filepath.Abs(cfg.project)
	if err != nil {
		return nil, err
	}
	e := &Editor{
		Project: project, Runtime: cfg.runtime, cfg: cfg, tb: tb, token: newToken(),
		handlers: map[string]*handler{}, sockets: map[*socket]bool{},
		crashed: make(chan struct{}),
	}
	e.changed.L = &e.mu
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := e.writeFiles(listener.Addr().(*net.TCPAddr).Port); err != nil {
		_ = listener.Close()
		return nil, err
	}
	e.server = &http.Server{Handler: http.HandlerFunc(e.accept)}
	e.running.Go(func() { _ = e.server.Serve(listener) })
	return e, nil
}

// Info returns what the bridge file says, with the path of the file.
func (e *Editor) Info() bridge.Editor { return e.info }

// Find returns Info: a value for bridge.Client.Find that needs no files.
func (e *Editor) Find(context.Context) (bridge.Editor, error) { return e.info, nil }

// Query returns a query that finds this editor from its project folder and
// looks at no other registry than its own.
func (e *Editor) Query() bridge.Query {
	return bridge.Query{Dir: e.Project, Registry: e.Registry()}
}

// Registry returns the registry folder below Runtime; without Runtime a folder
// that does not exist.
func (e *Editor) Registry() string {
	if e.Runtime == "" {
		return filepath.Join(e.Project, "no-registry")
	}
	return filepath.Join(e.Runtime, "godot-mcp", "editors")
}

// Setenv points XDG_RUNTIME_DIR at Runtime for the rest of the test.
func (e *Editor) Setenv(t testing.TB) {
	t.Helper()
	t.Setenv("XDG_RUNTIME_DIR", e.Runtime)
}

// Close ends the editor as a real one ends: files removed, sockets closed. It
// returns when all handlers have returned; more calls do nothing.
func (e *Editor) Close() {
	_ = os.Remove(e.info.File)
	if e.registry != "" {
		_ = os.Remove(e.registry)
	}
	e.Crash()
}

// Crash ends the editor as if its process had been killed: the files stay.
func (e *Editor) Crash() {
	e.note(func() {
		if !e.stopped {
			close(e.crashed)
		}
		e.stopped = true
	})
	_ = e.server.Close()
	e.Drop()
	e.running.Wait()
}

// Drop breaks all sockets without a close code and goes on listening.
func (e *Editor) Drop() {
	for _, s := range e.openSockets() {
		_ = s.conn.CloseNow()
	}
}

func (e *Editor) openSockets() []*socket {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []*socket
	for s := range e.sockets {
		all = append(all, s)
	}
	return all
}

// Calls returns the commands that came, in order, hello not among them.
func (e *Editor) Calls() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Call(nil), e.calls...)
}

// WaitCalls waits until n commands have come and returns all that have.
func (e *Editor) WaitCalls(n int) []Call {
	e.await(func() bool { return len(e.calls) >= n })
	return e.Calls()
}

// WaitCancels waits until n cancellations have come and returns their ids.
func (e *Editor) WaitCancels(n int) []int64 {
	e.await(func() bool { return len(e.cancels) >= n })
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]int64(nil), e.cancels...)
}

// WaitSockets waits until exactly n sockets have passed hello and are open.
func (e *Editor) WaitSockets(n int) {
	e.await(func() bool {
		greeted := 0
		for s := range e.sockets {
			if s.greeted {
				greeted++
			}
		}
		return greeted == n
	})
}

// WaitOpen waits until exactly n sockets are open, whether they said hello or
// not.
func (e *Editor) WaitOpen(n int) {
	e.await(func() bool { return len(e.sockets) == n })
}

// WaitRefused waits until at least n sockets were refused because the editor had
// as many clients as it serves.
func (e *Editor) WaitRefused(n int) {
	e.await(func() bool { return e.refused >= n })
}

// await waits for something that is guarded by e.mu; the test's own time-out
// is its bound.
func (e *Editor) await(ready func() bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !ready() && !e.stopped {
		e.changed.Wait()
	}
}

// Hellos returns how clients introduced themselves, in order.
func (e *Editor) Hellos() []Hello {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Hello(nil), e.hellos...)
}

// Unexpected returns the names of commands that came without a handler.
func (e *Editor) Unexpected() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.unexpected...)
}

// note records something under the lock and wakes who waits for it.
func (e *Editor) note(record func()) {
	e.mu.Lock()
	record()
	e.mu.Unlock()
	e.changed.Broadcast()
}

func (e *Editor) noteUnexpected(command string) error {
	e.note(func() { e.unexpected = append(e.unexpected, command) })
	if e.tb != nil {
		e.tb.Errorf("bridgetest: unexpected command %q", command)
	}
	return bridge.Errorf(bridge.InternalError, "", "the fake editor did not expect %s", command)
}

// errGone is for handlers whose socket has ended.
var errGone = errors.New("the socket has ended")

func (e *Editor) String() string {
	return fmt.Sprintf("fake editor of %s, port %d", e.Project, e.info.Port)
}
