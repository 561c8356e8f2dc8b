package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// editorsKey finds a script's fake editors, by name.
type editorsKey struct{}

// testKey finds a script's test, which deferred functions need to fail it.
type testKey struct{}

type fakeEditor struct {
	*bridgetest.Editor
	// bystander ends with its input, when the process id is not the test's own.
	bystander func()
	// guests take places of the editor.
	guests []*bridge.Client
}

func editorsOf(ts *testscript.TestScript) map[string]*fakeEditor {
	return ts.Value(editorsKey{}).(map[string]*fakeEditor)
}

func cmdFakeEditor(ts *testscript.TestScript, neg bool, args []string) {
	fs := flag.NewFlagSet("fake-editor", flag.ContinueOnError)
	dir := fs.String("dir", ".", "")
	name := fs.String("name", "editor", "")
	whose := fs.String("pid", "self", "")
	ts.Check(fs.Parse(args))
	if neg || fs.NArg() != 1 {
		ts.Fatalf("usage: fake-editor [-dir DIR] [-name NAME] [-pid self|other|dead] FILE")
	}
	opts := []bridgetest.Option{bridgetest.Runtime(ts.Getenv("XDG_RUNTIME_DIR"))}
	ed := &fakeEditor{bystander: func() {}}
	if *whose != "self" {
		pid, end, err := startBystander()
		ts.Check(err)
		ed.bystander = end
		if *whose == "dead" {
			end()
		}
		opts = append(opts, bridgetest.PID(pid))
	}
	editor, err := bridgetest.ServeScript(ts.MkAbs(*dir), []byte(ts.ReadFile(fs.Arg(0))), opts...)
	ts.Check(err)
	ed.Editor = editor
	editorsOf(ts)[*name] = ed
	ts.Setenv(*name+"_pid", strconv.Itoa(editor.Info().PID))
	t := ts.Value(testKey{}).(testscript.T)
	ts.Defer(func() { ed.end(t) })
}

// end closes the editor and fails the script when something reached it that was not foreseen.
func (ed *fakeEditor) end(t testscript.T) {
	ed.dismiss()
	ed.Close()
	ed.bystander()
	if names := ed.Unexpected(); len(names) > 0 {
		t.Fatal("unexpected calls reached the fake editor:", names)
	}
}

// cmdGuests fills the fake editor's places, or gives them back once somebody was refused.
func cmdGuests(ts *testscript.TestScript, neg bool, args []string) {
	ed := editorsOf(ts)["editor"]
	if len(args) > 0 || ed == nil {
		ts.Fatalf("usage: [!] guests, with a fake editor")
	}
	if neg {
		ed.WaitRefused(1)
		ed.dismiss()
		return
	}
	for range bridge.MaxClients {
		guest := &bridge.Client{Find: ed.Find}
		_, err := guest.Connect(context.Background())
		ts.Check(err)
		ed.guests = append(ed.guests, guest)
	}
}

func (ed *fakeEditor) dismiss() {
	for _, guest := range ed.guests {
		_ = guest.Close()
	}
	ed.guests = nil
}

func startBystander() (pid int, end func(), err error) {
	cmd := exec.Command("bystander")
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, nil, err
	}
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	return cmd.Process.Pid, func() {
		_ = in.Close()
		_ = cmd.Wait()
	}, nil
}

func cmdCalls(ts *testscript.TestScript, neg bool, args []string) {
	name := "editor"
	if len(args) == 1 {
		name = args[0]
	}
	ed := editorsOf(ts)[name]
	if ed == nil {
		ts.Fatalf("there is no fake editor %s", name)
	}
	calls := ed.Calls()
	for _, c := range calls {
		fmt.Fprintln(ts.Stdout(), callText(c))
	}
	if neg && len(calls) > 0 {
		ts.Fatalf("%d calls reached the editor", len(calls))
	}
	if !neg && len(calls) == 0 {
		ts.Fatalf("no call reached the editor")
	}
}

func cmdEmit(ts *testscript.TestScript, neg bool, args []string) {
	ed := editorsOf(ts)["editor"]
	if neg || len(args) == 0 || len(args) > 2 || ed == nil {
		ts.Fatalf("usage: emit EVENT [FIELDS], with a fake editor")
	}
	fields := map[string]any{}
	if len(args) == 2 {
		ts.Check(json.Unmarshal([]byte(args[1]), &fields))
	}
	ed.WaitSockets(1)
	ed.Emit(args[0], fields)
}

func callText(c bridgetest.Call) string {
	text := c.Command + " " + string(c.Params)
	if len(c.Raw) > 0 {
		raw, _ := json.Marshal(c.Raw)
		text += " raw=" + string(raw)
	}
	if c.Key != "" {
		text += " key=" + c.Key
	}
	return text
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := status(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// status runs a command and returns its exit status; its output can be matched afterwards.
func status(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	ts.Check(err)
	return 0
}

func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: fails CODE ERROR REQUIRED COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := status(ts, args[3:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("a failed call wrote to standard output: %s", out)
	}
	e, err := envelope(ts.ReadFile("stderr"))
	ts.Check(err)
	required := strings.ReplaceAll(args[2], "-", "")
	if string(e.Code) != args[1] || e.Required != required {
		ts.Fatalf("answered %s required %q, want %s required %q", e.Code, e.Required, args[1], required)
	}
	ts.Check(checkHint(e.Hint))
}

// envelope reads the error: the last line, and the only one with "ok":false.
func envelope(stderr string) (*bridge.Error, error) {
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if n := strings.Count(stderr, `"ok":false`); n != 1 {
		return nil, fmt.Errorf(`%d lines hold "ok":false`, n)
	}
	e := new(bridge.Error)
	d := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	if err := d.Decode(e); err != nil {
		return nil, fmt.Errorf("the last line is no error envelope: %w", err)
	}
	return e, nil
}

// Where a hint says what to type, a sign or one of these words stands in front.
var commandInHint = regexp.MustCompile(`(?:[:?,;.]|then|or|first|with|see|by|mean|as in) godot-mcp ([a-z-]+(?: [a-z-]+)?)`)

// checkHint sees to it that a hint names a next step, and that each command in it exists.
func checkHint(hint string) error {
	found := commandInHint.FindAllStringSubmatch(hint, -1)
	if len(found) == 0 && !strings.Contains(hint, "--") {
		return fmt.Errorf("the hint names no next step: %s", hint)
	}
	for _, m := range found {
		if !isCommand(m[1]) {
			return fmt.Errorf("the hint sends to %q, which is no command: %s", m[0], hint)
		}
	}
	return nil
}

// isCommand asks the real parser.
func isCommand(words string) bool {
	a := &app{table: commands.All()}
	root := a.root()
	cmd, rest, err := root.Find(strings.Fields(words))
	if err != nil || cmd == root {
		return strings.HasPrefix(words, "--")
	}
	return !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-")
}

// cmdJSONLines checks that every line of a file is one JSON value.
func cmdJSONLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json-lines FILE")
	}
	for _, line := range bytes.SplitAfter([]byte(ts.ReadFile(args[0])), []byte("\n")) {
		if len(line) > 0 && !json.Valid(line) {
			ts.Fatalf("not JSON: %q", line)
		}
	}
}

// cmdWithout writes a copy of a file that lacks one line, which is named whole or by its beginning and a *.
func cmdWithout(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: without FILE LINE COPY")
	}
	begin, isBegin := strings.CutSuffix(args[1], "*")
	var kept []string
	left := 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if line == args[1]+"\n" || isBegin && strings.HasPrefix(line, begin) {
			left++
			continue
		}
		kept = append(kept, line)
	}
	if left != 1 {
		ts.Fatalf("%s has %d lines %q", args[0], left, args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Join(kept, "")), 0o666))
}
