package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// setup is what a test changes of the ordinary server.
type setup struct {
	query  bridge.Query
	policy commands.Policy
	listed []string
	// contract is what the build serves; this build's by default.
	contract commands.Contract
}

// connect serves over a pair of pipes, as a client on standard input and output would see it.
func connect(t *testing.T, s setup) *sdk.ClientSession {
	t.Helper()
	env := envFor(t, s.query)
	env.JQ = jq.Self()
	if s.listed != nil {
		env.Listed = s.listed
	}
	if s.contract != (commands.Contract{}) {
		env.Contract = s.contract
	}
	env.Bridge.OwnContract, env.Bridge.MinContract = env.Contract.Version, env.Contract.MinCompatible
	server := NewServer(&commands.Dispatcher{Table: env.Table, Policy: s.policy, Env: env}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- server.ServeStdio(context.Background(), inRead, outWrite)
		_ = outWrite.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: outRead, Writer: inWrite}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = inWrite.Close()
		// A client that leaves closes both pipes at once, whatever is still being written.
		if err := <-done; err != nil && !errors.Is(err, ErrOutput) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

func call(t *testing.T, session *sdk.ClientSession, name, arguments string) *sdk.CallToolResult {
	t.Helper()
	result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

// text is what a result says, without the fence around it.
func text(result *sdk.CallToolResult) string {
	if len(result.Content) > 2 {
		return result.Content[1].(*sdk.TextContent).Text
	}
	return result.Content[0].(*sdk.TextContent).Text
}

// refused checks an error result: its code, what is required, and a part of the hint.
func refused(t *testing.T, result *sdk.CallToolResult, code bridge.Code, required, hint string) {
	t.Helper()
	got := text(result)
	if !result.IsError || !strings.HasPrefix(got, string(code)+": ") || !strings.HasSuffix(got, "[required="+required+"]") || !strings.Contains(got, hint) {
		t.Errorf("got %q, want %s with required %s and %q", got, code, required, hint)
	}
	if result.StructuredContent != nil {
		t.Errorf("an error has structured content, which would have to be of the result's schema: %v", result.StructuredContent)
	}
}

func TestListIsTheStarterSetInOrder(t *testing.T) {
	session := connect(t, setup{})
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, tool := range commands.All().Tools {
		if tool.Starter {
			want[tool.MCPName()] = true
		}
	}
	last := ""
	for _, tool := range list.Tools {
		if !want[tool.Name] {
			t.Errorf("%s is listed and is not in the starter set", tool.Name)
		}
		delete(want, tool.Name)
		if tool.Name < last {
			t.Errorf("%s comes after %s", tool.Name, last)
		}
		last = tool.Name
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

// denying is a policy with these rules.
func denying(t *testing.T, rules ...string) commands.Policy {
	t.Helper()
	deny, err := commands.All().Rules("user file", rules)
	if err != nil {
		t.Fatal(err)
	}
	return commands.Policy{Deny: deny}
}

// What a rule names is neither listed nor called, whatever kind of name it is.
func TestEachKindOfRuleCutsTheListAndTheCall(t *testing.T) {
	for rule, refusedTool := range map[string]string{
		"destructive": "godot_node_delete", "executes_code": "godot_node_attach_script", "scene": "godot_scene_open",
		"node add": "godot_node_add", "godot_undo": "godot_undo", "tool call": "godot_tool_call", "batch run": "godot_batch_run",
	} {
		session := connect(t, setup{policy: denying(t, rule), listed: []string{"all"}})
		list, err := session.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			if tool.Name == refusedTool {
				t.Errorf("deny %s: %s is listed", rule, tool.Name)
			}
		}
		refused(t, call(t, session, refusedTool, `{"tool":"scene list","commands":[]}`), bridge.PreconditionFailed, "policy", "deny "+rule+" of the user file")
	}
}

func TestPolicyCutsTheListAndTheCall(t *testing.T) {
	session := connect(t, setup{policy: commands.Policy{ReadOnly: true}, listed: []string{"all"}})
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is listed in read-only mode", tool.Name)
		}
	}
	result := call(t, session, "godot_node_add", `{}`)
	refused(t, result, bridge.PreconditionFailed, "policy", "--read-only")
}

func TestCallPassesTheEditorsAnswerOn(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("node.get-property", `{"node_path":".","property":"position","value":{"x":1.0,"y":2.5},"exists":true,"type":"Vector2","scene_path":"res://main.tscn"}`)
	session := connect(t, setup{query: editor.Query()})
	result := call(t, session, "godot_node_get_property", `{"node_path":".","property":"position"}`)
	if result.IsError || !strings.Contains(text(result), `"y":2.5`) {
		t.Errorf("got %s", text(result))
	}
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil || !strings.Contains(string(structured), `"exists":true`) {
		t.Errorf("structured content %s, %v", structured, err)
	}
}

func TestUnknownToolIsTheProtocolsError(t *testing.T) {
	session := connect(t, setup{})
	_, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "godot_node_ad"})
	if err == nil || !strings.Contains(err.Error(), "godot_node_ad") {
		t.Errorf("got %v", err)
	}
}

func TestAliasAnswersInTheOlderShape(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.save", `{"saved":true,"scene_path":"res://main.tscn","dry_run":false,"persisted":true,"undoable":false}`)
	session := connect(t, setup{query: editor.Query()})
	result := call(t, session, "godot_scene_edit_save_scene", `{}`)
	if result.IsError || !strings.Contains(text(result), `"path":"res://main.tscn"`) {
		t.Errorf("got %s", text(result))
	}
}

// What is refused before the editor is asked: bridgetest fails the test on any command.
func TestBadInputNeverReachesTheEditor(t *testing.T) {
	editor := bridgetest.New(t)
	session := connect(t, setup{query: editor.Query()})
	for name, c := range map[string]struct {
		tool, arguments string
		code            bridge.Code
		required, hint  string
	}{
		"unknown parameter":   {"godot_node_add", `{"node_tipe":"Node"}`, bridge.ValidationError, "node_tipe", "did you mean node_type?"},
		"wrong type":          {"godot_node_add", `{"index":"last"}`, bridge.ValidationError, "index", "must be an integer"},
		"missing parameter":   {"godot_node_get_property", `{"property":"x"}`, bridge.ValidationError, "node_path", "needs node_path"},
		"not in the list":     {"godot_editor_wait", `{"for":"ever"}`, bridge.ValidationError, "for", "idle, scanned, imported"},
		"path outside":        {"godot_scene_open", `{"scene_path":"res://../main.tscn"}`, bridge.ValidationError, "scene_path", "climbs out"},
		"hidden folder":       {"godot_scene_open", `{"scene_path":"res://.godot/x.tscn"}`, bridge.ValidationError, "scene_path", "engine's own folder"},
		"F23 rewritten path":  {"godot_node_get", `{"node_path":"C:/Program Files/Git/Main/Player"}`, bridge.ValidationError, "node_path", "Main/Player"},
		"without confirm":     {"godot_node_delete", `{"node_path":"Player"}`, bridge.PreconditionFailed, "confirm", "confirm=true"},
		"stop without it":     {"godot_editor_stop", `{"force":true}`, bridge.PreconditionFailed, "confirm", "confirm=true"},
		"integer too large":   {"godot_node_set_property", `{"node_path":".","property":"x","value":9223372036854775808}`, bridge.ValidationError, "value", "value"},
		"half a character":    {"godot_node_add", `{"node_name":"\ud800"}`, bridge.ValidationError, "arguments", "surrogate"},
		"not an object":       {"godot_node_add", `[1]`, bridge.ValidationError, "arguments", "object"},
		"no list of strings":  {"godot_node_get", `{"node_path":".","include":[1]}`, bridge.ValidationError, "include", "a list of string"},
		"dry run of the type": {"godot_node_add", `{"dry_run":"maybe"}`, bridge.ValidationError, "dry_run", "a boolean"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, call(t, session, c.tool, c.arguments), c.code, c.required, c.hint)
		})
	}
	if calls := editor.Calls(); len(calls) != 0 {
		t.Errorf("the editor was asked: %v", calls)
	}
}

func TestStringifiedArgumentsAreTaken(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("node.add", `{"node_path":"N","created":true,"node_type":"Node","persisted":true,"dry_run":true,"undoable":true,"scene_path":"res://main.tscn"}`)
	session := connect(t, setup{query: editor.Query()})
	result := call(t, session, "godot_node_add", `{"dry_run":"true","index":"3","properties":"{\"visible\":false}","task_progress":"x"}`)
	if result.IsError {
		t.Fatal(text(result))
	}
	sent := string(editor.Calls()[0].Params)
	if !strings.Contains(sent, `"index":3`) || !strings.Contains(sent, `"dry_run":true`) || !strings.Contains(sent, `"properties":{"visible":false}`) || strings.Contains(sent, "task_progress") {
		t.Errorf("sent %s", sent)
	}
}

func TestContractOutOfRangeIsRefused(t *testing.T) {
	session := connect(t, setup{})
	result, err := session.CallTool(context.Background(), &sdk.CallToolParams{
		Name: "godot_scene_list", Meta: sdk.Meta{metaContract: 99},
	})
	if err != nil {
		t.Fatal(err)
	}
	refused(t, result, bridge.PreconditionFailed, "contract_version", "upgrade godot-mcp")
}

func TestRequestKeyTravels(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.save", `{"saved":true,"scene_path":"","dry_run":false,"persisted":true,"undoable":false}`)
	session := connect(t, setup{query: editor.Query()})
	_, err := session.CallTool(context.Background(), &sdk.CallToolParams{
		Name: "godot_scene_save", Meta: sdk.Meta{metaRequestKey: "k1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if key := editor.Calls()[0].Key; key != "k1" {
		t.Errorf("the key was %q", key)
	}
}

func TestNoEditorSaysHowToStartOne(t *testing.T) {
	project := emptyProject(t)
	session := connect(t, setup{query: bridge.Query{Project: project, Registry: t.TempDir()}})
	refused(t, call(t, session, "godot_scene_list", `{}`), bridge.BridgeDisconnected, "bridge_connected", "godot-mcp editor start")
}

func TestWrongProjectIsSaid(t *testing.T) {
	session := connect(t, setup{query: bridge.Query{Project: t.TempDir(), Registry: t.TempDir()}})
	refused(t, call(t, session, "godot_scene_list", `{}`), bridge.PreconditionFailed, "project_dir", "project.godot")
}

func TestTwoEditorsAreRefusedWithTheList(t *testing.T) {
	project := emptyProject(t)
	first := bridgetest.New(t, bridgetest.Project(project))
	second := bridgetest.New(t, bridgetest.Project(project), bridgetest.PID(os.Getppid()))
	_ = second
	session := connect(t, setup{query: bridge.Query{Project: project, Registry: first.Registry()}})
	refused(t, call(t, session, "godot_scene_list", `{}`), bridge.PreconditionFailed, "bridge_connected", "--editor")
}

func TestForeignBridgeFileIsNotBelieved(t *testing.T) {
	editor := bridgetest.New(t)
	if err := os.Chmod(editor.Info().File, 0o644); err != nil {
		t.Fatal(err)
	}
	session := connect(t, setup{query: editor.Query()})
	refused(t, call(t, session, "godot_scene_list", `{}`), bridge.BridgeDisconnected, "bridge_connected", "other users")
}

func TestWrongTokenAndWrongProofAreRefused(t *testing.T) {
	for name, option := range map[string]bridgetest.Option{"token": bridgetest.WrongToken(), "proof": bridgetest.WrongProof()} {
		t.Run(name, func(t *testing.T) {
			editor := bridgetest.New(t, option)
			editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
			session := connect(t, setup{query: editor.Query()})
			refused(t, call(t, session, "godot_scene_list", `{}`), bridge.BridgeDisconnected, "bridge_token", "")
		})
	}
}

// F20: a server that was up before the editor finds it, and finds it again on another port.
func TestF20_EditorThatComesLaterAndAgain(t *testing.T) {
	project := emptyProject(t)
	session := connect(t, setup{query: bridge.Query{Project: project, Registry: t.TempDir()}})
	refused(t, call(t, session, "godot_scene_list", `{}`), bridge.BridgeDisconnected, "bridge_connected", "")
	for range 2 {
		editor := bridgetest.New(t, bridgetest.Project(project))
		editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
		if result := call(t, session, "godot_scene_list", `{}`); result.IsError {
			t.Fatal(text(result))
		}
		editor.Close()
	}
}

func emptyProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "project.godot"), []byte("config_version=5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
