package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type diagnoseParams struct {
	ScenePath       string  `json:"scene_path" p:"arg" default:"" kind:"project" doc:"Scene to run; empty is the main scene"`
	TimeoutSeconds  float64 `json:"timeout_seconds" default:"5" doc:"The run is ended after so long; at most 3600"`
	ExpectedTimeout bool    `json:"expected_timeout" default:"false" doc:"A scene that still runs by then is not told of"`
}

type diagnoseParse struct {
	OK            *bool              `json:"ok" doc:"No script has errors; null when they were not checked"`
	Errors        []scriptCheckError `json:"errors"`
	SkippedReason *string            `json:"skipped_reason" doc:"Why scripts, scenes, settings and imports were not checked"`
}

type diagnoseResult struct {
	OK          bool               `json:"ok" doc:"No finding is an error"`
	Bridge      healthInfo         `json:"bridge" doc:"As health-check has it"`
	SceneTree   *Object            `json:"scene_tree" doc:"Top of the scene in front, as scene tree has it; null when it is not the one asked for"`
	Run         *runHeadlessResult `json:"run" doc:"As game run-headless has it; null when nothing could be run"`
	Parse       diagnoseParse      `json:"parse"`
	Findings    []finding          `json:"findings" doc:"The worst first"`
	Suggestions []string           `json:"suggestions" doc:"What to type next, in this order"`
}

// diagnosis is what is found out, bit by bit.
type diagnosis struct {
	diagnoseResult
	params diagnoseParams
	table  *Table
}

// editorLook is what the addon answers.
type editorLook struct {
	OK       bool               `json:"ok"`
	Errors   []scriptCheckError `json:"errors"`
	Findings []lookFinding      `json:"findings"`
}

type lookFinding struct {
	finding
	// Name is what the fix is about: an autoload, a plugin, another scene.
	Name string `json:"name"`
}

const (
	mostSuggestions = 20
	// treeNodes are shown of the scene in front.
	treeNodes = 100
)

func projectDiagnoseTools() []*Tool {
	return []*Tool{
		New(Spec[diagnoseParams, diagnoseResult]{
			Name: "project diagnose", Class: ReadOnly, ExecutesCode: true,
			Alias: "debug_workflow",
			AliasMap: AliasMap{
				Params:  map[string]string{"scene": "scene_path"},
				Results: map[string]string{"findings": `.findings | map(.severity + ": " + .message + (if .path == "" then "" else " (" + .path + ")" end))`},
			},
			Answer:  "ok",
			Summary: "Check scripts, scenes, settings and imports, run the game briefly, and say what to do.",
			Example: diagnoseParams{ScenePath: "res://main.tscn", TimeoutSeconds: 2, ExpectedTimeout: true},
			Run: func(ctx context.Context, env *Env, p diagnoseParams) (diagnoseResult, error) {
				return env.diagnose(ctx, p)
			},
		}),
	}
}

func (e *Env) diagnose(ctx context.Context, p diagnoseParams) (diagnoseResult, error) {
	project, _, err := e.projectMeant()
	if err != nil {
		return diagnoseResult{}, err
	}
	if err := checkRun(project, p.ScenePath, p.TimeoutSeconds); err != nil {
		return diagnoseResult{}, err
	}
	d := &diagnosis{params: p, table: e.Table}
	d.Findings, d.Parse.Errors = []finding{}, []scriptCheckError{}
	var run runHeadlessResult
	var runErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		run, runErr = e.runHeadless(ctx, runHeadlessParams(p))
	}()
	d.Bridge, err = healthCheck(ctx, e, none{})
	if err == nil {
		err = d.askEditor(ctx, e, project)
	}
	<-done
	if ctx.Err() != nil {
		return diagnoseResult{}, cutShort(ctx, "project diagnose")
	}
	if err != nil {
		return diagnoseResult{}, err
	}
	d.noteRun(&run, runErr)
	d.conclude()
	return d.diagnoseResult, nil
}

// askEditor has the editor look at the project's files. That it cannot is a finding.
func (d *diagnosis) askEditor(ctx context.Context, env *Env, project string) error {
	if !d.Bridge.BridgeConnected {
		next := "editor start"
		if addonReady(project) != nil {
			next = "addon install"
		}
		d.skip(d.Bridge.Reason, next)
		return nil
	}
	request := bridge.Request{Command: diagnoseCommand}
	request.OnProgress, _ = ctx.Value(listener{}).(func(bridge.Progress))
	answer, err := env.call(ctx, request)
	if err != nil {
		d.skip(bridge.AsError(err).Hint, "health-check")
		return nil
	}
	var look editorLook
	if err := json.Unmarshal(answer, &look); err != nil {
		return err
	}
	d.Parse.OK, d.Parse.Errors = &look.OK, look.Errors
	for _, one := range look.Errors {
		d.add(finding{one.Severity, "script_" + one.Severity, one.Source, &one.Line, one.Message, d.readLines(one.Source, one.Line)})
	}
	for _, one := range look.Findings {
		one.Fix = d.fix(one)
		d.add(one.finding)
	}
	return d.showTree(ctx, env)
}

func (d *diagnosis) skip(why, next string) {
	d.Parse.SkippedReason = &why
	d.add(finding{"warning", "bridge", "", nil, "scripts, scenes, settings and imports were not checked: " + why, "godot-mcp " + next})
}

// showTree adds the top of the scene in front, when that is the one that the call is about.
func (d *diagnosis) showTree(ctx context.Context, env *Env) error {
	params, err := json.Marshal(map[string]any{"root": ".", "max_depth": -1, "lightweight": true, "offset": 0, "limit": treeNodes})
	if err != nil {
		return err
	}
	answer, err := env.call(ctx, bridge.Request{Command: "scene.tree", Params: params})
	if err != nil {
		return nil //nolint:nilerr // no scene is open
	}
	var tree Object
	var at struct {
		ScenePath string `json:"scene_path"`
	}
	if err := json.Unmarshal(answer, &tree); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &at); err != nil {
		return err
	}
	if d.params.ScenePath == "" || d.params.ScenePath == at.ScenePath {
		d.SceneTree = &tree
	}
	return nil
}

func (d *diagnosis) add(f finding) { d.Findings = append(d.Findings, f) }

// conclude puts the worst first and says what to do.
func (d *diagnosis) conclude() {
	rank := map[string]int{"error": 0, "warning": 1, "info": 2}
	slices.SortStableFunc(d.Findings, func(a, b finding) int { return cmp.Compare(rank[a.Severity], rank[b.Severity]) })
	d.OK = len(d.Findings) == 0 || d.Findings[0].Severity != "error"
	d.Suggestions = []string{}
	for _, f := range d.Findings {
		if len(d.Suggestions) < mostSuggestions && !slices.Contains(d.Suggestions, f.Fix) {
			d.Suggestions = append(d.Suggestions, f.Fix)
		}
	}
	if len(d.Findings) == 0 {
		d.Suggestions = append(d.Suggestions, d.runAgain("--timeout-seconds=60"))
	}
}
