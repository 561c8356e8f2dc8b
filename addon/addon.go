// Package addon carries the editor addon in the binary and puts it into projects.
package addon

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

//go:embed godot_mcp_bridge
var files embed.FS

// Folder is the addon's place in a project.
const Folder = "addons/godot_mcp_bridge"

// PluginPath is how project.godot names the addon.
const PluginPath = "res://" + Folder + "/plugin.cfg"

// State says how the addon stands in a project.
type State struct {
	Installed bool `json:"installed"`
	Enabled   bool `json:"enabled"`
	// UpToDate is true when every file equals the binary's.
	UpToDate bool   `json:"up_to_date"`
	Version  string `json:"version"`
	// Stale lists files that are missing or differ.
	Stale []string `json:"stale"`
}

// Change says what an installation did, or would do.
type Change struct {
	// Written and Removed list files below the project's folder.
	Written []string `json:"written"`
	Removed []string `json:"removed"`
	// Kept lists files in the addon's folder that are not ours.
	Kept []string `json:"kept"`
	// Setting is the new enabled= line of project.godot, "" when it stays.
	Setting string `json:"setting"`
}

// Status looks at the project's copy of the addon.
func Status(project string) (State, error) {
	var s State
	text, err := os.ReadFile(filepath.Join(project, "project.godot"))
	if err != nil {
		return s, err
	}
	s.Enabled = isEnabled(text)
	s.Stale = []string{}
	for _, name := range names() {
		have, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(have, content(name)) {
			s.Stale = append(s.Stale, name)
		}
		if strings.HasSuffix(name, "/plugin.cfg") && err == nil {
			s.Installed = true
			s.Version = versionIn(have)
		}
	}
	s.UpToDate = len(s.Stale) == 0
	return s, nil
}

// Install writes the files that differ and enables the addon. In project.godot nothing but the enabled=
// line of [editor_plugins] changes. With dryRun nothing is written.
func Install(project string, dryRun bool) (Change, error) {
	change := Change{Written: []string{}, Removed: []string{}, Kept: []string{}}
	state, err := Status(project)
	if err != nil {
		return change, err
	}
	change.Written = state.Stale
	settings, line, err := withPlugin(project)
	if err != nil || dryRun {
		change.Setting = line
		return change, err
	}
	for _, name := range state.Stale {
		if err := write(filepath.Join(project, filepath.FromSlash(name)), content(name), 0o644); err != nil {
			return change, err
		}
	}
	if line != "" {
		change.Setting = line
		return change, writeSettings(project, settings)
	}
	return change, nil
}

// Uninstall disables the addon and removes its files with the engine's .uid files beside them. Files in
// the folder that are not ours stay and are listed.
func Uninstall(project string, dryRun bool) (Change, error) {
	change := Change{Written: []string{}, Removed: []string{}, Kept: []string{}}
	settings, line, err := withoutPlugin(project)
	if err != nil {
		return change, err
	}
	change.Setting = line
	ours := map[string]bool{}
	for _, name := range names() {
		ours[name], ours[name+".uid"] = true, true
	}
	root := filepath.Join(project, filepath.FromSlash(Folder))
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(project, path)
		name := filepath.ToSlash(relative)
		if ours[name] {
			change.Removed = append(change.Removed, name)
		} else {
			change.Kept = append(change.Kept, name)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) || dryRun {
		return change, ignoreMissing(err)
	}
	if line != "" {
		if err := writeSettings(project, settings); err != nil {
			return change, err
		}
	}
	for _, name := range change.Removed {
		if err := os.Remove(filepath.Join(project, filepath.FromSlash(name))); err != nil {
			return change, err
		}
	}
	removeEmpty(root)
	return change, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
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

// names are the addon's files by their path in a project, sorted.
func names() []string {
	var out []string
	_ = fs.WalkDir(files, "godot_mcp_bridge", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, "addons/"+path)
		}
		return nil
	})
	sort.Strings(out)
	return out
}

func content(name string) []byte {
	data, _ := files.ReadFile(strings.TrimPrefix(name, "addons/"))
	return data
}

var versionLine = regexp.MustCompile(`(?m)^version="([^"]*)"`)

func versionIn(pluginCfg []byte) string {
	if m := versionLine.FindSubmatch(pluginCfg); m != nil {
		return string(m[1])
	}
	return ""
}

// write makes the file beside its place and renames it, so that the editor never reads half of one.
func write(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(data); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Chmod(file.Name(), mode); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
