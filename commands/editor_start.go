package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type editorStartParams struct {
	Headless  bool   `json:"headless" default:"false" doc:"Same as display headless"`
	Display   string `json:"display" default:"auto" enum:"auto,screen,headless" doc:"auto is the screen where there is one, else headless"`
	Wait      bool   `json:"wait" default:"true" doc:"Wait until the editor answers and has scanned the project"`
	TimeoutMS int    `json:"timeout_ms" default:"60000" doc:"Longest wait in milliseconds"`
}

type editorStartResult struct {
	Started        bool   `json:"started"`
	Display        string `json:"display" enum:"screen,headless"`
	AlreadyRunning bool   `json:"already_running"`
	PID            int    `json:"pid" doc:"0 while the editor has not answered yet"`
	Port           int    `json:"port"`
	ProjectPath    string `json:"project_path"`
	ReadyMS        int    `json:"ready_ms" doc:"Milliseconds from the start to the first answer; 0 without wait"`
}

// How often a starting editor's bridge file is looked for. It appears on a disk that we do not watch.
const startPoll = 20 * time.Millisecond

func editorStart(ctx context.Context, env *Env, p editorStartParams) (editorStartResult, error) {
	project, err := env.Project()
	if err != nil {
		return editorStartResult{}, err
	}
	result := editorStartResult{ProjectPath: project, Display: displayFor(p)}
	if running := env.EditorsOf(project); len(running) > 0 {
		ed := running[0]
		result.AlreadyRunning, result.PID, result.Port = true, ed.PID, ed.Port
		if !ed.Headless {
			result.Display = "screen"
		} else {
			result.Display = "headless"
		}
		return result, nil
	}
	if err := addonReady(project); err != nil {
		return editorStartResult{}, err
	}
	godot, err := FindGodot(ctx, env.GodotBin)
	if err != nil {
		return editorStartResult{}, err
	}
	begin := time.Now()
	process, err := spawnEditor(godot, project, result.Display)
	if err != nil {
		return editorStartResult{}, err
	}
	result.Started = true
	if !p.Wait {
		return result, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(p.TimeoutMS)*time.Millisecond)
	defer cancel()
	ed, err := env.awaitEditor(ctx, project, process)
	if err != nil {
		return editorStartResult{}, err
	}
	result.PID, result.Port = ed.PID, ed.Port
	result.ReadyMS = int(time.Since(begin).Milliseconds())
	return result, nil
}

// Project is the folder of the project that is meant. Error: PRECONDITION_FAILED, required project_dir.
func (e *Env) Project() (string, error) {
	if e.Query.Project != "" {
		dir, err := bridge.FindProject(e.Query.Project)
		// A folder inside a project does not count: who names one means it.
		if err == nil && (bridge.SameDir(dir, e.Query.Project) || filepath.Base(e.Query.Project) == "project.godot") {
			return dir, nil
		}
		return "", bridge.Errorf(bridge.PreconditionFailed, "project_dir", "%s is not a Godot project: give a folder with a project.godot to --project, or see what runs: godot-mcp editor list", e.Query.Project)
	}
	return bridge.FindProject(e.Query.Dir)
}

// EditorsOf are the believed editors of one project.
func (e *Env) EditorsOf(project string) []bridge.Editor {
	all, _ := bridge.Discover(bridge.Query{Project: project, Registry: e.Query.Registry})
	var out []bridge.Editor
	for _, ed := range all {
		if bridge.SameDir(ed.ProjectPath, project) {
			out = append(out, ed)
		}
	}
	return out
}

func displayFor(p editorStartParams) string {
	if p.Headless || p.Display == "headless" {
		return "headless"
	}
	if p.Display == "auto" && runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return "headless"
	}
	return "screen"
}

// FindGodot returns the engine's program: the configured one, else godot or godot4 on PATH, else the
// usual place on macOS. Its version must be at least 4.5 and below 5. Errors are PRECONDITION_FAILED with
// required godot_binary or godot_version.
func FindGodot(ctx context.Context, configured string) (string, error) {
	path := configured
	if path == "" {
		for _, name := range []string{"godot", "godot4", "/Applications/Godot.app/Contents/MacOS/Godot"} {
			if found, err := exec.LookPath(name); err == nil {
				path = found
				break
			}
		}
	}
	if path == "" {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "no godot on PATH: set GODOT_BIN to one (make demo installs ~/.cache/godot-mcp/bin/godot; others are at https://godotengine.org/download), then godot-mcp editor start")
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "%s --version failed (%v): set GODOT_BIN to a Godot 4.5 or newer, then godot-mcp editor start", path, err)
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 || !versionServed(lines[len(lines)-1]) {
		return "", bridge.Errorf(bridge.PreconditionFailed, "godot_version", "%s is version %s, 4.5 or newer and below 5 is needed: set GODOT_BIN to one, then godot-mcp editor start", path, strings.TrimSpace(string(out)))
	}
	return path, nil
}

// versionServed reads "4.6.3.stable.official".
func versionServed(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 || parts[0] != "4" {
		return false
	}
	minor, err := strconv.Atoi(parts[1])
	return err == nil && minor >= 5
}

// spawnEditor starts the engine in a session of its own, so that it outlives this process and its
// terminal. What it prints goes to a log beside the bridge file.
func spawnEditor(godot, project, display string) (*started, error) {
	folder := filepath.Join(bridge.HiddenFolder(project), "godot_mcp_bridge")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("folder for the editor's log: %w", err)
	}
	logPath := filepath.Join(folder, "editor.log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the editor's log: %w", err)
	}
	defer log.Close()
	args := []string{"--editor", "--path", project}
	if display == "headless" {
		args = append([]string{"--headless"}, args...)
	}
	cmd := exec.Command(godot, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir = project
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, bridge.Errorf(bridge.PreconditionFailed, "godot_binary", "%s did not start: %v", godot, err)
	}
	s := &started{logPath: logPath, begun: time.Now(), done: make(chan struct{})}
	go func() {
		s.err = cmd.Wait()
		close(s.done)
	}()
	return s, nil
}

// started is an editor process that we began. A wrapper may end and leave the editor alive.
type started struct {
	logPath string
	begun   time.Time
	done    chan struct{}
	err     error
}

// awaitEditor waits until the new editor answers and has finished its first scan.
func (e *Env) awaitEditor(ctx context.Context, project string, process *started) (bridge.Editor, error) {
	e.say("starting the editor")
	ticker := time.NewTicker(startPoll)
	defer ticker.Stop()
	done := process.done
	for {
		select {
		case <-ctx.Done():
			return bridge.Editor{}, bridge.Errorf(bridge.Timeout, "editor_ready", "the editor has not answered yet; it may still be importing: look at %s, then godot-mcp editor wait", process.logPath)
		case <-done:
			if process.err != nil {
				return bridge.Editor{}, bridge.Errorf(bridge.InternalError, "", "the editor ended while it started (%v): %s", process.err, process.lastLines())
			}
			done = nil
		case <-ticker.C:
		}
		running := e.EditorsOf(project)
		if len(running) == 0 {
			continue
		}
		e.say("waiting for the first scan")
		return running[0], e.settle(ctx, running[0], process.logPath)
	}
}

func (e *Env) settle(ctx context.Context, ed bridge.Editor, logPath string) error {
	client := &bridge.Client{
		Name: "godot-mcp", Version: e.Version,
		Find: func(context.Context) (bridge.Editor, error) { return ed, nil },
	}
	defer client.Close()
	params := json.RawMessage(`{"for":"idle","timeout_ms":600000}`)
	_, err := client.Call(ctx, bridge.Request{Command: "editor.wait", Params: params})
	if errors.Is(err, context.DeadlineExceeded) || err != nil && bridge.AsError(err).Code == bridge.Timeout {
		return bridge.Errorf(bridge.Timeout, "editor_ready", "the editor answers but is still scanning or importing: look at %s, then godot-mcp editor wait", logPath)
	}
	return err
}

// lastLines is the end of what the editor printed.
func (s *started) lastLines() string {
	const most = 5
	text, err := os.ReadFile(s.logPath)
	if err != nil {
		return s.logPath
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	return string(bytes.Join(lines, []byte(" | ")))
}
