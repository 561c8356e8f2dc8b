package commands

import (
	"context"
	"encoding/json"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type editorRestartParams struct {
	Save bool `json:"save" default:"true" doc:"Save all open scenes first; without it unsaved work refuses the restart"`
}

type editorRestartResult struct {
	Restarted bool     `json:"restarted"`
	PID       int      `json:"pid" doc:"Process of the new editor"`
	Display   string   `json:"display" enum:"screen,headless" doc:"The same as before"`
	Virtual   bool     `json:"virtual,omitempty" doc:"True: the screen is a virtual one, as before"`
	Reopened  []string `json:"reopened" doc:"Scenes that are open again"`
	Lost      []string `json:"lost" doc:"Scenes that were open and could not be opened again"`
}

// How long a restarted editor may take to be ready.
const restartWait = 2 * time.Minute

// tabs are the scenes of an editor.
type tabs struct {
	open   []string
	active string
}

// editorRestart has the editor end and begin anew, by itself: it knows its program, its environment and its
// screen, which this process may not have. Only a virtual screen goes with its editor.
func editorRestart(ctx context.Context, env *Env, p editorRestartParams) (editorRestartResult, error) {
	old, err := env.editor(ctx)
	if err != nil {
		return editorRestartResult{}, err
	}
	before, err := env.tabs(ctx)
	if err != nil {
		return editorRestartResult{}, err
	}
	lock, err := env.lockStart(ctx, old.ProjectPath)
	if err != nil {
		return editorRestartResult{}, err
	}
	defer lock.release()
	if p.Save {
		say(ctx, savingAll)
	}
	process, err := env.again(ctx, old, p)
	if err != nil {
		return editorRestartResult{}, err
	}
	say(ctx, "waiting for the editor to end")
	if !gone(ctx, old.PID, stopWait) {
		return editorRestartResult{}, bridge.Errorf(bridge.Timeout, "editor_ready", "the editor %d said that it ends and is still there after %v: godot-mcp editor stop --force --confirm", old.PID, stopWait)
	}
	ed, err := env.awaitAgain(ctx, old, process)
	if err != nil {
		return editorRestartResult{}, err
	}
	result := editorRestartResult{Restarted: true, PID: ed.PID, Display: drawn(displayOf(ed)), Virtual: displayOf(ed) == "virtual"}
	result.Reopened, result.Lost, err = env.reopen(ctx, ed, before)
	return result, err
}

// again ends the editor so that it comes back: by itself, or by what is returned.
func (e *Env) again(ctx context.Context, old bridge.Editor, p editorRestartParams) (func() (*started, error), error) {
	command := restartCommand
	spawn := func() (*started, error) {
		return &started{begun: time.Now(), display: "screen", logPath: "the editor's output"}, nil
	}
	if old.Display == "virtual" {
		// What cannot be started again is not ended.
		godot, err := FindGodot(ctx, e.GodotBin)
		if err != nil {
			return nil, err
		}
		how := launch{display: "virtual"}
		if _, err := virtualDisplay(); err != nil {
			return nil, err
		}
		command = stopCommand
		spawn = func() (*started, error) { return spawnEditor(godot, old.ProjectPath, how) }
	}
	params, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	_, err = e.call(ctx, bridge.Request{Command: command, Params: params})
	return spawn, err
}

func (e *Env) awaitAgain(ctx context.Context, old bridge.Editor, spawn func() (*started, error)) (bridge.Editor, error) {
	process, err := spawn()
	if err != nil {
		return bridge.Editor{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, restartWait)
	defer cancel()
	return e.awaitEditor(ctx, old.ProjectPath, process)
}

// tabs asks the editor of the link which scenes are open.
func (e *Env) tabs(ctx context.Context) (tabs, error) {
	answer, err := e.call(ctx, bridge.Request{Command: "editor.status"})
	if err != nil {
		return tabs{}, err
	}
	return readTabs(answer)
}

func readTabs(answer json.RawMessage) (tabs, error) {
	var status struct {
		OpenScenes []openScene `json:"open_scenes"`
	}
	var t tabs
	err := json.Unmarshal(answer, &status)
	for _, s := range status.OpenScenes {
		if s.Path == "" {
			continue
		}
		t.open = append(t.open, s.Path)
		if s.Active {
			t.active = s.Path
		}
	}
	return t, err
}

// reopen opens the scenes that were open before and that the editor has not opened by itself, the active
// one last, so that it is in front.
func (e *Env) reopen(ctx context.Context, ed bridge.Editor, before tabs) (opened, lost []string, err error) {
	client := e.clientOf(ed)
	defer client.Close()
	wanted := before.open
	if before.active != "" {
		wanted = append(wanted[:len(wanted):len(wanted)], before.active)
	}
	for _, path := range wanted {
		params, err := json.Marshal(map[string]string{"scene_path": path})
		if err != nil {
			return nil, nil, err
		}
		// A scene that does not open any more says so below.
		_, _ = client.Call(ctx, bridge.Request{Command: "scene.open", Params: params})
	}
	answer, err := client.Call(ctx, bridge.Request{Command: "editor.status"})
	if err != nil {
		return nil, nil, err
	}
	now, err := readTabs(answer)
	is := map[string]bool{}
	for _, path := range now.open {
		is[path] = true
	}
	opened, lost = []string{}, []string{}
	for _, path := range before.open {
		if is[path] {
			opened = append(opened, path)
		} else {
			lost = append(lost, path)
		}
	}
	return opened, lost, err
}
