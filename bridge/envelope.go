package bridge

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

// message is one frame from the editor, taken apart. Result and frame are
// slices of the frame that came, not copies.
type message struct {
	id       int64
	event    string
	hasOK    bool
	ok       bool
	result   json.RawMessage
	failure  Error
	progress *Progress
	frame    []byte
}

// lookThere says where an editor's own words are.
const lookThere = "what it printed is in its window's Output panel, or in .godot/godot_mcp_bridge/editor.log when godot-mcp started it; see whether it is well: godot-mcp editor status"

// errUnreadable is for a frame that is not a JSON object and cannot be made one.
var errUnreadable = errors.New("the editor sent what is not JSON")

// parseMessage reads a frame; one that is nearly JSON is repaired first.
func parseMessage(frame []byte) (message, error) {
	s := scanner{data: frame}
	members, ok := s.object()
	if !ok || s.overflow || !utf8.Valid(frame) {
		frame = repair(frame)
		s = scanner{data: frame}
		if members, ok = s.object(); !ok {
			return message{}, errUnreadable
		}
	}
	return readMembers(frame, members), nil
}

func readMembers(frame []byte, members []member) message {
	m := message{frame: frame}
	var p Progress
	hasProgress := false
	for _, f := range members {
		switch string(f.key) {
		case "id":
			m.id, _ = parseID(f.value)
		case "event":
			m.event = textOf(f.value)
		case "ok":
			m.hasOK = true
			m.ok = string(f.value) == "true"
		case "result":
			m.result = f.value
		case "error":
			m.failure.Code = Code(textOf(f.value))
		case "hint":
			m.failure.Hint = textOf(f.value)
		case "required":
			m.failure.Required = textOf(f.value)
		case "progress":
			p.Progress, hasProgress = numberOf(f.value)
		case "total":
			p.Total, _ = numberOf(f.value)
		case "message":
			p.Message = textOf(f.value)
		}
	}
	if hasProgress {
		m.progress = &p
	}
	return m
}

// answer returns what the editor says about a request.
func (m *message) answer() (json.RawMessage, error) {
	switch {
	case !m.hasOK:
		return nil, &Error{Code: InternalError, Sent: true, Hint: "the editor's answer says neither that it went well nor that it failed; " + lookThere}
	case m.ok && m.result == nil:
		return json.RawMessage("null"), nil
	case m.ok:
		return m.result, nil
	}
	e := m.failure
	if e.Code == "" {
		e.Code = InternalError
	}
	if e.Hint == "" {
		e.Hint = "the editor gave no reason; " + lookThere
	}
	e.Result = m.result
	return nil, &e
}

// textOf reads a JSON string, "" for other values.
func textOf(value []byte) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

func numberOf(value []byte) (float64, bool) {
	f, err := strconv.ParseFloat(string(value), 64)
	return f, err == nil
}

// parseID reads a positive integer. The engine's JSON reader makes every number
// a float, so an addon may echo 7 as 7.0.
func parseID(value []byte) (int64, bool) {
	if id, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return max(id, 0), id > 0
	}
	f, ok := numberOf(value)
	if !ok || f != math.Trunc(f) || f < 1 || f > 1<<53 {
		return 0, false
	}
	return int64(f), true
}
