//go:build unix

package mcp

import (
	"testing"
	"time"
)

// A client that died while another process holds its end of the pipe ends the server, too; a message from
// somebody shows that there is a client.
func TestWatchOfTheParent(t *testing.T) {
	now := time.Now()
	w := &watch{ticker: time.NewTicker(time.Hour), parent: ownParent(), now: func() time.Time { return now }}
	defer w.stop()
	if w.gone() {
		t.Fatal("our parent is there")
	}
	w.parent = -1 // no process
	if w.gone() {
		t.Error("it ended without waiting for somebody to speak")
	}
	now = now.Add(silence)
	if !w.gone() {
		t.Error("it did not end")
	}
	w.heard()
	if w.gone() {
		t.Error("it ended although somebody spoke")
	}
}
