package bridge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestLostGamesAreThoseWhoseEditorIsGone(t *testing.T) {
	project := t.TempDir()
	folder := filepath.Join(project, ".godot", "godot_mcp_bridge", "games")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	ended, now := endedProcess(t), time.Now().Unix()
	put := func(name string, pid int, started int64, editor int, mode os.FileMode) string {
		file := filepath.Join(folder, name)
		text := fmt.Sprintf(`{"pid":%d,"started":%d,"editor_pid":%d}`, pid, started, editor)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	own := fmt.Sprintf("%d.json", os.Getpid())
	for _, c := range []struct {
		what    string
		file    string
		started int64
		editor  int
		mode    os.FileMode
		lost    bool
		stale   bool
	}{
		{"its editor has ended", own, now, ended, 0o600, true, false},
		{"its editor runs", own, now, os.Getppid(), 0o600, false, false},
		{"the number was used again", own, 1000, ended, 0o600, false, true},
		{"anyone may have written the file", own, now, ended, 0o666, false, false},
		{"the file is about another process", "1.json", now, ended, 0o600, false, false},
	} {
		file := put(c.file, os.Getpid(), c.started, c.editor, c.mode)
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		lost, stale := bridge.LostGames(project)
		if (len(lost) == 1) != c.lost || (len(stale) == 1) != c.stale {
			t.Errorf("%s: lost %v, stale %v", c.what, lost, stale)
		}
		_ = os.Remove(file)
	}
	file := put(fmt.Sprintf("%d.json", ended), ended, now, os.Getppid(), 0o600)
	if lost, stale := bridge.LostGames(project); len(lost) != 0 || !slices.Equal(stale, []string{file}) {
		t.Errorf("of a game that has ended: lost %v, stale %v", lost, stale)
	}
}
