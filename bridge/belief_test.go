package bridge_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func finder(q bridge.Query) func(context.Context) (bridge.Editor, error) {
	return func(context.Context) (bridge.Editor, error) { return bridge.Find(q) }
}

// endedProcess returns the id of a process that has just ended.
func endedProcess(t testing.TB) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// wantIgnored checks that the editor of e is not believed, and why.
func wantIgnored(t testing.TB, e *bridgetest.Editor, reason string) {
	t.Helper()
	editors, ignored := bridge.Discover(bridge.Query{Dir: e.Project, Registry: "/nowhere"})
	if len(editors) != 0 || len(ignored) != 1 || !strings.Contains(ignored[0].Reason, reason) {
		t.Errorf("believed %d, ignored %v; want reason %q", len(editors), ignored, reason)
	}
}

func TestBeliefNeedsARegularFileOfBoundedSize(t *testing.T) {
	e := bridgetest.New(t)
	file := e.Info().File
	write(t, file, `{"pad":"`+strings.Repeat("x", 64<<10)+`"}`)
	wantIgnored(t, e, "more than 65536 bytes")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	wantIgnored(t, e, "")
}

func TestBeliefNeedsSoundFields(t *testing.T) {
	e := bridgetest.New(t)
	data, err := os.ReadFile(e.Info().File)
	if err != nil {
		t.Fatal(err)
	}
	for field, values := range map[string][]any{
		"port":         {0, -1, 65536, "80", nil, 1.5},
		"token":        {"", "abc", strings.Repeat("g", 64), 7, strings.Repeat("0", 65)},
		"pid":          {0, 1, -4, "x"},
		"started":      {0, -1, "now"},
		"project_path": {"", "relative", "/nowhere", 3},
	} {
		for _, value := range values {
			var all map[string]any
			if err := json.Unmarshal(data, &all); err != nil {
				t.Fatal(err)
			}
			all[field] = value
			changed, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			write(t, e.Info().File, string(changed))
			editors, ignored := bridge.Discover(bridge.Query{Dir: e.Project, Registry: "/nowhere"})
			if len(editors) != 0 || len(ignored) != 1 || ignored[0].Reason == "" {
				t.Errorf("%s = %v: believed %v, ignored %v", field, value, editors, ignored)
			}
		}
	}
}

func TestBeliefIgnoresRubbish(t *testing.T) {
	e := bridgetest.New(t)
	for _, text := range []string{"", "{", "[]", "null", "7", "\x00\xff", `{"port":`, `{}`} {
		write(t, e.Info().File, text)
		wantIgnored(t, e, "")
	}
}

func TestFilesThatAreNoBridgeFilesAreNotLookedAt(t *testing.T) {
	e := bridgetest.New(t)
	folder := filepath.Dir(e.Info().File)
	for _, name := range []string{"12.json.new", "012.json", "-3.json", "0.json", "x.json", "12.JSON", "readme", "99999999999999999999.json"} {
		write(t, filepath.Join(folder, name), "{}")
	}
	editors, ignored := bridge.Discover(bridge.Query{Dir: e.Project, Registry: "/nowhere"})
	if len(editors) != 1 || len(ignored) != 0 {
		t.Errorf("believed %d, ignored %v", len(editors), ignored)
	}
}

func TestRegistryEntriesAreOnlyPointers(t *testing.T) {
	e := bridgetest.New(t)
	pid := strconv.Itoa(e.Info().PID)
	entry := filepath.Join(e.Registry(), pid+".json")
	elsewhere := filepath.Join(t.TempDir(), pid+".json")
	write(t, elsewhere, "{}")
	for text, reason := range map[string]string{
		`{`:                                  "is not the JSON",
		`{"bridge_file":7}`:                  "is not the JSON",
		`{"bridge_file":""}`:                 "does not name a bridge file",
		`{"bridge_file":"` + pid + `.json"}`: "does not name a bridge file",
		`{"bridge_file":"/etc/passwd"}`:      "does not name a bridge file",
		`{"bridge_file":` + strconv.Quote(elsewhere) + `}`:                                                 "does not name a bridge file",
		`{"bridge_file":` + strconv.Quote(filepath.Join(e.Project, "godot_mcp_bridge", pid+".json")) + `}`: "is gone",
	} {
		write(t, entry, text)
		editors, ignored := bridge.Discover(bridge.Query{Dir: t.TempDir(), Registry: e.Registry()})
		if len(editors) != 0 || len(ignored) != 1 || !strings.Contains(ignored[0].Reason, reason) {
			t.Errorf("%s: believed %d, ignored %v", text, len(editors), ignored)
		}
	}
}

func TestAlive(t *testing.T) {
	if !bridge.Alive(os.Getpid()) {
		t.Error("this process is not alive")
	}
	for _, pid := range []int{endedProcess(t), 0, -1, 1 << 30} {
		if bridge.Alive(pid) {
			t.Errorf("%d is alive", pid)
		}
	}
}
