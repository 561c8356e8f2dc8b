package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// watching runs watch in this process until it ends or the test does; next gives its next line.
func watching(t *testing.T, args ...string) (next func() string) {
	t.Helper()
	fromOut, out := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan error, 1)
	ctx, interrupt := context.WithCancel(t.Context())
	a := &app{streams: streams{in: strings.NewReader(""), out: out, err: &stderr}, table: commands.All(), contract: commands.ThisContract}
	go func() {
		err := a.execute(ctx, append([]string{"watch"}, args...))
		_ = out.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		interrupt()
		if err := <-ended; err != nil && !errors.As(err, new(interrupted)) || stderr.Len() > 0 {
			t.Errorf("ended with %v, stderr %s", err, stderr.String())
		}
	})
	lines := bufio.NewReader(fromOut)
	return func() string {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
}

// The editor is not there yet, comes, goes and comes back on another port: one run of watch sees it all.
func TestF20_WatchWaitsForTheEditor(t *testing.T) {
	for name, end := range map[string]func(*bridgetest.Editor){
		"closed":  (*bridgetest.Editor).Close,
		"crashed": (*bridgetest.Editor).Crash,
	} {
		t.Run(name, func(t *testing.T) {
			ghost := bridgetest.New(t)
			alone(t, ghost)
			ghost.Close()
			next := watching(t, "--project", ghost.Project, "--count", "2")
			want(t, next(), `{"event":"disconnected","reason":"no editor`)
			for i := range 2 {
				ed := bridgetest.New(t, bridgetest.Project(ghost.Project), bridgetest.Runtime(ghost.Runtime))
				want(t, next(), `{"event":"connected","pid":`)
				ed.Emit("scene_saved", map[string]any{"scene_path": fmt.Sprint(i)})
				want(t, next(), fmt.Sprintf(`"scene_path":"%d"`, i))
				if i == 0 {
					end(ed)
					want(t, next(), `{"event":"disconnected","reason":"the link to the editor`)
				}
			}
		})
	}
}

// Whoever reads too slowly is told how many events are missing, where they are missing, and nothing grows.
func TestWatchDropsForASlowReader(t *testing.T) {
	const sent = 3 * maxWaiting
	q := newEventQueue()
	for i := range sent {
		q.push("scene_saved", fmt.Appendf(nil, `{"n":%d}`, i))
	}
	var got []string
	for range maxWaiting {
		e, _ := q.next(t.Context())
		got = append(got, string(e.line))
	}
	q.push("scene_saved", []byte(`{"n":"later"}`))
	for range 2 {
		e, _ := q.next(t.Context())
		got = append(got, string(e.line))
	}
	want := []string{fmt.Sprintf(`{"n":%d}`, maxWaiting-1), fmt.Sprintf(`{"event":"dropped","count":%d}`, sent-maxWaiting), `{"n":"later"}`}
	if got[0] != `{"n":0}` || !slices.Equal(got[maxWaiting-1:], want) {
		t.Errorf("got %s ... %q, want ... %q", got[0], got[maxWaiting-1:], want)
	}
	q.close()
	if e, more := q.next(t.Context()); more {
		t.Errorf("%s came after the end", e.line)
	}
}

// The last events before a pause may be the ones that are missing.
func TestWatchTellsOfDroppedEventsAtTheEnd(t *testing.T) {
	q := newEventQueue()
	for range maxWaiting + 2 {
		q.push("scene_saved", []byte(`{}`))
	}
	var last queuedEvent
	for range maxWaiting + 1 {
		last, _ = q.next(t.Context())
	}
	if string(last.line) != `{"event":"dropped","count":2}` {
		t.Errorf("the last line is %s", last.line)
	}
}

// An event may be read before it is known that the link is there.
func TestWatchTellsConnectedFirst(t *testing.T) {
	q := newEventQueue()
	q.hold()
	q.push("scene_saved", []byte("early"))
	q.tell("connected", []byte("connected"))
	q.push("scene_saved", []byte("late"))
	for _, want := range []string{"connected", "early", "late"} {
		if e, _ := q.next(t.Context()); string(e.line) != want {
			t.Errorf("got %s, want %s", e.line, want)
		}
	}
}

// A reader that stands still does not hold up the link, which is read to its end, and what is lost is
// counted.
func TestWatchReadsOnBehindASlowReader(t *testing.T) {
	const sent = 2 * maxWaiting
	ed := bridgetest.New(t)
	alone(t, ed)
	a := &app{streams: streams{out: io.Discard, err: io.Discard}, table: commands.All(), contract: commands.ThisContract}
	root := a.root()
	cmd, _, err := root.Find([]string{"watch"})
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := a.watcher(cmd, settings{project: ed.Project})
	if err != nil {
		t.Fatal(err)
	}
	defer w.client.Close()
	if _, err := w.client.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range sent {
		ed.Emit("scene_saved", map[string]any{"scene_path": fmt.Sprint(i)})
	}
	ed.Close()
	_ = w.client.Ended(t.Context())
	w.queue.close()
	seen := 0
	for e, more := w.queue.next(t.Context()); more; e, more = w.queue.next(t.Context()) {
		if e.name == dropped {
			want(t, string(e.line), fmt.Sprintf(`"count":%d`, sent-maxWaiting))
			continue
		}
		want(t, string(e.line), fmt.Sprintf(`"scene_path":"%d"`, seen))
		seen++
	}
	if seen != maxWaiting {
		t.Errorf("%d events were kept, want %d", seen, maxWaiting)
	}
}

// What the addon emits is what the contract lists, and the other way round.
func TestEventsAreTheAddons(t *testing.T) {
	emitted := []string{}
	emit := regexp.MustCompile(`(?:happened\.emit|emit_event)\(\s*"(\w+)"|"event": "(\w+)"`)
	files, err := filepath.Glob(filepath.Join("..", "..", "addon", "godot_mcp_bridge", "*.gd"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no addon: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range emit.FindAllStringSubmatch(string(text), -1) {
			emitted = append(emitted, m[1]+m[2])
		}
	}
	slices.Sort(emitted)
	emitted = slices.Compact(emitted)
	var listed []string
	for _, e := range commands.Events() {
		if !e.Own {
			listed = append(listed, e.Name)
		}
	}
	slices.Sort(listed)
	if !slices.Equal(emitted, listed) {
		t.Errorf("the addon emits %q, commands.Events lists %q", emitted, listed)
	}
}
