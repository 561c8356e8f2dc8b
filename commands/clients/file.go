package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// MaxConfig is the most bytes that a config file may have.
const MaxConfig = 64 << 20

// Unreadable is a config that says something else than what its client reads; the text names the place.
type Unreadable struct{ What string }

func (e Unreadable) Error() string { return e.What }

// ErrChanged says that somebody else wrote the file since it was read.
var ErrChanged = errors.New("the file was changed by another program meanwhile")

// File is a config file as it was read.
type File struct {
	// Path is the file as it was named, Real where it is behind symbolic links.
	Path, Real string
	Exists     bool
	Text       []byte
	mode       fs.FileMode
	info       fs.FileInfo
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// ReadFile reads a config. One that is not there is empty; what cannot be edited is an error.
func ReadFile(path string) (File, error) {
	f := File{Path: path, Real: path, mode: 0o600}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return f, fmt.Errorf("it is a symbolic link that leads nowhere")
		}
		return f, nil
	case err != nil:
		return f, err
	}
	f.Real = real
	if f.info, err = os.Stat(real); err != nil {
		return f, err
	}
	switch {
	case f.info.IsDir():
		return f, fmt.Errorf("it is a folder")
	case !f.info.Mode().IsRegular():
		return f, fmt.Errorf("it is no ordinary file")
	case f.info.Size() > MaxConfig:
		return f, fmt.Errorf("it has %d bytes, more than %d", f.info.Size(), MaxConfig)
	}
	f.Exists, f.mode = true, f.info.Mode().Perm()
	f.Text, err = os.ReadFile(real)
	return f, err
}

// Writable is an error when the file's owner has it write-protected: renaming another one over it would
// get round that.
func (f File) Writable() error {
	if f.Exists && f.mode&0o200 == 0 {
		return fmt.Errorf("it is write-protected")
	}
	return nil
}

// Private is true for a file that other users cannot read; a system without modes does not tell.
func (f File) Private() bool { return f.mode&0o077 == 0 || runtime.GOOS == "windows" }

// Write puts text in the file's place in one step, with its mode and owner. A private one is taken from others.
func (f File) Write(text []byte, newMode fs.FileMode, private bool) error {
	if err := f.Writable(); err != nil {
		return err
	}
	folder := filepath.Dir(f.Real)
	mode := f.mode
	if !f.Exists {
		mode = newMode
		// Who may read the file may enter the folder.
		if err := os.MkdirAll(folder, newMode|(newMode&0o444)>>2); err != nil {
			return err
		}
	}
	if private {
		mode &^= 0o077
	}
	beside, err := os.CreateTemp(folder, "."+filepath.Base(f.Real)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(beside.Name()) }() // gone already where all went well
	_, err = beside.Write(text)
	err = errors.Join(err, beside.Chmod(mode), keepOwner(beside, f.info), beside.Sync(), beside.Close())
	if err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	return os.Rename(beside.Name(), f.Real)
}

// unchanged looks once more before the rename: clients write their files too.
func (f File) unchanged() error {
	now, err := os.ReadFile(f.Real)
	if f.Exists && (err != nil || !bytes.Equal(now, f.Text)) || !f.Exists && !errors.Is(err, fs.ErrNotExist) {
		return ErrChanged
	}
	return nil
}
