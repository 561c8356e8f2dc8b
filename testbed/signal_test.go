package testbed

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// signalScene has a button, a root with methods, and an instance; SCRIPT and BASE stand for files.
const signalScene = `[gd_scene format=3]

[ext_resource type="Script" path="SCRIPT" id="1"]
[ext_resource type="PackedScene" path="BASE" id="2"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Start" type="Button" parent="."]

[node name="Inst" parent="." instance=ExtResource("2")]
`

const signalBase = `[gd_scene format=3]

[node name="Base" type="Node2D"]

[node name="Hat" type="Sprite2D" parent="."]

[connection signal="visibility_changed" from="Hat" to="." method="queue_redraw"]
`

const signalScript = `extends Control

signal started(level: int, name: String)

func _on_pressed() -> void:
	pass

func on_started(_level: int, _name: String, _more: Variant = 1) -> void:
	pass
`

func openSignals(t *testing.T, e *Editor) string {
	t.Helper()
	folder := "signals/" + filepath.ToSlash(strings.TrimPrefix(t.Name(), "Test"))
	script := write(t, e, folder+"/menu.gd", signalScript)
	base := write(t, e, folder+"/base.tscn", signalBase)
	return openScene(t, e, folder+"/menu.tscn", strings.NewReplacer("SCRIPT", script, "BASE", base).Replace(signalScene))
}

func between(source, signal, target, method string) args {
	return args{"source_path": source, "signal_name": signal, "target_path": target, "method_name": method}
}

// connectionLines are the connections in a scene's file.
func connectionLines(t *testing.T, e *Editor, scene string) []string {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(read(t, e, scene), "\n") {
		if strings.HasPrefix(line, "[connection ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestF4ConnectionsAreInTheFile: made once, in the file and in the list after the scene was opened again;
// what cannot be kept is refused by name.
func TestF4ConnectionsAreInTheFile(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openSignals(t, e)
		pressed := between("Start", "pressed", ".", "_on_pressed")
		previewed(t, e, s, "signal connect", pressed).has(t, map[string]string{
			"connected": "true", "already_connected": "false", "persisted": "true", "undoable": "true", "hint": "null"})
		before := state(t, e)
		s.call(t, "signal connect", pressed).ok(t).has(t, map[string]string{
			"connected": "true", "already_connected": "true", "persisted": "true", "undoable": "false"})
		same(t, "connecting again", before, state(t, e))
		s.call(t, "signal connect", pressed.with("deferred", true)).fails(t, "VALIDATION_ERROR", "method_name", "other flags", "signal disconnect")

		full := between(".", "started", ".", "on_started").with("deferred", true).with("one_shot", true).
			with("binds", []any{"a \"quoted\"\nline", 3})
		real := s.call(t, "signal connect", full).ok(t)
		if !strings.Contains(real.text("hint"), "given 4 values") {
			t.Errorf("the hint is %s", real.text("hint"))
		}
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "signal connect"})
		s.call(t, "signal connect", full.with("binds", []any{3})).ok(t).has(t, map[string]string{"hint": "null"})
		s.call(t, "scene save", nil).ok(t)
		want := `[connection signal="started" from="." to="." method="on_started" flags=7 binds= [3]]
[connection signal="pressed" from="Start" to="." method="_on_pressed"]`
		if got := strings.Join(connectionLines(t, e, scene), "\n"); got != want {
			t.Errorf("the file has\n%s\nwant\n%s", got, want)
		}
		closeTab(t, e, scene)
		s.call(t, "scene open", args{"scene_path": scene}).ok(t)
		s.call(t, "signal list-connections", args{"node_path": "Start"}).ok(t).has(t, map[string]string{
			"connections": `[{"binds":[],"flags":["persist"],"method":"_on_pressed","persistent":true,"signal":"pressed","target_path":"."}]`})
		s.call(t, "signal list-connections", args{"node_path": "."}).ok(t).has(t, map[string]string{
			"connections": `[{"binds":[3],"flags":["deferred","persist","one_shot"],"method":"on_started","persistent":true,"signal":"started","target_path":"."}]`})

		previewed(t, e, s, "signal disconnect", pressed).has(t, map[string]string{"disconnected": "true", "persisted": "true", "undoable": "true"})
		s.call(t, "signal disconnect", pressed).fails(t, "RESOURCE_NOT_FOUND", "method_name", "signal list-connections")
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "signal disconnect"})
		s.call(t, "scene save", nil).ok(t)
		if got := strings.Join(connectionLines(t, e, scene), "\n"); got != want {
			t.Errorf("after undo the file has\n%s\nwant\n%s", got, want)
		}
	})
}

func TestF4WhatCannotBeKeptIsRefused(t *testing.T) {
	e := sharedEditor(t)
	openSignals(t, e)
	s := cli(e)
	user(t, e, "unowned", "Loose")
	broken := write(t, e, "signals/broken.gd", "extends Node\n\nfunc on_it() -> void:\n\tthis is no script\n")
	s.call(t, "node add", args{"node_name": "Broken", "properties": map[string]any{"script": broken}}).ok(t)
	before := state(t, e)
	for _, dry := range []bool{true, false} {
		refused := func(a args, code, required string, words ...string) {
			t.Helper()
			s.call(t, "signal connect", a.with("dry_run", dry)).fails(t, bridge.Code(code), required, words...)
		}
		refused(between("Start", "presed", ".", "_on_pressed"), "VALIDATION_ERROR", "signal_name", "did you mean pressed?", "signal list Start")
		refused(between("Start", "pressed", ".", "_on_presed"), "VALIDATION_ERROR", "method_name", "did you mean _on_pressed?", "signal list .")
		refused(between("Start", "pressed", "Nobody", "hide"), "RESOURCE_NOT_FOUND", "node_exists", "target_path")
		refused(between("Nobody", "pressed", ".", "hide"), "RESOURCE_NOT_FOUND", "node_exists", "source_path")
		refused(between("Start", "pressed", "Loose", "queue_free"), "VALIDATION_ERROR", "target_path", "no owner")
		refused(between("Loose", "renamed", ".", "_on_pressed"), "VALIDATION_ERROR", "source_path", "no owner")
		refused(between("Start", "pressed", "Broken", "on_it"), "PRECONDITION_FAILED", "method_name", "signals/broken.gd", "does not parse")
		refused(between("Start", "pressed", ".", "_on_pressed").with("binds", []any{map[string]any{"$node": "Start"}}), "VALIDATION_ERROR", "binds")
		s.call(t, "signal disconnect", between("Start", "presed", ".", "hide").with("dry_run", dry)).fails(t, "VALIDATION_ERROR", "signal_name", "pressed")
	}
	same(t, "what was refused", before, state(t, e))
}

// TestSignalsOfInstances: into an instance a connection is kept, out of one it is not, and what the instance
// itself connects comes back.
func TestSignalsOfInstances(t *testing.T) {
	e := sharedEditor(t)
	scene := openSignals(t, e)
	s := cli(e)
	s.call(t, "signal connect", between("Start", "pressed", "Inst/Hat", "hide")).ok(t).has(t, map[string]string{"persisted": "true"})
	s.call(t, "signal connect", between("Inst/Hat", "hidden", ".", "_on_pressed")).ok(t).has(t, map[string]string{
		"persisted": "false", "reason": "instanced_child_not_editable"})
	s.call(t, "scene save", nil).ok(t)
	if got, want := strings.Join(connectionLines(t, e, scene), "\n"), `[connection signal="pressed" from="Start" to="Inst/Hat" method="hide"]`; got != want {
		t.Errorf("the file has\n%s\nwant\n%s", got, want)
	}
	s.call(t, "signal disconnect", between("Inst/Hat", "visibility_changed", "Inst", "queue_redraw")).ok(t).has(t, map[string]string{
		"disconnected": "true", "persisted": "false", "reason": "instanced_child_not_editable"})
}

// TestSignalsWithHostileNames: names that have a meaning in the file's own format.
func TestSignalsWithHostileNames(t *testing.T) {
	e := sharedEditor(t)
	scene := openSignals(t, e)
	s := cli(e)
	names := []string{`[connection] x="1"`, "a = b", "; note", "日本 語", "'single'", "$x #y"}
	for i, name := range names {
		names[i] = s.call(t, "node add", args{"node_type": "Button", "node_name": name}).ok(t).text("node_path")
		s.call(t, "signal connect", between(names[i], "pressed", names[max(i-1, 0)], "hide")).ok(t).has(t, map[string]string{
			"source_path": names[i], "target_path": names[max(i-1, 0)]})
	}
	s.call(t, "scene save", nil).ok(t)
	closeTab(t, e, scene)
	s.call(t, "scene open", args{"scene_path": scene}).ok(t)
	for i, name := range names {
		s.call(t, "signal list-connections", args{"node_path": name}).ok(t).has(t, map[string]string{
			"connections.0.target_path": names[max(i-1, 0)], "connections.0.method": "hide", "connections.1": "null"})
	}
}

// TestSignalList names the script's own first, with their arguments.
func TestSignalList(t *testing.T) {
	e := sharedEditor(t)
	openSignals(t, e)
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "signal list", args{"node_path": "."}).ok(t).has(t, map[string]string{
			"node_path": ".", "signals.0": `{"args":[{"name":"level","type":"int"},{"name":"name","type":"String"}],"name":"started"}`,
			"methods.0": `{"args":[],"name":"_on_pressed"}`, "methods.1.name": "on_started"})
		list := s.call(t, "signal list", args{"node_path": "Start"}).ok(t)
		for _, name := range []string{`"pressed"`, `"toggled"`, `"hide"`} {
			if !strings.Contains(string(list.raw), name) {
				t.Errorf("%s is missing", name)
			}
		}
		if strings.Contains(list.text("methods"), `"_process"`) {
			t.Error("a method that nothing implements is listed")
		}
	})
}

// TestSignalAliases: the older names with the older shapes.
func TestSignalAliases(t *testing.T) {
	e := sharedEditor(t)
	openSignals(t, e)
	s := mcpSession(t, e)
	a := between("Start", "pressed", ".", "_on_pressed")
	olderCall(t, s, "godot_scene_edit_connect_signal", a).has(t, map[string]string{"connected": "true", "already_connected": "false"})
	olderCall(t, s, "godot_scene_edit_list_signal_connections", args{"node_path": "Start"}).has(t, map[string]string{
		"connections.0.method": "_on_pressed", "connections.0.persistent": "true"})
	olderCall(t, s, "godot_scene_edit_disconnect_signal", a.with("confirm", true)).has(t, map[string]string{"disconnected": "true"})
}

// olderCall calls a tool by the name that the older server has for it.
func olderCall(t *testing.T, s session, name string, a args) answer {
	t.Helper()
	out, err := s.client.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any(a)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := plainText(out)
	if out.IsError {
		t.Fatalf("%s: %s", name, text)
	}
	answer := answer{tool: name, raw: []byte(text)}
	if err := json.Unmarshal(answer.raw, &answer.fields); err != nil {
		t.Fatal(err)
	}
	return answer
}
