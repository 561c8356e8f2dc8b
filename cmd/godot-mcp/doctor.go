package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/doctor"
)

func (a *app) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what is found, what is missing, and how to mend it",
		Long: "Tell what is found, what is missing, and how to mend it.\n\n" +
			"Looks at the engine, the project, the addon, running editors, ports, permissions, settings and the machine.\n" +
			"It changes nothing and starts nothing but the engine's --version. Exit status 10 when there is a problem.",
		Example: "  godot-mcp doctor --jq '.checks[] | select(.status != \"ok\")'",
		Args:    noPositionals,
		RunE:    a.doctor,
	}
	addFlags(cmd.Flags(), commands.FlagsOf("doctor"))
	return cmd
}

func (a *app) doctor(cmd *cobra.Command, _ []string) error {
	format, _ := cmd.Flags().GetString("format")
	if format != "" && format != "text" && format != "json" {
		return usageError("format", "--format must be text or json, was given %q: godot-mcp doctor --help", format)
	}
	report := doctor.Examine(cmd.Context(), a.world(cmd))
	var err error
	if format == "text" || format == "" && a.outTTY && a.flags.jq == "" {
		err = a.write(a.doctorText(report))
	} else {
		err = a.printJSON(cmd, report)
	}
	if err == nil && !report.OK && !a.flags.exitZero {
		return errAnswerNo
	}
	return err
}

// world is the machine with this process's settings. Settings that cannot be read are one of the findings,
// and what flags and environment say holds all the same.
func (a *app) world(cmd *cobra.Command) *doctor.World {
	w := doctor.Machine()
	quiet := *a
	quiet.err = io.Discard
	s, err := quiet.settings(cmd.Flags())
	if err != nil {
		s.project = cmp.Or(a.flags.project, os.Getenv("GODOT_MCP_PROJECT_DIR"))
		s.godotBin = cmp.Or(os.Getenv("GODOT_MCP_GODOT_BIN"), os.Getenv("GODOT_BIN"))
	}
	w.Version, w.ConfigError, w.GodotBin = version, err, s.godotBin
	for _, one := range s.all {
		if one.Ignored != "" {
			w.Ignored = append(w.Ignored, one.Ignored)
		}
		if one.Key == "godot_bin" && one.Value != "" {
			w.GodotFrom = one.Source
		}
	}
	w.Env = quiet.dispatcher(s, "cli").Env
	w.Project = w.Env.Project
	w.ConfigFiles = settingsFiles(w.Project)
	return w
}

// settingsFiles are those that are there.
func settingsFiles(project func() (string, error)) []string {
	files := []string{filepath.Join(userConfigDir(), "config.toml")}
	if dir, err := project(); err == nil {
		files = append(files, filepath.Join(dir, projectConfig))
	}
	var out []string
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			out = append(out, file)
		}
	}
	return out
}

// marks are the words before a check for a person, with the colours that a terminal gives them.
var marks = map[doctor.Status]struct{ word, colour string }{
	doctor.OK:      {"ok", "\x1b[32m"},
	doctor.Warning: {"warning", "\x1b[33m"},
	doctor.Problem: {"PROBLEM", "\x1b[31m"},
	doctor.Unknown: {"unknown", "\x1b[36m"},
}

// doctorText is the report for a person, a check a line, with what to do below it.
func (a *app) doctorText(r doctor.Report) []byte {
	width := 0
	for _, c := range r.Checks {
		width = max(width, len(c.Name))
	}
	plain := func(text string) string {
		return strings.ReplaceAll(string(withoutControls([]byte(text))), "\n", " ")
	}
	var b strings.Builder
	for _, c := range r.Checks {
		mark := fmt.Sprintf("%-8s", marks[c.Status].word)
		if a.coloured() {
			mark = marks[c.Status].colour + mark + "\x1b[0m"
		}
		fmt.Fprintf(&b, "%s %-*s  %s\n", mark, width, c.Name, plain(c.Found))
		if c.Fix != "" {
			fmt.Fprintf(&b, "%*s  -> %s\n", width+9, "", plain(c.Fix))
		}
	}
	fmt.Fprintf(&b, "\n%s, %s\nNext: %s\n", counted(r.Problems, "problem"), counted(r.Warnings, "warning"), plain(r.Next))
	return []byte(b.String())
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// coloured is true for a terminal whose user has nothing against it.
func (s *streams) coloured() bool {
	return s.outTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
