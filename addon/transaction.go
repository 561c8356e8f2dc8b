package addon

import (
	"errors"
	"os"
	"path/filepath"
)

// transaction changes several files or none: everything new is written beside its place first, and what
// was changed already is put back when a later step fails.
type transaction struct {
	steps []*step
	// made are the folders that had to be made, the outermost first.
	made []string
	err  error
}

// step is one file that gets a text, or goes.
type step struct {
	path string
	text []byte
	mode os.FileMode
	gone bool
	// beside is the new text's file until it is in its place; of a removal, the old file until the end.
	beside string
	// before is the text that the file had; had says that it was there.
	before []byte
	had    bool
	done   bool
}

func (t *transaction) write(path string, text []byte, mode os.FileMode) {
	t.steps = append(t.steps, &step{path: path, text: text, mode: mode})
}

func (t *transaction) remove(path string) {
	t.steps = append(t.steps, &step{path: path, gone: true})
}

// writeSettings keeps the mode of project.godot, and the link when it is one.
func (t *transaction) writeSettings(project string, text []byte) {
	path, err := filepath.EvalSymlinks(filepath.Join(project, "project.godot"))
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(path); err == nil {
			t.write(path, text, info.Mode().Perm())
		}
	}
	if err != nil && t.err == nil {
		t.err = err
	}
}

// check tells whether every folder takes new files, as far as that shows without a try. Folders that are to be made are
// judged by the nearest one that is there.
func (t *transaction) check() error {
	if t.err != nil {
		return t.err
	}
	seen := map[string]bool{}
	for _, s := range t.steps {
		folder := filepath.Dir(s.path)
		for folder != filepath.Dir(folder) {
			if _, err := os.Lstat(folder); err == nil {
				break
			}
			folder = filepath.Dir(folder)
		}
		if seen[folder] {
			continue
		}
		seen[folder] = true
		if info, err := os.Stat(folder); err != nil {
			return err
		} else if !info.IsDir() {
			return &os.PathError{Op: "write below", Path: folder, Err: errors.New("it is a file")}
		}
		if err := MayWrite(folder); err != nil {
			return &os.PathError{Op: "write into", Path: folder, Err: err}
		}
	}
	return nil
}

func (t *transaction) commit() error {
	if err := t.check(); err != nil {
		return err
	}
	for _, s := range t.steps {
		if err := t.stage(s); err != nil {
			return err
		}
	}
	for _, s := range t.steps {
		if err := s.carryOut(); err != nil {
			t.rollBack()
			return err
		}
	}
	t.made = nil
	t.close()
	return nil
}

func (t *transaction) stage(s *step) error {
	if s.gone {
		return nil
	}
	if err := t.makeFolder(filepath.Dir(s.path)); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(s.path), ".new-*")
	if err != nil {
		return err
	}
	s.beside = file.Name()
	_, err = file.Write(s.text)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(s.beside, s.mode)
	}
	return err
}

// makeFolder is MkdirAll that remembers what it made.
func (t *transaction) makeFolder(folder string) error {
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return nil
	}
	if err := t.makeFolder(filepath.Dir(folder)); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	t.made = append(t.made, folder)
	return nil
}

// carryOut renames, so that the editor never reads half a file.
func (s *step) carryOut() error {
	if s.gone {
		s.beside = filepath.Join(filepath.Dir(s.path), ".old-"+filepath.Base(s.path))
		err := os.Rename(s.path, s.beside)
		s.done = err == nil
		return err
	}
	var err error
	if s.before, err = os.ReadFile(s.path); err == nil {
		s.had = true
	} else if !os.IsNotExist(err) {
		return err
	}
	err = os.Rename(s.beside, s.path)
	s.done = err == nil
	return err
}

// rollBack puts back what was done, the last step first.
func (t *transaction) rollBack() {
	for i := len(t.steps) - 1; i >= 0; i-- {
		s := t.steps[i]
		switch {
		case !s.done:
		case s.gone:
			_ = os.Rename(s.beside, s.path)
		case s.had:
			_ = os.WriteFile(s.path, s.before, s.mode)
		default:
			_ = os.Remove(s.path)
		}
		s.done = false
	}
}

// close takes away what was written beside, and folders that stayed without use.
func (t *transaction) close() {
	for _, s := range t.steps {
		// Of a removal that was not carried out the file itself is in its place again.
		if s.beside != "" && (!s.gone || s.done) {
			_ = os.Remove(s.beside)
		}
	}
	for i := len(t.made) - 1; i >= 0; i-- {
		_ = os.Remove(t.made[i])
	}
}
