package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/clients"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// diagnoseAddress connects to the server of an entry as the client does. Nothing is started.
func (a *app) diagnoseAddress(ctx context.Context, t clientTarget, d *diagnosis, l clients.Launch, file clients.File, limit time.Duration) {
	if l.Token != "" && strings.Contains(string(file.Text), l.Token) {
		d.note("private", file.Private(), privateDetail(file), "chmod 600 "+strconv.Quote(file.Real))
	}
	again := t.addressLine(d.Name, l.AddressProject())
	if t.scope == clients.Project && !l.OnThisMachine() {
		// Who wrote the project's file must not learn a token that a variable of the user's holds.
		d.note("connect", false, "not tried: a project's file leads to another machine", t.addressLine(d.Name, t.project))
		return
	}
	if !d.noteProject(t, l) {
		return
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	p := mcp.TryHTTP(ctx, mcp.Connect{URL: l.URL, Token: l.Token, Version: version, Protocol: clientsProtocol})
	if d.judgeAddress(p, l, again) {
		d.noteEditor(p, l.AddressProject(), t.autostart)
	}
}

func privateDetail(file clients.File) string {
	if file.Private() {
		return "the token is readable by this user alone"
	}
	return "other users can read the token in " + file.Real
}

// addressLine is what fills in address and token anew.
func (t clientTarget) addressLine(name, project string) string {
	line := t.installLine() + " --name " + name + " --transport http"
	if project != "" {
		line += " --project " + strconv.Quote(project)
	}
	return line
}

// noteProject looks at the project that the address names; on another machine it cannot be looked at.
func (d *diagnosis) noteProject(t clientTarget, l clients.Launch) bool {
	project := l.AddressProject()
	other := t.addressLine(d.Name, "") + " --project "
	switch {
	case project == "":
		return d.note("project", true, "none named: the server's own", "")
	case l.OnThisMachine() && !isProject(project):
		return d.note("project", false, project+" has no project.godot", other+"DIR")
	case t.scope == clients.Project && t.project != "" && !bridge.SameDir(project, t.project):
		return d.note("project", false, "the entry of this project is for "+project, other+strconv.Quote(t.project))
	}
	return d.note("project", true, project, "")
}

// judgeAddress notes what came of connecting; false when the server did not answer everything.
func (d *diagnosis) judgeAddress(p mcp.Probe, l clients.Launch, again string) bool {
	d.StartMS, d.ToolCount = p.Took.Milliseconds(), p.ToolCount
	u, _ := url.Parse(l.URL) // an address of ours can be read
	restart := "start the server anew with this program: " + serveLine(u)
	switch {
	case p.Failed == "":
		d.note("connect", true, fmt.Sprintf("answered after %d ms, in protocol %s", d.StartMS, p.Protocol), "")
		if l.Token != "" {
			d.note("token", true, "it is the server's, or none is wanted", "")
		}
		d.judgeAnswers(p, "start the server without --toolsets: "+serveLine(u), restart)
		return true
	case p.Failed == "connect":
		d.note("connect", false, fmt.Sprintf("no server answers at %s: %v", u.Host, p.Err), startFix(u, again))
	case p.Status == http.StatusUnauthorized:
		d.note("token", false, refusedToken(l), again)
	case p.NoProject():
		d.note("project", false, fmt.Sprintf("the server refuses it (%d): %s", p.Status, p.Refusal), again)
	case p.Code != 0:
		d.note("connect", false, fmt.Sprintf("the server refuses what clients ask (%d): %s", p.Status, p.Refusal), "start the server without --protocol: "+serveLine(u))
	case p.Status != 0:
		d.note("connect", false, fmt.Sprintf("what answers at %s refuses (%d): %s", u.Host, p.Status, p.Refusal), "another program may have the port: "+startFix(u, again))
	case stepCheck(p.Failed) == "start":
		d.note("connect", false, fmt.Sprintf("%s: %v", p.Failed, p.Err), restart)
	default:
		d.note(stepCheck(p.Failed), false, fmt.Sprintf("%s: %v", p.Failed, p.Err), restart)
	}
	return false
}

func refusedToken(l clients.Launch) string {
	if l.Token == "" {
		return "the entry has no token, and the server wants one (401)"
	}
	return "the server has another token than the entry (401)"
}

// serveLine starts a server at the port of an address.
func serveLine(u *url.URL) string {
	line := "godot-mcp mcp --transport http"
	if u.Port() != "" && u.Port() != "9090" {
		line += " --http-port " + u.Port()
	}
	return line
}

// startFix leads to the server that runs, or starts one; the token may be another one then.
func startFix(u *url.URL, again string) string {
	if len(runningHTTP()) > 0 {
		return again
	}
	return serveLine(u) + ", then " + again
}
