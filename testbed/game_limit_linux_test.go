package testbed

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// F32: the engine cuts a game off when its debugger has five already. The reason is told, and the next game
// that finds a place is asked as ever.
func TestF32_GameBeyondTheDebuggersLimit(t *testing.T) {
	e := ownWorkspace(t, "empty")
	// As "Keep Debug Server Open" in the Debug menu: sessions outlive the game that the editor started.
	metadata := filepath.Join(e.Project, ".godot", "editor", "project_metadata.cfg")
	if err := os.MkdirAll(filepath.Dir(metadata), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(metadata, []byte("[debug_options]\n\nserver_keep_open=true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	write(t, e, "game/node.gd", gameScript)
	write(t, e, "game/stage.tscn", gameScene)
	s := mcpSession(t, e)

	playStage(t, s)
	found := regexp.MustCompile(`--remote-debug tcp://(\S+)`).FindStringSubmatch(strings.Join(aboutProject(t, e), "\n"))
	if found == nil {
		t.Fatal("no game names the debugger's port")
	}
	s.call(t, "game stop", nil).ok(t)
	var others []net.Conn
	for range 5 {
		other, err := net.Dial("tcp", found[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = other.Close() })
		others = append(others, other)
	}

	const reason = "takes 5 games and has 5"
	played := s.call(t, "game play", stage).ok(t).has(t, map[string]string{"playing": "true", "connected": "false"})
	told := s.call(t, "game status", nil).ok(t).has(t, map[string]string{"playing": "true", "connected": "false"})
	for _, answer := range []answer{played, told} {
		if !strings.Contains(answer.text("hint"), reason) {
			t.Errorf("hint is %q", answer.text("hint"))
		}
	}
	hits(t, s).fails(t, bridge.PreconditionFailed, "runtime_probe", reason, "game stop")
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "true"})

	_ = others[0].Close()
	playStage(t, s)
	hits(t, s).ok(t).has(t, map[string]string{"value": "0"})
	s.call(t, "game stop", nil).ok(t)
}
