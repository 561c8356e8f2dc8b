package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands"
)

type versionInfo struct {
	Version               string `json:"version"`
	ContractVersion       int    `json:"contract_version"`
	MinCompatibleContract int    `json:"min_compatible_contract"`
	AddonVersion          string `json:"addon_version"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Tell the build and the contract that it serves",
		Example: "  godot-mcp version --jq .contract_version",
		Args:    noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.printJSON(cmd, versionInfo{
				Version: version, ContractVersion: a.contract.Version,
				MinCompatibleContract: a.contract.MinCompatible, AddonVersion: commands.AddonVersion,
			})
		},
	}
}

// printJSON prints what a command of the binary's own answers, through --jq like any result.
func (a *app) printJSON(cmd *cobra.Command, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return a.output(cmd.Context(), encoded)
}
