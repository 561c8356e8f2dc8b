package commands

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// How long a call waits for a place when the editor serves as many clients as it can. Calls of scripts that
// run side by side come and go faster than that.
const placeWait = 2 * time.Second

// patiently tries again while the editor has no place. No event tells when there is one: the editor closes
// the socket of whoever comes too much.
func patiently[T any](ctx context.Context, try func() (T, error)) (T, error) {
	limit := time.Now().Add(placeWait)
	pause := 10 * time.Millisecond
	var full *bridge.Error
	for {
		result, err := try()
		var e *bridge.Error
		switch {
		case !errors.As(err, &e):
			return result, err
		case !e.Full && full != nil && !e.Sent && ctx.Err() != nil:
			// The time was up while it knocked again: what it waited for says more.
			return result, full
		case !e.Full:
			return result, err
		}
		full = e
		// Those that wait side by side must not all knock at once.
		next := pause/2 + rand.N(pause)
		if !paused(ctx, limit, next) {
			return result, full
		}
		pause = min(2*pause, 100*time.Millisecond)
	}
}

// paused is false when the pause would not end before the limit or the call's own time.
func paused(ctx context.Context, limit time.Time, pause time.Duration) bool {
	end := time.Now().Add(pause)
	if deadline, ok := ctx.Deadline(); end.After(limit) || ok && end.After(deadline) {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// place links to the editor before the first of calls that keep their order, and waits until there is a place
// for this client. Sent behind the greeting they would all be refused together, and come again in any order.
func (e *Env) place(ctx context.Context) error {
	if e.Transport == oneCall {
		return nil
	}
	if _, linked := e.Bridge.Hello(); linked {
		return nil
	}
	_, err := patiently(ctx, func() (bridge.HelloResult, error) { return e.Bridge.Connect(ctx) })
	if broken := (*bridge.Error)(nil); errors.As(err, &broken) && broken.Broken {
		return nil // the call itself tries again
	}
	return err
}

// call sends one request and waits for the answer.
func (e *Env) call(ctx context.Context, request bridge.Request) (json.RawMessage, error) {
	return patiently(ctx, func() (json.RawMessage, error) { return e.Bridge.Call(ctx, request) })
}
