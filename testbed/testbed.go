// Package testbed finds the real Godot and the sample projects for the tests and
// benchmarks that use them.
package testbed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// modulePath is the first line of the go.mod that marks the module root.
const modulePath = "module github.com/godot-mcp/godot-mcp"

// errNoGodot tells how to get an engine; a test that needs one fails with it.
var errNoGodot = errors.New("no Godot >= 4.5 and < 5 found: run `make test`, which installs one, or set GODOT_BIN")

// Godot returns the engine to test with: GODOT_BIN if set, else a fitting godot or
// godot4 on PATH, else the one that testbed/install-godot.sh keeps in its cache.
func Godot() (string, error) {
	if bin := os.Getenv("GODOT_BIN"); bin != "" {
		path, err := exec.LookPath(bin)
		if err != nil {
			return "", fmt.Errorf("GODOT_BIN: %w", err)
		}
		return filepath.Abs(path)
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	for _, name := range []string{"godot", "godot4", filepath.Join(cache, "bin", "godot")} {
		path, err := exec.LookPath(name)
		if err == nil && accepted(version(path)) {
			return path, nil
		}
	}
	return "", errNoGodot
}

// cacheDir is the folder that the installers beside this file use.
func cacheDir() (string, error) {
	if dir := os.Getenv("GODOT_MCP_TEST_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "godot-mcp"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".cache", "godot-mcp"), nil
}

// version returns the last line that `godot --version` prints, or "".
func version(bin string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, bin, "--version").Output()
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

var version4 = regexp.MustCompile(`^4\.(\d+)(\D|$)`)

// accepted reports whether a version is at least 4.5 and below 5.
func accepted(version string) bool {
	m := version4.FindStringSubmatch(version)
	if m == nil {
		return false
	}
	minor, err := strconv.Atoi(m[1])
	return err == nil && minor >= 5
}

// Root returns the folder of this module's go.mod, free of symbolic links, found
// upwards from the current folder; it panics outside the module.
func Root() string {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		panic(fmt.Sprintf("testbed: %v", err))
	}
	for start := dir; ; {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if line, _, _ := strings.Cut(string(mod), "\n"); err == nil && strings.TrimSpace(line) == modulePath {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			panic("testbed: " + start + " is not inside the godot-mcp module")
		}
		dir = parent
	}
}

// CopyProject copies testbed/projects/name into a folder of the test's own, which
// goes with the test, and returns its path, free of symbolic links.
func CopyProject(t testing.TB, name string) string {
	t.Helper()
	to, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	to = filepath.Join(to, name)
	if err := copyTree(to, filepath.Join(Root(), "testbed", "projects", name)); err != nil {
		t.Fatalf("copy the sample project %s: %v", name, err)
	}
	return to
}

// copyTree copies a project without .godot, the engine's own cache, which would
// carry one run's state into the next.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			if entry.Name() == ".godot" {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
