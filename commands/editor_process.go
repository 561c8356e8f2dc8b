package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/xvfb"
)

const (
	// How often a starting editor's bridge file, or the lock of another start, is looked at. They are on a
	// disk that we do not watch.
	startPoll = 20 * time.Millisecond
	// How long a process that was killed may take to be gone.
	endWait = 2 * time.Second
	// Variables in the editor's process, set by us alone.
	autostartedVar = "GODOT_MCP_AUTOSTARTED"
	displayVar     = "GODOT_MCP_DISPLAY"
)

// After so long an editor that has not loaded the addon never will: the engine loads addons before it
// imports. Tests have less time.
var hungAfter = 3 * time.Minute

// started is an editor process that we, or a client before us, began. A wrapper may end and leave the
// editor alive.
type started struct {
	pid             int
	display         string
	logPath, record string
	begun           time.Time
	// done is closed when the process has ended; nil for one that is not our child.
	done chan struct{}
	err  error
}

// spawnEditor starts the engine in a session of its own, so that it outlives this process and its
// terminal. What it prints goes to a log beside the bridge file.
func spawnEditor(godot, project string, how launch) (*started, error) {
	logPath := filepath.Join(bridgeFolder(project), "editor.log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the editor's log: %w", err)
	}
	defer log.Close()
	cmd, err := engineCommand(godot, project, how.display)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir, cmd.Env = project, editorEnv(how)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "%s did not start: %v; set GODOT_BIN to another, then godot-mcp editor start", cmd.Path, err)
	}
	s := &started{
		pid: cmd.Process.Pid, display: how.display, logPath: logPath, record: filepath.Join(bridgeFolder(project), "starting"),
		begun: time.Now(), done: make(chan struct{}),
	}
	// Without the record another process could begin a second editor, no more.
	_ = os.WriteFile(s.record, fmt.Appendf(nil, "%d %d %s\n", s.pid, s.begun.Unix(), s.display), 0o600)
	go func() {
		s.err = cmd.Wait()
		close(s.done)
	}()
	return s, nil
}

// engineCommand is what is run for an editor with this display.
func engineCommand(godot, project, display string) (*exec.Cmd, error) {
	line := []string{godot, "--editor", "--path", project}
	switch display {
	case "headless":
		line = slices.Insert(line, 1, "--headless")
	case "virtual":
		server, err := virtualDisplay()
		if err != nil {
			return nil, err
		}
		return xvfb.Command(server, bridgeFolder(project), append(line, virtualDrivers(project)...))
	}
	return exec.Command(line[0], line[1:]...), nil
}

// virtualDisplay is the X server for one. Error: PRECONDITION_FAILED, required display.
func virtualDisplay() (string, error) {
	server, err := xvfb.Find()
	if err != nil {
		return "", bridge.Errorf(bridge.PreconditionFailed, "display", "%w; then godot-mcp editor start --display virtual, or without pictures: godot-mcp editor start --display headless", err)
	}
	return server, nil
}

// virtualDrivers are those of an editor on a virtual display: no sound, and the renderer that works without a
// graphics card, which a project of the Compatibility renderer has by itself.
func virtualDrivers(project string) []string {
	drivers := []string{"--display-driver", "x11", "--audio-driver", "Dummy"}
	if text, err := os.ReadFile(filepath.Join(project, "project.godot")); err == nil && compatibility.Match(text) {
		return drivers
	}
	return append(drivers, "--rendering-driver", "opengl3")
}

// compatibility finds the project's setting in its text.
var compatibility = regexp.MustCompile(`(?m)^renderer/rendering_method="gl_compatibility"`)

// editorEnv is our own environment but for what only we may tell the editor.
func editorEnv(how launch) []string {
	env := slices.DeleteFunc(os.Environ(), func(one string) bool {
		return strings.HasPrefix(one, autostartedVar+"=") || strings.HasPrefix(one, displayVar+"=")
	})
	if how.display == "virtual" {
		env = append(env, displayVar+"=virtual")
	}
	if how.idle > 0 {
		env = append(env, autostartedVar+"="+strconv.FormatFloat(how.idle.Seconds(), 'f', -1, 64))
	}
	return env
}

func bridgeFolder(project string) string {
	return filepath.Join(bridge.HiddenFolder(project), "godot_mcp_bridge")
}

// isHung is true for a process that has not become an editor and will not. With a window it may wait for
// the person who sees that.
func (s *started) isHung() bool { return s.display != "screen" && time.Since(s.begun) > hungAfter }

// end ends the process and what it has started, and waits a moment for our own child to be gone. It has
// not answered yet, so nothing was worked on in it.
func (s *started) end() {
	endGroup(s.pid)
	_ = os.Remove(s.record)
	if s.done != nil {
		select {
		case <-s.done:
		case <-time.After(endWait):
		}
	}
}

// tooLate words the end of the wait for an editor that has not loaded the addon. An interrupt takes it
// along; after a time-out it goes on, and the next call finds it.
func (s *started) tooLate(cause error) error {
	if errors.Is(cause, context.Canceled) {
		s.end()
		return cause
	}
	return &bridge.Error{Code: bridge.Timeout, Required: "editor_ready", Err: cause,
		Hint: fmt.Sprintf("the editor (process %d) has not answered within %v; it goes on starting: look at %s, then godot-mcp editor wait", s.pid, time.Since(s.begun).Round(time.Millisecond), s.logPath)}
}

// failed words the end of a process that had not become an editor.
func (s *started) failed() error {
	var exit *exec.ExitError
	if errors.As(s.err, &exit) && s.display == "virtual" && exit.ExitCode() == xvfb.ExitNoDisplay {
		return bridge.Errorf(bridge.PreconditionFailed, "display", "the virtual display did not start: %s; mend that, then godot-mcp editor start --display virtual", s.lastLines())
	}
	return bridge.Errorf(bridge.InternalError, "", "the editor ended while it started (%v): %s; mend that, then godot-mcp editor start", s.err, s.lastLines())
}

// lastLines is the end of what the editor printed.
func (s *started) lastLines() string {
	const most = 5
	text, err := os.ReadFile(s.logPath)
	if err != nil {
		return s.logPath
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	return string(bytes.Join(lines, []byte(" | ")))
}
