//go:build unix

package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func lockOf(t *testing.T, project string) *startLock {
	t.Helper()
	lock, err := (&Env{}).lockStart(t.Context(), project)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestStartLockHasOneOwner(t *testing.T) {
	project := t.TempDir()
	first := lockOf(t, project)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := (&Env{}).lockStart(ctx, project)
	var e *bridge.Error
	if !errors.As(err, &e) || e.Code != bridge.Timeout || e.Required != "editor_ready" {
		t.Errorf("the second owner got %v", err)
	}
	first.release()
	lockOf(t, project).release()
}

// An engine that never loaded the addon is ended by whoever wants to start one next.
func TestHungStartIsEnded(t *testing.T) {
	project := t.TempDir()
	lock := lockOf(t, project)
	defer lock.release()
	cmd := exec.Command("sleep", "1000")
	detach(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	record := func(display string) {
		t.Helper()
		text := fmt.Appendf(nil, "%d %d %s\n", cmd.Process.Pid, time.Now().Unix(), display)
		if err := os.WriteFile(filepath.Join(bridgeFolder(project), "starting"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record("headless")
	if s := lock.unfinished(); s == nil || s.pid != cmd.Process.Pid {
		t.Fatalf("the start under way is %+v", s)
	}
	before := hungAfter
	hungAfter = time.Nanosecond
	defer func() { hungAfter = before }()
	// With a window it may wait for a person, who sees it.
	record("screen")
	if s := lock.unfinished(); s == nil || !bridge.Alive(s.pid) {
		t.Errorf("the editor with a window is %+v", s)
	}
	record("headless")
	if s := lock.unfinished(); s != nil {
		t.Errorf("the hung start is %+v", s)
	}
	<-ended
	if _, err := os.Stat(lock.record); err == nil {
		t.Error("the record is still there")
	}
}

func TestDamagedRecordIsNoStart(t *testing.T) {
	project := t.TempDir()
	lock := lockOf(t, project)
	defer lock.release()
	for _, text := range []string{"", "0 0 headless", "-1 5 headless", "1 x", "junk", fmt.Sprintf("%d 1000 headless", os.Getpid())} {
		if err := os.WriteFile(lock.record, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := lock.unfinished(); s != nil {
			t.Errorf("%q is taken for the start of %d", text, s.pid)
		}
	}
}
