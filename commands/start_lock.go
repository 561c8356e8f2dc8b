package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// startLock lets one process at a time start an editor for a project. The system frees it when that process
// ends, however it ends. A record beside it names the process that was begun, so that who comes next waits
// for that one instead of beginning another.
type startLock struct {
	file        *os.File
	log, record string
}

// errLocked is tryLock's answer while another process has the lock.
var errLocked = errors.New("locked by another process")

// lockStart waits for the lock.
func (e *Env) lockStart(ctx context.Context, project string) (*startLock, error) {
	folder := bridgeFolder(project)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, bridge.Errorf(bridge.PreconditionFailed, "project_dir", "no editor can be started in %s: %v; mend that, then godot-mcp editor start", project, err)
	}
	file, err := os.OpenFile(filepath.Join(folder, "start.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, bridge.Errorf(bridge.PreconditionFailed, "project_dir", "no editor can be started in %s: %v; mend that, then godot-mcp editor start", project, err)
	}
	lock := &startLock{file: file, log: filepath.Join(folder, "editor.log"), record: filepath.Join(folder, "starting")}
	ticker := time.NewTicker(startPoll)
	defer ticker.Stop()
	for {
		err := tryLock(file)
		if err == nil {
			return lock, nil
		}
		if !errors.Is(err, errLocked) {
			_ = file.Close()
			return nil, fmt.Errorf("locking %s: %w", file.Name(), err)
		}
		say(ctx, "waiting for another process that starts the editor")
		select {
		case <-ctx.Done():
			_ = file.Close()
			return nil, &bridge.Error{Code: bridge.Timeout, Required: "editor_ready", Err: ctx.Err(),
				Hint: "another process is starting the editor of this project and it is not ready yet: godot-mcp editor wait"}
		case <-ticker.C:
		}
	}
}

// unfinished is the editor that a client before us began and that has not loaded the addon yet; nil when
// there is none. The addon takes the record away, so what is ended here never answered anybody.
func (l *startLock) unfinished() *started {
	text, err := os.ReadFile(l.record)
	if err != nil {
		return nil
	}
	var s started
	var begun int64
	if _, err := fmt.Sscan(string(text), &s.pid, &begun, &s.display); err != nil || s.pid <= 1 {
		return nil
	}
	s.begun, s.logPath, s.record = time.Unix(begun, 0), l.log, l.record
	if !bridge.IsProcess(s.pid, s.begun) {
		return nil
	}
	if s.isHung() {
		s.end()
		return nil
	}
	return &s
}

// release gives the lock back.
func (l *startLock) release() {
	_ = l.file.Close()
}
