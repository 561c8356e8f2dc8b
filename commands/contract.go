package commands

import "github.com/godot-mcp/godot-mcp/bridge"

// The two numbers of the contract. ContractVersion moves only when a client could break;
// MinCompatibleContract is the oldest client contract still served.
const (
	ContractVersion       = 1
	MinCompatibleContract = 1
)

// Contract holds the numbers that a process serves, so that a newer and an older one can be tested.
type Contract struct{ Version, MinCompatible int }

// ThisContract is what this build serves.
var ThisContract = Contract{ContractVersion, MinCompatibleContract}

// Check refuses a client's contract that is out of range, before anything reaches the editor; 0 means that
// the client did not say.
func (c Contract) Check(client int) error {
	switch {
	case client == 0 || client >= c.MinCompatible && client <= c.Version:
		return nil
	case client > c.Version:
		return bridge.Errorf(bridge.PreconditionFailed, "contract_version",
			"the caller wants contract %d, this build serves %d to %d: upgrade godot-mcp; its numbers: godot-mcp version", client, c.MinCompatible, c.Version)
	}
	return bridge.Errorf(bridge.PreconditionFailed, "contract_version",
		"the caller wants contract %d, this build serves %d to %d: upgrade the caller, or use an older build: godot-mcp version", client, c.MinCompatible, c.Version)
}

// Exit statuses beside those of the error codes.
const (
	ExitOK            = 0
	ExitAnswerNo      = 10
	ExitContractBreak = 100
	ExitInterrupted   = 130
)
