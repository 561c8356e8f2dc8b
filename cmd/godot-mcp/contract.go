package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// errContractBreak ends contract check when something breaks; its report has been printed.
var errContractBreak = errors.New("the contract breaks")

func (a *app) contractCommands() []*cobra.Command {
	show := &cobra.Command{
		Use:   "show",
		Short: "Print all that other software can build against; needs no editor",
		Long: "Print all that other software can build against; needs no editor.\n\n" +
			"json is one object, facts one fact a line, sorted, for contract check and diff, markdown a table of the tools.",
		Example: "  godot-mcp contract show --format facts > contract.txt",
		Args:    noPositionals,
		RunE:    a.contractShow,
	}
	check := &cobra.Command{
		Use:   "check",
		Short: "Judge what is different from an earlier contract; exit 100 on a break",
		Long: "Judge what is different from an earlier contract; exit 100 on a break.\n\n" +
			"Every difference is told with the id of the rule that judged it. The exit code is 100 when something breaks\n" +
			"that contract_version does not announce.",
		Example: "  godot-mcp contract check --against contract.txt",
		Args:    noPositionals,
		RunE:    a.contractCheck,
	}
	addFlags(show.Flags(), commands.FlagsOf("contract show"))
	addFlags(check.Flags(), commands.FlagsOf("contract check"))
	return []*cobra.Command{show, check}
}

func (a *app) surface() *contract.Surface { return a.table.Surface(version, a.contract) }

func (a *app) contractShow(cmd *cobra.Command, _ []string) error {
	switch format, _ := cmd.Flags().GetString("format"); format {
	case "", "json":
		return a.printJSON(cmd, a.surface())
	case "facts":
		return a.write([]byte(contract.Text(a.surface().Facts())))
	case "markdown":
		return a.write([]byte(commands.MarkdownTable(a.table)))
	default:
		return usageError("format", "--format must be json, facts or markdown, was given %q: godot-mcp contract show --help", format)
	}
}

func (a *app) contractCheck(cmd *cobra.Command, _ []string) error {
	report, err := a.judge(cmd)
	if err != nil {
		return err
	}
	format, _ := cmd.Flags().GetString("format")
	switch {
	case format == "json" || format == "" && !a.outTTY:
		err = a.printJSON(cmd, report)
	case format == "text" || format == "":
		err = a.write(withoutControls([]byte(reportText(report))))
	default:
		return usageError("format", "--format must be text or json, was given %q: godot-mcp contract check --help", format)
	}
	if err == nil && !report.Compatible {
		return errContractBreak
	}
	return err
}

func (a *app) judge(cmd *cobra.Command) (contract.Report, error) {
	against, _ := cmd.Flags().GetString("against")
	if against == "" {
		return contract.Report{}, usageError("against", "contract check needs --against, a file or a contract number: godot-mcp contract check --against %d", a.contract.Version)
	}
	was, err := readFacts("against", against)
	if err != nil {
		return contract.Report{}, err
	}
	now := a.surface().Facts()
	if of, _ := cmd.Flags().GetString("of"); of != "" {
		if now, err = readFacts("of", of); err != nil {
			return contract.Report{}, err
		}
	}
	exceptions, err := contract.Exceptions()
	if err != nil {
		return contract.Report{}, err
	}
	report := contract.Check(was, now, exceptions)
	report.Against = against
	return report, nil
}

// readFacts reads a contract number's frozen facts, or a file of contract show.
func readFacts(flag, source string) ([]contract.Fact, error) {
	if number, err := strconv.Atoi(source); err == nil {
		facts, err := contract.Frozen(number)
		if err != nil {
			return nil, bridge.Errorf(bridge.ResourceNotFound, flag, "%v in this build: godot-mcp version", err)
		}
		return facts, nil
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, bridge.Errorf(bridge.ResourceNotFound, flag, "%v; make one with godot-mcp contract show --format facts", err)
	}
	facts, err := contract.Parse(string(text))
	if err != nil || contract.Number(facts, "version") == 0 {
		return nil, usageError(flag, "%s holds no contract (%v); make one with godot-mcp contract show --format facts", source, err)
	}
	return facts, nil
}

// reportText is the report for a person, a difference a line.
func reportText(r contract.Report) string {
	var b strings.Builder
	for _, d := range r.Differences {
		verdict := "additive"
		switch {
		case d.Accepted != "":
			verdict = "accepted"
		case d.Breaking:
			verdict = "BREAKING"
		}
		fmt.Fprintf(&b, "%s  %s\n", verdict, d.Rule)
		for _, side := range []struct{ sign, line string }{{"-", d.Was}, {"+", d.Now}} {
			if side.line != "" {
				fmt.Fprintf(&b, "    %s %s\n", side.sign, side.line)
			}
		}
	}
	fmt.Fprintf(&b, "contract %d against %s (contract %d): %d breaking, %d additive", r.NowContract, r.Against, r.WasContract, r.Breaking, r.Additive)
	switch {
	case r.Breaking > 0 && r.Announced:
		b.WriteString("; announced by the contract number")
	case r.Breaking > 0:
		b.WriteString("; not announced")
	}
	return b.String() + "\n"
}
