package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// World is all that the checks look at; tests make one of their own.
type World struct {
	// OS and Arch are named as Go names them.
	OS, Arch string
	// Root stands before the paths of the system's own files; "" is the machine itself.
	Root   string
	Getenv func(string) string
	// Run carries out the engine's --version.
	Run func(ctx context.Context, program string) (string, error)
	// Executable is this program's own path.
	Executable string
	Version    string
	// GodotBin is the configured engine, "" to look for one; GodotFrom says where it was set.
	GodotBin, GodotFrom string
	// ConfigError is why the settings cannot be read; ConfigFiles are those that were.
	ConfigError error
	ConfigFiles []string
	// Ignored are settings of the project's file that were not taken.
	Ignored []string
	// Project finds the project; Env greets its editors.
	Project func() (string, error)
	Env     *commands.Env
	// Registry is the user's list of editors.
	Registry string

	project    string
	projectErr error
	settings   string
	running    []commands.RunningAddon
	ignored    []bridge.Ignored
	godot      string
	godotSays  string
	godotErr   error
}

// versionWait bounds the engine's --version.
const versionWait = 10 * time.Second

// Machine is the world as it is.
func Machine() *World {
	executable, _ := os.Executable()
	return &World{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Getenv: os.Getenv, Executable: executable, Run: askVersion,
		Registry: bridge.RegistryDir(),
	}
}

func askVersion(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	// A wrapper's child may keep the pipe open.
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), err
}

// prepare looks at what several checks are about.
func (w *World) prepare(ctx context.Context) {
	w.project, w.projectErr = w.Project()
	if w.projectErr == nil {
		text, _ := os.ReadFile(filepath.Join(w.project, "project.godot"))
		w.settings = strings.ReplaceAll(string(text), "\r\n", "\n")
		w.running = w.Env.RunningAddons(ctx, w.project, commands.LookWait)
		_, w.ignored = bridge.Discover(bridge.Query{Project: w.project, Registry: w.Registry})
	}
	w.godotSays, w.godotErr = "", nil
	if w.godot = w.findGodot(); w.godot == "" {
		return
	}
	out, err := w.Run(ctx, w.godot)
	w.godotErr = err
	if words := strings.Fields(out); len(words) > 0 {
		w.godotSays = words[len(words)-1]
	}
}

func (w *World) findGodot() string {
	if w.GodotBin != "" {
		return w.GodotBin
	}
	for _, name := range []string{"godot", "godot4"} {
		if found := w.onPath(name); len(found) > 0 {
			return found[0]
		}
	}
	const app = "/Applications/Godot.app/Contents/MacOS/Godot"
	if _, err := os.Stat(w.file(app)); err == nil && w.OS == "darwin" {
		return w.file(app)
	}
	return ""
}

// file is one of the system's own files.
func (w *World) file(path string) string {
	if w.Root == "" {
		return path
	}
	return filepath.Join(w.Root, filepath.FromSlash(path))
}

// text is what such a file holds, "" when it is not there.
func (w *World) text(path string) string {
	text, _ := os.ReadFile(w.file(path))
	return string(text)
}

// onPath are the programs of this name, in the order in which a shell would find them.
func (w *World) onPath(name string) []string {
	if w.OS == "windows" {
		name += ".exe"
	}
	var out []string
	for _, folder := range filepath.SplitList(w.Getenv("PATH")) {
		if folder == "" {
			continue
		}
		found := filepath.Join(folder, name)
		info, err := os.Stat(found)
		if err == nil && !info.IsDir() && (w.OS == "windows" || info.Mode().Perm()&0o111 != 0) {
			out = append(out, found)
		}
	}
	return out
}
