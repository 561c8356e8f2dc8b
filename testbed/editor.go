package testbed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Editor is a headless editor on a project of its own, started by the binary that users run. Its settings,
// its registry and its configuration are apart from the user's, so editors of one machine do not meet.
type Editor struct {
	// Project is the folder of the project.
	Project string
	// Bin is the godot-mcp binary.
	Bin string
	// PID is the editor's process.
	PID int
	// Env is the environment for commands that are to find this editor.
	Env []string
}

// Output is what one run of the binary gave.
type Output struct {
	Stdout, Stderr string
	Exit           int
}

// Workspace prepares a project without starting its editor: addon installed, environment of its own below
// dir, which must exist.
func Workspace(project, dir string) (*Editor, error) {
	bin, err := Binary()
	if err != nil {
		return nil, err
	}
	godot, err := Godot()
	if err != nil {
		return nil, err
	}
	e := &Editor{Project: project, Bin: bin}
	e.Env = append(os.Environ(), "GODOT_BIN="+godot)
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		folder := filepath.Join(dir, strings.ToLower(name))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		e.Env = append(e.Env, name+"="+folder)
	}
	if out := e.Run("addon", "install"); out.Exit != 0 {
		return nil, fmt.Errorf("addon install: %s", out.Stderr)
	}
	return e, nil
}

// Start starts a headless editor for the project and waits until it answers. Stop ends it.
func Start(project, dir string) (*Editor, error) {
	e, err := Workspace(project, dir)
	if err != nil {
		return nil, err
	}
	return e, e.Start()
}

// Start starts the editor of a workspace.
func (e *Editor) Start() error {
	out := e.Run("editor", "start", "--headless")
	if out.Exit != 0 {
		return fmt.Errorf("editor start: %s", out.Stderr)
	}
	var started struct{ PID int }
	if err := json.Unmarshal([]byte(out.Stdout), &started); err != nil {
		return err
	}
	e.PID = started.PID
	return nil
}

// Stop ends the editor with whatever is unsaved.
func (e *Editor) Stop() error {
	out := e.Run("editor", "stop", "--force", "--confirm")
	if out.Exit != 0 {
		return fmt.Errorf("editor stop: %s", out.Stderr)
	}
	return nil
}

// Run runs the binary in the project's folder, with nothing on standard input.
func (e *Editor) Run(args ...string) Output {
	return e.RunInput("", args...)
}

// RunInput runs the binary with text on its standard input.
func (e *Editor) RunInput(input string, args ...string) Output {
	cmd := exec.Command(e.Bin, args...)
	cmd.Dir, cmd.Env = e.Project, e.Env
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	out := Output{Stdout: stdout.String(), Stderr: stderr.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		out.Exit = exit.ExitCode()
	case err != nil:
		out.Exit, out.Stderr = -1, err.Error()
	}
	return out
}
