package main

import (
	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

type addonStatus struct {
	ProjectPath    string `json:"project_path"`
	Installed      bool   `json:"installed"`
	Enabled        bool   `json:"enabled"`
	UpToDate       bool   `json:"up_to_date"`
	AddonVersion   string `json:"addon_version"`
	BinaryVersion  string `json:"binary_version"`
	DifferingFiles int    `json:"differing_files"`
}

type addonChange struct {
	ProjectPath string `json:"project_path"`
	addon.Change
	DryRun        bool   `json:"dry_run"`
	EditorRunning bool   `json:"editor_running"`
	Hint          string `json:"hint,omitempty"`
}

func (a *app) addonCommands() []*cobra.Command {
	status := &cobra.Command{
		Use: "status", Short: "Tell whether the addon is in the project, enabled and up to date",
		Args: noPositionals, RunE: a.addonStatus,
	}
	install := &cobra.Command{
		Use:   "install",
		Short: "Write the addon into the project and enable it; in project.godot only that line changes",
		Args:  noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeAddon(cmd, addon.Install)
		},
	}
	uninstall := &cobra.Command{
		Use: "uninstall", Short: "Disable the addon and take its files out of the project",
		Args: noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeAddon(cmd, addon.Uninstall)
		},
	}
	for _, c := range []*cobra.Command{install, uninstall} {
		addFlags(c.Flags(), commands.FlagsOf("addon "+c.Name()))
	}
	return []*cobra.Command{install, uninstall, status}
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
	project, _, err := a.project(cmd)
	if err != nil {
		return err
	}
	state, err := addon.Status(project)
	if err != nil {
		return bridge.Errorf(bridge.InternalError, "", "the project could not be read: %v; mend that, then godot-mcp addon status", err)
	}
	return a.printJSON(cmd, addonStatus{
		ProjectPath: project, Installed: state.Installed, Enabled: state.Enabled,
		UpToDate: state.UpToDate, AddonVersion: state.Version, BinaryVersion: commands.AddonVersion,
		DifferingFiles: len(state.Stale),
	})
}

func (a *app) changeAddon(cmd *cobra.Command, change func(string, bool) (addon.Change, error)) error {
	project, s, err := a.project(cmd)
	if err != nil {
		return err
	}
	if s.readOnly {
		return bridge.Errorf(bridge.PreconditionFailed, "policy", "addon %s changes the project and this is read-only mode: start without --read-only", cmd.Name())
	}
	dryRun, _ := cmd.Flags().GetBool("dry-run")
	done, err := change(project, dryRun)
	if err != nil {
		return bridge.Errorf(bridge.InternalError, "", "the project could not be changed: %v; mend that, then godot-mcp addon %s", err, cmd.Name())
	}
	result := addonChange{ProjectPath: project, Change: done, DryRun: dryRun}
	if len(a.dispatcher(s, "cli").Env.EditorsOf(project)) > 0 {
		result.EditorRunning = true
		result.Hint = "an editor runs for this project and has the old files in memory: godot-mcp editor stop --save, then godot-mcp editor start"
	}
	return a.printJSON(cmd, result)
}
