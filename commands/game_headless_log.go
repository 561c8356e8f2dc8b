package commands

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// The line of game/run_headless.gd.
	frameMark = "@@godot-mcp frame"
	// Of what is printed so many lines are kept from the beginning and from the end, and so many bytes of each.
	headLines, tailLines, lineBytes = 200, 300, 2000
	// So many different errors, and warnings, are kept.
	mostMessages = 100
	// So many lines a message may have before the engine says where it comes from.
	messageLines = 30
)

var (
	colours   = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	headLine  = regexp.MustCompile(`^(?:(SCRIPT|SHADER|USER) )?(ERROR|WARNING): (.*)$`)
	placeLine = regexp.MustCompile(`^\s+at: (.*?) ?\((.+?)(?::(\d+))?\)$`)
	frameLine = regexp.MustCompile(`^\s+\[\d+\] (.*) \((.+):(\d+)\)$`)
	ownPlace  = regexp.MustCompile(`^((?:res|user)://.+?):(\d+) - `)
	crashLine = regexp.MustCompile(`^handle_crash: (.+)$`)
)

// runLog takes what an engine prints apart: errors and warnings with where they come from, and the rest.
type runLog struct {
	errors, warnings []runMessage
	head, tail       []string
	skipped          int
	// lastFrame is when a frame was last told of, ended when there was nothing more to read.
	lastFrame, ended time.Time

	open *openMessage
}

// openMessage is an error or warning of which more lines may come.
type openMessage struct {
	runMessage
	warns  bool
	placed bool
	// raw are its lines, for what turns out to be no message.
	raw []string
}

// read takes everything until the end.
func (l *runLog) read(from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := readLine(lines)
		if err != nil && line == "" {
			break
		}
		l.take(strings.TrimRight(colours.ReplaceAllString(line, ""), "\r\n"))
	}
	l.close()
	l.ended = time.Now()
}

// readLine reads a line of any length and keeps its beginning.
func readLine(from *bufio.Reader) (string, error) {
	var kept []byte
	for {
		part, err := from.ReadSlice('\n')
		if room := lineBytes - len(kept); room > 0 {
			kept = append(kept, part[:min(room, len(part))]...)
		}
		if err != bufio.ErrBufferFull {
			return strings.ToValidUTF8(string(kept), "\uFFFD"), err
		}
	}
}

func (l *runLog) take(line string) {
	if line == frameMark {
		l.lastFrame = time.Now()
		return
	}
	if found := headLine.FindStringSubmatch(line); found != nil {
		l.close()
		l.open = &openMessage{warns: found[2] == "WARNING", raw: []string{line}}
		l.open.Type, l.open.Message = strings.ToLower(found[1]), found[3]
		return
	}
	if l.open != nil && l.open.add(line) {
		return
	}
	l.close()
	l.plain(line)
}

// plain takes a line of no message.
func (l *runLog) plain(line string) {
	if found := crashLine.FindStringSubmatch(line); found != nil {
		l.errors = l.count(l.errors, runMessage{Type: "crash", Message: found[1], Stack: []runFrame{}})
	}
	l.print(line)
}

// add takes a further line of the message; false for one that is none of it.
func (m *openMessage) add(line string) bool {
	if m.placed {
		if found := frameLine.FindStringSubmatch(line); found != nil {
			at, _ := strconv.Atoi(found[3])
			m.Stack = append(m.Stack, runFrame{found[1], found[2], at})
			return true
		}
		return strings.HasSuffix(line, "backtrace (most recent call first):")
	}
	if len(m.raw) == messageLines {
		return false
	}
	m.raw = append(m.raw, line)
	found := placeLine.FindStringSubmatch(line)
	if found == nil {
		return true
	}
	m.placed = true
	m.Message = strings.Join(append([]string{m.Message}, m.raw[1:len(m.raw)-1]...), "\n")
	if m.Type == "" && (found[1] == "push_error" || found[1] == "push_warning") {
		m.Type = "user"
	}
	if isProjectFile(found[2]) && found[3] != "" {
		at, _ := strconv.Atoi(found[3])
		m.Source, m.Line = &found[2], &at
	}
	return true
}

func isProjectFile(path string) bool {
	return strings.HasPrefix(path, "res://") || strings.HasPrefix(path, "user://")
}

// close ends the message at work. What the engine did not say the place of is a line like others.
func (l *runLog) close() {
	m := l.open
	l.open = nil
	switch {
	case m == nil:
	case !m.placed:
		for _, line := range m.raw {
			l.plain(line)
		}
	case m.warns:
		l.warnings = l.count(l.warnings, m.located())
	default:
		l.errors = l.count(l.errors, m.located())
	}
}

// located gives a message that comes from inside the engine the place in the project that it is about.
func (m *openMessage) located() runMessage {
	if m.Type == "" {
		m.Type = "engine"
	}
	if m.Stack == nil {
		m.Stack = []runFrame{}
	}
	if m.Source == nil && len(m.Stack) > 0 {
		m.Source, m.Line = &m.Stack[0].Source, &m.Stack[0].Line
	}
	if found := ownPlace.FindStringSubmatch(m.Message); m.Source == nil && found != nil {
		at, _ := strconv.Atoi(found[2])
		m.Source, m.Line = &found[1], &at
	}
	return m.runMessage
}

// count adds the message, or counts it where the same is there.
func (l *runLog) count(to []runMessage, m runMessage) []runMessage {
	for i := range to {
		if to[i].Type == m.Type && to[i].Message == m.Message && slices.Equal(to[i].Stack, m.Stack) && same(to[i].Source, m.Source) && same(to[i].Line, m.Line) {
			to[i].Count++
			return to
		}
	}
	if len(to) == mostMessages {
		l.skipped++
		return to
	}
	m.Count = 1
	return append(to, m)
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func (l *runLog) print(line string) {
	if len(l.head) < headLines {
		l.head = append(l.head, line)
		return
	}
	if l.tail = append(l.tail, line); len(l.tail) == 2*tailLines {
		l.skipped += tailLines
		l.tail = slices.Clone(l.tail[tailLines:])
	}
}

// output are the lines that were kept, without empty ones around them, and how much was left out.
func (l *runLog) output() (lines []string, leftOut int) {
	cut := max(len(l.tail)-tailLines, 0)
	lines = append(slices.Clone(l.head), l.tail[cut:]...)
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return append([]string{}, lines...), l.skipped + cut
}
