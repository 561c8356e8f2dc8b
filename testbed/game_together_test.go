package testbed

import (
	"strings"
	"sync"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Clients that play and stop at the same time: each is told what became of its own game, soon, and one game is
// left at most, that of the call which came last.
func TestGameOfSeveralClients(t *testing.T) {
	e, s := gameEditor(t)
	other := args{"scene_path": "res://game/other.tscn"}
	for range 2 { // with no game before, then with one
		together(t, e, stage, other)
		playing := s.call(t, "game status", nil).ok(t)
		if scene := playing.text("scene"); scene != "res://game/stage.tscn" && scene != "res://game/other.tscn" {
			t.Errorf("after two plays at once, %s is played", scene)
		}
	}
	together(t, e, stage, nil, other)
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false"})
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "false"})
	// No wait between the two.
	s.call(t, "game play", args{"scene_path": "res://game/stage.tscn", "wait": false}).ok(t)
	pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "true"})
	if pid > 0 && bridge.Alive(pid) {
		t.Errorf("the game %d is still there", pid)
	}
	playStage(t, s)
	hits(t, s).ok(t).has(t, map[string]string{"value": "0"})
}

// together plays each scene and stops for each nil, all at once, over the command line.
func together(t *testing.T, e *Editor, calls ...args) {
	t.Helper()
	answers := make([]answer, len(calls))
	var all sync.WaitGroup
	for i, given := range calls {
		tool := "game stop"
		if given != nil {
			tool = "game play"
		}
		all.Go(func() { answers[i] = cli(e).call(t, tool, given) })
	}
	all.Wait()
	for i, got := range answers {
		if got.err != nil {
			t.Errorf("call %d of %d at once: %v", i, len(calls), got.err)
			continue
		}
		if calls[i] != nil && got.text("playing") == "false" {
			if !strings.Contains(got.text("hint"), "another call") {
				t.Errorf("a game in whose place another is played is told so: %q", got.text("hint"))
			}
		}
	}
}
