// Package doctor looks at everything that godot-mcp needs around it and says what is there, what is
// missing and how to mend it. It changes nothing, and starts nothing but the engine's --version.
package doctor

import (
	"context"

	"github.com/godot-mcp/godot-mcp/commands"
)

// Status is what a check comes to.
type Status string

// The four ends of a check. Only a problem keeps godot-mcp from working.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Problem Status = "problem"
	// Unknown is for what cannot be told here.
	Unknown Status = "unknown"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Found is what is there, for a reader.
	Found string `json:"found"`
	// Fix is how to mend it, where there is something to mend: a command to type, or what to do.
	Fix string `json:"fix,omitempty"`
}

// Report is all checks, in the order in which a new user meets what they are about.
type Report struct {
	// OK is true when no problem was found.
	OK              bool    `json:"ok"`
	Version         string  `json:"version"`
	ContractVersion int     `json:"contract_version"`
	AddonVersion    string  `json:"addon_version"`
	ProjectPath     string  `json:"project_path"`
	Checks          []Check `json:"checks"`
	Problems        int     `json:"problems"`
	Warnings        int     `json:"warnings"`
	// Next is the one step to take first.
	Next string `json:"next"`
}

// Examine runs every check.
func Examine(ctx context.Context, w *World) Report {
	r := Report{Version: w.Version, ContractVersion: commands.ContractVersion, AddonVersion: commands.AddonVersion, Checks: []Check{}}
	w.prepare(ctx)
	r.ProjectPath = w.project
	for _, check := range []func(*World) Check{
		system, binary, path, config, engine, dotnet, sandbox, display,
		project, features, addonFiles, addonRunning, editors, bridgeFiles, lostGames, permissions,
		bridgePort, languagePorts, wsl, container,
	} {
		c := check(w)
		if c.Name == "" {
			continue // has no meaning here
		}
		r.Checks = append(r.Checks, c)
		switch c.Status {
		case Problem:
			r.Problems++
		case Warning:
			r.Warnings++
		}
	}
	r.OK = r.Problems == 0
	r.Next = r.next(w)
	return r
}

// next is the first problem's remedy, else the way on.
func (r Report) next(w *World) string {
	for _, status := range []Status{Problem, Warning} {
		for _, c := range r.Checks {
			if c.Status == status && c.Fix != "" && (status == Problem || c.isInTheWay()) {
				return c.Fix
			}
		}
	}
	if len(w.running) == 0 {
		return w.Env.CommandLine("editor start")
	}
	return w.Env.CommandLine("scene tree")
}

// isInTheWay is true for a warning that is better mended before anything else is done.
func (c Check) isInTheWay() bool { return c.Name == "addon" || c.Name == "addon_running" }
