package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// message is as much of a JSON-RPC message as the replay looks at.
type message struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	Error  json.RawMessage `json:"error"`
	Result struct {
		Tools             []listedTool    `json:"tools"`
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Content           []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
}

type listedTool struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// exchange is a recorded request with its recorded answer.
type exchange struct {
	frame    json.RawMessage
	asked    message
	answered message
}

// recording is a session of a client with godot-editor-mcp 2026.10.20.1, without its prose.
func recording(t *testing.T) []exchange {
	t.Helper()
	text, err := os.ReadFile("testdata/older_session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []exchange
	for line := range bytes.Lines(text) {
		var entry struct{ Client, Server json.RawMessage }
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Client != nil {
			all = append(all, exchange{frame: entry.Client, asked: parse(t, entry.Client)})
		} else if m := parse(t, entry.Server); m.Method == "" {
			all[len(all)-1].answered = m
		}
	}
	return all
}

func parse(t *testing.T, frame []byte) message {
	t.Helper()
	var m message
	if err := json.Unmarshal(frame, &m); err != nil {
		t.Fatalf("%s: %v", frame, err)
	}
	return m
}

// olderEditor answers like our addon would in the project that was recorded.
func olderEditor(t *testing.T) *bridgetest.Editor {
	editor := bridgetest.New(t, bridgetest.Versions(commands.AddonVersion, "4.6.stable"))
	for command, answer := range map[string]string{
		"get-server-info":      `{"active_scene":"res://main.tscn"}`,
		"health-check":         `{}`,
		"project.info":         `{"name":"Fake","godot_version":"4.6.stable","main_scene":"res://main.tscn","project_path":"/game","autoloads":[{"name":"Globals","path":"res://globals.gd","enabled":true}],"input_actions":["jump"],"csharp_supported":false,"csharp_project":false}`,
		"scene.list":           `{"scenes":[{"path":"res://main.tscn","is_main":true,"is_open":true,"is_active":true}],"main_scene":"res://main.tscn"}`,
		"scene.get-active":     `{"is_open":true,"scene_path":"res://main.tscn","name":"Main","dirty":true}`,
		"scene.tree":           `{"tree":{"name":"Main","type":"Node2D","path":".","child_count":1,"children":[{"name":"Player","type":"CharacterBody2D","path":"Player","script":"res://player.gd","child_count":3}]},"truncated":false,"total":2,"scene_path":"res://main.tscn"}`,
		"node.list-properties": `{"node_path":"Player","type":"CharacterBody2D","properties":[{"name":"position","type":"Vector2","hint":"","usage":6},{"name":"rotation","type":"float","hint":"","usage":6}],"scene_path":"res://main.tscn"}`,
		"node.list-groups":     `{"node_path":"Player","groups":["actors"],"scene_path":"res://main.tscn"}`,
		"node.get-property":    `{"node_path":"Player","property":"position","value":{"x":1.5,"y":2.0},"exists":true,"type":"Vector2","scene_path":"res://main.tscn"}`,
		"class.describe":       `{"class_name":"Timer","inherits":"Node","inherits_chain":["Node","Object"],"can_instantiate":true,"properties":[{"name":"one_shot","type":"bool","default":false}],"methods":[{"name":"start","args":[{"name":"time_sec","type":"float"}],"return_type":"void"}],"signals":[{"name":"timeout","args":[]}],"constants":[{"name":"TIMER_PROCESS_IDLE","value":1,"enum":"TimerProcessCallback"}],"enums":[{"name":"TimerProcessCallback","values":["TIMER_PROCESS_PHYSICS","TIMER_PROCESS_IDLE"]}]}`,
		"scene.list-open":      `{"scenes":[{"path":"res://main.tscn","dirty":true,"active":true}]}`,
		"node.set-property":    `{"node_path":"Player/Hat","property":"position","value":{"x":0.0,"y":-24.0},"previous":{"x":0.0,"y":0.0},"set":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`,
		"node.rename":          `{"node_path":"Player/Cap","old_name":"Hat","new_name":"Cap","renamed":true,"updated_paths":[],"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`,
		"scene.save":           `{"saved":true,"dry_run":false,"persisted":true,"undoable":false,"scene_path":"res://main.tscn"}`,
		"undo":                 `{"requested":1,"undone":1,"actions":["node rename"],"last_action":"node rename","nothing_to_undo":false,"history":"res://main.tscn","by":"tool","has_undo":true,"dry_run":false,"persisted":null,"undoable":true}`,
		"node.find":            `{"nodes":[{"path":"Player","type":"CharacterBody2D","name":"Player"}],"count":1,"total":1,"truncated":false,"scene_path":"res://main.tscn"}`,
		"node.get":             `{"ok":false,"error":"RESOURCE_NOT_FOUND","hint":"there is no node Nowhere: godot-mcp scene tree","required":"node_path"}`,
		"node.delete":          `{"node_path":"Player/Cap","deleted":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`,
	} {
		editor.Reply(command, answer)
	}
	editor.Reply("node.add", `{"node_path":"Player/Hat","created":false,"node_type":"Sprite2D","dry_run":true,"persisted":null,"undoable":true,"scene_path":"res://main.tscn"}`)
	editor.Reply("node.add", `{"node_path":"Player/Hat","created":true,"node_type":"Sprite2D","dry_run":false,"persisted":true,"undoable":true,"scene_path":"res://main.tscn"}`)
	return editor
}

// olderServer serves raw frames under the older names.
func olderServer(t *testing.T, editor *bridgetest.Editor) (send func(json.RawMessage), receive func() message) {
	t.Helper()
	env := envFor(t, editor.Query())
	env.Legacy = true
	server := NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- server.ServeStdio(context.Background(), inRead, outWrite)
		_ = outWrite.Close()
	}()
	t.Cleanup(func() {
		_ = inWrite.Close()
		_, _ = io.Copy(io.Discard, outRead)
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewReader(outRead)
	send = func(frame json.RawMessage) {
		if _, err := inWrite.Write(append(slices.Clone(frame), '\n')); err != nil {
			t.Fatal(err)
		}
	}
	receive = func() message {
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			if m := parse(t, line); m.Method == "" {
				return m
			}
		}
	}
	return send, receive
}

// The frames that a client of the older server sent get answers in which it finds all that it found there.
// All of them are replayed.
func TestRecordedSessionOfTheOlderServer(t *testing.T) {
	editor := olderEditor(t)
	send, receive := olderServer(t, editor)
	replayed := 0
	for _, e := range recording(t) {
		if e.answered.ID == 31 { // recorded after the editor had gone
			editor.Close()
		}
		send(e.frame)
		if e.asked.ID == 0 {
			continue
		}
		got := receive()
		if got.ID != e.asked.ID || got.Error != nil {
			t.Fatalf("%s answered %d with %s", e.frame, got.ID, got.Error)
		}
		compareAnswers(t, e, got)
		replayed++
	}
	if replayed != 31 {
		t.Errorf("%d requests were replayed, 31 were recorded", replayed)
	}
}

func compareAnswers(t *testing.T, e exchange, got message) {
	t.Helper()
	name := e.asked.Params.Name
	switch want := e.answered.Result; {
	case e.asked.Method == "tools/list":
		compareLists(t, want.Tools, got.Result.Tools)
	case want.IsError:
		code, _, _ := strings.Cut(want.Content[0].Text, ":")
		_, required, _ := strings.Cut(want.Content[0].Text, "[")
		if text := got.Result.Content[0].Text; !got.Result.IsError || !strings.HasPrefix(text, code) || !strings.HasSuffix(text, required) {
			t.Errorf("%s failed with %q, want %s %s", name, text, code, required)
		}
	case want.StructuredContent != nil:
		if got.Result.IsError {
			t.Errorf("%s failed: %s", name, got.Result.Content[0].Text)
			return
		}
		switch name {
		case "godot_list_toolsets":
			compareToolsets(t, toolsetsOf(t, want.StructuredContent), toolsetsOf(t, got.Result.StructuredContent))
		case "godot_enable_toolset":
			compareEnabled(t, want.StructuredContent, got.Result.StructuredContent)
		case "godot_list_tools_by_safety_class":
			compareClasses(t, want.StructuredContent, got.Result.StructuredContent)
		default:
			within(t, name, decode(t, want.StructuredContent), decode(t, got.Result.StructuredContent))
		}
		if name == "godot_get_server_info" {
			compareToolsets(t, want.StructuredContent, got.Result.StructuredContent)
		}
		if text := json.RawMessage(got.Result.Content[0].Text); string(text) != string(got.Result.StructuredContent) {
			t.Errorf("%s: the text %s is not the structured content", name, text)
		}
	}
}

// compareLists wants each recorded name that the table has, with the schema of the recorded list.
func compareLists(t *testing.T, want, got []listedTool) {
	t.Helper()
	_, enables := commands.All().Lookup("enable_toolset")
	for _, w := range want {
		alias := strings.TrimPrefix(w.Name, "godot_")
		tool, _ := commands.All().Lookup(alias)
		older := commands.OlderTools()[alias]
		if tool == nil || !enables && older.Toolset != "core" && older.Toolset != "inspection" {
			continue
		}
		at := slices.IndexFunc(got, func(g listedTool) bool { return g.Name == w.Name })
		if at < 0 {
			t.Errorf("%s is not listed", w.Name)
			continue
		}
		within(t, w.Name, decode(t, older.InputSchema), decode(t, got[at].InputSchema))
	}
	for _, g := range got {
		if _, ok := commands.OlderTools()[strings.TrimPrefix(g.Name, "godot_")]; !ok {
			t.Errorf("%s is listed and is no older name", g.Name)
		}
	}
}

// toolsetsOf is an answer of list_toolsets in the form of get_server_info.
func toolsetsOf(t *testing.T, answer json.RawMessage) json.RawMessage {
	t.Helper()
	var list struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(map[string]json.RawMessage{"toolsets": list.Result})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// compareEnabled wants the same toolset on, with tools that were in it.
func compareEnabled(t *testing.T, want, got json.RawMessage) {
	t.Helper()
	type toolset struct {
		Name    string
		Enabled bool
		Tools   []struct{ Name string }
	}
	var recorded, ours toolset
	if json.Unmarshal(want, &recorded) != nil || json.Unmarshal(got, &ours) != nil {
		t.Fatalf("%s, was %s", got, want)
	}
	if ours.Name != recorded.Name || ours.Enabled != recorded.Enabled || len(ours.Tools) == 0 {
		t.Errorf("%s, was %s", got, want)
	}
	for _, tool := range ours.Tools {
		if !slices.Contains(recorded.Tools, tool) {
			t.Errorf("%s was not in %s", tool.Name, recorded.Name)
		}
	}
}

// milder are the classes that the contract gives tools which the older server had in another: undo takes back
// what a mutating tool did, and reading what was recorded changes nothing.
var milder = map[string]string{"destructive": "mutating", "runtime": "read_only"}

// compareClasses wants each tool that has a row in the class that it was recorded in, if it was listed there,
// or in the milder one.
func compareClasses(t *testing.T, want, got json.RawMessage) {
	t.Helper()
	classes := func(answer json.RawMessage) map[string]string {
		var list struct {
			Classes map[string][]string `json:"tools_by_safety_class"`
		}
		if err := json.Unmarshal(answer, &list); err != nil {
			t.Fatal(err)
		}
		of := map[string]string{}
		for class, names := range list.Classes {
			for _, name := range names {
				of[name] = class
			}
		}
		return of
	}
	recorded, ours := classes(want), classes(got)
	if len(ours) < 20 {
		t.Errorf("only %d tools have a class", len(ours))
	}
	for name, class := range ours {
		if was, ok := recorded[name]; ok && was != class && milder[was] != class {
			t.Errorf("%s is %s, was %s", name, class, was)
		}
	}
}

// compareToolsets wants the older names, enabled as they were, for as many as have rows.
func compareToolsets(t *testing.T, want, got json.RawMessage) {
	t.Helper()
	enabled := func(answer json.RawMessage) map[string]bool {
		var info struct {
			Toolsets []struct {
				Name    string `json:"name"`
				Enabled bool   `json:"enabled"`
			} `json:"toolsets"`
		}
		if err := json.Unmarshal(answer, &info); err != nil {
			t.Fatal(err)
		}
		sets := map[string]bool{}
		for _, set := range info.Toolsets {
			sets[set.Name] = set.Enabled
		}
		return sets
	}
	older, ours := enabled(want), enabled(got)
	for name, on := range ours {
		if was, ok := older[name]; !ok || was != on {
			t.Errorf("toolset %s is enabled: %t, was %t (known: %t)", name, on, was, ok)
		}
	}
	if !ours["core"] || !ours["inspection"] {
		t.Errorf("toolsets at the start: %v", ours)
	}
}

func decode(t *testing.T, text json.RawMessage) (value any) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

// ownWords are fields whose values are the server's own; only their type is compared.
var ownWords = strings.Fields("version addon_version bridge_url url description tool_count min_godot prompts resources project_path godot_version project_name peer_identity backend addon_commands toolsets enabled")

// within wants every recorded field with the recorded value, down to the leaves; further fields are ours.
func within(t *testing.T, at string, want, got any) {
	t.Helper()
	_, field, _ := cutLast(at, ".")
	own := slices.Contains(ownWords, field)
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok && !own {
			t.Errorf("%s is %v, was an object", at, got)
		}
		for name, value := range w {
			if _, there := g[name]; !there && !own {
				t.Errorf("%s.%s is missing", at, name)
				continue
			}
			within(t, at+"."+name, value, g[name])
		}
	case []any:
		g, ok := got.([]any)
		if own {
			return
		}
		if !ok || len(g) != len(w) && len(w) > 0 {
			t.Errorf("%s is %v, was %v", at, got, want)
			return
		}
		for i := range min(len(w), len(g)) {
			within(t, at, w[i], g[i])
		}
	default:
		if want != got && !own {
			t.Errorf("%s is %v, was %v", at, got, want)
		}
	}
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(sep):], true
}
