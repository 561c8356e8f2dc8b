//go:build unix

package commands

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// A process of the tests that runs an engine and is killed while it does.
const leashChild = "GODOT_MCP_TEST_LEASH"

func TestMain(m *testing.M) {
	if pids := os.Getenv(leashChild); pids != "" {
		_, _ = runEngine(context.Background(), shell(pids, "sleep 600 & echo $! $$ > $0.new; mv $0.new $0; wait"), "/", time.Hour, &runLog{})
		return
	}
	os.Exit(m.Run())
}

func shell(arg0, script string) []string { return []string{"/bin/sh", "-c", script, arg0} }

func runShell(t *testing.T, ctx context.Context, limit time.Duration, script string) (runEnd, *runLog, error) {
	t.Helper()
	log := &runLog{}
	end, err := runEngine(ctx, shell("engine", script), t.TempDir(), limit, log)
	return end, log, err
}

func TestRunEndsByItself(t *testing.T) {
	for script, want := range map[string]int{"echo out; echo err >&2": 0, "exit 3": 3, "kill -ABRT $$": 134} {
		end, log, err := runShell(t, context.Background(), time.Minute, script)
		if err != nil || end.timedOut || end.code == nil || *end.code != want {
			t.Errorf("%s: %+v, %v, want the code %d", script, end, err, want)
		}
		if lines, _ := log.output(); want == 0 && strings.Join(lines, " ") != "out err" {
			t.Errorf("%s: printed %q", script, lines)
		}
	}
}

// What the engine has started ends with it, even where the engine itself ended well.
func TestRunLeavesNothingBehind(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		limit  time.Duration
	}{
		"after its end":     {"sleep 600 & echo $!", time.Minute},
		"after the time":    {"sleep 600 & echo $!; wait", time.Second},
		"deaf to all words": {"trap '' TERM INT HUP; sleep 600 & echo $!; while :; do wait; done", time.Second},
	} {
		end, log, err := runShell(t, context.Background(), c.limit, c.script)
		if err != nil || end.timedOut != (c.limit == time.Second) || end.timedOut != (end.code == nil) {
			t.Errorf("%s: %+v, %v", name, end, err)
		}
		lines, _ := log.output()
		goes(t, lines[0])
	}
}

// goes waits for a process to be gone, or to be dead and not yet taken note of by its parent.
func goes(t *testing.T, pid string) {
	t.Helper()
	number, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	limit := time.Now().Add(30 * time.Second)
	for bridge.Alive(number) {
		if time.Now().After(limit) {
			_ = syscall.Kill(number, syscall.SIGKILL)
			t.Fatalf("the process %d lives on", number)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestRunIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	pid := make(chan string, 1)
	go func() {
		file, err := os.Open(fifo)
		if err != nil {
			t.Error(err)
		}
		line, _ := bufio.NewReader(file).ReadString('\n')
		cancel()
		pid <- strings.TrimSpace(line)
	}()
	end, _, err := runShell(t, ctx, time.Minute, "echo $$ > "+fifo+"; while :; do :; done")
	if !errors.Is(err, context.Canceled) || end.timedOut {
		t.Errorf("%+v, %v", end, err)
	}
	goes(t, <-pid)
}

// However this process goes, the engine goes with it.
func TestRunEndsWithThisProcess(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pids := filepath.Join(t.TempDir(), "pids")
	child := exec.Command(program)
	child.Env = append(os.Environ(), leashChild+"="+pids)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if text, err = os.ReadFile(pids); err == nil {
			break
		}
		if time.Now().After(limit) {
			t.Fatal(err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	for _, pid := range strings.Fields(string(text)) {
		goes(t, pid)
	}
}

func TestRunOfNothing(t *testing.T) {
	_, err := runEngine(context.Background(), []string{"/no/such/engine"}, t.TempDir(), time.Second, &runLog{})
	var e *bridge.Error
	if !errors.As(err, &e) || e.Required != "godot_binary" {
		t.Errorf("%v", err)
	}
}

// The engine gets a script that tells of frames, where nothing of the project stands against it.
func TestRunLine(t *testing.T) {
	project := t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := func(scene, words string) {
		t.Helper()
		if got := strings.Join(runLine("godot", project, scene)[4:], " "); got != words {
			t.Errorf("%q, want %q", got, words)
		}
	}
	main := "config_version=5\n\n[application]\n\nrun/main_scene=\"res://main.tscn\"\n"
	put("project.godot", main)
	want("", "--scene res://main.tscn")
	put(strings.TrimPrefix(frameScript, "res://"), "extends SceneTree\n")
	want("", "--script "+frameScript+" --scene res://main.tscn")
	want("res://b.tscn", "--script "+frameScript+" --scene res://b.tscn")
	put("override.cfg", "[application]\nrun/main_scene=\"uid://abc\"\n")
	want("", "--script "+frameScript+" --scene uid://abc")
	put("override.cfg", "[application]\nrun/main_loop_type=\"Loop\"\n")
	want("", "")
	want("res://b.tscn", "--scene res://b.tscn")
	put("override.cfg", "")
	put("project.godot", main+"run/main_scene.linuxbsd=\"res://other.tscn\"\n")
	want("", "")
}
