package commands

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

// AddonVersion is the version of the addon that this binary carries, CalVer.
const AddonVersion = "2026.11.30"

// addonReady refuses a project whose editor would not answer: without the addon, or with it switched off.
func addonReady(project string) error {
	state, err := addon.Status(project)
	if err != nil {
		return bridge.Errorf(bridge.PreconditionFailed, "project_dir", "%v", err)
	}
	if state.Installed && state.Enabled {
		return nil
	}
	what := "is not in"
	if state.Installed {
		what = "is switched off in"
	}
	return bridge.Errorf(bridge.PreconditionFailed, "addon_version", "the addon %s %s: godot-mcp addon install --project %s", what, project, quote(project))
}

// RunningAddon is the addon in a running editor of the project.
type RunningAddon struct {
	PID      int  `json:"pid"`
	Port     int  `json:"port"`
	Headless bool `json:"headless"`
	// Answers is false when the editor did not greet in time; then AddonVersion is what its bridge
	// file says.
	Answers      bool   `json:"answers"`
	AddonVersion string `json:"addon_version"`
	// Reason says why it does not answer.
	Reason string `json:"reason,omitempty"`

	editor bridge.Editor
}

// CommandLine is a command of godot-mcp to be typed next, with the project where one was named.
func (e *Env) CommandLine(words string) string {
	if e.Query.Project != "" {
		words += " --project " + quote(e.Query.Project)
	}
	return "godot-mcp " + words
}

// How long somebody who only looks waits for an editor's greeting, and somebody who is about to change it.
const (
	LookWait   = time.Second
	ChangeWait = 10 * time.Second
)

// RunningAddons greets each editor of the project, side by side, and waits so long for each.
func (e *Env) RunningAddons(ctx context.Context, project string, wait time.Duration) []RunningAddon {
	editors := e.EditorsOf(project)
	out := make([]RunningAddon, len(editors))
	var wg sync.WaitGroup
	for i, ed := range editors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = RunningAddon{PID: ed.PID, Port: ed.Port, Headless: ed.Headless, AddonVersion: ed.AddonVersion, editor: ed}
			hello, err := e.greet(ctx, ed, wait)
			if err != nil {
				out[i].Reason = bridge.AsError(err).Hint
				return
			}
			out[i].Answers, out[i].AddonVersion = true, hello.AddonVersion
		}()
	}
	wg.Wait()
	return out
}

// ReloadAddon has the editor take the addon's files up as they are on the disk, and returns the version
// that it runs then, by a greeting of its own.
func (e *Env) ReloadAddon(ctx context.Context, running RunningAddon) (version string, err error) {
	if err := e.tellWhenReady(ctx, running, reloadCommand); err != nil {
		return running.AddonVersion, err
	}
	hello, err := e.greet(ctx, running.editor, reloadWait)
	if err != nil {
		return "", err
	}
	return hello.AddonVersion, nil
}

// StopAutostarted ends the project's editors that calls started by themselves: without the addon they would
// never end, and nobody would find them. One with unsaved work is left, and is the error.
func (e *Env) StopAutostarted(ctx context.Context, project string) error {
	for _, ed := range e.EditorsOf(project) {
		if !ed.Autostarted() {
			continue
		}
		client := e.clientOf(ed)
		_, err := client.Call(ctx, bridge.Request{Command: stopCommand, Params: json.RawMessage(`{"force":false,"confirm":false,"save":false}`)})
		_ = client.Close()
		if err != nil {
			return err
		}
		if !gone(ctx, ed.PID, stopWait) {
			return bridge.Errorf(bridge.Timeout, "", "the editor %d that a call started is still there; nothing was changed: godot-mcp editor stop --editor %d --force --confirm", ed.PID, ed.PID)
		}
	}
	return nil
}

// RetireAddon has the editor end the addon for this run.
func (e *Env) RetireAddon(ctx context.Context, running RunningAddon) error {
	return e.tell(ctx, running, retireCommand)
}

// How long the addon may take to read its scripts, which the editor does between two frames.
const reloadWait = 20 * time.Second

// How long another client's command may keep the addon from being reloaded, and how often it is asked.
const (
	busyWait  = 5 * time.Second
	busyPause = 100 * time.Millisecond
)

// tellWhenReady tries again while a command of another client is at work. No event tells when it is done.
func (e *Env) tellWhenReady(ctx context.Context, running RunningAddon, command string) error {
	limit := time.Now().Add(busyWait)
	for {
		err := e.tell(ctx, running, command)
		if err == nil || bridge.AsError(err).Required != "editor_ready" || !paused(ctx, limit, busyPause) {
			return err
		}
	}
}

// tell sends one command to an editor over a link of its own and waits until the editor has ended that link:
// only then has it done what it said that it would.
func (e *Env) tell(ctx context.Context, running RunningAddon, command string) error {
	ctx, cancel := context.WithTimeout(ctx, reloadWait)
	defer cancel()
	client := e.clientOf(running.editor)
	defer client.Close()
	request := bridge.Request{Command: command}
	if _, err := patiently(ctx, func() (any, error) { return client.Call(ctx, request) }); err != nil {
		return err
	}
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		if _, connected := client.Hello(); !connected {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// clientOf is a link of its own to one editor.
func (e *Env) clientOf(ed bridge.Editor) *bridge.Client {
	return &bridge.Client{
		Name: "godot-mcp", Version: e.Version,
		OwnContract: e.Contract.Version, MinContract: e.Contract.MinCompatible,
		Find: func(context.Context) (bridge.Editor, error) { return ed, nil },
	}
}

// greet connects to one editor, over a link of its own, and returns how it introduced itself.
func (e *Env) greet(ctx context.Context, ed bridge.Editor, wait time.Duration) (bridge.HelloResult, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	client := e.clientOf(ed)
	defer client.Close()
	return patiently(ctx, func() (bridge.HelloResult, error) { return client.Connect(ctx) })
}
