package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// The lists of the topics are those of the things themselves.
func TestTopicsListWhatThereIs(t *testing.T) {
	surface := commands.All().Surface("", commands.ThisContract)
	want := map[string][]string{"contract": {}, "safety": {}, "values": {}, "environment": {}, "exit-codes": {"130", "interrupted"}, "configuration": {}}
	for _, l := range surface.Limits {
		want["contract"] = append(want["contract"], l.Name, l.Doc)
	}
	for _, tool := range commands.All().Tools {
		want["safety"] = append(want["safety"], tool.Name)
	}
	for _, v := range surface.Values {
		want["values"] = append(want["values"], v.Out)
	}
	for _, e := range commands.EnvVars {
		want["environment"] = append(want["environment"], e.Name)
	}
	for _, c := range bridge.Codes {
		want["exit-codes"] = append(want["exit-codes"], string(c.Code))
	}
	for _, o := range options() {
		want["configuration"] = append(want["configuration"], o.key)
	}
	for topic, words := range want {
		for _, line := range [][]string{{"help", topic}, {topic, "--help"}, {topic}} {
			var out bytes.Buffer
			if code := run(line, streams{in: strings.NewReader(""), out: &out, err: &out}); code != 0 {
				t.Errorf("%v: exit %d: %s", line, code, out.String())
			}
			for _, word := range words {
				if !strings.Contains(out.String(), word) {
					t.Errorf("%v lacks %q", line, word)
				}
			}
		}
	}
}

// The example of a settings file is one that is taken, by both places.
func TestExampleOfSettingsIsTaken(t *testing.T) {
	project, config := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("HOME", config)
	for _, file := range []string{filepath.Join(project, "project.godot"), filepath.Join(project, projectConfig), filepath.Join(userConfigDir(), "config.toml")} {
		text := settingsExample
		if filepath.Ext(file) == ".godot" {
			text = ""
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, stderr bytes.Buffer
	if code := run([]string{"config", "list", "--project", project}, streams{in: strings.NewReader(""), out: &out, err: &stderr}); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	if n := strings.Count(out.String(), "project file "); n != strings.Count(settingsExample, "=") {
		t.Errorf("%d settings are from the project's file: %s", n, out.String())
	}
	var page bytes.Buffer
	run([]string{"configuration"}, streams{in: strings.NewReader(""), out: &page, err: &page})
	if !strings.Contains(page.String(), filepath.Join(userConfigDir(), "config.toml")) {
		t.Errorf("the page does not name the user's file: %s", page.String())
	}
}

// What the page on safety says is protected is what the tools refuse.
func TestSafetyPageNamesWhatIsProtected(t *testing.T) {
	for _, name := range []string{"godot-mcp.toml", "project.godot", "override.cfg", "export_presets.cfg"} {
		if !strings.Contains(strings.ReplaceAll(safetyText, "\n", " "), name) {
			t.Errorf("the page does not name %s", name)
		}
		a := &app{table: commands.All(), contract: commands.ThisContract}
		d := a.dispatcher(settings{}, "cli")
		arguments, _ := json.Marshal(map[string]string{"root_type": "Node", "scene_path": "res://" + name})
		_, err := d.Call(t.Context(), commands.Call{Tool: "scene create", Arguments: arguments})
		if err == nil || !strings.Contains(err.Error(), "protected") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
