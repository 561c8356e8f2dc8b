// Package addon carries the editor addon in the binary and puts it into projects.
package addon

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

//go:embed godot_mcp_bridge
var files embed.FS

// Folder is the addon's place in a project.
const Folder = "addons/godot_mcp_bridge"

// PluginPath is how project.godot names the addon.
const PluginPath = "res://" + Folder + "/plugin.cfg"

// The states of a project's copy of the addon.
const (
	Missing = "missing"
	Older   = "older"
	Same    = "same"
	Newer   = "newer"
	// Modified is the binary's version with other files than the binary's.
	Modified = "modified"
	// NotEnabled is the same with the plugin switched off.
	NotEnabled = "not_enabled"
)

// State says how the addon stands in a project.
type State struct {
	// State is one of the states above.
	State     string `json:"state"`
	Installed bool   `json:"installed"`
	Enabled   bool   `json:"enabled"`
	// UpToDate is true when every file equals the binary's; line ends do not matter.
	UpToDate bool   `json:"up_to_date"`
	Version  string `json:"version"`
	// Stale lists files that are missing or differ from the binary's.
	Stale []string `json:"stale"`
	// Modified lists files that are not as their version was installed.
	Modified []string `json:"modified"`
	// Link is where the addon's folder leads when it is a symbolic link, else "".
	Link string `json:"link"`
}

// Version is the version of the addon that this binary carries.
func Version() string { return versionIn(content(Folder + "/plugin.cfg")) }

// IsOwn is true for a name by which the engine or a caller means this addon among the plugins: its folder,
// the path of its plugin.cfg, or the name in that file.
func IsOwn(plugin string) bool {
	plain := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(plugin)), "res://")
	plain = strings.TrimSuffix(strings.TrimSuffix(plain, "/plugin.cfg"), "/")
	return slices.Contains([]string{Folder, filepath.Base(Folder), "godot mcp bridge"}, plain)
}

// HasUID is true for a uid:// path that the engine gave to one of the addon's files: it names that file as
// well as its path does.
func HasUID(project, path string) bool {
	if !strings.HasPrefix(path, "uid://") {
		return false
	}
	found := false
	_ = walk(project, func(name string) {
		if !strings.HasSuffix(name, ".uid") {
			return
		}
		if text, err := os.ReadFile(in(project, name)); err == nil && strings.TrimSpace(string(text)) == path {
			found = true
		}
	})
	return found
}

// Status looks at the project's copy of the addon.
func Status(project string) (State, error) {
	s := State{Stale: []string{}, Modified: []string{}}
	text, err := os.ReadFile(filepath.Join(project, "project.godot"))
	if err != nil {
		return s, err
	}
	s.Enabled = isEnabled(text)
	s.Link = linkOf(project)
	for _, name := range names() {
		have, err := os.ReadFile(in(project, name))
		if err != nil || !sameText(have, content(name)) {
			s.Stale = append(s.Stale, name)
		}
		if strings.HasSuffix(name, "/plugin.cfg") && err == nil {
			s.Installed = true
			s.Version = versionIn(have)
		}
	}
	s.UpToDate = len(s.Stale) == 0
	s.State = s.judge()
	switch s.State {
	case Missing:
	case Older, Newer:
		s.Modified = readManifest(project).modified(project)
	default:
		s.Modified = s.Stale
	}
	return s, nil
}

func (s State) judge() string {
	order := CompareVersions(s.Version, Version())
	switch {
	case !s.Installed:
		return Missing
	case order < 0:
		return Older
	case order > 0:
		return Newer
	case !s.UpToDate:
		return Modified
	case !s.Enabled:
		return NotEnabled
	}
	return Same
}

// CompareVersions is below zero when a is the older of two versions YYYY.MM.DD[.N], above when it is the
// newer. What is no number counts as 0.
func CompareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		if d := numberAt(as, i) - numberAt(bs, i); d != 0 {
			return d
		}
	}
	return 0
}

func numberAt(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i])
	return n
}

func linkOf(project string) string {
	root := in(project, Folder)
	if info, err := os.Lstat(root); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return ""
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		return real
	}
	target, _ := os.Readlink(root)
	return target
}

// in is the place of a slash-separated path in a project.
func in(project, name string) string { return filepath.Join(project, filepath.FromSlash(name)) }

// sameText compares without regard to line ends, which version control may change.
func sameText(a, b []byte) bool { return bytes.Equal(plainEnds(a), plainEnds(b)) }

func plainEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

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
