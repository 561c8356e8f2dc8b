package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/mcp"
)

// How long a server may take when nobody says otherwise, and from when on its start is slow: the strictest
// client waits ten seconds.
const (
	probeLimit = 30 * time.Second
	slowStart  = 10 * time.Second
)

// What clients on standard input and output ask for: the newest of them is asked for by few yet.
const clientsProtocol = "2025-06-18"

// probe starts the server and notes what came of it; andThen adds to what a server that answers is asked.
func (d *diagnosis) probe(ctx context.Context, s mcp.Start, limit time.Duration, andThen func(mcp.Probe)) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	p := mcp.Try(ctx, s)
	if d.judge(p, s) {
		andThen(p)
	}
}

// judge notes what came of starting the server; false when it did not answer everything.
func (d *diagnosis) judge(p mcp.Probe, s mcp.Start) bool {
	d.StartMS, d.ToolCount = p.Took.Milliseconds(), p.ToolCount
	const reinstall = "bring that program up to date, or godot-mcp mcp install"
	if p.Noise != "" {
		d.note("stdout", false, fmt.Sprintf("prints on standard output what is no message of MCP: %q", p.Noise), reinstall)
	}
	if p.Failed != "" {
		detail := fmt.Sprintf("%s: %v", p.Failed, p.Err)
		if p.Stderr != "" {
			detail += "; it wrote: " + p.Stderr
		}
		return d.note(stepCheck(p.Failed), false, detail, failedFix(p, s))
	}
	d.note("start", p.Took < slowStart, fmt.Sprintf("answered after %d ms, in protocol %s", d.StartMS, p.Protocol), "clients give up after 10 s: try again when the machine is idle")
	if p.Noise == "" {
		d.note("stdout", true, "nothing but messages", "")
	}
	d.judgeAnswers(p, "godot-mcp mcp install without --toolsets", reinstall)
	return true
}

// judgeAnswers notes what a server that answers everything has said.
func (d *diagnosis) judgeAnswers(p mcp.Probe, noTools, update string) {
	d.note("tools", p.ToolCount > 0, fmt.Sprintf("%d listed", p.ToolCount), noTools)
	old := older(p.Version, version)
	d.note("version", !old, versionDetail(p.Version, old), update)
}

func stepCheck(step string) string {
	switch step {
	case "tools/list":
		return "tools"
	case "get-server-info":
		return "call"
	}
	return "start"
}

func failedFix(p mcp.Probe, s mcp.Start) string {
	if p.Failed == "get-server-info" {
		return "bring that program up to date, or godot-mcp mcp install"
	}
	return "see what it says: " + strings.Join(append([]string{s.Path}, s.Args...), " ")
}

func versionDetail(theirs string, old bool) string {
	if old {
		return fmt.Sprintf("%s, older than this program's %s", theirs, version)
	}
	return theirs
}

// older compares builds, CalVer YYYY.MM.DD[.N]; what is none cannot be told.
func older(theirs, ours string) bool {
	a, aOK := calVer(theirs)
	b, bOK := calVer(ours)
	return aOK && bOK && slices.Compare(a, b) < 0
}

func calVer(text string) ([]int, bool) {
	var out []int
	for _, part := range strings.Split(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		out = append(out, n)
	}
	return out, len(out) >= 3
}
