package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/testbed"
)

// settled is how long an editor is left alone after its start before its CPU is watched.
const settled = 8 * time.Second

// prepare makes the folder of this run with the project and the bare client in it.
func (b *bench) prepare() error {
	var err error
	if b.godot, err = testbed.Godot(); err != nil {
		return err
	}
	out, err := exec.CommandContext(b.ctx, b.godot, "--version").Output()
	if err != nil {
		return fmt.Errorf("%s --version: %w", b.godot, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	b.engine = lines[len(lines)-1]
	b.report.Machine, b.report.Quick = machine(b.engine), b.quick
	if b.dir, err = os.MkdirTemp("", "godot-mcp-bench-"); err != nil {
		return err
	}
	b.bare = filepath.Join(b.dir, "bare")
	if runtime.GOOS == "windows" {
		b.bare += ".exe"
	}
	build := exec.CommandContext(b.ctx, "go", "build", "-ldflags", "-s -w", "-o", b.bare, "./testbed/bench/bare")
	build.Dir, build.Env = testbed.Root(), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the bare client: %w\n%s", err, out)
	}
	return nil
}

// newProject copies a sample project, with the scenes of many nodes in it, into a folder of its own.
func (b *bench) newProject(name string) (project, dir string, err error) {
	if dir, err = os.MkdirTemp(b.dir, name+"-"); err != nil {
		return "", "", err
	}
	project = filepath.Join(dir, "platformer2d")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(testbed.Root(), "testbed", "projects", "platformer2d"))); err != nil {
		return "", "", err
	}
	if err := os.RemoveAll(filepath.Join(project, ".godot")); err != nil {
		return "", "", err
	}
	return project, dir, writeScenes(project)
}

// writeSettings gives the editor below config the idle sleep of a mode. A headless editor never has the
// focus to lose, so the sleep of an unfocused window is set for both states.
func writeSettings(config, engine string, m mode) error {
	if m.sleep == 0 {
		return nil
	}
	parts := strings.SplitN(engine, ".", 3)
	if len(parts) < 2 {
		return fmt.Errorf("cannot read the engine's version in %q", engine)
	}
	folder := filepath.Join(config, "godot")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	text := "[gd_resource type=\"EditorSettings\" format=3]\n\n[resource]\n"
	for _, name := range []string{"low_processor_mode_sleep_usec", "unfocused_low_processor_mode_sleep_usec"} {
		text += fmt.Sprintf("interface/editor/%s = %d\n", name, m.sleep.Microseconds())
	}
	name := fmt.Sprintf("editor_settings-%s.%s.tres", parts[0], parts[1])
	return os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
}

// session is our editor in one mode.
type session struct {
	*bench
	mode    mode
	editor  *testbed.Editor
	found   bridge.Editor
	without []float64
}

func (b *bench) startSession(m mode) (*session, error) {
	b.say("%s: starting an editor", m.name)
	project, dir, err := b.newProject("ours")
	if err != nil {
		return nil, err
	}
	editor, err := testbed.Workspace(project, dir)
	if err != nil {
		return nil, err
	}
	if err := writeSettings(filepath.Join(dir, "xdg_config_home"), b.engine, m); err != nil {
		return nil, err
	}
	if err := editor.Start(); err != nil {
		return nil, err
	}
	s := &session{bench: b, mode: m, editor: editor}
	if s.found, err = bridge.Find(bridge.Query{Project: project}); err == nil {
		err = s.open("main.tscn")
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) close() {
	if err := s.editor.Stop(); err != nil {
		s.say("%v", err)
	}
}

// open brings a scene to the front.
func (s *session) open(scene string) error {
	if out := s.editor.Run("scene", "open", "res://"+scene); out.Exit != 0 {
		return fmt.Errorf("scene open %s: %s", scene, out.Stderr)
	}
	return nil
}

// measurePlainEditor watches an editor on the same project without the addon.
func (b *bench) measurePlainEditor(m mode) ([]float64, error) {
	b.say("%s: cpu of an editor without the addon", m.name)
	project, dir, err := b.newProject("plain")
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "config")
	if err := writeSettings(config, b.engine, m); err != nil {
		return nil, err
	}
	cmd := exec.Command(b.godot, "--headless", "--editor", "--path", project, "res://main.tscn")
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+config, "XDG_DATA_HOME="+filepath.Join(dir, "data"))
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		endProcess(engineOf(cmd.Process.Pid))
		_ = cmd.Wait()
	}()
	b.sleep(settled)
	pid := engineOf(cmd.Process.Pid)
	shares, err := b.cpuShares(pid)
	if err != nil {
		return nil, err
	}
	b.report.add(cpuRow(m.name, "CPU, no addon", shares))
	return shares, nil
}

// endProcess asks the engine itself to end: a wrapper that is ended may leave it alive.
func endProcess(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Signal(syscall.SIGTERM)
	}
}
