package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestCallPipelinesTenThousandLines(t *testing.T) {
	const count = 10_000
	ed := bridgetest.New(t)
	alone(t, ed)
	ed.On("node.get-property", func(params json.RawMessage) (any, error) {
		var p struct {
			Property string `json:"property"`
		}
		err := json.Unmarshal(params, &p)
		return map[string]string{"value": p.Property}, err
	})
	var in bytes.Buffer
	for i := range count {
		fmt.Fprintf(&in, `{"id":%d,"tool":"node get-property","arguments":{"node_path":"A","property":"p%d"}}`+"\n", i, i)
	}
	answers := callAll(t, ed, in.Bytes())
	if len(answers) != count {
		t.Fatalf("%d answers", len(answers))
	}
	for i, a := range answers {
		if string(a.ID) != fmt.Sprint(i) || string(a.Result) != fmt.Sprintf(`{"value":"p%d"}`, i) {
			t.Fatalf("answer %d: id %s, result %s, hint %s", i, a.ID, a.Result, a.Hint)
		}
	}
	if hellos := len(ed.Hellos()); hellos != 1 {
		t.Errorf("%d connections", hellos)
	}
}

// A message over the limit is refused with limit and size before it is sent; the link serves the next call.
func TestF14_SizesInCall(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	ed.On("node.set-property", func(params json.RawMessage) (any, error) {
		var p struct {
			Value string `json:"value"`
		}
		err := json.Unmarshal(params, &p)
		return map[string]int{"length": len(p.Value)}, err
	})
	line := func(size int) string {
		return `{"tool":"node set-property","arguments":{"node_path":"A","property":"text","value":"` + strings.Repeat("x", size) + `"}}` + "\n"
	}
	frame := len(line(0))
	sizes := []int{8193, 65536, 1 << 20, 5 << 20}
	var in strings.Builder
	for _, size := range sizes {
		in.WriteString(line(size))
	}
	in.WriteString(line(bridge.MaxMessage - frame)) // as a line it may be; as a message it is too long
	in.WriteString(line(bridge.MaxMessage - frame + 1))
	in.WriteString(line(2 * bridge.MaxMessage))
	in.WriteString(line(1))
	answers := callAll(t, ed, []byte(in.String()))
	if len(answers) != 8 {
		t.Fatalf("%d answers", len(answers))
	}
	for i, size := range append(sizes, 0, 0, 0, 1) {
		a := answers[i]
		switch {
		case size > 0 && string(a.Result) != fmt.Sprintf(`{"length":%d}`, size):
			t.Errorf("%d bytes: result %s, hint %s", size, a.Result, a.Hint)
		case size == 0 && (a.Error != bridge.ValidationError || !strings.Contains(a.Hint, "16777216 bytes")):
			t.Errorf("answer %d: %s %s", i, a.Error, a.Hint)
		}
	}
	if calls := len(ed.Calls()); calls != len(sizes)+1 {
		t.Errorf("%d calls reached the editor", calls)
	}
}

func TestF14_AnswersOfEverySize(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	sizes := []int{8193, 65536, 1 << 20, 5 << 20}
	for _, size := range sizes {
		ed.Reply("node.get-property", `{"value":"`+strings.Repeat("y", size)+`"}`)
	}
	answers := callAll(t, ed, bytes.Repeat([]byte(`{"tool":"node get-property","arguments":{"node_path":"A","property":"t"}}`+"\n"), len(sizes)))
	for i, size := range sizes {
		if got := len(answers[i].Result) - len(`{"value":""}`); got != size {
			t.Errorf("%d bytes came as %d, hint %s", size, got, answers[i].Hint)
		}
	}
}

func TestCallRefusesInvalidUTF8ForItsLineOnly(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	ed.Reply("node.add", `{"created":true}`)
	answers := callAll(t, ed, []byte("{\"tool\":\"node add\",\"arguments\":{\"node_name\":\"\xff\"}}\n{\"tool\":\"node add\"}\n"))
	if len(answers) != 2 || answers[0].Error != bridge.ValidationError || !answers[1].OK {
		t.Errorf("got %+v", answers)
	}
	if calls := len(ed.Calls()); calls != 1 {
		t.Errorf("%d calls reached the editor", calls)
	}
}

// What the binary answers itself waits for what was asked before it.
func TestCallKeepsOrderAcrossLocalTools(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	ed.Reply("get-server-info", `{"active_scene":null}`)
	ed.Reply("scene.save", `{"saved":true}`)
	lines := `{"id":1,"tool":"scene save"}` + "\n" + `{"id":2,"tool":"get-server-info"}` + "\n" + `{"id":3,"tool":"scene save"}` + "\n"
	for i, a := range callAll(t, ed, []byte(lines)) {
		if !a.OK || string(a.ID) != fmt.Sprint(i+1) {
			t.Errorf("answer %d: %+v", i+1, a)
		}
	}
	var order []string
	for _, c := range ed.Calls() {
		order = append(order, c.Command)
	}
	if got := strings.Join(order, " "); got != "scene.save get-server-info scene.save" {
		t.Errorf("the editor got %s", got)
	}
}

// callAll runs call over the lines in this process; it must end well and quietly.
func callAll(t *testing.T, ed *bridgetest.Editor, lines []byte) []callAnswer {
	t.Helper()
	var out, stderr bytes.Buffer
	code := run([]string{"call", "-", "--project", ed.Project}, streams{in: bytes.NewReader(lines), out: &out, err: &stderr})
	if code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit status %d, stderr %s", code, stderr.String())
	}
	var answers []callAnswer
	d := json.NewDecoder(&out)
	for d.More() {
		var a callAnswer
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return answers
}
