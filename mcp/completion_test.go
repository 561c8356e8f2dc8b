package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// completeProject is a project whose files tell what there is.
func completeProject(t *testing.T) string {
	dir := emptyProject(t)
	for name, text := range map[string]string{
		"project.godot":          "config_version=5\n[application]\nrun/main_scene=\"res://main.tscn\"\n",
		"main.tscn":              "[gd_scene format=3]\n\n[node name=\"Top\" type=\"Node2D\"]\n\n[node name=\"Größe\" type=\"Label\" parent=\".\"]\n",
		"levels/one.tscn":        "[gd_scene format=3]\n\n[node name=\"One\" type=\"Node2D\"]\n",
		"levels/bad\tname.tscn":  "",
		"player.gd":              "extends Node\n",
		"player.gd.uid":          "uid://x\n",
		"export_presets.cfg":     "[preset.0]\n\nname=\"Linux/X11\"\n[preset.0.options]\n\n[preset.1]\nname=\"Web\"\n",
		".godot/hidden/x.tscn":   "",
		"addons/other/other.gd":  "",
		"materials/stone.tres":   "",
		"levels/deep/three.tscn": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type completed struct {
	Completion struct {
		Values  []string
		Total   int
		HasMore bool
	}
}

func (w *wire) completes(era, ref, name, value, given string) completed {
	w.t.Helper()
	params := fmt.Sprintf(`"ref":%s,"argument":{"name":%q,"value":%q}`, ref, name, value)
	if given != "" {
		params += `,"context":{"arguments":` + given + `}`
	}
	r := w.asked(era, 7, "completion/complete", params)
	var c completed
	if err := json.Unmarshal(r.Result, &c); err != nil || r.Error != nil {
		w.t.Fatalf("%s: %s %+v", params, r.Result, r.Error)
	}
	return c
}

func ofPrompt(name string) string { return fmt.Sprintf(`{"type":"ref/prompt","name":%q}`, name) }

// Without an editor the files tell, and none is started.
func TestCompletionFromTheFiles(t *testing.T) {
	dir := completeProject(t)
	editor := func(t *testing.T) *wire { return plug(t, bridge.Query{Project: dir, Registry: t.TempDir()}) }
	eachEra(t, editor, func(t *testing.T, w *wire, era string) {
		for asked, want := range map[string]string{
			"build_scene|scene_path|":                        "res://levels/deep/three.tscn res://levels/one.tscn res://main.tscn",
			"build_scene|scene_path|res://m":                 "res://main.tscn",
			"build_scene|scene_path|levels/o":                "res://levels/one.tscn",
			"script_edit|script_path|":                       "res://addons/other/other.gd res://player.gd",
			"script_edit|node_path|":                         ". Größe",
			"author_resource|save_path|":                     "res://addons/ res://addons/other/ res://levels/ res://levels/deep/ res://materials/",
			"export_build|preset|":                           "Linux/X11 Web",
			"export_build|output_path|":                      "",
			"batch_refactor|value|":                          "",
			"batch_refactor|property|":                       "",
			"troubleshoot|error_message|":                    "",
			"godot://scene/tree/{max_depth}|max_depth|":      "0 1 2 3 4 5",
			"godot://scene/tree/{max_depth}|max_depth|2":     "2",
			"build_scene|root_type|Lab":                      "Label",
			"debug_scene|scene_path|res://levels/deep/three": "res://levels/deep/three.tscn",
		} {
			part := strings.Split(asked, "|")
			ref := ofPrompt(part[0])
			if strings.Contains(part[0], ":") {
				ref = fmt.Sprintf(`{"type":"ref/resource","uri":%q}`, part[0])
			}
			got := w.completes(era, ref, part[1], part[2], "").Completion
			if strings.Join(got.Values, " ") != want || got.Total != len(got.Values) || got.HasMore {
				t.Errorf("%s: got %+v, want %s", asked, got, want)
			}
		}
	})
}

func TestCompletionAsksTheEditor(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.find", `{"scene_path":"res://a.tscn","nodes":[{"path":".","type":"Node"},{"path":"Live One","type":"Label"},{"path":"bad\u001b[31m","type":"Label"}]}`)
	e.Reply("class.list", `{"classes":[{"class_name":"Object","base":""},{"class_name":"Node","base":"Object"},{"class_name":"Label","base":"Node"},{"class_name":"Resource","base":"Object"},{"class_name":"Curve","base":"Resource"}]}`)
	e.Reply("class.describe", `{"properties":[{"name":"text","type":"String"},{"name":"theme","type":"Theme"}]}`)
	w := plug(t, e.Query())
	for asked, want := range map[string]string{
		"script_edit|node_path||":                                ".,Live One",
		"build_scene|root_type||":                                "Node,Label",
		"author_resource|resource_kind||":                        "Resource,Curve",
		`batch_refactor|property|te|{"node_type":"Label"}`:       "text",
		`script_edit|node_path|L|{"script_path":"res://any.gd"}`: "Live One",
	} {
		part := strings.Split(asked, "|")
		if got := w.completes("modern", ofPrompt(part[0]), part[1], part[2], part[3]).Completion; strings.Join(got.Values, ",") != want {
			t.Errorf("%s: got %+v, want %s", asked, got, want)
		}
	}
	for _, call := range e.Calls() {
		if tool, _ := commands.All().Lookup(strings.Replace(call.Command, ".", " ", 1)); tool.Class != commands.ReadOnly {
			t.Errorf("completion called %s", call.Command)
		}
	}
	// What the policy refuses as a tool is not asked.
	w.server.dispatcher.Policy = denying(t, "node find")
	before := len(e.Calls())
	w.completes("modern", ofPrompt("script_edit"), "node_path", "", "")
	if after := len(e.Calls()); after != before {
		t.Error("the editor was asked against the policy")
	}
}

// A hundred values go at most, and the client is told that there are more.
func TestCompletionIsBounded(t *testing.T) {
	e := bridgetest.New(t)
	var nodes []string
	for i := range 250 {
		nodes = append(nodes, fmt.Sprintf(`{"path":"Item%d","type":"Node"}`, i))
	}
	e.Reply("node.find", `{"scene_path":"res://a.tscn","nodes":[`+strings.Join(nodes, ",")+`]}`)
	got := plug(t, e.Query()).completes("modern", ofPrompt("script_edit"), "node_path", "It", "").Completion
	if len(got.Values) != 100 || got.Total != 250 || !got.HasMore {
		t.Errorf("%d values of %d, more %t", len(got.Values), got.Total, got.HasMore)
	}
}

// An editor that does not answer is not waited for.
func TestCompletionFallsBackToTheFiles(t *testing.T) {
	dir := completeProject(t)
	e := bridgetest.New(t, bridgetest.Project(dir), bridgetest.Silent())
	got := plug(t, e.Query()).completes("modern", ofPrompt("script_edit"), "node_path", "", "").Completion
	if strings.Join(got.Values, " ") != ". Größe" {
		t.Errorf("got %+v", got)
	}
}

func TestCompletionOfWhatIsNotThere(t *testing.T) {
	w := alone(t)
	for _, params := range []string{
		`"ref":{"type":"ref/prompt","name":"no_such"},"argument":{"name":"x","value":""}`,
		`"ref":{"type":"ref/prompt","name":"build_scene"},"argument":{"name":"color","value":""}`,
		`"ref":{"type":"ref/prompt","name":"build_scene"},"argument":{"name":"","value":""}`,
		`"ref":{"type":"ref/resource","uri":"godot://scene/tree"},"argument":{"name":"max_depth","value":""}`,
		`"ref":{"type":"ref/resource","uri":"godot://nowhere/{x}"},"argument":{"name":"x","value":""}`,
		`"argument":{"name":"x","value":""}`,
		`"ref":{"type":"ref/tool","name":"x"},"argument":{"name":"x","value":""}`,
	} {
		if r := w.asked("modern", 2, "completion/complete", params); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%s got %s %+v", params, r.Result, r.Error)
		}
	}
}
