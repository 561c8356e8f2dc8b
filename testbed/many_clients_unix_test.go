//go:build unix

package testbed

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// TestManyClients: eight MCP servers, as many as an editor takes, ask one editor for a minute, each about a
// node of its own and with several requests under way. Each answer comes to its asker, and says that the
// requests were carried out in the order of asking.
func TestManyClients(t *testing.T) {
	const clients, lasts = 8, time.Minute
	e := ownEditor(t, "platformer2d")
	s := cli(e)
	s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	for i := range clients {
		s.call(t, "node add", args{"node_type": "Node2D", "node_name": fmt.Sprintf("Of%d", i)}).ok(t)
	}
	until := time.Now().Add(lasts)
	rounds := make([]int, clients)
	var all sync.WaitGroup
	for i := range clients {
		server := exec.Command(e.Bin, "mcp")
		server.Dir, server.Env = e.Project, e.Env
		all.Go(func() {
			var err error
			if rounds[i], err = askUntil(server, i, until); err != nil {
				t.Errorf("client %d after %d rounds: %v", i, rounds[i], err)
			}
		})
	}
	all.Wait()
	t.Logf("rounds of three: %v", rounds)
	for i, n := range rounds {
		s.call(t, "node get-property", args{"node_path": fmt.Sprintf("Of%d", i), "property": "position:x"}).ok(t).
			has(t, map[string]string{"value": fmt.Sprintf("%d.0", n)})
	}
}

// askUntil sends rounds of three requests, some ahead of the answers, and compares what comes back: a value
// set, the same value read, and a node that is not there. It returns how many rounds were answered.
func askUntil(server *exec.Cmd, i int, until time.Time) (rounds int, err error) {
	in, err := server.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := server.Start(); err != nil {
		return 0, err
	}
	ask := func(id, tool, arguments string) error {
		_, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"godot_%s","arguments":{%s},`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n", id, tool, arguments)
		return err
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	sent, early := 0, answered{}
	const ahead = 3
	for ; rounds < sent || time.Now().Before(until); rounds++ {
		for ; sent < rounds+ahead && time.Now().Before(until); sent++ {
			n := sent + 1
			node := fmt.Sprintf(`"node_path":"Of%d"`, i)
			err = errors.Join(
				ask(fmt.Sprintf("set %d", n), "node_set_property", fmt.Sprintf(`%s,"property":"position:x","value":%d`, node, n)),
				ask(fmt.Sprintf("get %d", n), "node_get_property", node+`,"property":"position:x"`),
				ask(fmt.Sprintf("miss %d", n), "node_get", fmt.Sprintf(`"node_path":"Nowhere%dx%d"`, i, n)),
			)
			if err != nil {
				return rounds, err
			}
		}
		if rounds == sent {
			break
		}
		for _, question := range []string{"set", "get", "miss"} {
			line, err := early.take(answers, fmt.Sprintf("%s %d", question, rounds+1))
			if err != nil {
				return rounds, err
			}
			if err := expected(line, question, i, rounds+1); err != nil {
				return rounds, err
			}
		}
	}
	if err := in.Close(); err != nil {
		return rounds, err
	}
	return rounds, server.Wait()
}

// answered holds answers that overtook others on their way back, by id.
type answered map[string][]byte

// take reads answers until that with the id is there.
func (a answered) take(answers *bufio.Scanner, id string) ([]byte, error) {
	for a[id] == nil {
		if !answers.Scan() {
			return nil, fmt.Errorf("the server ended: %v", answers.Err())
		}
		var answer struct{ ID string }
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			return nil, err
		}
		if a[answer.ID] != nil {
			return nil, fmt.Errorf("a second answer came: %s", answers.Bytes())
		}
		a[answer.ID] = bytes.Clone(answers.Bytes())
	}
	line := a[id]
	delete(a, id)
	return line, nil
}

// expected is an error unless the line is the answer to this question of this client.
func expected(line []byte, question string, i, n int) error {
	var answer struct {
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent struct {
				NodePath string `json:"node_path"`
				Value    float64
			}
		}
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	r := answer.Result
	right := false
	if question == "miss" {
		right = r.IsError && strings.Contains(r.Content[0].Text, fmt.Sprintf("Nowhere%dx%d", i, n))
	} else {
		right = r.StructuredContent.NodePath == fmt.Sprintf("Of%d", i) && r.StructuredContent.Value == float64(n)
	}
	if !right {
		return fmt.Errorf("%s %d was answered with %s", question, n, line)
	}
	return nil
}

// TestThousandLinksLeaveNothing: neither in the editor nor in the client a socket, a file, a goroutine or an
// object is left of links that came and went, some of them in the middle of a call.
func TestThousandLinksLeaveNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("open files are counted where /proc is; goroutines and objects everywhere")
	}
	e := ownEditor(t, "platformer2d")
	s := cli(e)
	write(t, e, "counted.gd", "@tool\nextends Node\nvar objects: float:\n\tget: return Performance.get_monitor(Performance.OBJECT_COUNT)\n")
	openScene(t, e, "counted.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://counted.gd\" id=\"1\"]\n\n[node name=\"Counted\" type=\"Node\"]\nscript = ExtResource(\"1\")\n")
	objects := func() (n float64) {
		result := s.call(t, "node get-property", args{"node_path": ".", "property": "objects"}).ok(t)
		if err := json.Unmarshal([]byte(result.text("value")), &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	links := func(count int) {
		for i := range count {
			comeAndGo(t, e, i)
		}
	}
	links(20) // what is made once
	editorFiles, ownFiles, goroutines, before := openFiles(t, e.PID), openFiles(t, os.Getpid()), runtime.NumGoroutine(), objects()
	links(1000)
	await(t, "the editor to have closed all sockets", func() bool { return openFiles(t, e.PID) <= editorFiles })
	await(t, "the client to have closed all files", func() bool { return openFiles(t, os.Getpid()) <= ownFiles })
	await(t, "the client's goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines })
	// The editor makes and frees objects of its own, a few at a time.
	await(t, "the editor's objects to be freed", func() bool { return objects() < before+100 })
}

// comeAndGo links to the editor, asks, and leaves: after the answer, before it, or without a word.
func comeAndGo(t *testing.T, e *Editor, i int) {
	t.Helper()
	c := &bridge.Client{
		Name: "passing", Version: "1",
		Find: func(context.Context) (bridge.Editor, error) { return bridge.Find(bridge.Query{Project: e.Project}) },
	}
	defer func() { _ = c.Close() }()
	if _, err := c.Connect(t.Context()); err != nil {
		t.Fatalf("link %d: %v", i, err)
	}
	ask := bridge.Request{Command: "node.get-property", Params: json.RawMessage(`{"node_path":".","property":"name"}`)}
	switch i % 3 {
	case 0:
		if _, err := c.Call(t.Context(), ask); err != nil {
			t.Fatalf("link %d: %v", i, err)
		}
	case 1:
		c.Start(t.Context(), ask)
	}
}

// openFiles counts the open files and sockets of a process, 0 where the system has no /proc.
func openFiles(t *testing.T, pid int) int {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil && runtime.GOOS == "linux" {
		t.Fatal(err)
	}
	return len(entries)
}
