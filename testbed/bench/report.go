package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"
)

// row is one line of the table. P99 and Max of a rate are its slowest run.
type row struct {
	Mode   string  `json:"mode"`
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	P50    float64 `json:"p50"`
	P99    float64 `json:"p99,omitempty"`
	Max    float64 `json:"max,omitempty"`
	N      int     `json:"n"`
	Target string  `json:"target,omitempty"`
	OK     bool    `json:"ok"`
}

// timed makes a row of measured times; its target is set by atMost.
func timed(mode, name string, s samples) row {
	return row{
		Mode: mode, Name: name, Unit: "ms", N: len(s), OK: true,
		P50: millis(s.percentile(50)), P99: millis(s.percentile(99)), Max: millis(s.percentile(100)),
	}
}

// rated makes a row of rates, n things a run.
func rated(mode, name string, perSecond []float64, n int, least float64) row {
	slowest := slices.Min(perSecond)
	p50 := median(perSecond)
	return row{
		Mode: mode, Name: name, Unit: "/s", P50: p50, P99: slowest, Max: slowest, N: n * len(perSecond),
		Target: fmt.Sprintf(">= %.0f", least), OK: p50 >= least,
	}
}

// atMost judges p50 and, unless most is 0, the maximum.
func (r row) atMost(p50, most float64) row {
	r.Target = "p50 <= " + number(p50)
	r.OK = r.P50 <= p50
	if most > 0 {
		r.Target += ", max <= " + number(most)
		r.OK = r.OK && r.Max <= most
	}
	return r
}

// leastAtMost judges the smallest of the values: what else the machine does only ever adds.
func (r row) leastAtMost(values []float64, most float64) row {
	r.Target = "least <= " + number(most)
	r.OK = slices.Min(values) <= most
	return r
}

// report is everything that one run of the benchmark found.
type report struct {
	Machine string `json:"machine"`
	Quick   bool   `json:"quick,omitempty"`
	Rows    []row  `json:"rows"`
}

func (r *report) add(rows ...row) { r.Rows = append(r.Rows, rows...) }

// print writes the table; it is the same whether or not all targets hold.
func (r *report) print(w io.Writer) {
	fmt.Fprintln(w, r.Machine)
	if r.Quick {
		fmt.Fprintln(w, "quick run: too few samples to judge by")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "editor\twhat\tunit\tp50\tp99\tmax\tn\ttarget\t")
	for _, one := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", one.Mode, one.Name, one.Unit,
			number(one.P50), number(one.P99), number(one.Max), one.N, one.Target, verdict(one))
	}
	_ = t.Flush()
	fmt.Fprintln(w, "rates: p50 is the median run, p99 and max the slowest one; CPU: percent of one core")
}

func verdict(r row) string {
	switch {
	case r.Target == "":
		return ""
	case r.OK:
		return "ok"
	}
	return "over"
}

// number has three digits that mean something.
func number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (r *report) writeJSON(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
