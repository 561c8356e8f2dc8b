package bridgetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// recorder is a testing.TB that keeps errors to itself.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) { r.errors = append(r.errors, format) }

func dial(t *testing.T, ed bridge.Editor, token string) *websocket.Conn {
	t.Helper()
	url := "ws://127.0.0.1:" + strconv.Itoa(ed.Port)
	conn, _, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{Subprotocols: []string{token}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

func say(t *testing.T, conn *websocket.Conn, frame string) string {
	t.Helper()
	if err := conn.Write(context.Background(), websocket.MessageText, []byte(frame)); err != nil {
		t.Fatal(err)
	}
	_, got, err := conn.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func call(e *bridgetest.Editor, command string) (string, error) {
	c := &bridge.Client{Find: e.Find}
	defer func() { _ = c.Close() }()
	result, err := c.Call(context.Background(), bridge.Request{Command: command})
	return string(result), err
}

func TestFilesAreGenuine(t *testing.T) {
	e := bridgetest.New(t)
	file := e.Info().File
	if want := filepath.Join(e.Project, ".godot", "godot_mcp_bridge", strconv.Itoa(os.Getpid())+".json"); file != want {
		t.Errorf("file %s, want %s", file, want)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"port", "token", "pid", "started", "project_path", "godot_version", "addon_version", "contract_version", "headless"} {
		if fields[key] == nil {
			t.Errorf("the bridge file lacks %s", key)
		}
	}
	entry, err := os.ReadFile(filepath.Join(e.Registry(), filepath.Base(file)))
	if err != nil || strings.Contains(string(entry), e.Info().Token.Secret()) {
		t.Errorf("registry entry %s, %v", entry, err)
	}
	e.Close()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(e.Registry(), "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCrashLeavesTheFiles(t *testing.T) {
	e := bridgetest.New(t)
	e.Crash()
	if _, err := os.Stat(e.Info().File); err != nil {
		t.Error(err)
	}
}

func TestGivenProjectIsKept(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "project.godot")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := bridgetest.New(t, bridgetest.Project(dir))
	if got, err := os.ReadFile(file); err != nil || string(got) != "mine" || e.Project != dir {
		t.Errorf("got %q, %v in %s", got, err, e.Project)
	}
}

func TestUnexpectedCommandFailsTheTest(t *testing.T) {
	r := &recorder{TB: t}
	e := bridgetest.New(r)
	_, err := call(e, "node.surprise")
	var failure *bridge.Error
	if !errors.As(err, &failure) || failure.Code != bridge.InternalError {
		t.Errorf("got %v", err)
	}
	if len(r.errors) != 1 || !slices.Equal(e.Unexpected(), []string{"node.surprise"}) {
		t.Errorf("errors %v, unexpected %v", r.errors, e.Unexpected())
	}
}

func TestHelloComesFirst(t *testing.T) {
	e := bridgetest.New(t)
	conn := dial(t, e.Info(), e.Info().Token.Secret())
	got := say(t, conn, `{"id":1,"command":"node.get"}`)
	if !strings.Contains(got, `"error":"PRECONDITION_FAILED"`) || !strings.Contains(got, `"required":"bridge_token"`) {
		t.Errorf("got %s", got)
	}
	got = say(t, conn, `{"id":2,"command":"hello","params":{"nonce":"n"}}`)
	if !strings.Contains(got, bridge.Proof(e.Info().Token, "n")) {
		t.Errorf("got %s", got)
	}
	got = say(t, conn, `{"id":3,"command":"hello","params":7}`)
	if !strings.Contains(got, `"error":"VALIDATION_ERROR"`) {
		t.Errorf("got %s", got)
	}
}

func TestStrangersFailAtTheHandshake(t *testing.T) {
	e := bridgetest.New(t)
	url := "ws://127.0.0.1:" + strconv.Itoa(e.Info().Port)
	for _, protocols := range [][]string{nil, {"another"}, {strings.ToUpper(e.Info().Token.Secret()) + "x"}} {
		conn, resp, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{Subprotocols: protocols})
		if err == nil {
			_ = conn.CloseNow()
			t.Errorf("%v was let in", protocols)
		} else if resp == nil || resp.StatusCode != 403 {
			t.Errorf("%v: %v", protocols, err)
		}
	}
}

func TestRepliesComeOneAfterTheOther(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `1`)
	e.Reply("node.get", `{"ok":false,"error":"TIMEOUT","hint":"h"}`)
	e.Reply("node.get", `{"ok":false,"tests":3}`)
	var got []string
	for range 4 {
		result, err := call(e, "node.get")
		if err != nil {
			result = err.Error()
		}
		got = append(got, result)
	}
	want := []string{`1`, `TIMEOUT: h`, `{"ok":false,"tests":3}`, `{"ok":false,"tests":3}`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHandlerThatIsReplaced(t *testing.T) {
	e := bridgetest.New(t)
	e.On("node.get", func(json.RawMessage) (any, error) { return nil, errors.New("boom") })
	if _, err := call(e, "node.get"); err == nil || !strings.Contains(err.Error(), "INTERNAL_ERROR: boom") {
		t.Errorf("got %v", err)
	}
	e.On("node.get", func(json.RawMessage) (any, error) { return func() {}, nil })
	if _, err := call(e, "node.get"); err == nil || !strings.Contains(err.Error(), "is not JSON") {
		t.Errorf("got %v", err)
	}
	e.Reply("node.get", `5`)
	if got, err := call(e, "node.get"); err != nil || got != "5" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestDelayEndsWithACancellation(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Delay(time.Hour))
	e.Reply("node.get", `1`)
	c := &bridge.Client{Find: e.Find}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	p := c.Start(ctx, bridge.Request{Command: "node.get"})
	e.WaitCalls(1)
	cancel()
	if _, err := p.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	e.WaitCancels(1)
}

func TestDelayHoldsBackTheAnswer(t *testing.T) {
	const delay = 30 * time.Millisecond
	e := bridgetest.New(t, bridgetest.Delay(delay))
	e.Reply("node.get", `1`)
	before := time.Now()
	if got, err := call(e, "node.get"); err != nil || got != "1" || time.Since(before) < delay {
		t.Errorf("got %s, %v after %v", got, err, time.Since(before))
	}
}

func TestDropBreaksSocketsAndGoesOn(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("node.get", `1`)
	c := &bridge.Client{Find: e.Find}
	defer func() { _ = c.Close() }()
	if _, err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.WaitSockets(1)
	e.Drop()
	e.WaitSockets(0)
	if _, err := call(e, "node.get"); err != nil {
		t.Error(err)
	}
	if !strings.Contains(e.String(), e.Project) || strings.Contains(e.String(), e.Info().Token.Secret()) {
		t.Error(e)
	}
}
