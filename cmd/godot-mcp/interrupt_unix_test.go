//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestInterruptCancelsTheCall(t *testing.T) {
	ed := bridgetest.New(t, bridgetest.Silent())
	cmd, stderr := begin(t, command(t, ed, "node", "add"))
	ed.WaitCalls(1)
	wantInterrupted(t, cmd, stderr, "unknown")
	ed.WaitCancels(1)
}

func TestInterruptEndsCallThatWaitsForInput(t *testing.T) {
	ed := bridgetest.New(t)
	ed.Reply("scene.save", `{"saved":true}`)
	cmd := command(t, ed, "call", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stderr := begin(t, cmd)
	if _, err := io.WriteString(in, `{"tool":"scene save"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"ok":true`) {
		t.Fatalf("got %q, error %v", line, err)
	}
	wantInterrupted(t, cmd, stderr, "each line that was begun has its answer")
}

func TestInterruptEndsParamsThatWaitForInput(t *testing.T) {
	ed := bridgetest.New(t)
	cmd := command(t, ed, "node", "add", "--params", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stderr := begin(t, cmd)
	// More than a pipe holds: when it is written, the program is reading.
	if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
		t.Fatal(err)
	}
	wantInterrupted(t, cmd, stderr, "nothing was sent")
	if calls := ed.Calls(); len(calls) > 0 {
		t.Errorf("%v reached the editor", calls)
	}
}

// A run of the game is ended with the call.
func TestInterruptEndsTheRun(t *testing.T) {
	ed := bridgetest.New(t)
	pipe, engine := filepath.Join(ed.Runtime, "pid"), filepath.Join(ed.Runtime, "engine")
	script := "#!/bin/sh\n[ \"$*\" = --version ] && exec echo 4.6.3.stable.official\necho $$ > " + pipe + "\nexec sleep 600\n"
	if err := os.WriteFile(engine, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, ed, "game", "run-headless", "--timeout-seconds", "600")
	cmd.Env = append(cmd.Env, "GODOT_BIN="+engine)
	cmd, stderr := begin(t, cmd)
	text, err := os.ReadFile(pipe)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	wantInterrupted(t, cmd, stderr, "")
	if bridge.Alive(pid) {
		t.Errorf("the engine %d lives on", pid)
	}
}

// watch is ended by a signal: that is no failure, and there is nothing to say.
func TestInterruptEndsWatch(t *testing.T) {
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		ed := bridgetest.New(t)
		cmd := command(t, ed, "watch")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd, stderr := begin(t, cmd)
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "connected") {
			t.Fatalf("got %q, error %v", line, err)
		}
		if err := cmd.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.Len() > 0 {
			t.Errorf("%v: exit status %d, want 130; stderr: %s", sent, code, stderr)
		}
	}
}

func begin(t *testing.T, cmd *exec.Cmd) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, stderr
}

// wantInterrupted sends what Ctrl-C sends: exit status 130 and one error envelope.
func wantInterrupted(t *testing.T, cmd *exec.Cmd, stderr *bytes.Buffer, state string) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Fatalf("exit status %d (%v), want 130; stderr: %s", code, cmd.ProcessState, stderr)
	}
	e, err := envelope(stderr.String())
	if err != nil || e.Code != bridge.Timeout || !strings.HasPrefix(e.Hint, "interrupted") || !strings.Contains(e.Hint, state) {
		t.Errorf("got %v, error %v", e, err)
	}
}
