//go:build unix

package testbed

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// helpLines are the lines of a help page that stand for something to type, as it shows them.
func helpLines(t *testing.T, e *Editor, command, from string) []string {
	t.Helper()
	out := e.Run(append(strings.Fields(command), "--help")...)
	_, rest, found := strings.Cut(out.Stdout, from+"\n")
	if out.Exit != 0 || !found {
		t.Fatalf("%s --help: exit %d, no %q", command, out.Exit, from)
	}
	var lines []string
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "  ") {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// shellLine is a line as a person types it in the project's folder.
func shellLine(e *Editor, line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = e.Project
	cmd.Env = append(e.Env, "HOME="+filepath.Join(e.Project, ".home"), "PATH="+filepath.Dir(e.Bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

func runLine(t *testing.T, e *Editor, line string, good ...int) {
	t.Helper()
	cmd := shellLine(e, line)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	_ = cmd.Run()
	for _, code := range append(good, 0) {
		if cmd.ProcessState.ExitCode() == code {
			return
		}
	}
	t.Errorf("%s: exit %d, %s", line, cmd.ProcessState.ExitCode(), stderr.String())
}

// serveLine runs a server until it says where it is, and ends it as a system does.
func serveLine(t *testing.T, e *Editor, line string) {
	t.Helper()
	cmd := shellLine(e, "exec "+line)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	first, _ := bufio.NewReader(said).ReadString('\n')
	if !strings.Contains(first, "http://127.0.0.1:") {
		t.Errorf("%s said %q", line, first)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// TestExamplesOfOwnCommands carries out what the help of the commands that are no tools shows.
func TestExamplesOfOwnCommands(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	for name, text := range map[string]string{"godot-mcp.toml": "timeout = \"20s\"\n", "my-game/project.godot": "config_version=5\n"} {
		write(t, e, name, text)
	}
	// What must be there before an example.
	before := map[string]string{
		"call": "godot-mcp scene open res://main.tscn", "contract check": "godot-mcp contract show --format facts > contract.txt",
		"mcp uninstall": "godot-mcp mcp install --client claude-code", "mcp doctor": "godot-mcp mcp install --client claude-desktop",
	}
	for _, c := range commands.OwnCommands {
		if c.Name == "" || c.Name == "watch" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			if line := before[c.Name]; line != "" {
				runLine(t, e, line)
			}
			for _, line := range helpLines(t, e, c.Name, "Examples:") {
				overHTTP := strings.Contains(line, "--transport http")
				switch {
				case overHTTP && c.Name == "mcp":
					serveLine(t, e, line)
				case overHTTP:
					// No server runs, so the token is one that a person set.
					runLine(t, e, "GODOT_MCP_AUTH_TOKEN=0123456789abcdef0123456789abcdef "+line)
				default:
					runLine(t, e, line)
				}
			}
		})
	}
}

// TestExamplesOfWatch begins each, has something happen, and sees a line of it.
func TestExamplesOfWatch(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "watch/examples.tscn", scene2d("Examples"))
	for _, line := range helpLines(t, e, "watch", "Examples:") {
		cmd := shellLine(e, "exec "+line)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		first := make(chan string, 1)
		go func() {
			text, _ := bufio.NewReader(out).ReadString('\n')
			first <- text
		}()
		var text string
		await(t, line+" to print something", func() bool {
			user(t, e, "step", "for the example")
			cli(e).call(t, "scene save", nil).ok(t)
			select {
			case text = <-first:
				return true
			default:
				return false
			}
		})
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s printed %q", line, text)
		}
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	}
}

// TestFirstLinesOfHelp are what godot-mcp --help tells to begin with, in a project that has nothing yet.
func TestFirstLinesOfHelp(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	runLine(t, e, "godot-mcp addon uninstall")
	for _, line := range helpLines(t, e, "", "Begin with:") {
		runLine(t, e, line)
		if strings.Contains(line, "editor start") {
			pid, err := strconv.Atoi(typed(t, e, "editor", "list").ok(t).text("editors.0.pid"))
			if err != nil {
				t.Fatal(err)
			}
			e.PID = pid
		}
	}
}
