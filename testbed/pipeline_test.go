package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// The rounds of set and save that F10 is about.
const rounds = 20

// TestF10SaveNeverReenters: set, save, set, save without waiting. Saving pumps the editor's main loop, and
// commands that ran inside it crashed the editor or came back out of order.
func TestF10SaveNeverReenters(t *testing.T) {
	pipelined(t, sharedEditor(t))
}

// TestF10WithAWindow is the same where saving shows a progress window, which is where it crashed.
func TestF10WithAWindow(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	windowed := filepath.Join(cache, "bin", "xvfb-godot")
	if _, err := os.Stat(windowed); err != nil {
		t.Fatalf("no engine with a virtual display: run testbed/install-godot.sh with GODOT_BIN unset: %v", err)
	}
	e.Env = append(e.Env, "GODOT_BIN="+windowed, "LIBGL_ALWAYS_SOFTWARE=1")
	started := typed(t, e, "editor", "start", "--display", "screen").ok(t)
	if _, err := fmt.Sscan(started.text("pid"), &e.PID); err != nil {
		t.Fatal(err)
	}
	started.has(t, map[string]string{"display": "screen", "started": "true", "already_running": "false"})
	typed(t, e, "editor", "status").ok(t).has(t, map[string]string{"headless": "false"})
	pipelined(t, e)
}

func pipelined(t *testing.T, e *Editor) {
	scene := openScene(t, e, "pipeline/main.tscn", scene2d("Pipeline"))
	set := func(i int) args {
		return args{"node_path": "Player/Label", "property": "text", "value": fmt.Sprintf("round %d", i)}
	}
	first := "Hero"
	check := func(t *testing.T, i int, tool string, result answer) {
		t.Helper()
		if i%2 == 0 {
			result.ok(t).has(t, map[string]string{"value": fmt.Sprintf("round %d", i/2), "previous": previousOf(i/2, first)})
		} else {
			result.ok(t).has(t, map[string]string{"saved": "true", "scene_path": scene})
		}
	}
	t.Run("ndjson", func(t *testing.T) {
		var lines strings.Builder
		for i := range rounds {
			fmt.Fprintf(&lines, `{"id":%d,"tool":"node set-property","arguments":%s}`+"\n", 2*i, asJSON(set(i)))
			fmt.Fprintf(&lines, `{"id":%d,"tool":"godot_scene_save","arguments":{}}`+"\n", 2*i+1)
		}
		out := e.RunInput(lines.String(), "call", "-")
		if out.Exit != 0 || out.Stderr != "" {
			t.Fatalf("exit %d: %s", out.Exit, out.Stderr)
		}
		answers := strings.Split(strings.TrimSpace(out.Stdout), "\n")
		if len(answers) != 2*rounds {
			t.Fatalf("%d answers, want %d", len(answers), 2*rounds)
		}
		for i, line := range answers {
			var got struct {
				ID     int
				Tool   string
				OK     bool
				Result json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.ID != i || !got.OK {
				t.Fatalf("answer %d is %s", i, line)
			}
			check(t, i, got.Tool, newAnswer(t, got.Tool, got.Result))
		}
	})
	after(t, e, scene)
	first = previousOf(rounds, first)

	// One connection, all requests in flight before the first answer.
	t.Run("bridge", func(t *testing.T) {
		client := direct(t, e, &bridge.Client{})
		var pending []*bridge.Pending
		for i := range rounds {
			params := json.RawMessage(asJSON(set(i)))
			pending = append(pending, client.Start(t.Context(), bridge.Request{Command: "node.set-property", Params: params}),
				client.Start(t.Context(), bridge.Request{Command: "scene.save"}))
		}
		for i, p := range pending {
			raw, err := p.Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tool := "node set-property"
			if i%2 == 1 {
				tool = "scene save"
			}
			check(t, i, tool, newAnswer(t, tool, raw))
		}
	})
	after(t, e, scene)
	first = previousOf(rounds, first)

	if windowed := cli(e).call(t, "editor status", nil).text("headless") == "false"; windowed {
		// Each save takes a fifth of a second here, and MCP adds nothing to what the bridge does.
		return
	}
	t.Run("mcp", func(t *testing.T) {
		s := mcpSession(t, e)
		for i := range rounds {
			check(t, 2*i, "node set-property", s.call(t, "node set-property", set(i)))
			check(t, 2*i+1, "scene save", s.call(t, "scene save", nil))
		}
	})
	after(t, e, scene)
}

// previousOf is the text before a round.
func previousOf(round int, first string) string {
	if round == 0 {
		return first
	}
	return fmt.Sprintf("round %d", round-1)
}

// after checks the file and the editor when all rounds are over.
func after(t *testing.T, e *Editor, scene string) {
	t.Helper()
	file := readTSCN(read(t, e, scene))
	if text := file.nodes["Player/Label"].properties["text"]; text != fmt.Sprintf("%q", previousOf(rounds, "")) {
		t.Errorf("the file has %s", text)
	}
	if !bridge.Alive(e.PID) {
		t.Fatal("the editor is gone")
	}
	cli(e).call(t, "editor status", nil).ok(t)
}

// TestChangingTabsInOneBreath: the engine finishes a change of tabs a frame later and takes no other one
// until then; commands that come faster wait for it.
func TestChangingTabsInOneBreath(t *testing.T) {
	e := sharedEditor(t)
	a := openScene(t, e, "pipeline/breath_a.tscn", scene2d("A"))
	b := openScene(t, e, "pipeline/breath_b.tscn", scene2d("B"))
	client := direct(t, e, &bridge.Client{})
	var pending []*bridge.Pending
	for i := range 10 {
		for _, scene := range []string{a, b} {
			params := asJSON(args{"scene_path": scene, "node_path": "Player/Label", "property": "text", "value": fmt.Sprint(i, scene)})
			pending = append(pending,
				client.Start(t.Context(), bridge.Request{Command: "scene.open", Params: json.RawMessage(asJSON(args{"scene_path": scene}))}),
				client.Start(t.Context(), bridge.Request{Command: "node.set-property", Params: json.RawMessage(params)}),
				client.Start(t.Context(), bridge.Request{Command: "scene.save"}))
		}
	}
	for i, p := range pending {
		raw, err := p.Wait(t.Context())
		if err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		tool := []string{"scene open", "node set-property", "scene save"}[i%3]
		newAnswer(t, tool, raw).has(t, map[string]string{"scene_path": []string{a, b}[i/3%2]})
	}
	for _, scene := range []string{a, b} {
		want := fmt.Sprintf("%q", fmt.Sprint(9, scene))
		if got := readTSCN(read(t, e, scene)).nodes["Player/Label"].properties["text"]; got != want {
			t.Errorf("%s has %s, want %s", scene, got, want)
		}
	}
}

// TestWaitingGivesTheQueueBack: a command that waits is overtaken, and can be given up.
func TestWaitingGivesTheQueueBack(t *testing.T) {
	e := sharedEditor(t)
	client := direct(t, e, &bridge.Client{})
	if _, err := send(t, client, bridge.Request{Command: "editor.wait", Params: json.RawMessage(`{"for":"idle","timeout_ms":30000}`)}); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"idle", "scanned", "imported"} {
		typed(t, e, "editor", "wait", "--for", mode, "--timeout-ms", "20000").ok(t).has(t, map[string]string{"ready": "true", "scanning": "false"})
	}
	user(t, e, "scan", "")
	ctx, cancel := context.WithCancel(t.Context())
	waiting := client.Start(ctx, bridge.Request{Command: "editor.wait", Params: json.RawMessage(`{"for":"idle","timeout_ms":30000}`)})
	if _, err := send(t, client, bridge.Request{Command: "health-check"}); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := waiting.Wait(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled wait ended with %v", err)
	}
	if _, err := send(t, client, bridge.Request{Command: "health-check"}); err != nil {
		t.Error(err)
	}
}
