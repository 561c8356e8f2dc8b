package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// tokenLength is the length of a token: 256 bits in hexadecimal digits.
const tokenLength = 64

// believe reads a bridge file and checks all that can be checked without
// talking to the editor. The reason is "" when the file is believed.
func believe(file string) (Editor, string) {
	data, reason := readPrivate(file)
	if reason != "" {
		return Editor{}, reason
	}
	var ed Editor
	if err := json.Unmarshal(data, &ed); err != nil {
		return Editor{}, "is not the JSON of a bridge file"
	}
	ed.File = file
	if reason := distrustFields(ed); reason != "" {
		return Editor{}, reason
	}
	if reason := distrustProcess(ed.PID, time.Unix(ed.Started, 0)); reason != "" {
		return Editor{}, reason
	}
	return ed, ""
}

func distrustFields(ed Editor) string {
	switch {
	case ed.PID != pidOf(filepath.Base(ed.File)):
		return fmt.Sprintf("states another process (%d) than its name", ed.PID)
	case ed.Port < 1 || ed.Port > 65535:
		return fmt.Sprintf("states no usable port (%d)", ed.Port)
	case !isToken(ed.Token.Secret()):
		return "holds no token of 64 hexadecimal digits"
	case ed.Started <= 0:
		return "does not say when the editor started"
	case !filepath.IsAbs(ed.ProjectPath):
		return "states no absolute project_path"
	}
	// A copied project brings along the files of the editor of the original.
	home := filepath.Dir(filepath.Dir(filepath.Dir(ed.File)))
	if !SameDir(home, ed.ProjectPath) {
		return "is about another project, " + ed.ProjectPath
	}
	return ""
}

func isToken(s string) bool {
	if len(s) != tokenLength {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func distrustProcess(pid int, started time.Time) string {
	p, alive := lookup(pid)
	switch {
	case !alive:
		return fmt.Sprintf("process %d has ended", pid)
	case !p.ours:
		return fmt.Sprintf("process %d belongs to another user", pid)
	case !p.started.IsZero() && p.started.After(started.Add(startSlack)):
		return fmt.Sprintf("process %d started after the file was written: the number was reused", pid)
	}
	return ""
}

// process is what the system says about a running process.
type process struct {
	ours bool
	// started is zero where the system does not tell.
	started time.Time
	// stopped is true for a process that a signal or a debugger holds, where the
	// system tells.
	stopped bool
}

// Alive reports whether pid is a running process of this user. A process that
// has ended and waits to be collected is not.
func Alive(pid int) bool {
	p, alive := lookup(pid)
	return alive && p.ours
}

// IsProcess reports whether pid is a running process of this user that was there
// at that time already, so that the number was not reused since.
func IsProcess(pid int, at time.Time) bool { return distrustProcess(pid, at) == "" }

// distrustFolder says why the files in folder are not to be believed.
func distrustFolder(folder string) string {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return reasonOf(err)
	case !info.IsDir():
		return "is not a folder, or a symbolic link"
	}
	return distrustOwner(folder, info)
}

// ReadPrivate reads a file that only this user may read and write, in a folder of which that is true too.
func ReadPrivate(path string) ([]byte, error) {
	if reason := distrustFolder(filepath.Dir(path)); reason != "" {
		return nil, fmt.Errorf("%s %s", filepath.Dir(path), reason)
	}
	data, reason := readPrivate(path)
	if reason != "" {
		return nil, fmt.Errorf("%s %s", path, reason)
	}
	return data, nil
}

// readPrivate reads a file that only this user may read and write.
func readPrivate(path string) ([]byte, string) {
	return readChecked(path, distrustOwner)
}

// readSmall reads a file that may be anyone's.
func readSmall(path string) ([]byte, string) {
	return readChecked(path, func(string, os.FileInfo) string { return "" })
}

// readChecked opens without following a link and judges the opened file, so
// that nothing can be put in its place in between.
func readChecked(path string, check func(string, os.FileInfo) string) ([]byte, string) {
	if info, err := os.Lstat(path); err != nil {
		return nil, reasonOf(err)
	} else if info.Mode()&fs.ModeSymlink != 0 {
		return nil, "is a symbolic link"
	}
	file, err := openNoFollow(path)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, reasonOf(err)
	}
	if !info.Mode().IsRegular() {
		return nil, "is not a regular file"
	}
	if reason := check(path, info); reason != "" {
		return nil, reason
	}
	data, err := io.ReadAll(io.LimitReader(file, maxBridgeFile+1))
	if err != nil {
		return nil, reasonOf(err)
	}
	if len(data) > maxBridgeFile {
		return nil, fmt.Sprintf("has more than %d bytes", maxBridgeFile)
	}
	return data, ""
}

// reasonOf words a file error without its path, which is named beside it.
func reasonOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "is gone"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return "cannot be read: " + pe.Err.Error()
	}
	return "cannot be read: " + err.Error()
}
