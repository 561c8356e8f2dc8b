package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const clearLine = "\r\x1b[K"

// A line that the terminal would break could not be written over.
const (
	maxProgress = 79
	barWidth    = 20
)

// progressLine is the one line on a terminal that says how far a call is. It is told from the goroutine that
// reads the socket, which may still be at it when the call's end takes the line away.
type progressLine struct {
	mu    sync.Mutex
	to    io.Writer
	shown bool
	ended bool
}

// progress shows how far a call is; nil where no person looks or the terminal cannot move its cursor.
func (s *streams) progress() func(bridge.Progress) {
	if !s.errTTY || os.Getenv("TERM") == "dumb" {
		return nil
	}
	s.line = &progressLine{to: s.err}
	return s.line.show
}

// progressDone takes the line away, where there is one.
func (s *streams) progressDone() {
	if s.line != nil {
		s.line.end()
	}
}

func (l *progressLine) show(p bridge.Progress) {
	text := progressText(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || text == "" {
		return
	}
	l.shown = true
	_, _ = io.WriteString(l.to, clearLine+string(withoutControls([]byte(text))))
}

func (l *progressLine) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		_, _ = io.WriteString(l.to, clearLine)
	}
	l.shown, l.ended = false, true
}

// progressText is a bar where the end is known, else the number that grows, and the words. Words can hold
// names of the project.
func progressText(p bridge.Progress) string {
	words := string(withoutControls([]byte(strings.Join(strings.Fields(p.Message), " "))))
	switch {
	case p.Total > 0:
		part := min(max(p.Progress/p.Total, 0), 1)
		filled := int(part * barWidth)
		words = fmt.Sprintf("[%s%s] %3d%% %s", strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled), int(part*100), words)
	case p.Progress > 0:
		words = fmt.Sprintf("%.0f %s", p.Progress, words)
	}
	words = strings.TrimSpace(words)
	if utf8.RuneCountInString(words) > maxProgress {
		words = string([]rune(words)[:maxProgress-3]) + "..."
	}
	return words
}
