package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const (
	// DefaultIdle is how long an editor that --autostart started may be without a command before it ends.
	DefaultIdle = 10 * time.Minute
	// How long a call without a time-out of its own waits for the editor to be ready.
	readyWait = time.Minute
	// After a start that failed, calls are refused for so long before the next try.
	retryAfter = 30 * time.Second
)

// Autostart starts a headless editor for the project at the first call that needs one. Calls that come
// meanwhile wait for the same one.
type Autostart struct {
	// Idle is how long the editor may be without a command before it ends itself; 0 is DefaultIdle.
	Idle time.Duration

	mu       sync.Mutex
	flight   *flight
	failure  *bridge.Error
	failedAt time.Time
}

// flight is one start. It does not end with the call that began it.
type flight struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// begin joins the start under way, or begins one, unless the last one failed just now.
func (a *Autostart) begin(env *Env, project string) (*flight, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.flight != nil {
		return a.flight, nil
	}
	if left := retryAfter - time.Since(a.failedAt); a.failure != nil && left > 0 {
		again := *a.failure
		again.Hint += fmt.Sprintf("; the editor is not started again for another %v", left.Round(time.Second))
		return nil, &again
	}
	idle := a.Idle
	if idle == 0 {
		idle = DefaultIdle
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &flight{cancel: cancel, done: make(chan struct{})}
	a.flight = f
	go func() {
		defer cancel()
		_, _, err := env.launch(ctx, project, launch{display: "headless", wait: true, idle: idle})
		a.land(f, err)
	}()
	return f, nil
}

// land ends a flight.
func (a *Autostart) land(f *flight, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f.err = err
	a.flight, a.failure = nil, nil
	var e *bridge.Error
	// What the person must mend first costs nothing to try again; a process that came to nothing does.
	if errors.As(err, &e) && e.Code != bridge.PreconditionFailed {
		a.failure, a.failedAt = e, time.Now()
	}
	close(f.done)
}

// interrupt ends an editor that is starting and has not answered yet, for which nobody waits any more.
func (a *Autostart) interrupt() {
	a.mu.Lock()
	f := a.flight
	a.mu.Unlock()
	if f != nil {
		f.cancel()
		<-f.done
	}
}

// Close ends the link to the editor. After an interrupt an editor that --autostart has begun and that has
// not answered yet ends too; otherwise it goes on, and the next call finds it.
func (e *Env) Close(interrupted bool) {
	if e.Autostart != nil && interrupted {
		e.Autostart.interrupt()
	}
	e.Audit.Close()
	_ = e.Bridge.Close()
}

// ready sees to it that an editor runs when a call is about to be sent. Without --autostart, or where an
// editor is there or was named, it does nothing.
func (d *Dispatcher) ready(ctx context.Context, tool *Tool, args json.RawMessage, call Call) error {
	env := d.Env
	if env.Autostart == nil || env.Query.PID != 0 || tool.run != nil {
		return nil
	}
	if _, linked := env.Bridge.Editor(); linked {
		return nil
	}
	if _, err := bridge.Find(env.Query); !isNone(err) {
		return nil // what else is wrong the call itself will say
	}
	project, err := env.Project()
	if err != nil {
		return nil //nolint:nilerr // outside a project there is nothing to start; the call says what runs
	}
	known := func() (string, error) { return project, nil }
	if err := checkProjectLinks(known, tool, args); err != nil {
		return err
	}
	if err := d.mayStart(); err != nil {
		return err
	}
	flight, err := env.Autostart.begin(env, project)
	if err != nil {
		return err
	}
	wait := readyWait
	if call.Timeout > 0 {
		wait = call.Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if call.OnProgress != nil {
		call.OnProgress(bridge.Progress{Message: "starting a headless editor for the project"})
	}
	select {
	case <-flight.done:
		return flight.err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		return bridge.Errorf(bridge.PreconditionFailed, "editor_ready",
			"no editor ran for %s, --autostart has begun one and it is not ready yet; nothing was sent; wait for it: godot-mcp editor wait --timeout 120", quote(project))
	}
}

// mayStart asks the policy about what would be started besides.
func (d *Dispatcher) mayStart() error {
	start, _ := d.Table.Lookup("editor start")
	if start == nil || d.Policy.Allows(start) {
		return nil
	}
	return bridge.Errorf(bridge.PreconditionFailed, "policy",
		"no editor runs, and --autostart may not start one: editor start %s; or start it by hand: godot-mcp editor start", d.Policy.refusal(start, false))
}

// isNone is true for the answer that no editor was found.
func isNone(err error) bool {
	var e *bridge.Error
	return errors.As(err, &e) && e.Code == bridge.BridgeDisconnected && e.Required == "bridge_connected"
}
