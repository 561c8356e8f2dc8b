package bridgetest

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// handler answers one command. Exactly one of its parts is set.
type handler struct {
	work    func(params json.RawMessage) (any, error)
	parked  func(ctx context.Context, call *Parked) (any, error)
	replies []reply
}

// reply is a fixed answer: a whole frame when raw, else a result or an error.
type reply struct {
	raw    string
	result json.RawMessage
	err    error
}

// Parked is a command that waits beside others.
type Parked struct {
	Call
	socket *socket
}

// Progress tells the client how far the command is; total 0 and an empty
// message are left out.
func (p *Parked) Progress(progress, total float64, message string) {
	m := map[string]any{"id": p.ID, "progress": progress}
	if total != 0 {
		m["total"] = total
	}
	if message != "" {
		m["message"] = message
	}
	p.socket.send(m)
}

// On sets what answers a command. Handlers run one at a time, in the order of
// arrival. The result is encoded as JSON; an error travels as by bridge.AsError.
func (e *Editor) On(command string, f func(params json.RawMessage) (any, error)) {
	e.handle(command, &handler{work: f})
}

// Park sets what answers a command that waits: it runs beside others. Its
// context ends when the client cancels the command or the socket ends.
func (e *Editor) Park(command string, f func(ctx context.Context, call *Parked) (any, error)) {
	e.handle(command, &handler{parked: f})
}

// Reply adds a fixed answer to a command: JSON of the result, or an error
// envelope ({"ok":false,"error":..}). Several are given one after the other,
// the last one again and again.
func (e *Editor) Reply(command, answer string) { e.addReply(command, parseReply(answer)) }

// ReplyRaw adds a frame as answer, byte for byte, but for $id, which becomes
// the id of the request.
func (e *Editor) ReplyRaw(command, frame string) { e.addReply(command, reply{raw: frame}) }

func (e *Editor) handle(command string, h *handler) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handlers[command] = h
}

func (e *Editor) addReply(command string, r reply) {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.handlers[command]
	if h == nil || h.replies == nil {
		h = &handler{}
		e.handlers[command] = h
	}
	h.replies = append(h.replies, r)
}

func parseReply(answer string) reply {
	var envelope struct {
		OK    *bool        `json:"ok"`
		Error *bridge.Code `json:"error"`
	}
	if json.Unmarshal([]byte(answer), &envelope) == nil && envelope.OK != nil && !*envelope.OK && envelope.Error != nil {
		failure := new(bridge.Error)
		if json.Unmarshal([]byte(answer), failure) == nil {
			return reply{err: failure}
		}
	}
	return reply{result: json.RawMessage(answer)}
}

// nextReply takes the next fixed answer; the last one stays.
func (e *Editor) nextReply(h *handler) reply {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := h.replies[0]
	if len(h.replies) > 1 {
		h.replies = h.replies[1:]
	}
	return r
}

// Emit sends an event to the clients that asked for its name.
func (e *Editor) Emit(event string, fields map[string]any) {
	m := map[string]any{"event": event}
	for name, value := range fields {
		m[name] = value
	}
	for _, s := range e.openSockets() {
		if s.wants(event) {
			s.send(m)
		}
	}
}

// EmitRaw sends a frame as it is to every client.
func (e *Editor) EmitRaw(frame string) {
	for _, s := range e.openSockets() {
		s.sendRaw([]byte(frame))
	}
}

// answer makes the frame that answers a call.
func answer(id int64, result any, err error) []byte {
	if errors.Is(err, context.Canceled) || errors.Is(err, errGone) {
		err = bridge.Errorf(bridge.Timeout, "", "cancelled")
	}
	var frame []byte
	var failed error
	if err != nil {
		body, marshalErr := json.Marshal(bridge.AsError(err))
		frame, failed = append([]byte(`{"id":`+strconv.FormatInt(id, 10)+`,`), body[1:]...), marshalErr
	} else {
		frame, failed = json.Marshal(map[string]any{"id": id, "ok": true, "result": result})
	}
	if failed != nil {
		return answer(id, nil, bridge.Errorf(bridge.InternalError, "", "the fake editor's answer is not JSON: %v", failed))
	}
	return frame
}

func rawAnswer(frame string, id int64) []byte {
	return []byte(strings.ReplaceAll(frame, "$id", strconv.FormatInt(id, 10)))
}
