package commands

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// maxAudit is how long the file may get before it is set aside as FILE.1, which replaces the one before.
const maxAudit = 16 << 20

var errNoPlainFile = errors.New("it is there and no plain file")

// auditFile is the file to which lines are added, by several processes at once.
type auditFile struct {
	path string
	file *os.File
}

// openAudit opens the file, private to its user, for adding to it.
func openAudit(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// A link or a pipe would lead what is noted elsewhere.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errNoPlainFile
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 && file.Chmod(0o600) != nil {
		_ = file.Close()
		return nil, errors.New("it cannot be made private")
	}
	return file, nil
}

// append adds one line in one write, so that those of several processes stay apart.
func (f *auditFile) append(line []byte) error {
	if err := f.follow(int64(len(line))); err != nil {
		return err
	}
	_, err := f.file.Write(line)
	return err
}

// follow sees to it that file is the one at path, and that it has room.
func (f *auditFile) follow(more int64) error {
	if f.file == nil || !f.isAtPath() {
		return f.reopen()
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size()+more <= maxAudit || info.Size() == 0 {
		return nil
	}
	// Another process that is at it has the lock, and the next line will find its new file.
	if errors.Is(tryLock(f.file), errLocked) || !f.isAtPath() {
		return nil
	}
	if err := os.Rename(f.path, f.path+".1"); err != nil {
		// Some systems do not rename what is open.
		f.close()
		if err := os.Rename(f.path, f.path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return f.reopen()
}

func (f *auditFile) isAtPath() bool {
	ours, err := f.file.Stat()
	there, missing := os.Lstat(f.path)
	return err == nil && missing == nil && os.SameFile(ours, there)
}

func (f *auditFile) reopen() error {
	f.close()
	file, err := openAudit(f.path)
	if err == nil {
		f.file = file
	}
	return err
}

func (f *auditFile) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
	f.file = nil
}
