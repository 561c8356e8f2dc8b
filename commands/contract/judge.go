package contract

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

// Report is what godot-mcp contract check answers.
type Report struct {
	// Compatible is false when something breaks that contract_version does not announce.
	Compatible  bool         `json:"compatible"`
	Against     string       `json:"against"`
	WasContract int          `json:"was_contract"`
	NowContract int          `json:"now_contract"`
	Announced   bool         `json:"announced"`
	Breaking    int          `json:"breaking"`
	Additive    int          `json:"additive"`
	Differences []Difference `json:"differences"`
}

// Exception is an accepted removal: a fact that went, the contract number that it went with, and why.
type Exception struct {
	Contract int
	Fact     string
	Reason   string
}

// Check compares and judges. Breaks that except.txt lists are told and not counted.
func Check(was, now []Fact, exceptions []Exception) Report {
	report := Report{
		WasContract: Number(was, "version"), NowContract: Number(now, "version"),
		Differences: []Difference{},
	}
	report.Announced = report.NowContract > report.WasContract
	cut := isTorn(was)
	for _, d := range Compare(was, now) {
		if cut && d.Was == "" {
			// Whether it is new, or was taken out of the copy, the copy cannot say.
			d.Rule, d.Breaking, d.Meaning = tornRules[0].ID, true, tornRules[0].Meaning
		}
		d.Accepted = acceptedBy(exceptions, d, report.NowContract)
		switch {
		case !d.Breaking:
			report.Additive++
		case d.Accepted == "":
			report.Breaking++
		}
		report.Differences = append(report.Differences, d)
	}
	report.Compatible = report.Breaking == 0 || report.Announced
	return report
}

// Number is one of the two numbers among the facts: version or min_compatible.
func Number(facts []Fact, name string) int {
	n, _ := strconv.Atoi(indexOf(facts).value("contract", name, ""))
	return n
}

func acceptedBy(exceptions []Exception, d Difference, contract int) string {
	line := d.Was
	if line == "" {
		line = d.Now
	}
	for _, e := range exceptions {
		if d.Breaking && e.Fact == line && e.Contract <= contract {
			return e.Reason
		}
	}
	return ""
}

// Line is the exception's line in except.txt that accepts the difference.
func (d Difference) Line(contract int, reason string) string {
	fact := d.Was
	if fact == "" {
		fact = d.Now
	}
	return fmt.Sprintf("%d\t%s\t%s", contract, fact, reason)
}

// ParseExceptions reads except.txt: contract number, fact and reason, separated by tabs.
func ParseExceptions(text string) ([]Exception, error) {
	var out []Exception
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 || strings.TrimSpace(parts[2]) == "" {
			return nil, fmt.Errorf("line %d: want contract number, fact and reason, separated by tabs; got %q", n+1, line)
		}
		number, err := strconv.Atoi(parts[0])
		if err != nil || number < 1 {
			return nil, fmt.Errorf("line %d: %q is no contract number", n+1, parts[0])
		}
		out = append(out, Exception{number, parts[1], parts[2]})
	}
	return out, nil
}

//go:embed *.txt
var files embed.FS

// Frozen are the facts of a contract number, as they were frozen.
func Frozen(number int) ([]Fact, error) {
	text, err := files.ReadFile(strconv.Itoa(number) + ".txt")
	if err != nil {
		return nil, fmt.Errorf("there is no snapshot of contract %d", number)
	}
	return Parse(string(text))
}

// Exceptions are the accepted removals.
func Exceptions() ([]Exception, error) {
	text, err := files.ReadFile("except.txt")
	if err != nil {
		return nil, err
	}
	return ParseExceptions(string(text))
}
