package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// trusted maps a project file's path to the SHA-256 of the text that was trusted: a changed file is a
// stranger's again.
func trustedFile(configDir string) string { return filepath.Join(configDir, "trusted.json") }

func readTrusted(configDir string) map[string]string {
	trusted := map[string]string{}
	if text, err := os.ReadFile(trustedFile(configDir)); err == nil {
		_ = json.Unmarshal(text, &trusted)
	}
	return trusted
}

func isTrusted(configDir string, file *configFile) bool {
	return readTrusted(configDir)[realPath(file.path)] == file.sum
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func (a *app) trustCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "trust",
		Short:   "Trust this project's godot-mcp.toml as it is now",
		Example: "  godot-mcp trust",
		Args:    noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			src, err := a.sources(cmd.Flags())
			if err != nil {
				return err
			}
			if src.project == nil {
				return bridge.Errorf(bridge.ResourceNotFound, "project_dir", "there is no %s to trust here; see what is set by godot-mcp config list", projectConfig)
			}
			trusted := readTrusted(src.userConfigDir)
			trusted[realPath(src.project.path)] = src.project.sum
			if err := writeTrusted(src.userConfigDir, trusted); err != nil {
				return usageError("config", "the trust cannot be noted: %v; mend that, then godot-mcp trust", err)
			}
			return a.printJSON(cmd, map[string]any{"trusted": true, "file": src.project.path, "sha256": src.project.sum})
		},
	}
}

func writeTrusted(configDir string, trusted map[string]string) error {
	if err := os.MkdirAll(configDir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(trusted, "", "  ")
	if err != nil {
		return err
	}
	// Written beside and renamed: half a file would be trust in nothing.
	beside := trustedFile(configDir) + ".new"
	if err := os.WriteFile(beside, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(beside, trustedFile(configDir))
}
