package commands

import (
	"context"
	"sync"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type openScene struct {
	Path   string `json:"path"`
	Dirty  bool   `json:"dirty"`
	Active bool   `json:"active"`
}

type editorStatusResult struct {
	Focused      bool        `json:"focused"`
	Headless     bool        `json:"headless"`
	Scanning     bool        `json:"scanning"`
	Importing    bool        `json:"importing"`
	Playing      bool        `json:"playing"`
	MainScreen   string      `json:"main_screen" doc:"2D, 3D, Script, Game, AssetLib or a plugin's name"`
	OpenScenes   []openScene `json:"open_scenes"`
	GodotVersion string      `json:"godot_version"`
	AddonVersion string      `json:"addon_version"`
	UptimeMS     int         `json:"uptime_ms"`
	Display      string      `json:"display,omitempty" enum:"screen,virtual,headless" doc:"Where it draws; virtual is a screen that nobody sees"`
	Dialogs      []string    `json:"dialogs,omitempty" doc:"Windows that wait for a person's answer, title and text"`
}

type editorWaitParams struct {
	For       string `json:"for" default:"idle" enum:"idle,scanned,imported" doc:"What to wait for; idle is both"`
	TimeoutMS int    `json:"timeout_ms" default:"30000" doc:"Longest wait in milliseconds"`
}

type editorWaitResult struct {
	Ready     bool `json:"ready"`
	WaitedMS  int  `json:"waited_ms"`
	Scanning  bool `json:"scanning"`
	Importing bool `json:"importing"`
}

type editorEntry struct {
	ProjectPath  string `json:"project_path"`
	PID          int    `json:"pid"`
	Port         int    `json:"port"`
	GodotVersion string `json:"godot_version"`
	AddonVersion string `json:"addon_version"`
	Headless     bool   `json:"headless"`
	Display      string `json:"display,omitempty" enum:"screen,virtual,headless" doc:"Where it draws"`
	// StartedBy and Unsaved are the addon's own words.
	StartedBy string   `json:"started_by,omitempty" doc:"autostart: it ends by itself and makes way for a person's own editor"`
	Unsaved   []string `json:"unsaved,omitempty" doc:"Unsaved work that keeps it from making way"`
	State     string   `json:"state" enum:"ready,silent" doc:"silent: it did not answer within a second"`
	Reason    string   `json:"reason,omitempty" doc:"Why it is silent or still there, and what to do"`
}

type editorListResult struct {
	Editors []editorEntry `json:"editors"`
}

// How long editor list waits for an editor's answer.
const listWait = time.Second

func editorTools() []*Tool {
	return []*Tool{
		New(Spec[none, editorStatusResult]{
			Name: "editor status", Class: ReadOnly,
			Summary: "Tell what the editor is doing and which scenes are open or unsaved.",
		}),
		New(Spec[editorWaitParams, editorWaitResult]{
			Name: "editor wait", Class: ReadOnly,
			Summary: "Wait until the editor has finished scanning and importing.",
			Example: editorWaitParams{For: "scanned"},
		}),
		New(Spec[editorStartParams, editorStartResult]{
			Name: "editor start", Class: Runtime, Starter: true, ExecutesCode: true,
			Summary: "Start an editor for the project and wait until it answers; --autostart does so by itself.",
			Example: editorStartParams{Headless: true},
			Run:     editorStart,
		}),
		New(Spec[editorStopParams, editorStopResult]{
			Name: "editor stop", Class: Runtime,
			Summary: "End the project's editor; unsaved work is never lost without confirm.",
			Example: editorStopParams{Save: true},
			Run:     editorStop,
		}),
		New(Spec[editorRestartParams, editorRestartResult]{
			Name: "editor restart", Class: Runtime, ExecutesCode: true,
			Summary: "End the editor and start it again with the same display and open scenes.",
			Example: editorRestartParams{Save: true},
			Run:     editorRestart,
		}),
		New(Spec[none, editorListResult]{
			Name: "editor list", Class: ReadOnly,
			Summary: "List the running editors that have the addon.",
			Run:     editorList,
		}),
	}
}

// editorList asks each editor that a bridge file names, side by side.
func editorList(ctx context.Context, env *Env, _ none) (editorListResult, error) {
	editors, _ := bridge.Discover(env.Query)
	out := editorListResult{Editors: make([]editorEntry, len(editors))}
	var wg sync.WaitGroup
	for i, ed := range editors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out.Editors[i] = editorEntry{
				ProjectPath: ed.ProjectPath, PID: ed.PID, Port: ed.Port, GodotVersion: ed.GodotVersion,
				AddonVersion: ed.AddonVersion, Headless: ed.Headless, Display: displayOf(ed), State: "ready",
				StartedBy: ed.StartedBy, Unsaved: ed.Unsaved,
			}
			if len(ed.Unsaved) > 0 {
				out.Editors[i].Reason = unsavedBeside(ed)
			}
			if err := reach(ctx, env, ed); err != nil {
				out.Editors[i].State, out.Editors[i].Reason = "silent", bridge.AsError(err).Hint
			}
		}()
	}
	wg.Wait()
	return out, nil
}

// reach is nil for an editor that answers.
func reach(ctx context.Context, env *Env, ed bridge.Editor) error {
	_, err := env.greet(ctx, ed, listWait)
	return err
}
