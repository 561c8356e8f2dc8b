package commands

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type editorStartParams struct {
	Headless  bool   `json:"headless" default:"false" doc:"Same as display headless"`
	Display   string `json:"display" default:"auto" enum:"auto,screen,virtual,headless" doc:"auto is the screen where there is one, else headless; virtual draws where nobody looks, on an Xvfb that ends with the editor"`
	Wait      bool   `json:"wait" default:"true" doc:"Wait until the editor answers and has scanned the project"`
	TimeoutMS int    `json:"timeout_ms" default:"60000" doc:"Longest wait in milliseconds"`
}

type editorStartResult struct {
	Started        bool   `json:"started"`
	Display        string `json:"display" enum:"screen,headless" doc:"A virtual one is a screen too: the editor draws"`
	Virtual        bool   `json:"virtual,omitempty" doc:"True: the screen is a virtual one, which nobody sees"`
	AlreadyRunning bool   `json:"already_running"`
	PID            int    `json:"pid" doc:"0 while the editor has not answered yet"`
	Port           int    `json:"port"`
	ProjectPath    string `json:"project_path"`
	ReadyMS        int    `json:"ready_ms" doc:"Milliseconds from the start to the first answer; 0 without wait"`
	Hint           string `json:"hint,omitempty" doc:"How to get the display that was asked for, when one with another runs"`
}

// launch is how an editor is to be started.
type launch struct {
	display string
	// wait is for the editor to be ready.
	wait bool
	// idle is the time without a command after which the editor ends itself; 0 is an editor that somebody
	// asked for.
	idle time.Duration
}

func editorStart(ctx context.Context, env *Env, p editorStartParams) (editorStartResult, error) {
	project, err := env.Project()
	if err != nil {
		return editorStartResult{}, err
	}
	how := launch{display: displayFor(p), wait: p.Wait}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(p.TimeoutMS)*time.Millisecond)
	defer cancel()
	begin := time.Now()
	ed, started, err := env.launch(ctx, project, how)
	if err != nil {
		return editorStartResult{}, err
	}
	result := editorStartResult{
		ProjectPath: project, Display: drawn(how.display), Virtual: how.display == "virtual", Started: started, AlreadyRunning: !started, PID: ed.PID, Port: ed.Port,
	}
	if !started {
		now := displayOf(ed)
		result.Display, result.Virtual = drawn(now), now == "virtual"
		if asked := p.Headless || p.Display != "auto"; asked && how.display != now {
			result.Hint = "an editor with display " + now + " runs: godot-mcp editor stop --save, then godot-mcp editor start --display " + how.display
		}
		return result, env.keep(ctx, ed)
	}
	if p.Wait {
		result.ReadyMS = int(time.Since(begin).Milliseconds())
	}
	return result, nil
}

// keep makes an editor that a client started by itself one that somebody asked for: it ends no more by
// itself.
func (e *Env) keep(ctx context.Context, ed bridge.Editor) error {
	if !ed.Autostarted() {
		return nil
	}
	client := e.clientOf(ed)
	defer client.Close()
	_, err := client.Call(ctx, bridge.Request{Command: keepCommand})
	return err
}

// launch starts an editor for the project, unless one runs: then started is false. Of several processes
// that do so at once, one starts it and the others wait for the same.
func (e *Env) launch(ctx context.Context, project string, how launch) (ed bridge.Editor, started bool, err error) {
	if running := e.EditorsOf(project); len(running) > 0 {
		return running[0], false, nil
	}
	if err := addonReady(project); err != nil {
		return ed, false, err
	}
	godot, err := FindGodot(ctx, e.GodotBin)
	if err != nil {
		return ed, false, err
	}
	lock, err := e.lockStart(ctx, project)
	if err != nil {
		return ed, false, err
	}
	defer lock.release()
	if running := e.EditorsOf(project); len(running) > 0 {
		return running[0], false, e.settle(ctx, running[0])
	}
	endLostGames(ctx, project)
	process := lock.unfinished()
	if process == nil {
		if process, err = spawnEditor(godot, project, how); err != nil {
			return ed, false, err
		}
	}
	if !how.wait {
		return ed, true, nil
	}
	ed, err = e.awaitEditor(ctx, project, process)
	return ed, true, err
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

// EditorsOf are the believed editors of one project, those that a client started by itself last.
func (e *Env) EditorsOf(project string) []bridge.Editor {
	all, _ := bridge.Discover(bridge.Query{Project: project, Registry: e.Query.Registry})
	var own, auto []bridge.Editor
	for _, ed := range all {
		switch {
		case !bridge.SameDir(ed.ProjectPath, project):
		case ed.Autostarted():
			auto = append(auto, ed)
		default:
			own = append(own, ed)
		}
	}
	return append(own, auto...)
}

func displayFor(p editorStartParams) string {
	switch {
	case p.Headless:
		return "headless"
	case p.Display != "auto":
		return p.Display
	case hasScreen():
		return "screen"
	}
	return "headless"
}

// hasScreen is false where this process knows that it could open no window.
func hasScreen() bool {
	return runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// drawn is a display as the results of a start name it.
func drawn(display string) string {
	if display == "headless" {
		return display
	}
	return "screen"
}

// displayOf is the display of an editor that runs.
func displayOf(ed bridge.Editor) string {
	switch {
	case ed.Headless:
		return "headless"
	case ed.Display == "virtual":
		return "virtual"
	}
	return "screen"
}

// awaitEditor waits until the new editor answers and has finished its first scan. An interrupt ends an
// editor that has not answered yet, and so does one that never will: nobody else would.
func (e *Env) awaitEditor(ctx context.Context, project string, process *started) (bridge.Editor, error) {
	say(ctx, "starting the editor")
	ticker := time.NewTicker(startPoll)
	defer ticker.Stop()
	done := process.done
	for {
		select {
		case <-ctx.Done():
			return bridge.Editor{}, process.tooLate(ctx.Err())
		case <-done:
			if process.err != nil {
				return bridge.Editor{}, process.failed()
			}
			done = nil
		case <-ticker.C:
		}
		if process.isHung() {
			process.end()
			return bridge.Editor{}, bridge.Errorf(bridge.InternalError, "editor_ready", "the editor (process %d) did not load the addon within %v and was ended: %s; look at %s, then godot-mcp editor start", process.pid, hungAfter, process.lastLines(), process.logPath)
		}
		if running := e.EditorsOf(project); len(running) > 0 {
			_ = os.Remove(process.record)
			say(ctx, "waiting for the first scan")
			return running[0], e.settle(ctx, running[0])
		}
	}
}

// settle waits until an editor has nothing under way.
func (e *Env) settle(ctx context.Context, ed bridge.Editor) error {
	client := e.clientOf(ed)
	defer client.Close()
	params := json.RawMessage(`{"for":"idle","timeout_ms":600000}`)
	_, err := client.Call(ctx, bridge.Request{Command: "editor.wait", Params: params})
	if errors.Is(err, context.DeadlineExceeded) {
		return &bridge.Error{Code: bridge.Timeout, Required: "editor_ready", Err: err,
			Hint: "the editor has started and is still scanning or importing: godot-mcp editor wait"}
	}
	return err
}
