package addon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Change says what an installation did, or would do.
type Change struct {
	// Written and Removed list files below the project's folder.
	Written []string `json:"written"`
	Removed []string `json:"removed"`
	// Modified lists those of the written and removed files that had been changed by hand; the changes are
	// lost.
	Modified []string `json:"modified"`
	// Kept lists files in the addon's folder that are not ours.
	Kept []string `json:"kept"`
	// Setting is the new enabled= line of project.godot, "" when it stays.
	Setting string `json:"setting"`
}

// Options say how a change is to be made.
type Options struct {
	// DryRun writes nothing.
	DryRun bool
	// Downgrade replaces an addon that is newer than the binary's.
	Downgrade bool
}

// NewerError refuses to replace an addon by an older one.
type NewerError struct{ Have, Brings string }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the project's addon is %s, newer than %s, which this binary brings", e.Have, e.Brings)
}

// LinkError refuses to write through a symbolic link.
type LinkError struct{ Target string }

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is a symbolic link to %s, and what is there is not only this project's", Folder, e.Target)
}

// Install writes the files that differ and enables the addon. In project.godot nothing but the enabled=
// line of [editor_plugins] changes. When something cannot be written, nothing is.
func Install(project string, opts Options) (Change, error) {
	settings, line, err := withPlugin(project)
	if err != nil {
		return newChange(), err
	}
	return replace(project, opts, settings, line)
}

// Update writes the files that differ and leaves project.godot alone.
func Update(project string, opts Options) (Change, error) {
	return replace(project, opts, nil, "")
}

func newChange() Change {
	return Change{Written: []string{}, Removed: []string{}, Modified: []string{}, Kept: []string{}}
}

func replace(project string, opts Options, settings []byte, line string) (Change, error) {
	change := newChange()
	state, err := Status(project)
	if err != nil {
		return change, err
	}
	if state.State == Newer && !opts.Downgrade {
		return change, &NewerError{state.Version, Version()}
	}
	before := readManifest(project)
	change.Written, change.Setting = state.Stale, line
	for _, name := range before.names() {
		if !slices.Contains(names(), name) {
			change.Removed = append(change.Removed, existing(project, name, name+".uid")...)
		}
	}
	for _, name := range state.Modified {
		if _, err := os.Lstat(in(project, name)); err == nil {
			change.Modified = append(change.Modified, name)
		}
	}
	if change.Kept, err = foreign(project, before); err != nil {
		return change, err
	}
	if state.Link != "" && len(change.Written)+len(change.Removed) > 0 {
		return change, &LinkError{state.Link}
	}
	t := transaction{}
	defer t.close()
	for _, name := range change.Written {
		t.write(in(project, name), content(name), 0o644)
	}
	if manifest := ownManifest().text(); state.Link == "" && !holds(project, manifestName, manifest) {
		change.Written = append(change.Written, manifestName)
		t.write(in(project, manifestName), manifest, 0o644)
	}
	for _, name := range change.Removed {
		t.remove(in(project, name))
	}
	if line != "" {
		t.writeSettings(project, settings)
	}
	if opts.DryRun {
		return change, t.check()
	}
	return change, t.commit()
}

func holds(project, name string, text []byte) bool {
	have, err := os.ReadFile(in(project, name))
	return err == nil && sameText(have, text)
}

// existing are those of the files that are there.
func existing(project string, files ...string) []string {
	return slices.DeleteFunc(files, func(name string) bool {
		_, err := os.Lstat(in(project, name))
		return err != nil
	})
}

// ownFiles are the files that the binary, or the version that the project has, puts into the folder, with the
// engine's .uid files beside them.
func ownFiles(before manifest) map[string]bool {
	out := map[string]bool{manifestName: true}
	for _, name := range append(names(), before.names()...) {
		out[name], out[name+".uid"] = true, true
	}
	return out
}

// foreign are the files in the addon's folder that are not ours.
func foreign(project string, before manifest) ([]string, error) {
	own := ownFiles(before)
	out := []string{}
	err := walk(project, func(name string) {
		if !own[name] {
			out = append(out, name)
		}
	})
	return out, err
}

// walk tells of every file in the addon's folder by its path in the project.
func walk(project string, see func(name string)) error {
	err := filepath.WalkDir(in(project, Folder)+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(project, path)
		see(filepath.ToSlash(relative))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// Uninstall disables the addon and removes its files with the engine's .uid files beside them. Files in
// the folder that are not ours stay and are listed. Of a symbolic link only the link goes. When something
// cannot be removed, nothing is.
func Uninstall(project string, opts Options) (Change, error) {
	change := newChange()
	settings, line, err := withoutPlugin(project)
	if err != nil {
		return change, err
	}
	change.Setting = line
	if linkOf(project) != "" {
		change.Removed = []string{Folder}
	} else if err := change.takeOut(project); err != nil {
		return change, err
	}
	t := transaction{}
	defer t.close()
	if line != "" {
		t.writeSettings(project, settings)
	}
	for _, name := range change.Removed {
		t.remove(in(project, name))
	}
	if opts.DryRun {
		return change, t.check()
	}
	if err := t.commit(); err != nil {
		return change, err
	}
	removeEmpty(in(project, Folder))
	return change, nil
}

// takeOut fills in what an uninstallation removes and what it leaves.
func (c *Change) takeOut(project string) error {
	state, err := Status(project)
	if err != nil {
		return err
	}
	own := ownFiles(readManifest(project))
	err = walk(project, func(name string) {
		if own[name] {
			c.Removed = append(c.Removed, name)
		} else {
			c.Kept = append(c.Kept, name)
		}
	})
	for _, name := range state.Modified {
		if slices.Contains(c.Removed, name) {
			c.Modified = append(c.Modified, name)
		}
	}
	return err
}

// removeEmpty removes the folder and those below it as far as they are empty.
func removeEmpty(root string) {
	var folders []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folders = append(folders, path)
		}
		return nil
	})
	for i := len(folders) - 1; i >= 0; i-- {
		_ = os.Remove(folders[i])
	}
}
