//go:build unix

package clients

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t *testing.T, path string) File {
	t.Helper()
	f, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// The file is replaced in one step behind its link, with its mode, and nothing stays beside it.
func TestWriteKeepsLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles", "config.json")
	if err := os.Mkdir(filepath.Dir(real), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, real, "{}")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "first.json"), filepath.Join(dir, "second.json")
	if err := errors.Join(os.Symlink(real, first), os.Symlink("first.json", second)); err != nil {
		t.Fatal(err)
	}
	if err := readFile(t, second).Write([]byte("new"), 0o600, false); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(real)
	if string(text) != "new" || mode(t, real) != 0o640 || mode(t, first)&os.ModeSymlink == 0 || mode(t, second)&os.ModeSymlink == 0 {
		t.Errorf("%q, %v, %v", text, mode(t, real), mode(t, second))
	}
	for folder, want := range map[string]int{dir: 3, filepath.Dir(real): 1} {
		if left, _ := os.ReadDir(folder); len(left) != want {
			t.Errorf("%s holds %v", folder, left)
		}
	}
}

// A file that gets a token is taken from other users, one that gets none keeps its mode.
func TestAFileWithATokenIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	write(t, path, "{}")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, private := range []bool{false, true} {
		f := readFile(t, path)
		if err := f.Write([]byte(strings.Repeat(" ", len(f.Text)+1)), 0o644, private); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, path).Private(); got != private {
			t.Errorf("private %t: %v", private, mode(t, path))
		}
	}
}

func TestNewFileAndFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.json")
	f := readFile(t, path)
	if f.Exists {
		t.Error("it is there")
	}
	if err := f.Write([]byte("x"), 0o600, false); err != nil {
		t.Fatal(err)
	}
	if mode(t, path) != 0o600 || mode(t, filepath.Dir(path)).Perm() != 0o700 {
		t.Errorf("%v in %v", mode(t, path), mode(t, filepath.Dir(path)))
	}
	// Made meanwhile by somebody else, it is not written over.
	if err := f.Write([]byte("y"), 0o600, false); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// What a running client writes between our reading and writing is not lost.
func TestFileChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "{}")
	f := readFile(t, path)
	write(t, path, "theirs")
	if err := f.Write([]byte("ours"), 0o600, false); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "theirs" {
		t.Errorf("%q", text)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := f.Write([]byte("ours"), 0o600, false); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestFilesThatCannotBeEdited(t *testing.T) {
	dir := t.TempDir()
	join := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(join("folder"), 0o700), os.Symlink(join("b"), join("a")), os.Symlink(join("a"), join("b")), os.Symlink(join("none"), join("dangling")), os.WriteFile(join("protected"), []byte("{}"), 0o400)); err != nil {
		t.Fatal(err)
	}
	big, err := os.Create(join("big"))
	if err := errors.Join(err, big.Truncate(MaxConfig+1), big.Close()); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"folder": "folder", "a": "too many links", "dangling": "leads nowhere", "big": "more than", "protected/x": "not a directory"} {
		if _, err := ReadFile(join(name)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	f := readFile(t, join("protected"))
	if err := f.Write([]byte("x"), 0o600, false); err == nil || !strings.Contains(err.Error(), "write-protected") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(join("protected")); string(text) != "{}" {
		t.Errorf("%q", text)
	}
}

// Clients hand on little; one from the desktop does not know the user's PATH.
func TestEnvironments(t *testing.T) {
	own := []string{"PATH=/home/me/bin:/usr/bin", "HOME=/home/me", "XDG_RUNTIME_DIR=/run", "GODOT_BIN=/g"}
	l := Launch{Env: map[string]string{"GODOT_BIN": "/mine"}}
	for id, want := range map[string]string{
		"gemini":         "PATH=/home/me/bin:/usr/bin HOME=/home/me XDG_RUNTIME_DIR=/run GODOT_BIN=/g GODOT_BIN=/mine",
		"cursor":         "PATH=/home/me/bin:/usr/bin HOME=/home/me GODOT_BIN=/mine",
		"claude-desktop": "HOME=/home/me PATH=/usr/local/bin:/usr/bin:/bin GODOT_BIN=/mine",
	} {
		if got := strings.Join(named(t, id).Environ(System{OS: "linux"}, own, l), " "); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
	if got := strings.Join(named(t, "claude-desktop").Environ(System{OS: "windows"}, []string{`Path=C:\bin`, "x=1"}, Launch{}), " "); got != `Path=C:\bin` {
		t.Error(got)
	}
}
