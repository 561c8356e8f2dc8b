//go:build unix

package bridge_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestBeliefNeedsPrivateFile(t *testing.T) {
	for _, mode := range []os.FileMode{0o604, 0o640, 0o620, 0o602, 0o666} {
		e := bridgetest.New(t)
		if err := os.Chmod(e.Info().File, mode); err != nil {
			t.Fatal(err)
		}
		wantIgnored(t, e, "open to other users")
	}
}

func TestBeliefNeedsPrivateFolder(t *testing.T) {
	e := bridgetest.New(t)
	if err := os.Chmod(filepath.Dir(e.Info().File), 0o755); err != nil {
		t.Fatal(err)
	}
	wantIgnored(t, e, "open to other users (mode 0755)")
}

func TestBeliefRefusesSymlinks(t *testing.T) {
	e := bridgetest.New(t)
	file := e.Info().File
	moved := filepath.Join(t.TempDir(), "real.json")
	if err := os.Rename(file, moved); err != nil {
		t.Fatal(err)
	}
	symlink(t, moved, file)
	wantIgnored(t, e, "symbolic link")

	e = bridgetest.New(t)
	folder := filepath.Dir(e.Info().File)
	moved = filepath.Join(t.TempDir(), "folder")
	if err := os.Rename(folder, moved); err != nil {
		t.Fatal(err)
	}
	symlink(t, moved, folder)
	wantIgnored(t, e, "symbolic link")
}

// A pipe in the place of a file must not hold up the search.
func TestBeliefDoesNotWaitForAPipe(t *testing.T) {
	e := bridgetest.New(t)
	file := e.Info().File
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	wantIgnored(t, e, "is not a regular file")
}

func TestF8_SymlinkedProjectsAreOne(t *testing.T) {
	e := bridgetest.New(t)
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, e.Project, link)
	q := e.Query()
	q.Dir = link
	wantEditor(t, q, e)
}
