package commands

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// finding is one thing that is wrong, and what to type about it.
type finding struct {
	Severity string `json:"severity" enum:"error,warning,info"`
	Kind     string `json:"kind"`
	Path     string `json:"path" doc:"File that it is about; empty for the project"`
	Line     *int   `json:"line,omitempty"`
	Message  string `json:"message"`
	Fix      string `json:"fix" doc:"The next command to type"`
}

// typed is a command as it is typed.
func (d *diagnosis) typed(tool string, arguments map[string]any) string {
	return "godot-mcp " + shellLine(tool, encoded(arguments, nil), d.table)
}

// readLines shows a script around a line.
func (d *diagnosis) readLines(path string, line int) string {
	const around = 5
	return d.typed("script read", map[string]any{"script_path": path, "start_line": max(line-around, 1), "end_line": line + around})
}

// fix is the next command for what the editor found.
func (d *diagnosis) fix(f lookFinding) string {
	switch f.Kind {
	case "missing_dependency":
		return d.typed("resource list-dependencies", map[string]any{"resource_path": f.Path})
	case "no_main_scene", "missing_main_scene":
		if f.Name == "" {
			return "godot-mcp scene create --help"
		}
		return d.typed("project set-setting", map[string]any{"name": "application/run/main_scene", "value": f.Name})
	case "missing_autoload":
		return d.typed("autoload remove", map[string]any{"name": f.Name})
	case "missing_plugin":
		return "godot-mcp plugin list"
	case "plugin_not_running":
		return d.typed("plugin enable", map[string]any{"name": f.Name})
	case "not_imported":
		return "godot-mcp file rescan"
	case "import_failed":
		return "godot-mcp editor log --level=error"
	case "needs_dotnet":
		return "godot-mcp doctor"
	case "unreadable_scene":
		return d.typed("file read", map[string]any{"path": f.Path})
	}
	return d.typed("scene reload", map[string]any{"scene_path": f.Path, "dry_run": true})
}

var pathInMessage = regexp.MustCompile(`res://[^"'\s]*[^"'\s.,:;)]`)

// noteRun adds what the run showed and the files did not.
func (d *diagnosis) noteRun(run *runHeadlessResult, err error) {
	if err != nil {
		d.add(finding{"warning", "not_run", "", nil, "the game was not run: " + bridge.AsError(err).Hint, "godot-mcp doctor"})
		return
	}
	d.Run = run
	known := slices.Clone(d.Findings)
	for _, m := range run.Errors {
		if !isKnown(known, m) {
			d.add(d.ofRun("error", m))
		}
	}
	for _, m := range run.Warnings {
		if !isKnown(known, m) {
			d.add(d.ofRun("warning", m))
		}
	}
	d.noteEnd(run)
}

// isKnown is true for what the engine says in the run of a fault that was found already.
func isKnown(known []finding, m runMessage) bool {
	about := func(path string) bool {
		return slices.ContainsFunc(known, func(f finding) bool {
			return f.Severity == "error" && (f.Path == path || strings.Contains(f.Message, path))
		})
	}
	switch {
	case m.Type == "script" && m.Source != nil:
		return slices.ContainsFunc(known, func(f finding) bool {
			return f.Path == *m.Source && same(f.Line, m.Line) && strings.Contains(m.Message, f.Message)
		})
	case m.Type == "engine":
		return slices.ContainsFunc(pathInMessage.FindAllString(m.Message, -1), about)
	}
	return false
}

func (d *diagnosis) ofRun(severity string, m runMessage) finding {
	f := finding{Severity: severity, Kind: "run_" + severity, Line: m.Line, Message: m.Message, Fix: d.runAgain("")}
	if m.Type == "crash" {
		f.Kind = "crash"
	}
	if m.Source == nil {
		f.Path = pathInMessage.FindString(m.Message)
		return f
	}
	f.Path = *m.Source
	switch {
	case !strings.HasPrefix(f.Path, "res://"):
	case strings.HasSuffix(f.Path, ".gd") && m.Line != nil:
		f.Fix = d.readLines(f.Path, *m.Line)
	default:
		f.Fix = d.typed("resource list-dependencies", map[string]any{"resource_path": f.Path})
	}
	return f
}

// noteEnd tells of a run that did not end well.
func (d *diagnosis) noteEnd(run *runHeadlessResult) {
	scene := d.params.ScenePath
	took := fmt.Sprintf("%.1f s", run.DurationSeconds)
	switch {
	case run.TimedOut && run.Hung != nil && *run.Hung:
		d.add(finding{"error", "hang", scene, nil, "no frame was finished for a while when the run was ended after " + took +
			": look for a loop without an end; a machine that is very slow needs more time", d.runAgain("--timeout-seconds=30")})
	case run.TimedOut && !d.params.ExpectedTimeout:
		d.add(finding{"info", "timed_out", scene, nil, "it still ran after " + took + ", as a game does that waits for its player",
			d.typed("project diagnose", d.arguments(map[string]any{"expected_timeout": true}))})
	case run.ExitCode == nil || *run.ExitCode == 0:
	case scene == "" && d.has("no_main_scene", "missing_main_scene"):
	case *run.ExitCode >= 128:
		if !d.has("crash") {
			d.add(finding{"error", "crash", scene, nil, fmt.Sprintf("the engine crashed after %s (exit code %d)", took, *run.ExitCode), d.runAgain("")})
		}
	default:
		d.add(finding{"error", "exit_code", scene, nil, fmt.Sprintf("the run ended by itself after %s with exit code %d", took, *run.ExitCode), d.runAgain("")})
	}
}

// has is true when something of one of these kinds was found.
func (d *diagnosis) has(kinds ...string) bool {
	return slices.ContainsFunc(d.Findings, func(f finding) bool { return slices.Contains(kinds, f.Kind) })
}

// runAgain is the command that shows the run, with more flags.
func (d *diagnosis) runAgain(flags string) string {
	return strings.TrimSpace(d.typed("game run-headless", d.arguments(nil)) + " " + flags)
}

// arguments name the scene, where one was named.
func (d *diagnosis) arguments(more map[string]any) map[string]any {
	all := map[string]any{}
	if d.params.ScenePath != "" {
		all["scene_path"] = d.params.ScenePath
	}
	maps.Copy(all, more)
	return all
}
