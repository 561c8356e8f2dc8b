package commands

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

type runHeadlessParams struct {
	ScenePath       string  `json:"scene_path" p:"arg" default:"" kind:"project" doc:"Scene to run; empty is the main scene"`
	TimeoutSeconds  float64 `json:"timeout_seconds" default:"10" doc:"The engine is ended after so long; at most 3600"`
	ExpectedTimeout bool    `json:"expected_timeout" default:"false" doc:"A scene that still runs by then is no failure"`
}

type runFrame struct {
	Function string `json:"function"`
	Source   string `json:"source"`
	Line     int    `json:"line"`
}

type runMessage struct {
	Type    string     `json:"type" enum:"script,shader,user,engine,crash" doc:"user is what the project itself reports by push_error or push_warning"`
	Message string     `json:"message"`
	Source  *string    `json:"source" doc:"File of the project; null when the engine names none"`
	Line    *int       `json:"line"`
	Stack   []runFrame `json:"stack" doc:"The innermost call first"`
	Count   int        `json:"count" doc:"How often it came"`
}

type runHeadlessResult struct {
	Ran             bool         `json:"ran" doc:"The engine was started"`
	Passed          bool         `json:"passed" doc:"It ended with exit code 0, or at an expected time-out, and without errors"`
	ExitCode        *int         `json:"exit_code" doc:"128 and the signal's number after a crash; null when the engine was ended at the time-out"`
	TimedOut        bool         `json:"timed_out"`
	Hung            *bool        `json:"hung" doc:"At the time-out no frame had been finished for a while; null when that is not known"`
	DurationSeconds float64      `json:"duration_seconds"`
	Errors          []runMessage `json:"errors" doc:"Those that are alike once, with their count"`
	Warnings        []runMessage `json:"warnings"`
	Output          []string     `json:"output" doc:"All other lines: the first and the last, when they are many"`
	LeftOut         int          `json:"left_out" doc:"Lines, errors and warnings that were too many to be kept"`
	Command         []string     `json:"command" doc:"What was run"`
}

const (
	longestRun = time.Hour
	// hungAfterFrame is how old the last finished frame is in a game that hangs; the script tells of one every
	// half second.
	hungAfterFrame = 2 * time.Second
	// frameScript tells of frames, where the project has the addon.
	frameScript = "res://" + addon.Folder + "/game/run_headless.gd"
)

func gameHeadlessTools() []*Tool {
	return []*Tool{
		New(Spec[runHeadlessParams, runHeadlessResult]{
			Name: "game run-headless", Class: Runtime, Starter: true, ExecutesCode: true,
			Alias:    "runtime_run_and_capture",
			AliasMap: AliasMap{Params: map[string]string{"scene": "scene_path"}},
			Answer:   "passed",
			Summary:  "Run a scene for a while in an engine of its own, without a window, and judge how it went.",
			Example:  runHeadlessParams{ScenePath: "res://main.tscn", TimeoutSeconds: 3, ExpectedTimeout: true},
			Run: func(ctx context.Context, env *Env, p runHeadlessParams) (runHeadlessResult, error) {
				return env.runHeadless(ctx, p)
			},
		}),
	}
}

func (e *Env) runHeadless(ctx context.Context, p runHeadlessParams) (runHeadlessResult, error) {
	project, editor, err := e.projectMeant()
	if err != nil {
		return runHeadlessResult{}, err
	}
	if err := checkRun(project, p.ScenePath, p.TimeoutSeconds); err != nil {
		return runHeadlessResult{}, err
	}
	godot, err := e.engineFor(ctx, editor)
	if err != nil {
		return runHeadlessResult{}, err
	}
	say(ctx, "running the scene")
	limit := time.Duration(p.TimeoutSeconds * float64(time.Second))
	line := runLine(godot, project, p.ScenePath)
	log := &runLog{}
	end, err := runEngine(ctx, line, project, limit, log)
	if ctx.Err() != nil {
		return runHeadlessResult{}, cutShort(ctx, "game run-headless")
	}
	if err != nil {
		return runHeadlessResult{}, err
	}
	result := runHeadlessResult{
		Ran: true, ExitCode: end.code, TimedOut: end.timedOut, DurationSeconds: float64(end.took.Milliseconds()) / 1000,
		Errors: append([]runMessage{}, log.errors...), Warnings: append([]runMessage{}, log.warnings...), Command: line,
	}
	result.Output, result.LeftOut = log.output()
	if end.timedOut && slices.Contains(line, frameScript) {
		hung := log.lastFrame.IsZero() || log.ended.Sub(log.lastFrame) > hungAfterFrame
		result.Hung = &hung
	}
	result.Passed = len(result.Errors) == 0 && end.wentWell(p.ExpectedTimeout) && (result.Hung == nil || !*result.Hung)
	return result, nil
}

// cutShort words the end of a call before its run was over.
func cutShort(ctx context.Context, tool string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return &bridge.Error{Code: bridge.Timeout, Err: ctx.Err(), Hint: "the call's own time-out was over before the run, which was ended; " +
		"give it more than the run's timeout_seconds, or leave it out: godot-mcp " + tool + " --help"}
}

// projectMeant is the project of the editor that is meant, with that editor, or else the project alone.
func (e *Env) projectMeant() (string, *bridge.Editor, error) {
	if ed, err := bridge.Find(e.Query); err == nil {
		return ed.ProjectPath, &ed, nil
	} else if e.Query.PID != 0 {
		return "", nil, err
	}
	project, err := e.Project()
	return project, nil, err
}

// checkRun refuses what would only fail later.
func checkRun(project, scene string, seconds float64) error {
	if seconds <= 0 || seconds > longestRun.Seconds() {
		return bridge.Errorf(bridge.ValidationError, "timeout_seconds", "timeout_seconds must be above 0 and at most %.0f, was given %v", longestRun.Seconds(), seconds)
	}
	rest, plain := strings.CutPrefix(scene, "res://")
	if !plain {
		return nil
	}
	if err := checkLinks(project, "scene_path", scene, Runtime); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(project, filepath.FromSlash(rest))); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return bridge.Errorf(bridge.ResourceNotFound, "scene_path", "there is no scene %s", scene)
	}
	return nil
}

// engineFor is the program that the running editor is, else the one that an editor would be started with.
func (e *Env) engineFor(ctx context.Context, editor *bridge.Editor) (string, error) {
	if editor != nil {
		if program := programOf(editor.PID); program != "" {
			if godot, err := FindGodot(ctx, program); err == nil {
				return godot, nil
			}
		}
	}
	return FindGodot(ctx, e.GodotBin)
}

// runLine is the command line of a run. Where the project has the addon and no main loop of its own, a script
// tells of the frames; the engine then wants the scene to be named.
func runLine(godot, project, scene string) []string {
	line := []string{godot, "--headless", "--path", project}
	main, ownLoop := runSettings(project)
	if scene == "" && !ownLoop {
		scene = main
	}
	file := filepath.Join(project, filepath.FromSlash(strings.TrimPrefix(frameScript, "res://")))
	if _, err := os.Stat(file); err == nil && !ownLoop && scene != "" {
		line = append(line, "--script", frameScript)
	}
	if scene != "" {
		line = append(line, "--scene", scene)
	}
	return line
}

// runSettings reads the main scene, and whether a class of the project's own runs it. What depends on feature
// tags the engine alone knows: no main scene is told then.
func runSettings(project string) (mainScene string, ownLoop bool) {
	for _, name := range []string{"project.godot", "override.cfg"} {
		text, err := os.ReadFile(filepath.Join(project, name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			value = strings.Trim(value, `"`)
			switch {
			case key == "run/main_scene":
				mainScene = value
			case strings.HasPrefix(key, "run/main_scene."):
				return "", ownLoop
			case strings.HasPrefix(key, "run/main_loop_type"):
				ownLoop = value != "SceneTree"
			}
		}
	}
	return mainScene, ownLoop
}
