package commands

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// runEnd is how a run of the engine ended.
type runEnd struct {
	code     *int
	timedOut bool
	took     time.Duration
}

func (e runEnd) wentWell(timeoutExpected bool) bool {
	if e.timedOut {
		return timeoutExpected
	}
	return e.code != nil && *e.code == 0
}

// runEngine runs the engine and reads what it prints, until it ends, its time is up or the call is given up.
// Then, and when this process dies, it and all that it has started are ended.
func runEngine(ctx context.Context, line []string, dir string, limit time.Duration, log *runLog) (runEnd, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return runEnd{}, err
	}
	defer out.Close()
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env = dir, editorEnv(launch{})
	cmd.Stdout, cmd.Stderr = in, in
	begun := time.Now()
	leash, err := startOnLeash(cmd)
	_ = in.Close()
	if err != nil {
		return runEnd{}, bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "%s did not start: %v; set GODOT_BIN to another, then godot-mcp game run-headless", line[0], err)
	}
	read := make(chan struct{})
	go func() {
		log.read(out)
		close(read)
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var end runEnd
	select {
	case err = <-ended:
		end.code = exitCode(cmd.ProcessState)
	case <-timer.C:
		end.timedOut = true
	case <-ctx.Done():
	}
	end.took = time.Since(begun)
	leash.end()
	if end.code == nil {
		soon(ended)
	}
	// A process that left the group can still hold the pipe.
	if !soon(read) {
		_ = out.Close()
		<-read
	}
	var exit *exec.ExitError
	switch {
	case end.code == nil && !end.timedOut:
		return end, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return end, err
	}
	return end, nil
}

// soon waits for what an end brings about at once, and no longer.
func soon[T any](done <-chan T) bool {
	select {
	case <-done:
		return true
	case <-time.After(endWait):
		return false
	}
}

// exitCode is what a shell would say: after a signal 128 and its number.
func exitCode(state *os.ProcessState) *int {
	code := state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && code < 0 && status.Signaled() {
		code = 128 + int(status.Signal())
	}
	return &code
}
