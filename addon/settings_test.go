package addon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const ours = `"res://addons/godot_mcp_bridge/plugin.cfg"`

// settingsCases are project files before and after an installation; nothing else in them may change.
var settingsCases = []struct{ name, before, after string }{
	{
		"no section",
		"config_version=5\n\n[application]\n\nconfig/name=\"A\"\n",
		"config_version=5\n\n[application]\n\nconfig/name=\"A\"\n\n[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n",
	},
	{
		"no section and no last newline",
		"config_version=5",
		"config_version=5\n\n[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n",
	},
	{
		"an empty list",
		"[editor_plugins]\n\nenabled=PackedStringArray()\n\n[input]\n",
		"[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n\n[input]\n",
	},
	{
		"other plugins, comments, odd spacing",
		"; first\n[editor_plugins]\n; mine\nenabled = PackedStringArray(\"res://addons/a/plugin.cfg\")\n[z]\nfile_logging=false\n",
		"; first\n[editor_plugins]\n; mine\nenabled = PackedStringArray(\"res://addons/a/plugin.cfg\", " + ours + ")\n[z]\nfile_logging=false\n",
	},
	{
		"a list over several lines",
		"[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/a/plugin.cfg\",\n\"res://addons/b/plugin.cfg\")\n",
		"[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/a/plugin.cfg\",\n\"res://addons/b/plugin.cfg\", " + ours + ")\n",
	},
	{
		"a bracket in a folder's name",
		"[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/a (old)/plugin.cfg\")\n",
		"[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/a (old)/plugin.cfg\", " + ours + ")\n",
	},
	{
		"a section without the list",
		"[editor_plugins]\n\n[input]\n",
		"[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n\n[input]\n",
	},
	{
		"a list of the same name in another section",
		"[other]\n\nenabled=PackedStringArray(" + ours + ")\n\n[editor_plugins]\n\nenabled=PackedStringArray()\n",
		"[other]\n\nenabled=PackedStringArray(" + ours + ")\n\n[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n",
	},
	{
		"enabled already",
		"[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n",
		"[editor_plugins]\n\nenabled=PackedStringArray(" + ours + ")\n",
	},
}

func TestInstallTouchesOneLineOfTheSettings(t *testing.T) {
	for _, c := range settingsCases {
		for _, eol := range []string{"\n", "\r\n"} {
			name := c.name
			if eol != "\n" {
				name += ", CRLF"
			}
			t.Run(name, func(t *testing.T) {
				project := newProject(t, strings.ReplaceAll(c.before, "\n", eol))
				if eol != "\n" && !strings.Contains(c.before, "\n") {
					eol = "\n" // a single line does not say how its file ends lines
				}
				if _, err := Install(project, Options{}); err != nil {
					t.Fatal(err)
				}
				want := strings.ReplaceAll(c.after, "\n", eol)
				if got := settingsOf(t, project); got != want {
					t.Errorf("got:\n%q\nwant:\n%q", got, want)
				}
				if state, err := Status(project); err != nil || !state.Enabled {
					t.Errorf("enabled %v, error %v", state.Enabled, err)
				}
			})
		}
	}
}

func TestUninstallTakesOnlyOurPluginOut(t *testing.T) {
	for before, after := range map[string]string{
		`(` + ours + `)`:                             `()`,
		`("res://a", ` + ours + `)`:                  `("res://a")`,
		`(` + ours + `, "res://b")`:                  `("res://b")`,
		`("res://a", ` + ours + `, "res://b")`:       `("res://a", "res://b")`,
		"(\"res://a (old)\",\n" + ours + "\n)":       "(\"res://a (old)\"\n)",
		`("res://addons/godot_mcp_bridge_fork/p.c")`: `("res://addons/godot_mcp_bridge_fork/p.c")`,
	} {
		frame := func(list string) string {
			return "; top\r\n[editor_plugins]\r\n\r\nenabled=PackedStringArray" + list + "\r\n\r\n[input]\r\n"
		}
		project := newProject(t, frame(before))
		if _, err := Uninstall(project, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := settingsOf(t, project); got != frame(after) {
			t.Errorf("%s: got %q, want %q", before, got, frame(after))
		}
		if state, err := Status(project); err != nil || state.Enabled {
			t.Errorf("%s: enabled %v, error %v", before, state.Enabled, err)
		}
	}
}

func TestChangeNamesTheNewLine(t *testing.T) {
	project := newProject(t, "[editor_plugins]\n\nenabled=PackedStringArray(\"res://a\")\n")
	for _, dryRun := range []bool{true, false} {
		change, err := Install(project, Options{DryRun: dryRun})
		if want := `enabled=PackedStringArray("res://a", ` + ours + `)`; err != nil || change.Setting != want {
			t.Errorf("dry run %v: got %q, error %v, want %q", dryRun, change.Setting, err, want)
		}
	}
	change, err := Uninstall(project, Options{DryRun: true})
	if want := `enabled=PackedStringArray("res://a")`; err != nil || change.Setting != want {
		t.Errorf("uninstall: got %q, error %v, want %q", change.Setting, err, want)
	}
}

func newProject(t *testing.T, settings string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "project.godot"), []byte(settings), 0o640); err != nil {
		t.Fatal(err)
	}
	return dir
}

func settingsOf(t *testing.T, project string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(project, "project.godot"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
