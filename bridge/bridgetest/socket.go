package bridgetest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// socket is one client. Its reader takes messages and cancellations at once;
// its worker carries out commands in the order they came.
type socket struct {
	editor *Editor
	conn   *websocket.Conn
	ctx    context.Context
	queue  chan Call
	// greeted and events are guarded by the editor's lock.
	greeted bool
	events  []string
	// answers counts what the worker has answered or refused to.
	answers int

	writing sync.Mutex

	mu      sync.Mutex
	cancels map[int64]context.CancelFunc
	parked  sync.WaitGroup
}

// wire is any message from a client.
type wire struct {
	ID      int64             `json:"id"`
	Command string            `json:"command"`
	Params  json.RawMessage   `json:"params"`
	Raw     map[string]string `json:"raw"`
	Key     string            `json:"key"`
	Cancel  bool              `json:"cancel"`
}

// accept is the handler of the HTTP server. A stranger fails here.
func (e *Editor) accept(w http.ResponseWriter, r *http.Request) {
	switch {
	case e.cfg.refuse && e.cfg.refuseStatus == 0:
		panic(http.ErrAbortHandler)
	case e.cfg.refuse:
		w.WriteHeader(e.cfg.refuseStatus)
		return
	case r.Header.Get("Sec-WebSocket-Protocol") != e.token:
		w.WriteHeader(http.StatusForbidden)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{e.token}})
	if err != nil {
		return
	}
	conn.SetReadLimit(e.cfg.maxMessage)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &socket{editor: e, conn: conn, ctx: ctx, queue: make(chan Call, 2*bridge.MaxInFlight), cancels: map[int64]context.CancelFunc{}}
	if !e.admit(s) {
		_ = conn.Close(websocket.StatusTryAgainLater, "too many clients")
		e.note(func() { e.refused++ })
		return
	}
	s.serve(cancel)
}

// admit counts the socket, unless the editor is full or gone. The wait group
// is joined under the lock, so that Close does not miss a late one.
func (e *Editor) admit(s *socket) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped || len(e.sockets) >= bridge.MaxClients {
		return false
	}
	e.sockets[s] = true
	e.changed.Broadcast()
	e.running.Add(1)
	return true
}

func (s *socket) serve(cancel context.CancelFunc) {
	defer s.editor.running.Done()
	var worker sync.WaitGroup
	worker.Go(s.work)
	s.read()
	cancel()
	close(s.queue)
	worker.Wait()
	s.parked.Wait()
	_ = s.conn.CloseNow()
	s.editor.note(func() { delete(s.editor.sockets, s) })
}

// read takes messages until the socket ends.
func (s *socket) read() {
	for {
		if s.editor.cfg.deaf && s.isGreeted() {
			<-s.editor.crashed
			return
		}
		_, frame, err := s.conn.Read(context.Background())
		if err != nil {
			return
		}
		var m wire
		if json.Unmarshal(frame, &m) != nil {
			continue
		}
		if !s.take(m) {
			return
		}
	}
}

// take deals with one message; false ends the socket.
func (s *socket) take(m wire) bool {
	e := s.editor
	switch {
	case m.Cancel:
		s.cancel(m.ID)
		e.note(func() { e.cancels = append(e.cancels, m.ID) })
	case e.cfg.silentHello:
	case m.Command == "hello":
		s.hello(m)
	case !s.isGreeted():
		s.sendRaw(answer(m.ID, nil, bridge.Errorf(bridge.PreconditionFailed, "bridge_token", "say hello first")))
	default:
		call := Call{ID: m.ID, Command: m.Command, Params: m.Params, Raw: m.Raw, Key: m.Key}
		e.note(func() { e.calls = append(e.calls, call) })
		select {
		case s.queue <- call:
		default:
			_ = s.conn.Close(websocket.StatusPolicyViolation, "too many commands in flight")
			return false
		}
	}
	return true
}

func (s *socket) hello(m wire) {
	e := s.editor
	var h Hello
	if json.Unmarshal(m.Params, &h) != nil {
		s.sendRaw(answer(m.ID, nil, bridge.Errorf(bridge.ValidationError, "", "bad hello")))
		return
	}
	e.note(func() { e.hellos = append(e.hellos, h) })
	if e.cfg.speakFirst != "" {
		s.sendRaw(rawAnswer(e.cfg.speakFirst, m.ID+1))
	}
	proof := bridge.Proof(bridge.NewToken(e.token), h.Nonce)
	if e.cfg.wrongProof {
		proof = bridge.Proof(bridge.NewToken("another"), h.Nonce)
	}
	result := answer(m.ID, map[string]any{
		"server": "godot_mcp_bridge", "addon_version": e.cfg.addon, "godot_version": e.cfg.godot,
		"contract_version": e.cfg.contract, "min_compatible_contract": e.cfg.oldest,
		"pid": e.cfg.pid, "project_path": e.Project, "proof": proof,
	}, nil)
	// Who is told of the socket now cannot write to it before the answer is out,
	// and whoever has the answer can count on the socket being known.
	s.writing.Lock()
	defer s.writing.Unlock()
	e.note(func() { s.greeted, s.events = true, h.Events })
	s.write(result)
}

func (s *socket) isGreeted() bool {
	s.editor.mu.Lock()
	defer s.editor.mu.Unlock()
	return s.greeted
}

func (s *socket) wants(event string) bool {
	s.editor.mu.Lock()
	defer s.editor.mu.Unlock()
	return s.greeted && slices.Contains(s.events, event)
}

// work carries out commands until the queue is closed.
func (s *socket) work() {
	for call := range s.queue {
		if s.misbehave() {
			continue
		}
		s.carryOut(call)
	}
}

// misbehave does what the options ask for in place of an answer.
func (s *socket) misbehave() bool {
	cfg := &s.editor.cfg
	n := s.answers
	s.answers++
	switch {
	case cfg.silent:
		return true
	case n == cfg.dropAfter:
		_ = s.conn.CloseNow()
		return true
	case n == cfg.closeAfter:
		_ = s.conn.Close(websocket.StatusCode(cfg.closeCode), cfg.closeReason)
		return true
	}
	return false
}

func (s *socket) carryOut(call Call) {
	e := s.editor
	e.mu.Lock()
	h := e.handlers[call.Command]
	e.mu.Unlock()
	switch {
	case h == nil:
		s.finish(call, answer(call.ID, nil, e.noteUnexpected(call.Command)))
	case h.parked != nil:
		s.park(call, h)
	case h.work != nil:
		e.work.Lock()
		result, err := h.work(json.RawMessage(call.Params))
		e.work.Unlock()
		s.finish(call, answer(call.ID, result, err))
	default:
		r := e.nextReply(h)
		if r.raw != "" {
			s.finish(call, rawAnswer(r.raw, call.ID))
			return
		}
		s.finish(call, answer(call.ID, r.result, r.err))
	}
}

// park runs a handler beside the queue until it returns or is cancelled.
func (s *socket) park(call Call, h *handler) {
	ctx := s.cancellable(call.ID)
	s.parked.Go(func() {
		result, err := h.parked(ctx, &Parked{Call: call, socket: s})
		s.cancel(call.ID)
		s.sendRaw(answer(call.ID, result, err))
	})
}

// finish sends an answer, later when the option Delay asks for it.
func (s *socket) finish(call Call, frame []byte) {
	if s.editor.cfg.delay == 0 {
		s.sendRaw(frame)
		return
	}
	ctx := s.cancellable(call.ID)
	s.parked.Go(func() {
		timer := time.NewTimer(s.editor.cfg.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
			s.sendRaw(frame)
		case <-ctx.Done():
			s.sendRaw(answer(call.ID, nil, ctx.Err()))
		}
		s.cancel(call.ID)
	})
}

func (s *socket) cancellable(id int64) context.Context {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.cancels[id] = cancel
	s.mu.Unlock()
	return ctx
}

func (s *socket) cancel(id int64) {
	s.mu.Lock()
	cancel := s.cancels[id]
	delete(s.cancels, id)
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (s *socket) send(m map[string]any) {
	if frame, err := json.Marshal(m); err == nil {
		s.sendRaw(frame)
	}
}

func (s *socket) sendRaw(frame []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.write(frame)
}

// write is called with s.writing held.
func (s *socket) write(frame []byte) {
	_ = s.conn.Write(context.Background(), websocket.MessageText, frame)
}
