package commands

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestProjectPathNormalises(t *testing.T) {
	for given, want := range map[string]string{
		"res://main.tscn":     "res://main.tscn",
		"main.tscn":           "res://main.tscn",
		"./a//b/./main.tscn":  "res://a/b/main.tscn",
		"res://a/":            "res://a",
		"res://":              "res://",
		"uid://abc":           "uid://abc",
		"res://a b/ä.tscn":    "res://a b/ä.tscn",
		"res://a..b/...tscn":  "res://a..b/...tscn",
		"res://100%.tscn":     "res://100%.tscn",
		"res://.godotx/a.gd":  "res://.godotx/a.gd",
		"res://.gitignore.md": "res://.gitignore.md",
	} {
		got, err := ProjectPath("path", given)
		if err != nil || got != want {
			t.Errorf("%s gave %s, error %v, want %s", given, got, err, want)
		}
	}
}

func TestF27_ProjectPathStaysInside(t *testing.T) {
	for _, given := range []string{
		"res://../x", "../x", "..", "res://a/../../x", "res://a/..", "res:///etc/x", "/etc/x", "//host/share",
		`res://a\..\x`, `a\b`, `C:\x`, "C:/x", "c:/x", "user://x", "file:///x", "http://a/x", "RES://x",
		"res://%2e%2e/x", "res://a/%2E%2E/%2e%2e/x", "res://..%2fx", "res://..%5cx", "res://a%2f..%2f..%2fx",
		"res://.godot/x", "res://a/.godot/x", "res://.GODOT/x", "res://%2egodot/x",
		"res://%2Fetc/x", "%2f0", "res://%5c%5chost/share", "res://a\x00b", "res://a\nb", "res://a\x1b[31mb", "res://a\u009bb", "res://a\x7f",
		"uid://", "uid://../../x", "uid://abc.tscn", "uid://abc/x", "uid://a b", "uid://a\nb", "uid://<invalid>", `uid://..\x`,
	} {
		_, err := ProjectPath("scene_path", given)
		e := bridge.AsError(err)
		if e == nil || e.Code != bridge.ValidationError || e.Required != "scene_path" {
			t.Errorf("%q: got %v", given, e)
		}
	}
}

func TestProtectedPathsAreNotWritten(t *testing.T) {
	field := Field{Name: "scene_path", Type: "string", Kind: "project"}
	for _, given := range []string{
		"project.godot", "res://project.godot", "res://./project.godot", "res://a//..//project.godot", "res://Project.Godot",
		"godot-mcp.toml", "override.cfg", "export_presets.cfg", "res://addons/godot_mcp_bridge", "res://addons/godot_mcp_bridge/",
		"res://addons/godot_mcp_bridge/x.tscn", "res://Addons/GODOT_MCP_BRIDGE/x.tscn", "res://addons/godot%5fmcp_bridge/x.tscn",
		"res://.git", "res://.git/x.tscn", "res://.GIT/hooks/x.tscn", "res://sub/.git/x.tscn", "res://%2egit/x.tscn",
	} {
		for _, class := range []Class{Mutating, Destructive, Runtime} {
			_, err := checkKind(field, class, quoted(given))
			if e := bridge.AsError(err); e == nil || e.Code != bridge.ValidationError || e.Required != "scene_path" {
				t.Errorf("%s in a %s tool: %v", given, class, err)
			}
		}
		if strings.Contains(given, "..") {
			continue
		}
		if _, err := checkKind(field, ReadOnly, quoted(given)); err != nil {
			t.Errorf("%s in a read_only tool: %v", given, err)
		}
	}
	for _, given := range []string{
		"res://addons/godot_mcp_bridge_two/x.tscn", "res://addons/x.tscn", "res://sub/project.godot", "res://.gitignore",
		"res://a.git/x.tscn", "res://my_override.cfg", "res://sub/addons/godot_mcp_bridge/x.tscn",
	} {
		if _, err := checkKind(field, Mutating, quoted(given)); err != nil {
			t.Errorf("%s: %v", given, err)
		}
	}
}

// No tool that writes takes a protected path, by whatever parameter.
func TestNoToolWritesToWhatIsProtected(t *testing.T) {
	for _, tool := range All().Tools {
		if tool.Class == ReadOnly {
			continue
		}
		for _, f := range tool.Params() {
			if !f.InProject() {
				continue
			}
			args := map[string]json.RawMessage{}
			if err := json.Unmarshal(tool.Example(), &args); err != nil {
				t.Fatal(err)
			}
			args[f.Name] = quoted("res://project.godot")
			whole, _ := json.Marshal(args)
			if _, err := tool.Validate(whole, false); bridge.AsError(err) == nil || bridge.AsError(err).Required != f.Name {
				t.Errorf("%s takes project.godot as its %s: %v", tool.Name, f.Name, err)
			}
		}
	}
}

func TestProtectedPathsBehindLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "project.godot"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"repo": ".git", "settings.tscn": "project.godot"} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"res://repo/new.tscn", "res://repo", "res://settings.tscn"} {
		if err := checkLinks(project, "path", path, Mutating); err == nil {
			t.Errorf("%s is written", path)
		}
		if err := checkLinks(project, "path", path, ReadOnly); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestF27_LinksStayInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	for _, folder := range []string{"project/levels", "outside", "project-two"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"out": "../outside", "in": "levels", "gone": "../nowhere", "two": "../project-two", "up": "..",
	} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Fatal(err)
		}
	}
	for path, inside := range map[string]bool{
		"res://levels/new/x.tscn": true, "res://x.tscn": true, "res://in/x.tscn": true, "res://": true,
		"res://out/x.tscn": false, "res://out": false, "res://two/x": false, "res://up/outside/x": false,
		"res://gone/x.tscn": false, "res://gone": false,
		"uid://abc": true,
	} {
		if err := checkLinks(project, "path", path, Mutating); (err == nil) != inside {
			t.Errorf("%s: got %v, want inside %v", path, err, inside)
		}
	}
}

func TestF23_RewrittenNodePaths(t *testing.T) {
	field := Field{Name: "node_path", Type: "string", Kind: "node"}
	for given, shown := range map[string]string{
		"C:/Program Files/Git/Main/Player": "as in Main/Player",
		`C:\Main\Player`:                   "without a leading slash",
		"d:/msys64/Player":                 "as in Player",
	} {
		_, err := checkKind(field, ReadOnly, quoted(given))
		if e := bridge.AsError(err); e == nil || e.Required != "node_path" || !strings.Contains(e.Hint, shown) {
			t.Errorf("%s: got %v, want %q", given, e, shown)
		}
	}
	for _, given := range []string{"", ".", "Main/Player", "/Main/Player", "%Player", "A:b", "A/B:position:x"} {
		if got, err := checkKind(field, ReadOnly, quoted(given)); err != nil || string(got) != string(quoted(given)) {
			t.Errorf("%s: got %s, error %v", given, got, err)
		}
	}
}

func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text)
	return out
}
