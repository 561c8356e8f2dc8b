package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

type addonStatus struct {
	ProjectPath    string                  `json:"project_path"`
	State          string                  `json:"state"`
	Installed      bool                    `json:"installed"`
	Enabled        bool                    `json:"enabled"`
	UpToDate       bool                    `json:"up_to_date"`
	AddonVersion   string                  `json:"addon_version"`
	BinaryVersion  string                  `json:"binary_version"`
	DifferingFiles int                     `json:"differing_files"`
	ModifiedFiles  []string                `json:"modified_files"`
	LinkedTo       string                  `json:"linked_to,omitempty"`
	Running        []commands.RunningAddon `json:"running"`
	Hint           string                  `json:"hint,omitempty"`
}

type addonChange struct {
	ProjectPath string `json:"project_path"`
	addon.Change
	DryRun        bool   `json:"dry_run"`
	EditorRunning bool   `json:"editor_running"`
	Hint          string `json:"hint,omitempty"`
}

type addonUpdate struct {
	ProjectPath   string          `json:"project_path"`
	From          string          `json:"from"`
	To            string          `json:"to"`
	Written       []string        `json:"written"`
	Removed       []string        `json:"removed"`
	Modified      []string        `json:"modified"`
	Kept          []string        `json:"kept"`
	DryRun        bool            `json:"dry_run"`
	Editors       []updatedEditor `json:"editors"`
	RestartNeeded bool            `json:"restart_needed"`
	Hint          string          `json:"hint,omitempty"`
}

// updatedEditor is a running editor and the version that it runs now, by its own word.
type updatedEditor struct {
	PID     int    `json:"pid"`
	From    string `json:"from"`
	Running string `json:"running"`
	// Reloaded is true when the new files took over in the running editor.
	Reloaded bool   `json:"reloaded"`
	Reason   string `json:"reason,omitempty"`
}

func (a *app) addonCommands() []*cobra.Command {
	status := &cobra.Command{
		Use:     "status",
		Short:   "Compare the addon in the project, in this binary and in running editors",
		Example: "  godot-mcp addon status --jq .up_to_date",
		Args:    noPositionals, RunE: a.addonStatus,
	}
	install := &cobra.Command{
		Use:     "install",
		Short:   "Write the addon into the project and enable it; in project.godot only that line changes",
		Example: "  godot-mcp addon install --dry-run\n  godot-mcp addon install",
		Args:    noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeAddon(cmd, addon.Install)
		},
	}
	uninstall := &cobra.Command{
		Use: "uninstall", Short: "Disable the addon and take its files out of the project",
		Example: "  godot-mcp addon uninstall --dry-run",
		Args:    noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeAddon(cmd, addon.Uninstall)
		},
	}
	update := &cobra.Command{
		Use:   "update",
		Short: "Replace the project's addon by this binary's, in running editors too",
		Long: "Replace the project's addon by this binary's, in running editors too.\n\n" +
			"A running editor takes the new files up without a restart: open scenes, unsaved work and the undo history\n" +
			"stay, clients connect again by themselves. Where that is not possible the answer says restart_needed.\n" +
			"Changes made by hand in the addon's files are lost; modified lists them, --dry-run before anything is done.",
		Example: "  godot-mcp addon update --dry-run",
		Args:    noPositionals, RunE: a.addonUpdate,
	}
	for _, c := range []*cobra.Command{install, uninstall, update} {
		addFlags(c.Flags(), commands.FlagsOf("addon "+c.Name()))
	}
	return []*cobra.Command{install, uninstall, update, status}
}

func (a *app) project(cmd *cobra.Command) (string, settings, error) {
	s, err := a.settings(cmd.Flags())
	if err != nil {
		return "", s, err
	}
	project, err := a.dispatcher(s, "cli").Env.Project()
	return project, s, err
}

func (a *app) addonStatus(cmd *cobra.Command, _ []string) error {
	project, s, err := a.project(cmd)
	if err != nil {
		return err
	}
	state, err := addon.Status(project)
	if err != nil {
		return bridge.Errorf(bridge.InternalError, "", "the project could not be read: %v; mend that, then godot-mcp addon status", err)
	}
	env := a.dispatcher(s, "cli").Env
	running := env.RunningAddons(cmd.Context(), project, commands.LookWait)
	return a.printJSON(cmd, addonStatus{
		ProjectPath: project, State: state.State, Installed: state.Installed, Enabled: state.Enabled,
		UpToDate: state.UpToDate, AddonVersion: state.Version, BinaryVersion: addon.Version(),
		DifferingFiles: len(state.Stale), ModifiedFiles: state.Modified, LinkedTo: state.Link, Running: running,
		Hint: nextForAddon(env, state, running),
	})
}

// nextForAddon says what to do about the addon, "" for nothing.
func nextForAddon(env *commands.Env, state addon.State, running []commands.RunningAddon) string {
	switch state.State {
	case addon.Missing, addon.NotEnabled:
		return env.CommandLine("addon install")
	case addon.Newer:
		return "upgrade godot-mcp, or go back with " + env.CommandLine("addon update --downgrade")
	case addon.Older, addon.Modified:
		return env.CommandLine("addon update")
	}
	for _, ed := range running {
		if ed.AddonVersion != state.Version {
			return fmt.Sprintf("the editor %d runs %s: %s", ed.PID, ed.AddonVersion, env.CommandLine("addon update"))
		}
	}
	return ""
}

// mayChange refuses what policy does not allow.
func mayChange(cmd *cobra.Command, s settings) error {
	if s.policy.AllowsClass(commands.Mutating) {
		return nil
	}
	return bridge.Errorf(bridge.PreconditionFailed, "policy", "addon %s changes the project, and read-only mode or a rule against mutating refuses that: godot-mcp config list", cmd.Name())
}

func addonOptions(cmd *cobra.Command) (o addon.Options) {
	o.DryRun, _ = cmd.Flags().GetBool("dry-run")
	if cmd.Flags().Lookup("downgrade") != nil {
		o.Downgrade, _ = cmd.Flags().GetBool("downgrade")
	}
	return o
}

// addonError words why the addon's files were left as they are.
func addonError(env *commands.Env, cmd *cobra.Command, err error) error {
	var newer *addon.NewerError
	var link *addon.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &newer):
		return bridge.Errorf(bridge.PreconditionFailed, "addon_version", "%w: upgrade godot-mcp, or go back with %s", err, env.CommandLine("addon "+cmd.Name()+" --downgrade"))
	case errors.As(err, &link):
		return bridge.Errorf(bridge.PreconditionFailed, "", "%w; nothing was changed: update what it leads to, or remove the link, then %s", err, env.CommandLine("addon install"))
	}
	return bridge.Errorf(bridge.PreconditionFailed, "", "the project cannot be changed, nothing was: %w; mend that, then %s", err, env.CommandLine("addon "+cmd.Name()))
}

func (a *app) changeAddon(cmd *cobra.Command, change func(string, addon.Options) (addon.Change, error)) error {
	project, s, err := a.project(cmd)
	if err == nil {
		err = mayChange(cmd, s)
	}
	if err != nil {
		return err
	}
	opts := addonOptions(cmd)
	env := a.dispatcher(s, "cli").Env
	// Both first: where the files are gone nobody answers any more.
	if cmd.Name() == "uninstall" && !opts.DryRun {
		if err := env.StopAutostarted(cmd.Context(), project); err != nil {
			return err
		}
	}
	running := env.EditorsOf(project)
	done, err := change(project, opts)
	if err != nil {
		return addonError(env, cmd, err)
	}
	result := addonChange{ProjectPath: project, Change: done, DryRun: opts.DryRun, EditorRunning: len(running) > 0}
	switch {
	case len(running) == 0:
	case cmd.Name() == "install":
		result.Hint = "an editor runs for this project; it takes changed files up by " + env.CommandLine("addon update")
	case !opts.DryRun:
		result.Hint = a.retire(cmd.Context(), env, project)
	}
	return a.printJSON(cmd, result)
}

// retire ends the addon in running editors. Each would write its own list of plugins into project.godot
// at the next change of a setting, ours with it.
func (a *app) retire(ctx context.Context, env *commands.Env, project string) string {
	for _, ed := range env.RunningAddons(ctx, project, commands.ChangeWait) {
		if err := env.RetireAddon(ctx, ed); err != nil {
			return fmt.Sprintf("the editor %d still has the addon in memory (%s) and may enable it again: close that editor, then %s", ed.PID, bridge.AsError(err).Hint, env.CommandLine("addon uninstall"))
		}
	}
	return "the running editor has let the addon go"
}

func (a *app) addonUpdate(cmd *cobra.Command, _ []string) error {
	project, s, err := a.project(cmd)
	if err == nil {
		err = mayChange(cmd, s)
	}
	if err != nil {
		return err
	}
	env := a.dispatcher(s, "cli").Env
	before, err := addon.Status(project)
	if err != nil {
		return addonError(env, cmd, err)
	}
	if before.State == addon.Missing {
		return bridge.Errorf(bridge.PreconditionFailed, "addon_version", "the addon is not in %s: %s", project, env.CommandLine("addon install"))
	}
	opts := addonOptions(cmd)
	done, err := addon.Update(project, opts)
	if err != nil {
		return addonError(env, cmd, err)
	}
	result := addonUpdate{
		ProjectPath: project, From: before.Version, To: addon.Version(), DryRun: opts.DryRun,
		Written: done.Written, Removed: done.Removed, Modified: done.Modified, Kept: done.Kept,
	}
	result.reload(cmd.Context(), env, project)
	if !before.Enabled && result.Hint == "" {
		result.Hint = "the addon is switched off: " + env.CommandLine("addon install")
	}
	return a.printJSON(cmd, result)
}

// reload has the project's editors take the new files up, those that run something else.
func (r *addonUpdate) reload(ctx context.Context, env *commands.Env, project string) {
	r.Editors = []updatedEditor{}
	for _, ed := range env.RunningAddons(ctx, project, commands.ChangeWait) {
		one := updatedEditor{PID: ed.PID, From: ed.AddonVersion, Running: ed.AddonVersion, Reason: ed.Reason}
		stale := ed.AddonVersion != r.To || len(r.Written)+len(r.Removed) > 0
		if stale && ed.Answers && !r.DryRun {
			version, err := env.ReloadAddon(ctx, ed)
			one.Running, one.Reloaded = version, err == nil && version == r.To
			if err != nil {
				one.Reason = bridge.AsError(err).Hint
			}
		}
		if stale && !one.Reloaded && !r.DryRun {
			r.RestartNeeded = true
			r.Hint = "a running editor still has the old addon, until " + env.CommandLine("editor restart") + ", which saves first"
		}
		r.Editors = append(r.Editors, one)
	}
}
