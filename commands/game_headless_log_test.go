package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// As the engine prints it, a line of its own left out here and there.
const printed = `Godot Engine v4.6.3.stable.official - https://godotengine.org

hello
WARNING: careful
second line
     at: push_warning (core/variant/variant_utility.cpp:1034)
     GDScript backtrace (most recent call first):
         [0] _ready (res://bad.gd:5)
         [1] start (res://main.gd:12)
ERROR: oh no
   at: push_error (core/variant/variant_utility.cpp:1024)
   GDScript backtrace (most recent call first):
       [0] _ready (res://bad.gd:6)
` + "\x1b[1;31mSCRIPT ERROR:\x1b[0m\x1b[91m Cannot call method 'queue_free' on a null value.\x1b[0m" + `
          at: _ready (res://bad.gd:8)
          GDScript backtrace (most recent call first):
              [0] _ready (res://bad.gd:8)
SCRIPT ERROR: Parse Error: Function "f()" has no static return type. (Warning treated as error.)
          at: GDScript::reload (res://bad.gd:9)
ERROR: res://bad.tscn:5 - Parse Error: [ext_resource] referenced non-existent resource at: res://nope.png.
   at: _printerr (scene/resources/resource_format_text.cpp:40)
ERROR: printed by the project
  and with no place behind it
@@godot-mcp frame
bye
handle_crash: Program crashed with signal 4
ERROR: the last thing said`

func TestRunLogTakesMessagesApart(t *testing.T) {
	log := &runLog{}
	log.read(strings.NewReader(printed))
	lines, leftOut := log.output()
	want := []string{
		"Godot Engine v4.6.3.stable.official - https://godotengine.org", "", "hello",
		"bye", "handle_crash: Program crashed with signal 4",
		"ERROR: the last thing said",
	}
	own := slices.IndexFunc(lines, func(line string) bool { return line == "ERROR: printed by the project" })
	if own < 0 || leftOut != 0 {
		t.Fatalf("the project's own line is not in %q, %d left out", lines, leftOut)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return line == "ERROR: printed by the project" || line == "  and with no place behind it"
	})
	if !slices.Equal(lines, want) {
		t.Errorf("the other lines are %q, want %q", lines, want)
	}
	if log.lastFrame.IsZero() || log.ended.Before(log.lastFrame) {
		t.Errorf("the last frame was at %v, the end at %v", log.lastFrame, log.ended)
	}
	got := asText(t, map[string]any{"errors": log.errors, "warnings": log.warnings})
	for _, message := range []string{
		`{"type":"user","message":"careful\nsecond line","source":"res://bad.gd","line":5,"stack":[{"function":"_ready","source":"res://bad.gd","line":5},{"function":"start","source":"res://main.gd","line":12}],"count":1}`,
		`{"type":"user","message":"oh no","source":"res://bad.gd","line":6,"stack":[{"function":"_ready","source":"res://bad.gd","line":6}],"count":1}`,
		`{"type":"script","message":"Cannot call method 'queue_free' on a null value.","source":"res://bad.gd","line":8,"stack":[{"function":"_ready","source":"res://bad.gd","line":8}],"count":1}`,
		`{"type":"script","message":"Parse Error: Function \"f()\" has no static return type. (Warning treated as error.)","source":"res://bad.gd","line":9,"stack":[],"count":1}`,
		`{"type":"engine","message":"res://bad.tscn:5 - Parse Error: [ext_resource] referenced non-existent resource at: res://nope.png.","source":"res://bad.tscn","line":5,"stack":[],"count":1}`,
		`{"type":"crash","message":"Program crashed with signal 4","source":null,"line":null,"stack":[],"count":1}`,
	} {
		if !strings.Contains(got, message) {
			t.Errorf("%s is not in %s", message, got)
		}
	}
	if len(log.errors) != 5 || len(log.warnings) != 1 {
		t.Errorf("%d errors and %d warnings", len(log.errors), len(log.warnings))
	}
}

func asText(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A game that prints without end fills no memory: the first and last lines are kept, and equal errors once.
func TestRunLogIsBounded(t *testing.T) {
	log := &runLog{}
	const many = 20000
	var b strings.Builder
	for i := range many {
		fmt.Fprintf(&b, "line %d\n", i)
		b.WriteString("SCRIPT ERROR: again\n   at: f (res://a.gd:3)\n")
		fmt.Fprintf(&b, "WARNING: number %d\n   at: f (res://a.gd:3)\n", i)
	}
	b.WriteString(strings.Repeat("x", 1<<20) + "\n")
	log.read(strings.NewReader(b.String()))
	lines, leftOut := log.output()
	last := lines[len(lines)-1]
	if lines[0] != "line 0" || lines[headLines-1] != fmt.Sprintf("line %d", headLines-1) || len(last) != lineBytes {
		t.Errorf("the first line is %q, the last has %d bytes", lines[0], len(last))
	}
	if next := lines[len(lines)-2]; next != fmt.Sprintf("line %d", many-1) {
		t.Errorf("before it stands %q", next)
	}
	if len(lines) != headLines+tailLines || leftOut != many+1-len(lines)+many-mostMessages {
		t.Errorf("%d lines are kept, %d left out", len(lines), leftOut)
	}
	if len(log.errors) != 1 || log.errors[0].Count != many || len(log.warnings) != mostMessages {
		t.Errorf("errors %v, %d warnings", log.errors, len(log.warnings))
	}
}

// A message that never says where it comes from does not swallow what follows.
func TestRunLogGivesUpOnAMessageWithoutAPlace(t *testing.T) {
	log := &runLog{}
	var b strings.Builder
	b.WriteString("ERROR: what a player typed\n")
	for i := range 3 * messageLines {
		fmt.Fprintf(&b, "%d\n", i)
	}
	log.read(strings.NewReader(b.String()))
	lines, _ := log.output()
	if len(log.errors) != 0 || len(lines) != 3*messageLines+1 || lines[0] != "ERROR: what a player typed" || lines[messageLines+5] != fmt.Sprint(messageLines+4) {
		t.Errorf("errors %v, lines %q", log.errors, lines)
	}
}

func TestTimeoutCoversTheRun(t *testing.T) {
	d := &Dispatcher{}
	for args, want := range map[string]time.Duration{
		`{}`:                      DefaultTimeout,
		`{"timeout_seconds":5}`:   DefaultTimeout,
		`{"timeout_seconds":600}`: 600*time.Second + waitMargin,
		`{"timeout_ms":60000}`:    time.Minute + waitMargin,
	} {
		if got := d.timeout(Call{}, json.RawMessage(args)); got != want {
			t.Errorf("%s: %v, want %v", args, got, want)
		}
	}
}
