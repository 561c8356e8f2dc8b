package testbed

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A guide's blocks of language console are what a reader types and sees. All of a page run in one shell, in
// order, from an empty folder; "…" in what is shown stands for anything.
var consoleBlock = regexp.MustCompile("(?s)\n```console\n(.*?)\n?```\n")

// What differs from run to run is shown as "…" when a page is written anew.
var varying = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`("(?:pid|port|ready_ms|unique_id|digest|contract_digest|sha256|version|godot_version|addon_version|latency_ms|waited_ms|time_ms)":)("[^"]*"|[0-9.]+)`), "${1}…"},
	{regexp.MustCompile(`(project-data )[A-Z2-7]+`), "${1}…"},
	{regexp.MustCompile(`uid://[a-y0-8]+`), "uid://…"},
	{regexp.MustCompile(`unique_id=\d+`), "unique_id=…"},
	{regexp.MustCompile(`(id="\d+_)[a-z0-9]+"`), `${1}…"`},
}

// typedCommand is one command of a guide with the output that the page shows.
type typedCommand struct{ line, shown string }

// typedCommands are a block's commands. A line that ends in a backslash, or in an open here-document, goes
// on in the next one, which begins with "> ".
func typedCommands(block string) []typedCommand {
	var all []typedCommand
	for _, line := range strings.Split(block, "\n") {
		switch last := len(all) - 1; {
		case strings.HasPrefix(line, "$ "):
			all = append(all, typedCommand{line: line[2:]})
		case strings.HasPrefix(line, "> ") && last >= 0 && all[last].shown == "":
			all[last].line += "\n" + line[2:]
		case last >= 0:
			all[last].shown += line + "\n"
		}
	}
	return all
}

// reader is the shell of somebody who follows a guide.
type reader struct {
	in     io.Writer
	out    *bufio.Reader
	dir    string
	number int
}

func newReader(t *testing.T) *reader {
	t.Helper()
	bin, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	godot, err := Godot()
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "--norc", "--noprofile")
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "GODOT_BIN="+godot, "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CODEX_HOME=", "CLAUDE_CONFIG_DIR=", "GODOT_MCP_PROJECT_DIR=")
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		folder := filepath.Join(home, "."+strings.ToLower(name))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, name+"="+folder)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A guide whose commands hang must not hold up everything else.
	limit := time.AfterFunc(10*time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
		limit.Stop()
		for _, project := range projectsBelow(home) {
			stop := exec.Command(bin, "editor", "stop", "--force", "--confirm", "--project", project)
			stop.Env = cmd.Env
			_ = stop.Run()
		}
	})
	return &reader{in: in, out: bufio.NewReader(out), dir: home}
}

func projectsBelow(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "*", "project.godot"))
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	return found
}

// run types one command and returns what was printed, and the exit status.
func (r *reader) run(line string) (output string, exit int, err error) {
	r.number++
	mark := fmt.Sprintf("guide-%d-ended ", r.number)
	if _, err := fmt.Fprintf(r.in, "{ %s\n} </dev/null\nprintf '\\n%s%%d\\n' $?\n", line, mark); err != nil {
		return "", 0, err
	}
	var b strings.Builder
	for {
		got, err := r.out.ReadString('\n')
		if status, ended := strings.CutPrefix(got, mark); ended {
			exit, err = strconv.Atoi(strings.TrimSpace(status))
			return strings.TrimSuffix(b.String(), "\n"), exit, err
		}
		b.WriteString(got)
		if err != nil {
			return b.String(), -1, err
		}
	}
}

// asShown is the output as a page shows it.
func (r *reader) asShown(output string) string {
	output = strings.ReplaceAll(output, r.dir, "/home/you")
	for _, v := range varying {
		output = v.what.ReplaceAllString(output, v.as)
	}
	return output
}

// matches compares an output with what a page shows of it.
func matches(shown, output string) bool {
	parts := strings.Split(strings.TrimRight(shown, "\n"), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*?") + `$`).MatchString(strings.TrimRight(output, "\n"))
}

// followGuide runs the page as written and compares what is printed. With -update it writes what was printed
// where that is something else. A command may fail only where the page says the exit code in a comment at
// the end of its line, as in "# exit 2".
func followGuide(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join(Root(), "docs", "guides", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t)
	written := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		var b strings.Builder
		b.WriteString("\n```console\n")
		for _, c := range typedCommands(consoleBlock.FindStringSubmatch(block)[1]) {
			b.WriteString(r.follow(t, c))
		}
		b.WriteString("```\n")
		return b.String()
	})
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var exitComment = regexp.MustCompile(`# exit (\d+)$`)

// follow runs one command and returns it as the page has it, with its output.
func (r *reader) follow(t *testing.T, c typedCommand) string {
	t.Helper()
	if t.Failed() {
		return ""
	}
	output, exit, err := r.run(c.line)
	if err != nil {
		t.Errorf("$ %s\n%s\n%v", c.line, output, err)
		return ""
	}
	want := 0
	if m := exitComment.FindStringSubmatch(c.line); m != nil {
		want, _ = strconv.Atoi(m[1])
	}
	shown := c.shown
	if exit != want {
		t.Errorf("$ %s\n%s\nexit %d, want %d", c.line, output, exit, want)
	} else if !matches(c.shown, r.asShown(output)) && !matches(c.shown, strings.ReplaceAll(output, r.dir, "/home/you")) {
		if shown = strings.TrimRight(r.asShown(output), "\n") + "\n"; shown == "\n" {
			shown = ""
		}
		if !*update {
			t.Errorf("$ %s\nprinted\n%sthe page shows\n%srun: go test ./testbed -run TestGuides -update", c.line, shown, c.shown)
		}
	}
	return "$ " + strings.ReplaceAll(c.line, "\n", "\n> ") + "\n" + shown
}

// TestGuides follows the pages that take a new user from nothing.
func TestGuides(t *testing.T) {
	for _, name := range []string{"first-hour.md", "build-a-game.md", "agents.md"} {
		t.Run(name, func(t *testing.T) { followGuide(t, name) })
	}
}

// What a page shows matches what is printed, and nothing else does.
func TestGuideOutputMatches(t *testing.T) {
	for _, c := range []struct {
		shown, output string
		want          bool
	}{
		{"{\"pid\":…}\n", `{"pid":12}`, true},
		{"a…b\n", "a\n\nb\n", true},
		{"a.c\n", "abc", false},
		{"", "x", false},
		{"", "", true},
		{"a\n", "a\nb", false},
	} {
		if got := matches(c.shown, c.output); got != c.want {
			t.Errorf("%q matches %q: %v", c.shown, c.output, got)
		}
	}
}
