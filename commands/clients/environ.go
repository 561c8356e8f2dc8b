package clients

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// handedOn are the variables beside PATH that MCP client libraries hand on to servers.
var handedOn = []string{
	"HOME", "LOGNAME", "SHELL", "TERM", "USER", "LANG", "TMPDIR",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
}

// Environ is the environment that the client gives a server, out of this process's one.
func (c Client) Environ(s System, own []string, l Launch) []string {
	var out []string
	for _, each := range own {
		name, _, _ := strings.Cut(each, "=")
		if s.OS == "windows" {
			name = strings.ToUpper(name)
		}
		if c.Environment == Inherited || slices.Contains(handedOn, name) || name == "PATH" && (c.Environment == Minimal || s.desktopPath() == "") {
			out = append(out, each)
		}
	}
	if path := s.desktopPath(); c.Environment == Bare && path != "" {
		out = append(out, "PATH="+path)
	}
	for name, value := range l.Env {
		out = append(out, name+"="+value)
	}
	return out
}

// desktopPath is the PATH of a program that was started from the desktop; "" where that is the user's.
func (s System) desktopPath() string {
	switch s.known() {
	case "darwin":
		return "/usr/bin:/bin:/usr/sbin:/sbin"
	case "linux":
		return "/usr/local/bin:/usr/bin:/bin"
	}
	return ""
}

// LookPath finds a program in an environment, as the client does.
func LookPath(command string, environ []string) (string, error) {
	if strings.ContainsAny(command, `/\`) {
		return exec.LookPath(command)
	}
	var path string
	for _, each := range environ {
		if name, value, _ := strings.Cut(each, "="); strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, command)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s is not in %s", command, path)
}
