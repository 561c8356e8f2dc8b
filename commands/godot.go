package commands

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// FindGodot returns the engine's program: the configured one, else godot or godot4 on PATH, else the
// usual place on macOS. Its version must be at least 4.5 and below 5. Errors are PRECONDITION_FAILED with
// required godot_binary or godot_version.
func FindGodot(ctx context.Context, configured string) (string, error) {
	path := configured
	if path == "" {
		for _, name := range []string{"godot", "godot4", "/Applications/Godot.app/Contents/MacOS/Godot"} {
			if found, err := exec.LookPath(name); err == nil {
				path = found
				break
			}
		}
	}
	if path == "" {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "no godot on PATH: set GODOT_BIN to one (make demo installs ~/.cache/godot-mcp/bin/godot; others are at https://godotengine.org/download), then godot-mcp editor start")
	}
	// The engine is run in the project's folder.
	if strings.ContainsRune(path, filepath.Separator) {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "%s --version failed (%v): set GODOT_BIN to a Godot 4.5 or newer, then godot-mcp editor start", path, err)
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 || !versionServed(lines[len(lines)-1]) {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_version", "%s is version %s, 4.5 or newer and below 5 is needed: set GODOT_BIN to one, then godot-mcp editor start", path, strings.TrimSpace(string(out)))
	}
	return path, nil
}

// versionServed reads "4.6.3.stable.official".
func versionServed(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 || parts[0] != "4" {
		return false
	}
	minor, err := strconv.Atoi(parts[1])
	return err == nil && minor >= 5
}
