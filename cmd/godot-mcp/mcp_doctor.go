package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands/clients"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// check is one thing that was looked at.
type check struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

// diagnosis is what was found out about one entry of a client, or about this program.
type diagnosis struct {
	Client     string   `json:"client,omitempty"`
	Scope      string   `json:"scope,omitempty"`
	ConfigPath string   `json:"config_path,omitempty"`
	Verified   *bool    `json:"verified,omitempty"`
	Name       string   `json:"name,omitempty"`
	Command    string   `json:"command,omitempty"`
	Args       []string `json:"args,omitempty"`
	URL        string   `json:"url,omitempty"`
	OK         bool     `json:"ok"`
	StartMS    int64    `json:"start_ms"`
	ToolCount  int      `json:"tool_count"`
	Checks     []check  `json:"checks"`
}

type doctorReport struct {
	OK      bool        `json:"ok"`
	Clients []diagnosis `json:"clients"`
	Self    diagnosis   `json:"self"`
}

func (d *diagnosis) note(name string, ok bool, detail, fix string) bool {
	if ok {
		fix = ""
	}
	d.Checks = append(d.Checks, check{name, ok, detail, fix})
	d.OK = d.OK && ok
	return ok
}

func (a *app) mcpDoctor(cmd *cobra.Command, _ []string) error {
	s, err := a.settings(cmd.Flags())
	if err != nil {
		return err
	}
	found, err := a.configs(cmd, s)
	if err != nil {
		return err
	}
	limit := probeLimit
	if explicit := s.explicitTimeout(); explicit > 0 {
		limit = explicit
	}
	report := doctorReport{Clients: []diagnosis{}}
	// The servers read the user's file too.
	autostart := s.autostart && strings.HasPrefix(s.sourceOf("autostart"), "user file")
	wanted, _ := cmd.Flags().GetString("name")
	named := cmd.Flags().Changed("client")
	for _, t := range found {
		t.autostart = autostart
		report.Clients = append(report.Clients, a.diagnoseConfig(cmd.Context(), t, wanted, named, limit)...)
	}
	if named && len(report.Clients) == 0 {
		report.Clients = append(report.Clients, noEntry(found[0], wanted))
	}
	report.Self = a.diagnoseSelf(cmd.Context(), s, limit)
	report.OK = report.Self.OK && !slices.ContainsFunc(report.Clients, func(d diagnosis) bool { return !d.OK })
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if err := a.printForm(cmd, report, report.text); err != nil {
		return err
	}
	if !report.OK && !a.flags.exitZero {
		return errAnswerNo
	}
	return nil
}

// configs are the files to look at: those of one client or of all, of the user and of the project.
func (a *app) configs(cmd *cobra.Command, s settings) ([]clientTarget, error) {
	system := clients.ThisSystem(runtime.GOOS)
	own, err := ownPath()
	if err != nil {
		return nil, err
	}
	project, err := a.dispatcher(s, "cli").Env.Project()
	if err != nil && s.project != "" {
		return nil, err
	}
	if cmd.Flags().Changed("client") {
		t, err := a.clientTarget(cmd, s)
		if err != nil || cmd.Flags().Changed("scope") || cmd.Flags().Changed("config") {
			return []clientTarget{t}, err
		}
		return targetsOf(t.Client, system, own, project, clients.User, clients.Project), nil
	}
	if cmd.Flags().Changed("config") {
		return nil, usageError("client", "--config needs --client, which says what the file is: %s --help", cmd.CommandPath())
	}
	scopes := []clients.Scope{clients.User, clients.Project}
	if scope, err := scopeFlag(cmd); err != nil {
		return nil, err
	} else if scope != "" {
		scopes = []clients.Scope{scope}
	}
	var out []clientTarget
	for _, c := range clients.All() {
		out = append(out, targetsOf(c, system, own, project, scopes...)...)
	}
	return out, nil
}

func targetsOf(c clients.Client, system clients.System, own, project string, scopes ...clients.Scope) []clientTarget {
	var out []clientTarget
	for _, scope := range scopes {
		if scope == clients.Project && project == "" {
			continue
		}
		if path := c.ConfigPath(system, scope, project); path != "" {
			out = append(out, clientTarget{Client: c, system: system, scope: scope, path: path, project: project, own: own})
		}
	}
	return out
}

func (t clientTarget) diagnosis(name string) diagnosis {
	verified := t.Verified(t.system)
	return diagnosis{Client: t.ID, Scope: string(t.scope), ConfigPath: t.path, Verified: &verified, Name: name, OK: true, Checks: []check{}}
}

func (t clientTarget) installLine() string {
	return fmt.Sprintf("godot-mcp mcp install --client %s --scope %s", t.ID, t.scope)
}

func noEntry(t clientTarget, wanted string) diagnosis {
	d := t.diagnosis(wanted)
	d.note("entry", false, "no config of "+t.Title+" has this server", t.installLine())
	return d
}

// diagnoseConfig looks at the entries of one config that start this program, or at the one that is wanted.
func (a *app) diagnoseConfig(ctx context.Context, t clientTarget, wanted string, named bool, limit time.Duration) []diagnosis {
	file, err := clients.ReadFile(t.path)
	var entries map[string]map[string]any
	if err == nil {
		entries, err = t.Entries(file.Text)
	}
	if err != nil {
		// What else is wrong with other clients' files is not the question.
		if text := string(file.Text); !named && !strings.Contains(text, "godot-mcp") && !strings.Contains(text, clients.AddressMark) {
			return nil
		}
		d := t.diagnosis(wanted)
		d.note("config", false, fmt.Sprintf("%s: %v", t.path, err), "mend the file, "+t.Title+" cannot read it either")
		return []diagnosis{d}
	}
	names := t.Ours(entries, t.own)
	if wanted != "" {
		names = slices.DeleteFunc([]string{wanted}, func(name string) bool { _, there := entries[name]; return !there })
	}
	var out []diagnosis
	for _, name := range names {
		out = append(out, a.diagnose(ctx, t, name, entries[name], file, limit))
	}
	return out
}

// diagnose starts one entry's server as the client does, or connects to it where the entry has its address.
func (a *app) diagnose(ctx context.Context, t clientTarget, name string, entry map[string]any, file clients.File, limit time.Duration) diagnosis {
	d := t.diagnosis(name)
	l, ok := t.Launch(entry)
	detail := entryDetail(ok, l)
	if l.URL != "" && !l.MayBeOurs() {
		ok, detail = false, "the entry leads to another server"
	}
	if !d.note("entry", ok, detail, t.installLine()+" --name "+name+" --force") {
		return d
	}
	d.Command, d.Args, d.URL = l.Command, l.Args, l.ShownURL()
	d.note("enabled", !l.Disabled, enabledDetail(l), "enable the server in "+t.Title)
	if n := longestTool(a.table); t.NameLimit > 0 {
		d.note("name", len(name)+1+n <= t.NameLimit, fmt.Sprintf("the longest name of a tool with the server's has %d characters of %d", len(name)+1+n, t.NameLimit), t.installLine()+" --name godot")
	}
	if l.URL != "" {
		a.diagnoseAddress(ctx, t, &d, l, file, limit)
		return d
	}
	environ := t.Environ(t.system, os.Environ(), l)
	path, err := clients.LookPath(l.Command, environ)
	if err != nil {
		d.note("command", false, fmt.Sprintf("command not found as %s looks for it: %v", t.Title, err), t.installLine()+" --name "+name)
		return d
	}
	d.note("command", true, path, "")
	project := argument(l.Args, "--project")
	if project != "" && !isProject(project) {
		d.note("project", false, project+" has no project.godot", t.installLine()+" --name "+name+" --project DIR")
		return d
	}
	d.note("project", true, projectDetail(project), "")
	d.probe(ctx, mcp.Start{Path: path, Args: l.Args, Env: environ, Dir: t.startFolder(), Version: version, Protocol: clientsProtocol}, limit, func(p mcp.Probe) {
		d.noteEditor(p, project, slices.Contains(l.Args, "--autostart") || t.autostart)
	})
	return d
}

// noteEditor says whether the server has an editor, or starts one by itself.
func (d *diagnosis) noteEditor(p mcp.Probe, project string, autostart bool) {
	start := "godot-mcp editor start"
	if project != "" {
		start += " --project " + strconv.Quote(project)
	}
	switch {
	case p.Info.Bridge.Connected:
		d.note("editor", true, "connected", "")
	case autostart:
		d.note("editor", true, "none runs; the first call starts one", "")
	default:
		d.note("editor", false, "no editor with the addon is connected", start)
	}
}

func entryDetail(ok bool, l clients.Launch) string {
	switch {
	case !ok:
		return "the entry starts no program"
	case l.URL != "":
		return l.ShownURL()
	}
	return strings.Join(append([]string{l.Command}, l.Args...), " ")
}

func enabledDetail(l clients.Launch) string {
	if l.Disabled {
		return "the entry is switched off"
	}
	return "yes"
}

func projectDetail(project string) string {
	if project == "" {
		return "none named: the one around the client's working directory"
	}
	return project
}

// startFolder is where the client starts the server.
func (t clientTarget) startFolder() string {
	switch {
	case t.scope == clients.Project:
		return filepath.Dir(t.project + string(filepath.Separator))
	case t.Environment == clients.Bare:
		return t.system.Home
	}
	return ""
}

// argument is the value of a flag among arguments, "" for none.
func argument(args []string, flag string) string {
	for i, each := range args {
		if each == flag && i+1 < len(args) {
			return args[i+1]
		}
		if value, ok := strings.CutPrefix(each, flag+"="); ok {
			return value
		}
	}
	return ""
}

func isProject(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "project.godot"))
	return err == nil && info.Mode().IsRegular()
}

// diagnoseSelf tries this very program, in the environment as it is.
func (a *app) diagnoseSelf(ctx context.Context, s settings, limit time.Duration) diagnosis {
	d := diagnosis{OK: true, Checks: []check{}, Args: []string{"mcp"}}
	own, err := os.Executable()
	if !d.note("command", err == nil, own, "start godot-mcp by its whole path") {
		return d
	}
	d.Command = own
	if s.project != "" {
		d.Args = append(d.Args, "--project", s.project)
	}
	d.probe(ctx, mcp.Start{Path: own, Args: d.Args, Env: os.Environ(), Version: version}, limit, func(mcp.Probe) {})
	return d
}

// text is the report for a person.
func (r doctorReport) text() string {
	var b strings.Builder
	if len(r.Clients) == 0 {
		b.WriteString("No client's config has this server. Put it in with godot-mcp mcp install --client NAME.\n")
	}
	for _, d := range append(slices.Clone(r.Clients), r.Self) {
		title := "this program"
		if d.Client != "" {
			title = fmt.Sprintf("%s, %s scope, %s", d.Client, d.Scope, d.ConfigPath)
			if d.Name != "" {
				title += ", server " + d.Name
			}
			if !*d.Verified {
				title += " (place unverified)"
			}
		}
		fmt.Fprintf(&b, "%s\n", title)
		for _, c := range d.Checks {
			mark := "ok  "
			if !c.OK {
				mark = "FAIL"
			}
			fmt.Fprintf(&b, "  %s %-8s %s\n", mark, c.Check, c.Detail)
			if c.Fix != "" {
				fmt.Fprintf(&b, "       mend it: %s\n", c.Fix)
			}
		}
	}
	return b.String()
}
