package doctor

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

func system(w *World) Check {
	c := Check{Name: "system", Status: OK, Found: w.OS + "/" + w.Arch}
	switch {
	case !slices.Contains([]string{"linux", "darwin", "windows"}, w.OS):
		c.Status, c.Fix = Problem, "not supported: use Linux, macOS or Windows"
	case w.Arch != "amd64" && w.Arch != "arm64":
		c.Status, c.Fix = Warning, "not tried: amd64 and arm64 are"
	}
	return c
}

func binary(w *World) Check {
	return Check{Name: "godot_mcp", Status: OK, Found: fmt.Sprintf("%s, contract %d to %d, addon %s, %s",
		w.Version, commands.MinCompatibleContract, commands.ContractVersion, commands.AddonVersion, w.Executable)}
}

// path tells whether a shell finds this program by its name.
func path(w *World) Check {
	c := Check{Name: "path", Status: OK}
	all := w.onPath("godot-mcp")
	switch {
	case len(all) == 0:
		c.Status, c.Found = Warning, "no godot-mcp on PATH"
		c.Fix = "put " + filepath.Dir(w.Executable) + " on PATH, or call " + w.Executable + " by its whole path"
	case isSame(all[0], w.Executable):
		c.Found = all[0]
		if len(all) > 1 {
			c.Found += fmt.Sprintf(" is the first of %d godot-mcp on PATH", len(all))
		}
	default:
		c.Status = Warning
		c.Found = fmt.Sprintf("another godot-mcp is first on PATH: %s (%s)", all[0], buildOf(all[0]))
		c.Fix = "put " + filepath.Dir(w.Executable) + " before it on PATH, or remove the other one"
	}
	return c
}

func isSame(a, b string) bool {
	ai, errA := os.Stat(a)
	bi, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ai, bi)
}

// buildOf is the version of another build as it stands in the file, which is not run for it.
func buildOf(program string) string {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "version unknown, not a Go program"
	}
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return "built from " + at.UTC().Format("2006.01.02")
		}
	}
	return "version unknown"
}

func config(w *World) Check {
	c := Check{Name: "config", Status: OK, Found: "no settings file, all defaults"}
	if len(w.ConfigFiles) > 0 {
		c.Found = strings.Join(w.ConfigFiles, ", ")
	}
	switch {
	case w.ConfigError != nil:
		c.Status, c.Found = Problem, bridge.AsError(w.ConfigError).Hint
		c.Fix = "mend that, then godot-mcp config list"
	case len(w.Ignored) > 0:
		c.Status, c.Found, c.Fix = Warning, strings.Join(w.Ignored, "; "), "look at the file, then godot-mcp trust"
	}
	return c
}

func display(w *World) Check {
	c := Check{Name: "display", Status: OK, Found: "the system's own"}
	if w.OS != "linux" {
		return c
	}
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY"} {
		if value := w.Getenv(name); value != "" {
			c.Found = name + "=" + value
			return c
		}
	}
	c.Status, c.Found = Warning, "neither DISPLAY nor WAYLAND_DISPLAY: editors start headless, without screenshots"
	c.Fix = "where pictures are needed: godot-mcp editor start --display virtual, which needs Xvfb"
	return c
}

func wsl(w *World) Check {
	release := strings.ToLower(w.text("/proc/sys/kernel/osrelease"))
	if w.OS != "linux" || !strings.Contains(release, "microsoft") {
		return Check{}
	}
	c := Check{Name: "wsl", Status: OK, Found: "WSL 2"}
	if !strings.Contains(release, "microsoft-standard") && !strings.Contains(release, "wsl2") {
		c.Found = "WSL 1"
	}
	switch {
	case strings.HasSuffix(strings.ToLower(w.godot), ".exe"):
		c.Status = Problem
		c.Found += ", and the engine is a Windows program: its editor cannot be reached from in here"
		c.Fix = "use a Linux engine in WSL, or the Windows build of godot-mcp beside the Windows engine"
	case isWindowsDrive(w.project):
		c.Status = Warning
		c.Found += ", the project is on a Windows drive: slow, and modes of files are not kept"
		c.Fix = "move the project below your home folder in WSL"
	}
	return c
}

func isWindowsDrive(path string) bool {
	rest, found := strings.CutPrefix(filepath.ToSlash(path), "/mnt/")
	return found && len(rest) > 0 && (len(rest) == 1 || rest[1] == '/')
}

func container(w *World) Check {
	kind := w.containerKind()
	if kind == "" {
		return Check{}
	}
	c := Check{Name: "container", Status: OK, Found: kind + ": editors in the same container are found, those outside are not"}
	for _, one := range w.ignored {
		if w.ofProject(one) && strings.Contains(one.Reason, "has ended") {
			c.Status = Warning
			c.Found = kind + ": the project has bridge files of processes that are not in this container, or have ended: an editor outside cannot be reached"
			c.Fix = "run godot-mcp where the editor runs, or start one here: godot-mcp editor start --headless"
			break
		}
	}
	return c
}

func (w *World) containerKind() string {
	if w.OS != "linux" {
		return ""
	}
	for file, kind := range map[string]string{"/.dockerenv": "Docker", "/run/.containerenv": "Podman"} {
		if _, err := os.Stat(w.file(file)); err == nil {
			return kind
		}
	}
	groups := w.text("/proc/1/cgroup")
	for _, word := range []string{"docker", "kubepods", "containerd", "libpod", "lxc"} {
		if strings.Contains(groups, word) {
			return word
		}
	}
	return ""
}
