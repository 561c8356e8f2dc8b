package commands

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// checkHostPaths holds parameters that name files of the machine to where the caller may write: a person at a
// command line anywhere, an MCP client only below the folders that --allow-path names.
func (e *Env) checkHostPaths(tool *Tool, args json.RawMessage) error {
	var fields map[string]json.RawMessage
	for _, f := range tool.Params() {
		if f.Kind != "host-write" {
			continue
		}
		if fields == nil {
			if err := json.Unmarshal(args, &fields); err != nil {
				return err
			}
		}
		for _, path := range texts(fields[f.Name]) {
			if err := e.checkHostWrite(f.Name, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Env) checkHostWrite(parameter, path string) error {
	refuse := func(why string) error {
		return bridge.Errorf(bridge.ValidationError, parameter, "%s: %s %s", parameter, path, why)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	info, missing := os.Stat(folder)
	inFolder := err == nil && missing == nil && info.IsDir()
	if !e.fromShell() {
		// What is there outside the allowed folders is not told.
		if !filepath.IsAbs(path) || !inFolder || !e.allowsFolder(folder) {
			return refuse("is not in a folder that this server may write to, which --allow-path at its start names; leave " + parameter + " out: the answer has the content and the id of an artifact that keeps it")
		}
	}
	if !inFolder {
		return refuse("is in a folder that is not there: make it first")
	}
	info, err = os.Lstat(path)
	switch {
	case err == nil && info.IsDir():
		return refuse("is a folder: name a file in it")
	case err == nil && !info.Mode().IsRegular() && !e.fromShell():
		return refuse("is there and no plain file")
	}
	return nil
}

// fromShell is true for calls that were typed or written by who may write anywhere anyway.
func (e *Env) fromShell() bool { return e.Transport == oneCall || e.Transport == "ndjson" }

// allowsFolder is true below one of the allowed folders; both are free of links.
func (e *Env) allowsFolder(folder string) bool {
	for _, allowed := range e.AllowPaths {
		root, err := filepath.EvalSymlinks(allowed)
		if err != nil {
			continue
		}
		if root, err = filepath.Abs(root); err != nil {
			continue
		}
		if rest, err := filepath.Rel(root, folder); err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// writeHost writes a file that a person or client named, whole or not at all, and returns its full path. What
// is no plain file, such as a pipe, is written into.
func writeHost(parameter, path string, content []byte) (string, error) {
	full, err := filepath.Abs(path)
	if err == nil {
		if info, missing := os.Stat(full); missing == nil && !info.Mode().IsRegular() {
			err = writeInto(full, content)
		} else {
			err = writeBeside(full, content)
		}
	}
	if err != nil {
		return "", bridge.Errorf(bridge.ValidationError, parameter, "%s: %s cannot be written: %w: give another", parameter, path, err)
	}
	return full, nil
}

func writeInto(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func writeBeside(path string, content []byte) error {
	// Where a link stands, the file that it leads to is meant.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	beside := path + "." + strings.ToLower(rand.Text()[:8]) + ".new"
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(beside, path)
	}
	if err != nil {
		_ = os.Remove(beside)
	}
	return err
}
