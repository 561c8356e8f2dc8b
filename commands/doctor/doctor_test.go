package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// fake is a machine with an engine on PATH, a project with the addon, and nothing else.
type fake struct {
	*World
	env  map[string]string
	says string
	// ran are the programs that were asked for their version.
	ran []string
}

const soundSettings = "config_version=5\nconfig/features=PackedStringArray(\"4.5\", \"GL Compatibility\")\n"

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{env: map[string]string{"DISPLAY": ":0"}, says: "4.6.3.stable.official\n"}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	project := filepath.Join(dir, "game")
	bin := filepath.Join(dir, "bin")
	f.World = &World{
		OS: "linux", Arch: "amd64", Root: root, Version: "2026.01.02", Executable: filepath.Join(bin, "godot-mcp"),
		Getenv:  func(name string) string { return f.env[name] },
		Project: func() (string, error) { return project, nil },
		Run: func(_ context.Context, program string) (string, error) {
			f.ran = append(f.ran, program)
			return f.says, nil
		},
		Registry: filepath.Join(dir, "run", "godot-mcp", "editors"),
	}
	f.Env = &commands.Env{Query: bridge.Query{Dir: project, Registry: f.Registry}, Contract: commands.ThisContract}
	f.put(t, filepath.Join(project, "project.godot"), soundSettings, 0o644)
	f.put(t, filepath.Join(root, "proc", "net", "tcp"), "  sl  local_address rem_address   st\n", 0o644)
	for _, name := range []string{"godot-mcp", "godot"} {
		f.put(t, filepath.Join(bin, name), "", 0o755)
	}
	f.env["PATH"] = bin
	if _, err := addon.Install(project, addon.Options{}); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fake) put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// game is the fake's project.
func (f *fake) game() string {
	dir, _ := f.Project()
	return dir
}

// system puts a file of the system.
func (f *fake) system(t *testing.T, path, text string) {
	t.Helper()
	f.put(t, filepath.Join(f.Root, filepath.FromSlash(path)), text, 0o644)
}

// want checks one check: its status and words of what was found or is to be done.
func (f *fake) want(t *testing.T, name string, status Status, words ...string) Report {
	t.Helper()
	r := Examine(t.Context(), f.World)
	for _, c := range r.Checks {
		if c.Name != name {
			continue
		}
		if c.Status != status {
			t.Errorf("%s is %s, want %s: %s", name, c.Status, status, c.Found)
		}
		for _, word := range words {
			if !strings.Contains(c.Found+" -> "+c.Fix, word) {
				t.Errorf("%s lacks %q: %s -> %s", name, word, c.Found, c.Fix)
			}
		}
		if (status == Problem || status == Warning) && c.Fix == "" {
			t.Errorf("%s says not how to mend %s", name, c.Found)
		}
		return r
	}
	if status != "" {
		t.Errorf("there is no check %s in %+v", name, r.Checks)
	}
	return r
}

func TestAllIsWell(t *testing.T) {
	f := newFake(t)
	r := Examine(t.Context(), f.World)
	if !r.OK || r.Problems != 0 || r.Warnings != 0 || r.Next != "godot-mcp editor start" || r.ProjectPath != f.game() {
		t.Errorf("%+v", r)
	}
	if len(f.ran) != 1 || filepath.Base(f.ran[0]) != "godot" {
		t.Errorf("ran %v", f.ran)
	}
}

// The checks leave everything as it was.
func TestNothingChanges(t *testing.T) {
	f := newFake(t)
	before := listing(t, filepath.Dir(f.Root))
	Examine(t.Context(), f.World)
	if after := listing(t, filepath.Dir(f.Root)); after != before {
		t.Errorf("changed\n%s\nto\n%s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.ModTime(), info.Mode(), info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Who has nothing yet is told to get an engine first, then to go to a project, then to install the addon.
func TestFirstSteps(t *testing.T) {
	f := newFake(t)
	game := f.game()
	f.Project = func() (string, error) { return bridge.FindProject(f.Root) }
	f.env["PATH"] = ""
	if r := Examine(t.Context(), f.World); !strings.Contains(r.Next, "godotengine.org/download") || r.OK {
		t.Errorf("without an engine: %s", r.Next)
	}
	f.GodotBin = "/opt/godot"
	if r := Examine(t.Context(), f.World); !strings.Contains(r.Next, "cd into") {
		t.Errorf("without a project: %s", r.Next)
	}
	f.Project = func() (string, error) { return game, nil }
	if _, err := addon.Uninstall(game, addon.Options{}); err != nil {
		t.Fatal(err)
	}
	if r := Examine(t.Context(), f.World); r.Next != "godot-mcp addon install" {
		t.Errorf("without the addon: %s", r.Next)
	}
	f.Env.Query.Project = "/games/one"
	if r := Examine(t.Context(), f.World); r.Next != "godot-mcp addon install --project /games/one" {
		t.Errorf("with a named project: %s", r.Next)
	}
}

func TestSystem(t *testing.T) {
	f := newFake(t)
	f.Arch = "riscv64"
	f.want(t, "system", Warning, "riscv64")
	f.OS = "plan9"
	f.want(t, "system", Problem, "not supported")
}

func TestEngine(t *testing.T) {
	f := newFake(t)
	f.want(t, "engine", OK, "4.6.3.stable.official", "godot")
	for says, status := range map[string]Status{
		"4.5.stable\n": OK, "warning of a driver\n4.7.dev1\n": OK, "4.4.1.stable\n": Problem, "3.6.stable\n": Problem, "5.0.dev\n": Problem, "": Problem, "hello\n": Problem,
	} {
		f.says = says
		f.want(t, "engine", status)
	}
	f.GodotBin, f.GodotFrom = "/opt/godot", "environment GODOT_BIN"
	f.Run = func(context.Context, string) (string, error) { return "", errors.New("no such file") }
	f.want(t, "engine", Problem, "/opt/godot", "no such file", "environment GODOT_BIN")
	f.Run = func(context.Context, string) (string, error) { return "", context.DeadlineExceeded }
	f.want(t, "engine", Problem, "did not answer", "10s")
	f.GodotBin, f.env["PATH"] = "", ""
	f.want(t, "engine", Problem, "no godot", "godotengine.org")
}

// A program that never ends is given up on.
func TestVersionIsBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("there is no shell script here; the time is bounded the same way")
		return
	}
	program := filepath.Join(t.TempDir(), "godot")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := askVersion(ctx, program); err == nil {
		t.Error("no error")
	}
}

func TestDotnetAndFeatures(t *testing.T) {
	f := newFake(t)
	f.want(t, "dotnet", "")
	f.put(t, filepath.Join(f.game(), "Game.csproj"), "", 0o644)
	f.want(t, "dotnet", Problem, "without .NET")
	f.says = "4.6.3.stable.mono.official\n"
	f.want(t, "dotnet", OK)
	f.want(t, "features", OK, "4.5, GL Compatibility")
	f.say(t, "config/features=PackedStringArray(\"4.9\")\n")
	f.want(t, "features", Warning, "4.9", "older than the one")
}

// say gives the project other settings, with the addon enabled as before.
func (f *fake) say(t *testing.T, more string) {
	t.Helper()
	f.put(t, filepath.Join(f.game(), "project.godot"), "config_version=5\n"+more+"[editor_plugins]\n\nenabled=PackedStringArray(\""+addon.PluginPath+"\")\n", 0o644)
}

func TestProject(t *testing.T) {
	f := newFake(t)
	f.want(t, "project", OK, "not imported yet")
	if err := os.MkdirAll(filepath.Join(f.game(), ".godot"), 0o755); err != nil {
		t.Fatal(err)
	}
	if r := f.want(t, "project", OK); strings.Contains(fmt.Sprint(r.Checks), "not imported") {
		t.Error("an imported project is taken for a new one")
	}
	for text, status := range map[string]Status{"": Problem, "config_version=4\n": Problem, "config_version=6\n": OK, "[application]\n": Warning} {
		f.put(t, filepath.Join(f.game(), "project.godot"), text, 0o644)
		f.want(t, "project", status)
	}
	f.Project = func() (string, error) { return (&commands.Env{Query: bridge.Query{Project: "/nowhere"}}).Project() }
	f.want(t, "project", Problem, "/nowhere is not a Godot project")
}

func TestAddon(t *testing.T) {
	f := newFake(t)
	f.want(t, "addon", OK, addon.Version())
	file := filepath.Join(f.game(), filepath.FromSlash(addon.Folder), "plugin.cfg")
	for text, words := range map[string]string{"version=\"2020.01.01\"\n": "older than", "version=\"2999.01.01\"\n": "upgrade godot-mcp", "version=\"" + addon.Version() + "\"\n": "plugin.cfg"} {
		f.put(t, file, text, 0o644)
		f.want(t, "addon", Warning, words)
	}
	f.put(t, filepath.Join(f.game(), "project.godot"), soundSettings, 0o644)
	f.want(t, "addon", Problem, "switched off", "godot-mcp addon install")
}

func TestEditors(t *testing.T) {
	f := newFake(t)
	runtimeDir := filepath.Dir(filepath.Dir(f.Registry))
	ed := bridgetest.New(t, bridgetest.Project(f.game()), bridgetest.Runtime(runtimeDir), bridgetest.Versions("2020.01.01", "4.6.3.stable"))
	r := f.want(t, "editors", OK, fmt.Sprint(ed.Info().PID), "headless")
	f.want(t, "addon_running", Warning, "2020.01.01", "godot-mcp addon update")
	if r.Next != "godot-mcp addon update" {
		t.Errorf("next: %s", r.Next)
	}
	f.env["GODOT_MCP_BRIDGE_PORT"] = fmt.Sprint(ed.Info().Port)
	f.want(t, "bridge_port", OK, "where the editor")
	ed.Close()
	f.want(t, "editors", OK, "none runs", "godot-mcp editor start")
}

func TestSilentEditor(t *testing.T) {
	f := newFake(t)
	bridgetest.New(t, bridgetest.Project(f.game()), bridgetest.Runtime(filepath.Dir(filepath.Dir(f.Registry))), bridgetest.SilentHello())
	f.want(t, "editors", Problem, "does not answer", "godot-mcp editor wait")
}

func TestBridgeFiles(t *testing.T) {
	f := newFake(t)
	f.want(t, "bridge_files", OK)
	ed := bridgetest.New(t, bridgetest.Project(f.game()), bridgetest.Runtime(filepath.Dir(filepath.Dir(f.Registry))))
	left := ed.Info().File
	text, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	const gone = 1 << 30
	all["pid"] = gone
	text, err = json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	f.put(t, filepath.Join(filepath.Dir(left), fmt.Sprint(gone)+".json"), string(text), 0o600)
	f.want(t, "bridge_files", Warning, fmt.Sprint(gone), "passed over")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(left, 0o644); err != nil {
			t.Fatal(err)
		}
		f.want(t, "bridge_files", Problem, "open to other users")
	}
	f.system(t, "/.dockerenv", "")
	f.want(t, "container", Warning, "Docker", "not in this container")
}

func TestPermissions(t *testing.T) {
	f := newFake(t)
	f.want(t, "permissions", OK)
	f.put(t, filepath.Join(f.game(), ".godot"), "a file in the way", 0o644)
	f.want(t, "permissions", Problem, ".godot is a file")
}

func TestBridgePort(t *testing.T) {
	f := newFake(t)
	f.want(t, "bridge_port", "")
	for text, status := range map[string]Status{"9080": OK, "0": Problem, "70000": Problem, "x": Problem, "8080": Problem} {
		f.system(t, "/proc/net/tcp", "sl local st\n 0: 0100007F:1F90 00000000:0000 0A 0\n 1: 0100007F:2378 00000000:0000 01 0\n")
		f.env["GODOT_MCP_BRIDGE_PORT"] = text
		f.want(t, "bridge_port", status)
	}
	f.OS = "darwin"
	f.env["GODOT_MCP_BRIDGE_PORT"] = "8080"
	f.want(t, "bridge_port", Unknown)
}

func TestLanguagePorts(t *testing.T) {
	f := newFake(t)
	f.want(t, "ports", OK, "free")
	f.system(t, "/proc/net/tcp6", "sl local st\n 0: 00000000000000000000000001000000:1775 0:0 0A 0\n")
	f.want(t, "ports", Warning, "6005 are taken", "--lsp-port")
	bridgetest.New(t, bridgetest.Project(f.game()), bridgetest.Runtime(filepath.Dir(filepath.Dir(f.Registry))))
	f.want(t, "ports", OK, "in use")
	f.OS = "darwin"
	f.want(t, "ports", Unknown)
}

func TestPath(t *testing.T) {
	f := newFake(t)
	f.want(t, "path", OK)
	other := filepath.Join(filepath.Dir(f.Root), "other")
	f.put(t, filepath.Join(other, "godot-mcp"), "#!/bin/sh\n", 0o755)
	f.env["PATH"] = other + string(filepath.ListSeparator) + f.env["PATH"]
	f.want(t, "path", Warning, filepath.Join(other, "godot-mcp"), "not a Go program", "before it on PATH")
	f.env["PATH"] = ""
	f.want(t, "path", Warning, "no godot-mcp on PATH")
	// Of a Go program the file itself says from when it is.
	if text := buildOf(os.Args[0]); strings.Contains(text, "not a Go program") {
		t.Errorf("this test: %s", text)
	}
}

func TestConfig(t *testing.T) {
	f := newFake(t)
	f.ConfigFiles = []string{"/home/me/config.toml"}
	f.want(t, "config", OK, "/home/me/config.toml")
	f.Ignored = []string{"godot_bin in /p/godot-mcp.toml is ignored"}
	f.want(t, "config", Warning, "is ignored", "godot-mcp trust")
	f.ConfigError = bridge.Errorf(bridge.ValidationError, "config", "/p/godot-mcp.toml is not TOML")
	f.want(t, "config", Problem, "is not TOML", "godot-mcp config list")
}

func TestDisplay(t *testing.T) {
	f := newFake(t)
	f.want(t, "display", OK, "DISPLAY=:0")
	f.env["WAYLAND_DISPLAY"] = "wayland-0"
	f.want(t, "display", OK, "wayland-0")
	delete(f.env, "WAYLAND_DISPLAY")
	delete(f.env, "DISPLAY")
	f.want(t, "display", Warning, "headless", "--display virtual")
	f.OS = "darwin"
	f.want(t, "display", OK)
}

func TestWSL(t *testing.T) {
	f := newFake(t)
	f.want(t, "wsl", "")
	for release, want := range map[string]string{"5.15.90.1-microsoft-standard-WSL2": "WSL 2", "4.4.0-19041-Microsoft": "WSL 1"} {
		f.system(t, "/proc/sys/kernel/osrelease", release+"\n")
		f.want(t, "wsl", OK, want)
	}
	f.GodotBin = "/mnt/c/Godot/Godot.EXE"
	f.want(t, "wsl", Problem, "Windows program")
	for path, want := range map[string]bool{"/mnt/c/game": true, "/mnt/d": true, "/mnt/data/game": false, "/home/me/mnt/c": false, "": false} {
		if isWindowsDrive(path) != want {
			t.Errorf("%s", path)
		}
	}
}

func TestContainer(t *testing.T) {
	f := newFake(t)
	f.want(t, "container", "")
	f.system(t, "/proc/1/cgroup", "0::/kubepods/pod1\n")
	f.want(t, "container", OK, "kubepods")
	// What another project's editor left in the registry says nothing about this one.
	runtimeDir := filepath.Dir(filepath.Dir(f.Registry))
	bridgetest.New(t, bridgetest.Project(t.TempDir()), bridgetest.Runtime(runtimeDir), bridgetest.PID(1<<30))
	f.want(t, "container", OK, "kubepods")
	f.system(t, "/run/.containerenv", "")
	f.want(t, "container", OK, "Podman")
}

func TestSandbox(t *testing.T) {
	f := newFake(t)
	f.want(t, "sandbox", "")
	for program, want := range map[string]string{
		"/var/lib/flatpak/exports/bin/org.godotengine.Godot": "Flatpak",
		"/snap/bin/godot-4": "Snap", "/home/me/Godot_v4.6.AppImage": "AppImage",
	} {
		f.GodotBin = program
		f.want(t, "sandbox", Warning, want)
	}
	f.GodotBin = ""
	bin := filepath.Join(filepath.Dir(f.Root), "flatpak-bin")
	f.put(t, filepath.Join(bin, "org.godotengine.Godot"), "", 0o755)
	f.env["PATH"] = bin
	f.want(t, "sandbox", Warning, "export GODOT_BIN="+filepath.Join(bin, "org.godotengine.Godot"))
}
