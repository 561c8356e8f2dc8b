package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// builtFolder holds the built binary, "" before it is built.
var builtFolder string

// builtBinary is the program as users get it, built once; the test binary is not the same where signals
// and closed pipes matter.
var builtBinary = sync.OnceValues(func() (string, error) {
	var err error
	if builtFolder, err = os.MkdirTemp("", "godot-mcp-built"); err != nil {
		return "", err
	}
	path := filepath.Join(builtFolder, "godot-mcp")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
})

// removeBinary is called when all tests are done.
func removeBinary() {
	if builtFolder != "" {
		_ = os.RemoveAll(builtFolder)
	}
}

// command is the built binary, which sees no other editor than this one and no settings of the user's.
func command(t *testing.T, ed *bridgetest.Editor, args ...string) *exec.Cmd {
	t.Helper()
	path, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = ed.Project
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+ed.Runtime, "XDG_CONFIG_HOME="+ed.Runtime, "HOME="+ed.Runtime)
	return cmd
}

// alone keeps an in-process run away from the user's editors and settings.
func alone(t *testing.T, ed *bridgetest.Editor) {
	t.Helper()
	ed.Setenv(t)
	t.Setenv("XDG_CONFIG_HOME", ed.Runtime)
	t.Setenv("HOME", ed.Runtime)
}
