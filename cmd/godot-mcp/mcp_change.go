package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// clientChange says what was done to a client's config, or would be.
type clientChange struct {
	Client     string   `json:"client"`
	Scope      string   `json:"scope"`
	ConfigPath string   `json:"config_path"`
	Verified   bool     `json:"verified"`
	Source     string   `json:"source"`
	Name       string   `json:"name"`
	Command    string   `json:"command,omitempty"`
	Args       []string `json:"args,omitempty"`
	URL        string   `json:"url,omitempty"`
	TokenFrom  string   `json:"token_from,omitempty"`
	Changed    bool     `json:"changed"`
	Created    bool     `json:"created"`
	DryRun     bool     `json:"dry_run"`
	Diff       string   `json:"diff"`
	Also       []string `json:"also"`
	Profiles   []string `json:"profiles"`
	Note       string   `json:"note,omitempty"`
}

// changeClient reads the config, edits it and writes it; tokenFrom says where the token of the launch is from.
func (a *app) changeClient(cmd *cobra.Command, t clientTarget, l clients.Launch, tokenFrom string, edit func([]byte) ([]byte, error)) error {
	dryRun, _ := cmd.Flags().GetBool("dry-run")
	file, err := clients.ReadFile(t.path)
	if err != nil {
		return cannotEdit(cmd, t, err)
	}
	text, err := edit(file.Text)
	if err != nil {
		return cannotEdit(cmd, t, err)
	}
	result := clientChange{
		Client: t.ID, Scope: string(t.scope), ConfigPath: t.path, Verified: t.Verified(t.system), Source: t.Source,
		Name: t.name, Command: l.Command, Args: l.Args, URL: l.URL, TokenFrom: tokenFrom, DryRun: dryRun, Note: t.note(),
		Changed: !bytes.Equal(text, file.Text), Also: []string{}, Profiles: t.otherProfiles(),
	}
	result.Created = result.Changed && !file.Exists
	result.Diff = clients.Diff(t.path, file.Text, text, l.Token)
	if l.Token != "" {
		result.Note = strings.TrimSpace(result.Note + " " + t.tokenNote(tokenFrom))
	}
	if entries, err := t.Entries(text); err == nil {
		for _, name := range t.Ours(entries, t.own) {
			if name != t.name {
				result.Also = append(result.Also, name)
			}
		}
	}
	if result.Changed {
		if err := file.Writable(); err != nil {
			return cannotEdit(cmd, t, err)
		}
	}
	if result.Changed && !dryRun {
		mode := os.FileMode(0o600)
		if t.scope == clients.Project {
			mode = 0o644
		}
		if err := file.Write(text, mode, l.Token != ""); err != nil {
			return cannotEdit(cmd, t, err)
		}
	}
	return a.printForm(cmd, result, result.text)
}

func (t clientTarget) note() string {
	if t.scope == clients.Project {
		return t.ProjectNote
	}
	return t.Note
}

// otherProfiles are the files of further profiles beside the user's.
func (t clientTarget) otherProfiles() []string {
	if t.Profiles == "" || t.scope != clients.User {
		return []string{}
	}
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(t.path), filepath.FromSlash(t.Profiles)))
	return append([]string{}, found...)
}

// cannotEdit says why a config stays as it is.
func cannotEdit(cmd *cobra.Command, t clientTarget, err error) error {
	again := fmt.Sprintf("%s --client %s", cmd.CommandPath(), t.ID)
	var unreadable clients.Unreadable
	switch {
	case errors.Is(err, clients.ErrForeign):
		return bridge.Errorf(bridge.PreconditionFailed, "force", "%s has another server called %s; nothing was changed; choose another --name, or give it up with --force", t.path, t.name)
	case errors.Is(err, clients.ErrChanged):
		return bridge.Errorf(bridge.PreconditionFailed, "config", "%s was not written, %v; close %s, then %s", t.path, err, t.Title, again)
	case errors.As(err, &unreadable):
		return bridge.Errorf(bridge.ValidationError, "config", "%s: %v; nothing was changed; mend it, then %s", t.path, err, again)
	}
	return bridge.Errorf(bridge.PreconditionFailed, "config", "%s cannot be edited: %v; nothing was changed; mend that, then %s", t.path, err, again)
}

// printForm prints a value as JSON, or as text for a person.
func (a *app) printForm(cmd *cobra.Command, value any, text func() string) error {
	switch format, _ := cmd.Flags().GetString("format"); {
	case format == "json" || format == "" && (!a.outTTY || a.flags.jq != ""):
		return a.printJSON(cmd, value)
	case format == "text" || format == "":
		return a.write(withoutControls([]byte(text())))
	default:
		return usageError("format", "--format must be text or json, was given %q: %s --help", format, cmd.CommandPath())
	}
}

// text is the change for a person.
func (r clientChange) text() string {
	var b strings.Builder
	switch {
	case !r.Changed:
		fmt.Fprintf(&b, "%s: nothing to change\n", r.ConfigPath)
	case r.DryRun:
		fmt.Fprintf(&b, "%s would change:\n%s", r.ConfigPath, r.Diff)
	default:
		fmt.Fprintf(&b, "%s was changed:\n%s", r.ConfigPath, r.Diff)
	}
	if !r.Verified {
		b.WriteString("The place of this file is not verified: the client's makers do not document it.\n")
	}
	if len(r.Also) > 0 {
		fmt.Fprintf(&b, "The same program is also there as %s.\n", strings.Join(r.Also, ", "))
	}
	for _, profile := range r.Profiles {
		fmt.Fprintf(&b, "Another profile has %s: name it with --config.\n", profile)
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	return b.String()
}
