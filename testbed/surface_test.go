package testbed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

type args map[string]any

// with is a copy with one more argument.
func (a args) with(name string, value any) args {
	out := args{name: value}
	for k, v := range a {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// surface is a way to call tools. Every result that comes by it is checked against the tool's schema.
type surface interface {
	call(t *testing.T, tool string, a args) answer
}

// answer is what a call gave, in the same words on every surface.
type answer struct {
	tool   string
	raw    json.RawMessage
	fields map[string]any
	err    *bridge.Error
	// exit is -1 where there is none.
	exit int
}

// both runs a test once on the command line and once over MCP.
func both(t *testing.T, e *Editor, test func(t *testing.T, s surface)) {
	t.Run("cli", func(t *testing.T) { test(t, cli(e)) })
	t.Run("mcp", func(t *testing.T) { test(t, mcpSession(t, e)) })
}

// ok is the answer of a call that must succeed.
func (a answer) ok(t *testing.T) answer {
	t.Helper()
	if a.err != nil {
		t.Fatalf("%s: %v", a.tool, a.err)
	}
	if a.exit > 0 {
		t.Fatalf("%s: exit code %d with %s", a.tool, a.exit, a.raw)
	}
	return a
}

// answered is the answer of a call that must do its work; the answer may be no.
func (a answer) answered(t *testing.T) answer {
	t.Helper()
	if a.err != nil {
		t.Fatalf("%s: %v", a.tool, a.err)
	}
	return a
}

// fails checks the code, what is required, the exit code that belongs to it, and words of the hint.
func (a answer) fails(t *testing.T, code bridge.Code, required string, words ...string) answer {
	t.Helper()
	if a.err == nil {
		t.Fatalf("%s gave %s, want %s", a.tool, a.raw, code)
	}
	if a.err.Code != code || a.err.Required != required {
		t.Fatalf("%s: %v; want %s [required=%s]", a.tool, a.err, code, required)
	}
	for _, word := range words {
		if !strings.Contains(a.err.Hint, word) && !(a.exit < 0 && saysForMCP(a.err.Hint, word)) {
			t.Errorf("%s: the hint lacks %q: %s", a.tool, word, a.err.Hint)
		}
	}
	for _, c := range bridge.Codes {
		if c.Code == code && a.exit >= 0 && a.exit != c.Exit {
			t.Errorf("%s: exit code %d, want %d", a.tool, a.exit, c.Exit)
		}
	}
	return a
}

var typedFlag = regexp.MustCompile(`--([a-z-]+)`)

// saysForMCP is true when the hint has a command line's words as MCP clients are told them: godot_scene_open
// for scene open, confirm=true for --confirm.
func saysForMCP(hint, word string) bool {
	asArguments := strings.ReplaceAll(typedFlag.ReplaceAllString(word, "$1=true"), "-", "_")
	asName := strings.NewReplacer(" ", "_", "-", "_").Replace(word)
	return strings.Contains(hint, asArguments) || strings.Contains(hint, asName)
}

// value finds a field by a path such as "open_scenes.0.dirty".
func (a answer) value(path string) any {
	var at any = a.fields
	for _, key := range strings.Split(path, ".") {
		switch in := at.(type) {
		case map[string]any:
			at = in[key]
		case []any:
			i := -1
			if _, err := fmt.Sscan(key, &i); err != nil || i < 0 || i >= len(in) {
				return nil
			}
			at = in[i]
		default:
			return nil
		}
	}
	return at
}

// text is a field as text: a string as it is, anything else as JSON.
func (a answer) text(path string) string {
	value := a.value(path)
	if text, ok := value.(string); ok {
		return text
	}
	return asJSON(value)
}

// has checks fields against their texts.
func (a answer) has(t *testing.T, want map[string]string) answer {
	t.Helper()
	for _, path := range sortedKeys(want) {
		if got := a.text(path); got != want[path] {
			t.Errorf("%s: %s = %s, want %s; the whole answer: %.600s", a.tool, path, got, want[path], a.raw)
		}
	}
	return a
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func asJSON(value any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}

// newAnswer reads a result and holds it against the schema of its tool.
func newAnswer(t *testing.T, tool string, raw []byte) answer {
	t.Helper()
	a := answer{tool: tool, raw: raw}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&a.fields); err != nil {
		t.Fatalf("%s printed %.300q: %v", tool, raw, err)
	}
	checkResult(t, tool, raw, a.fields)
	return a
}

// The schema of each tool's result, made when first asked for.
var schemas sync.Map

func checkResult(t *testing.T, name string, raw []byte, fields map[string]any) {
	t.Helper()
	tool, _ := commands.All().Lookup(name)
	if tool == nil && commands.IsOwnCommand(name) {
		return
	}
	if tool == nil {
		t.Fatalf("there is no tool %s", name)
	}
	called.Store(tool.Name, true)
	if tool.Forwards {
		return // its result is another tool's
	}
	kept, ok := schemas.Load(tool.Name)
	if !ok {
		schema := new(jsonschema.Schema)
		if err := json.Unmarshal(tool.ResultSchema(), schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		kept, _ = schemas.LoadOrStore(tool.Name, resolved)
	}
	resolved := kept.(*jsonschema.Resolved)
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(plain); err != nil {
		t.Errorf("%s: the result does not fit its schema: %v\n%.600s", tool.Name, err, raw)
	}
	_, cut := fields["left_out"]
	for _, field := range sortedKeys(fields) {
		if resolved.Schema().Properties[field] == nil && !(cut && slices.Contains(commands.CutFields(), field)) {
			t.Errorf("%s: the result has %s, which its schema does not know", tool.Name, field)
		}
	}
}

// commandLine runs one process a call.
type commandLine struct{ editor *Editor }

func cli(e *Editor) surface { return commandLine{e} }

// Longer arguments go through standard input: systems limit one argument to 128 KiB.
const longArgument = 100_000

func (c commandLine) call(t *testing.T, tool string, a args) answer {
	t.Helper()
	words := strings.Fields(tool)
	whole := asJSON(a)
	if _, asFlag := a["jq"]; asFlag || len(whole) > longArgument {
		return c.run(t, tool, whole, append(words, "--params", "-")...)
	}
	for _, name := range sortedKeys(a) {
		text, isText := a[name].(string)
		if !isText || takesAny(tool, name) {
			text = asJSON(a[name])
		}
		words = append(words, "--"+strings.ReplaceAll(name, "_", "-")+"="+text)
	}
	return c.run(t, tool, "", words...)
}

func takesAny(name, parameter string) bool {
	tool, _ := commands.All().Lookup(name)
	if tool == nil {
		return false
	}
	for _, f := range tool.Params() {
		if f.Name == parameter {
			return f.Type == "any"
		}
	}
	return false
}

// typed runs a line as a person types it and reads it as the tool's answer.
func typed(t *testing.T, e *Editor, words ...string) answer {
	t.Helper()
	tool := words[0]
	if found, _ := commands.All().Lookup(tool); found == nil && len(words) > 1 {
		tool += " " + words[1]
	}
	return commandLine{e}.run(t, tool, "", words...)
}

func (c commandLine) run(t *testing.T, tool, input string, words ...string) answer {
	t.Helper()
	out := c.editor.RunInput(input, words...)
	if out.Exit == 0 || out.Exit == commands.ExitAnswerNo {
		if out.Stderr != "" {
			t.Errorf("%s wrote to standard error: %s", tool, out.Stderr)
		}
		a := newAnswer(t, tool, []byte(out.Stdout))
		a.exit = out.Exit
		return a
	}
	if out.Stdout != "" {
		t.Errorf("%s failed and printed %.300s", tool, out.Stdout)
	}
	return answer{tool: tool, err: lastError(t, out.Stderr), exit: out.Exit}
}

// lastError reads the error envelope, which is the last line on standard error.
func lastError(t *testing.T, stderr string) *bridge.Error {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	var e bridge.Error
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil || e.Code == "" {
		t.Fatalf("standard error does not end in an error: %q", stderr)
	}
	return &e
}

// session is an MCP client over the standard streams of a server of its own.
type session struct{ client *sdk.ClientSession }

// Results are whole, as those of the command line are.
func mcpSession(t *testing.T, e *Editor) session {
	t.Helper()
	return mcpSessionWith(t, e, "--max-chars", "0")
}

func mcpSessionWith(t *testing.T, e *Editor, flags ...string) session {
	t.Helper()
	cmd := exec.Command(e.Bin, append([]string{"mcp", "--toolsets", "all"}, flags...)...)
	cmd.Dir, cmd.Env = e.Project, e.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "testbed", Version: "1"}, nil)
	// A result travels twice, as text and as structure; the client's own default cap would cut it.
	connected, err := client.Connect(ctx, &sdk.IOTransport{Reader: out, Writer: in, MaxLineLength: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = connected.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the MCP server did not end well: %v", err)
		}
	})
	return session{connected}
}

// plainText is what a result says, without the fence around it.
func plainText(out *sdk.CallToolResult) string {
	if len(out.Content) > 2 {
		return out.Content[1].(*sdk.TextContent).Text
	}
	return out.Content[0].(*sdk.TextContent).Text
}

// The contract's form of an error in a result's text.
var errorText = regexp.MustCompile(`(?s)^([A-Z_]+): (.*?)(?: \[required=([^\]]*)\])?$`)

func (s session) call(t *testing.T, tool string, a args) answer {
	t.Helper()
	out, err := s.try(tool, a)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text := ""
	if out.IsError || !isShown(tool) {
		text = plainText(out)
	}
	if out.IsError {
		m := errorText.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%s: %q is no error of the contract", tool, text)
		}
		return answer{tool: tool, exit: -1, err: &bridge.Error{Code: bridge.Code(m[1]), Hint: m[2], Required: m[3]}}
	}
	if isShown(tool) {
		return shownAnswer(t, tool, out)
	}
	structured, err := json.Marshal(out.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal([]byte(text), &plain); err != nil || asJSON(plain) != asJSON(out.StructuredContent) {
		t.Errorf("%s: text and structured content differ: %.300s, %.300s", tool, text, structured)
	}
	answer := newAnswer(t, tool, []byte(text))
	answer.exit = -1
	return answer
}

func isShown(name string) bool {
	tool, _ := commands.All().Lookup(name)
	return tool != nil && tool.Content
}

// shownAnswer puts together what a result shows: the text about it, and the content as the command line has it.
func shownAnswer(t *testing.T, tool string, out *sdk.CallToolResult) answer {
	t.Helper()
	fields := map[string]any{}
	for _, block := range out.Content {
		if b, ok := block.(*sdk.TextContent); ok {
			if err := json.Unmarshal([]byte(b.Text), &fields); err != nil {
				t.Fatalf("%s: %q: %v", tool, b.Text, err)
			}
		}
	}
	if out.StructuredContent != nil {
		t.Errorf("%s has structured content, beside which clients drop pictures", tool)
	}
	delete(fields, "uri")
	for _, block := range out.Content {
		switch b := block.(type) {
		case *sdk.ImageContent:
			fields["data_base64"] = b.Data
		case *sdk.EmbeddedResource:
			fields["data_base64"] = append(b.Resource.Blob, b.Resource.Text...)
		}
	}
	answer := newAnswer(t, tool, []byte(asJSON(fields)))
	answer.exit = -1
	return answer
}

func (s session) try(name string, a args) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if tool, _ := commands.All().Lookup(name); tool != nil {
		name = tool.MCPName()
	}
	if a == nil {
		a = args{}
	}
	return s.client.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: map[string]any(a)})
}

// direct is a client of the bridge itself, for what no tool sends.
func direct(t *testing.T, e *Editor, c *bridge.Client) *bridge.Client {
	t.Helper()
	c.Find = func(context.Context) (bridge.Editor, error) { return bridge.Find(bridge.Query{Project: e.Project}) }
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// send sends one command over the bridge.
func send(t *testing.T, c *bridge.Client, request bridge.Request) (json.RawMessage, *bridge.Error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	result, err := c.Call(ctx, request)
	return result, bridge.AsError(err)
}
