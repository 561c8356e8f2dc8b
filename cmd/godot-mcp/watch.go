package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

func (a *app) watchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Print what happens in the editor, one JSON line an event, until interrupted",
		Long: "Print what happens in the editor, one JSON line an event, until interrupted.\n\n" +
			"When the editor goes, or is not there yet, watch says disconnected and waits for it. --jq is applied to each\n" +
			"event. With --event only those named are printed, and dropped, which says how many were lost because they\n" +
			"were read too slowly. An editor is not kept awake by it and serves at most 8 clients, of which this is one.\n\n" +
			"Events:\n" + eventList() + "\n" +
			"Exit codes: 0 after --count or --for, 124 when --for ended before --count, 130 interrupted; else by the kind\n" +
			"of error: godot-mcp exit-codes",
		Example: "  godot-mcp watch --event scene_saved --count 1 --for 10m\n" +
			"  godot-mcp watch --jq 'select(.by == \"user\").action' -r",
		Args: noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.watch(cmd) },
	}
	addFlags(cmd.Flags(), commands.FlagsOf("watch"))
	return cmd
}

func eventList() string {
	var b strings.Builder
	for _, e := range commands.Events() {
		fmt.Fprintf(&b, "  %-18s %s\n", e.Name, e.Doc)
	}
	return b.String()
}

// watcher is one run of watch.
type watcher struct {
	client *bridge.Client
	queue  *eventQueue
	// wanted are the names to print; empty for all.
	wanted []string
	// count ends it after so many printed events; 0 for no end.
	count int
	code  *gojq.Code
	raw   bool
	out   io.Writer
	// note is where a person reads that watch waits, when disconnected is not printed.
	note io.Writer
	// fixed says that one process was named: it does not come back.
	fixed bool
}

func (a *app) watch(cmd *cobra.Command) error {
	settings, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	if err := a.contract.Check(settings.contract); err != nil {
		return err
	}
	w, limit, err := a.watcher(cmd, settings)
	if err != nil {
		return err
	}
	defer w.client.Close()
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { cancel(errTimeUp) })
		defer timer.Stop()
	}
	printed := make(chan error, 1)
	go func() { printed <- w.print(ctx) }()
	linked := make(chan error, 1)
	go func() { linked <- w.follow(ctx) }()
	select {
	case err = <-printed:
	case err = <-linked:
		// What came before the end is printed.
		w.queue.close()
		err = errors.Join(<-printed, err)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	return w.outcome(cmd.Context(), err)
}

// errTimeUp ends watch after --for.
var errTimeUp = errors.New("the time is up")

func (w *watcher) outcome(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return interrupted{} // as it is meant to end
	case errors.Is(err, errTimeUp) && w.count > 0:
		return bridge.Errorf(bridge.Timeout, "", "--for ended before --count events came; wait longer, or see what is going on: godot-mcp editor status")
	case errors.Is(err, errTimeUp):
		return nil
	}
	return err
}

func (a *app) watcher(cmd *cobra.Command, s settings) (*watcher, time.Duration, error) {
	names, _ := cmd.Flags().GetStringArray("event")
	count, _ := cmd.Flags().GetInt("count")
	duration, _ := cmd.Flags().GetString("for")
	for _, name := range names {
		if err := knownEvent(name); err != nil {
			return nil, 0, err
		}
	}
	if cmd.Flags().Changed("count") && count <= 0 {
		return nil, 0, usageError("count", "--count must be above zero, was given %d: godot-mcp watch --help", count)
	}
	var limit time.Duration
	if cmd.Flags().Changed("for") {
		var err error
		if limit, err = parseTimeout(duration); err != nil {
			return nil, 0, usageError("for", "--for: %v: godot-mcp watch --help", err)
		}
	}
	code, err := a.jq()
	if err != nil {
		return nil, 0, err
	}
	w := &watcher{
		client: a.dispatcher(s, "watch").Env.Bridge, queue: newEventQueue(), wanted: names, count: count,
		code: code, raw: a.flags.raw, out: a.out, note: a.err, fixed: s.editorPID != 0,
	}
	if a.outTTY {
		w.out = plainWriter{a.out}
	}
	w.client.DialTimeout = s.explicitTimeout()
	w.client.Events = w.subscribed()
	w.client.OnEvent = func(e bridge.Event) {
		if e.Name == dropped || slices.Contains(w.client.Events, e.Name) {
			w.queue.push(e.Name, e.Data)
		}
	}
	return w, limit, nil
}

// plainWriter keeps text of the project from moving a person's cursor.
type plainWriter struct{ io.Writer }

func (p plainWriter) Write(text []byte) (int, error) {
	_, err := p.Writer.Write(withoutControls(text))
	return len(text), err
}

func knownEvent(name string) error {
	best, at := "", 4
	for _, e := range commands.Events() {
		if e.Name == name {
			return nil
		}
		if d := commands.Distance(name, e.Name); d < at {
			best, at = e.Name, d
		}
	}
	if best != "" {
		return usageError("event", "there is no event %q, did you mean %s? godot-mcp watch --help", name, best)
	}
	return usageError("event", "there is no event %q: godot-mcp watch --help", name)
}

// subscribed are the events that the editor is to send.
func (w *watcher) subscribed() []string {
	var names []string
	for _, e := range commands.Events() {
		if !e.Own && w.wants(e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

func (w *watcher) wants(name string) bool {
	return len(w.wanted) == 0 || name == dropped || slices.Contains(w.wanted, name)
}

// follow keeps a link to the editor until the context ends or no editor can come back.
func (w *watcher) follow(ctx context.Context) error {
	f := &commands.Follow{
		Client: w.client, Looking: w.queue.hold, ComesBack: w.comesBack,
		Linked: func(hello bridge.HelloResult) { w.tell("connected", connectedLine(hello)) },
		Gone:   func(why *bridge.Error) { w.sayGone(why.Hint) },
	}
	return f.Run(ctx)
}

// comesBack is true for what passes when an editor starts, is ready or has a place again.
func (w *watcher) comesBack(e *bridge.Error) bool {
	switch {
	case e.Full:
		return true
	case e.Code == bridge.Timeout:
		return e.Required == "editor_ready"
	}
	return e.Code == bridge.BridgeDisconnected && !w.fixed
}

func (w *watcher) sayGone(reason string) {
	line, _ := json.Marshal(map[string]string{"event": "disconnected", "reason": reason})
	w.tell("disconnected", line)
	if !w.wants("disconnected") {
		fmt.Fprintf(w.note, "godot-mcp: %s; waiting for an editor\n", withoutControls([]byte(reason)))
	}
}

func connectedLine(h bridge.HelloResult) []byte {
	line, _ := json.Marshal(struct {
		Event        string `json:"event"`
		PID          int    `json:"pid"`
		ProjectPath  string `json:"project_path"`
		GodotVersion string `json:"godot_version"`
		AddonVersion string `json:"addon_version"`
	}{"connected", h.PID, h.ProjectPath, h.GodotVersion, h.AddonVersion})
	return line
}

func (w *watcher) tell(name string, line []byte) {
	if w.wants(name) {
		w.queue.tell(name, line)
		return
	}
	w.queue.release()
}

// print writes events as they come; it ends after count of them, or when the queue was closed.
func (w *watcher) print(ctx context.Context) error {
	for {
		e, more := w.queue.next(ctx)
		if !more {
			return context.Cause(ctx)
		}
		printed, err := w.printOne(ctx, e.line)
		if err != nil {
			return err
		}
		if !printed || e.isOwn() || w.count == 0 {
			continue
		}
		if w.count--; w.count == 0 {
			return nil
		}
	}
}

// printOne is false for an event of which --jq makes nothing.
func (w *watcher) printOne(ctx context.Context, line []byte) (bool, error) {
	var text bytes.Buffer
	if w.code == nil {
		text.Write(line)
		text.WriteByte('\n')
	} else {
		input, err := jqInput(line)
		if err != nil {
			return false, err
		}
		to := &streams{out: &text}
		if err := printAll(to, w.code.RunWithContext(ctx, input), w.raw); err != nil {
			return false, usageError("jq", "--jq cannot take the event %s: godot-mcp watch --help", line)
		}
	}
	if text.Len() == 0 {
		return false, nil
	}
	if _, err := w.out.Write(text.Bytes()); err != nil {
		return false, outputError{err}
	}
	return true, nil
}
