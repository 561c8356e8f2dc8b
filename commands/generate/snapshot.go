package main

import (
	"fmt"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

const exceptPath = "commands/contract/except.txt"

func snapshotPath() string {
	return fmt.Sprintf("commands/contract/%d.txt", commands.ContractVersion)
}

// snapshot freezes the facts. What would break a client is refused unless except.txt accepts it: a number
// that is raised has a file of its own.
func snapshot(now []contract.Fact) func(present string) (string, error) {
	return func(present string) (string, error) {
		was, err := contract.Parse(present)
		if err != nil {
			return "", err
		}
		exceptions, err := contract.Exceptions()
		if err != nil {
			return "", err
		}
		if len(was) > 0 {
			if err := refuseBreaks(contract.Check(was, now, exceptions)); err != nil {
				return "", err
			}
		}
		return contract.Text(now), nil
	}
}

func refuseBreaks(report contract.Report) error {
	if report.Compatible {
		return nil
	}
	var b strings.Builder
	for _, d := range report.Differences {
		if d.Breaking && d.Accepted == "" {
			fmt.Fprintf(&b, "  %s: %s\n    was: %s\n    now: %s\n    to accept: %s\n",
				d.Rule, d.Meaning, d.Was, d.Now, d.Line(report.NowContract, "<reason>"))
		}
	}
	return fmt.Errorf("clients of contract %d would break:\n%sundo that, or raise ContractVersion in commands/contract.go, or put the line \"to accept\" into %s",
		report.NowContract, b.String(), exceptPath)
}
