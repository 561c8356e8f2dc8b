//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// A reader that stops early, as head -1 does: nothing on stderr, and the end that shells count as 141, also
// where the caller has set the signal to be ignored.
func TestF24_ReaderStopsEarly(t *testing.T) {
	ed := bridgetest.New(t)
	names := make([]string, 200_000)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint("Node", i))
	}
	ed.Reply("node.get", `{"children":[`+strings.Join(names, ",")+`]}`)
	ed.Reply("scene.save", `{"saved":true}`)
	lines := strings.Repeat(`{"tool":"scene save"}`+"\n", 10_000)
	for name, args := range map[string][]string{
		"whole result":  {"node", "get", "."},
		"many values":   {"node", "get", ".", "--jq", ".children[]"},
		"raw values":    {"node", "get", ".", "--jq", ".children[]", "-r"},
		"NDJSON answer": {"call", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			state, stderr := stopEarly(t, command(t, ed, args...), lines)
			wantReaderGone(t, state, stderr)
		})
		t.Run(name+", signal ignored", func(t *testing.T) {
			plain := command(t, ed, args...)
			shell := exec.Command("sh", append([]string{"-c", `trap "" PIPE; exec "$@"`, "sh"}, plain.Args...)...)
			shell.Dir, shell.Env = plain.Dir, plain.Env
			state, stderr := stopEarly(t, shell, lines)
			wantReaderGone(t, state, stderr)
		})
	}
}

// The same for a watch whose reader has seen enough.
func TestF24_ReaderOfWatchStopsEarly(t *testing.T) {
	ed := bridgetest.New(t)
	plain := command(t, ed, "watch")
	shell := exec.Command("sh", append([]string{"-c", `trap "" PIPE; exec "$@"`, "sh"}, plain.Args...)...)
	shell.Dir, shell.Env = plain.Dir, plain.Env
	for _, cmd := range []*exec.Cmd{plain, shell} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			ed.WaitSockets(1)
			// The first may be written before the reader has gone.
			for range 100 {
				ed.Emit("scene_saved", map[string]any{"scene_path": strings.Repeat("x", 1000)})
			}
		}()
		state, stderr := stopEarly(t, cmd, "")
		<-done
		wantReaderGone(t, state, stderr)
		ed.WaitSockets(0)
	}
}

// stopEarly reads a little of what the program writes and closes its end.
func stopEarly(t *testing.T, cmd *exec.Cmd, input string) (*os.ProcessState, string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	cmd.Stdin = strings.NewReader(input)
	cmd, stderr := begin(t, cmd)
	_ = w.Close()
	if _, err := io.ReadFull(r, make([]byte, 8)); err != nil {
		t.Fatalf("%v; stderr %q", err, stderr)
	}
	_ = r.Close()
	_ = cmd.Wait()
	return cmd.ProcessState, stderr.String()
}

func wantReaderGone(t *testing.T, state *os.ProcessState, stderr string) {
	t.Helper()
	bySignal := state.Sys().(syscall.WaitStatus).Signal() == syscall.SIGPIPE
	if !bySignal && state.ExitCode() != 141 || stderr != "" {
		t.Errorf("ended by %v, stderr %q", state, stderr)
	}
}
