package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestF25_ProgressOnlyWhereTheCursorCanMove(t *testing.T) {
	for _, c := range []struct {
		tty   bool
		term  string
		shown bool
	}{{true, "xterm", true}, {true, "dumb", false}, {false, "xterm", false}} {
		t.Setenv("TERM", c.term)
		var stderr bytes.Buffer
		s := streams{err: &stderr, errTTY: c.tty}
		show := s.progress()
		if (show != nil) != c.shown {
			t.Errorf("%+v: shown %v", c, show != nil)
		}
		if show != nil {
			show(bridge.Progress{})
			show(bridge.Progress{Message: "half way"})
		}
		s.progressDone()
		s.progressDone()
		if show != nil {
			show(bridge.Progress{Message: "too late"})
		}
		want := ""
		if c.shown {
			want = clearLine + "half way" + clearLine
		}
		if stderr.String() != want {
			t.Errorf("%+v: %q was written, want %q", c, stderr.String(), want)
		}
	}
}

func TestProgressIsABarWhereTheEndIsKnown(t *testing.T) {
	for _, c := range []struct {
		p    bridge.Progress
		want string
	}{
		{bridge.Progress{Progress: 150, Total: 600, Message: "scripts checked"}, "[#####...............]  25% scripts checked"},
		{bridge.Progress{Progress: 0.5, Total: 1}, "[##########..........]  50%"},
		{bridge.Progress{Progress: 9, Total: 3, Message: "more than all"}, "[####################] 100% more than all"},
		{bridge.Progress{Progress: 1234, Message: "files searched, 2 matches"}, "1234 files searched, 2 matches"},
		{bridge.Progress{Message: "saving\n\x1b[2J res://a\tb.tscn"}, "saving [2J res://a b.tscn"},
		{bridge.Progress{Progress: 3}, "3"},
	} {
		if got := progressText(c.p); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.p, got, c.want)
		}
	}
	if got := progressText(bridge.Progress{Message: strings.Repeat("ä", 200)}); utf8.RuneCountInString(got) != maxProgress || !strings.HasSuffix(got, "ä...") {
		t.Errorf("a long one is %q", got)
	}
}

// TestCallShowsItsProgressAtATerminal: what the editor tells of a call at work is seen, and gone with its end.
func TestCallShowsItsProgressAtATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for _, tty := range []bool{true, false} {
		ed := bridgetest.New(t)
		ed.Park("script.check", func(_ context.Context, call *bridgetest.Parked) (any, error) {
			call.Progress(150, 600, "scripts checked")
			return map[string]any{"ok": true}, nil
		})
		var out, stderr bytes.Buffer
		code := run([]string{"script", "check", "--project", ed.Project}, streams{in: strings.NewReader(""), out: &out, err: &stderr, errTTY: tty})
		want := ""
		if tty {
			want = clearLine + "[#####...............]  25% scripts checked" + clearLine
		}
		if code != 0 || out.String() != `{"ok":true}`+"\n" || stderr.String() != want {
			t.Errorf("terminal %t: exit code %d, %q and %q, want %q", tty, code, out.String(), stderr.String(), want)
		}
	}
}
