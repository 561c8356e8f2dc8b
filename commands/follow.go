package commands

import (
	"context"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// How long Follow waits before it looks again for an editor. No event tells when one has started.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = time.Second
)

// Follow keeps a link to an editor, for its events. No editor is started for it.
type Follow struct {
	Client *bridge.Client
	// Looking is told before each look for an editor, Linked of each that was found, and Gone, once until the
	// next is found, why there is none. Each may be nil.
	Looking func()
	Linked  func(bridge.HelloResult)
	Gone    func(*bridge.Error)
	// ComesBack is true for an error that may pass.
	ComesBack func(*bridge.Error) bool
}

// Run ends with the context, or with the error that does not pass.
func (f *Follow) Run(ctx context.Context) error {
	told := false
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		if f.Looking != nil {
			f.Looking()
		}
		hello, err := f.Client.Connect(ctx)
		if err == nil {
			f.Linked(hello)
			told, pause = false, firstLook
			err = f.Client.Ended(ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		failure := bridge.AsError(err)
		if !f.ComesBack(failure) {
			return err
		}
		if !told {
			told = true
			f.Gone(failure)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// EventClient is a client of its own for the editor that this process talks to, which the editor tells these
// events.
func (e *Env) EventClient(events []string, on func(bridge.Event)) *bridge.Client {
	return &bridge.Client{
		Find: e.Bridge.Find, Name: e.Bridge.Name, Version: e.Bridge.Version, Contract: e.Bridge.Contract,
		OwnContract: e.Bridge.OwnContract, MinContract: e.Bridge.MinContract, Log: e.Bridge.Log,
		Events: events, OnEvent: on,
	}
}
