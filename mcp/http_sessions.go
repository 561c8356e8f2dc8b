package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// sessionIdle is how long an older client may do nothing: neither call nor listen.
	sessionIdle = 30 * time.Minute
	// maxSessions is how many there may be; the one that was idle for longest makes way, and a new one is
	// refused while all are in use.
	maxSessions = 256
)

// httpSession is what initialize began for an older client.
type httpSession struct {
	pipe *pipe
	ctx  context.Context
	stop context.CancelCauseFunc

	mu      sync.Mutex
	serving int
	used    time.Time
	// stream is the client's open GET, nil for none.
	stream *httpExchange
}

// send takes what belongs to no request. Nobody hears it while the client has no stream open.
func (s *httpSession) send(m outgoing) error {
	s.mu.Lock()
	stream := s.stream
	s.mu.Unlock()
	if stream != nil {
		_ = stream.send(m) // which may have just ended
	}
	return nil
}

// begin notes a request, and the function that it returns its end.
func (s *httpSession) begin() (end func()) {
	count := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.serving += n
		s.used = time.Now()
	}
	count(1)
	return func() { count(-1) }
}

// idleSince is false for a session that is in use.
func (s *httpSession) idleSince() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.serving == 0
}

// httpSessions are those of one server, by their ids.
type httpSessions struct {
	mu  sync.Mutex
	all map[string]*httpSession
}

func (t *httpSessions) init() { t.all = map[string]*httpSession{} }

func (t *httpSessions) find(id string) *httpSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[id]
}

// add is false where there is no room.
func (t *httpSessions) add(s *httpSession) bool {
	t.mu.Lock()
	var oldest *httpSession
	if len(t.all) >= maxSessions {
		if oldest = t.longestIdle(); oldest == nil {
			t.mu.Unlock()
			return false
		}
		delete(t.all, oldest.pipe.id)
	}
	t.all[s.pipe.id] = s
	t.mu.Unlock()
	if oldest != nil {
		t.close(oldest)
	}
	return true
}

func (t *httpSessions) longestIdle() (oldest *httpSession) {
	var at time.Time
	for _, s := range t.all {
		if used, idle := s.idleSince(); idle && (oldest == nil || used.Before(at)) {
			oldest, at = s, used
		}
	}
	return oldest
}

// close ends a session and what is still at work in it.
func (t *httpSessions) close(s *httpSession) {
	t.mu.Lock()
	delete(t.all, s.pipe.id)
	t.mu.Unlock()
	s.pipe.close(s.stop)
}

func (t *httpSessions) closeIdle(now time.Time) {
	t.closeThose(func(s *httpSession) bool {
		used, idle := s.idleSince()
		return idle && now.Sub(used) >= sessionIdle
	})
}

func (t *httpSessions) closeAll() {
	t.closeThose(func(*httpSession) bool { return true })
}

// closeOf ends the sessions of one project.
func (t *httpSessions) closeOf(server *Server) {
	t.closeThose(func(s *httpSession) bool { return s.pipe.server == server })
}

func (t *httpSessions) closeThose(meant func(*httpSession) bool) {
	t.mu.Lock()
	var all []*httpSession
	for _, s := range t.all {
		if meant(s) {
			all = append(all, s)
		}
	}
	t.mu.Unlock()
	var closing sync.WaitGroup
	for _, s := range all {
		closing.Go(func() { t.close(s) })
	}
	closing.Wait()
}

// newSession is one that waits for its initialize.
func (h visit) newSession() *httpSession {
	s := &httpSession{used: time.Now()}
	s.ctx, s.stop = context.WithCancelCause(h.cut)
	s.pipe = h.server.newPipe(s)
	s.pipe.id, s.pipe.perRequest = rand.Text(), true
	s.pipe.era.served = slices.DeleteFunc(slices.Clone(h.server.revisions), func(v string) bool { return v >= statelessSince })
	s.pipe.legacy = s.pipe.connect(s.ctx, true)
	return s
}

// postToSession takes a message of an older client.
func (h visit) postToSession(w http.ResponseWriter, r *http.Request, x *httpExchange, body []byte) {
	if problem, id := h.misplaced(r, body); problem != nil {
		(&pipe{}).refuse(origin{to: x}, id, problem)
		return
	}
	if r.Header.Get(headerSession) == "" {
		h.initialize(r, x, body)
		return
	}
	if s := h.sessionOf(w, r); s != nil {
		s.take(r, x, body, h.keepAlive)
	}
}

// misplaced is what is wrong with a message of an older client before any session looks at it.
func (h visit) misplaced(r *http.Request, body []byte) (problem *jsonrpc.Error, id any) {
	message, _ := jsonrpc.DecodeMessage(body)
	request, _ := message.(*jsonrpc.Request)
	method, meta := "", requestMeta{}
	if request != nil {
		method = request.Method
		meta, _ = readMeta(request)
		if request.ID.IsValid() {
			id = request.ID.Raw()
		}
	}
	revision, first := r.Header.Get(headerRevision), r.Header.Get(headerSession) == ""
	switch {
	case revision != "" && !slices.Contains(h.server.revisions, revision):
		return unsupported(revision, h.server.revisions), id
	case meta.modern():
		return headerMismatch("_meta says %q, the header %s says %q", meta.version, headerRevision, revision), id
	case first && !json.Valid(body):
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this is not valid JSON"}, nil
	case first && method != "initialize":
		return invalidRequest("there is no session: initialize begins one; since %s the header %s says the revision instead", statelessSince, headerRevision), id
	}
	return nil, nil
}

// initialize begins a session, and forgets it unless that goes well.
func (h visit) initialize(r *http.Request, x *httpExchange, body []byte) {
	s := h.newSession()
	x.session = s.pipe.id
	if !h.sessions.add(s) {
		h.sessions.close(s)
		refuseHTTP(x.w, http.StatusServiceUnavailable, "there are as many sessions as there may be, all in use: end one with DELETE")
		return
	}
	s.take(r, x, body, h.keepAlive)
	if !s.pipe.era.agreed() {
		h.leaving.Go(func() { h.sessions.close(s) })
	}
}

// take hands a message to the session. What it begins goes on when the client goes away, as the older
// revisions have it; the client cancels by a message.
func (s *httpSession) take(r *http.Request, x *httpExchange, body []byte, keepAlive time.Duration) {
	defer s.begin()()
	s.pipe.take(s.ctx, body, x)
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(s.ctx, stop)()
	x.wait(ctx, keepAlive)
}

// openStream holds the client's stream for what belongs to no request. A new one takes the place of another.
func (h visit) openStream(w http.ResponseWriter, r *http.Request) {
	s := h.sessionOf(w, r)
	if s == nil {
		return
	}
	x := newExchange(w, accepts(r))
	if !x.accepts.stream {
		refuseHTTP(w, http.StatusNotAcceptable, "Accept must have text/event-stream")
		return
	}
	if r.ContentLength != 0 {
		refuseHTTP(w, http.StatusBadRequest, "GET has no body here")
		return
	}
	defer s.begin()()
	x.accepts.json = false
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // it is open for as long as the client wants
	x.comment()
	if before := s.hear(x); before != nil {
		_ = before.send(outgoing{answer: true})
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(s.ctx, stop)()
	defer context.AfterFunc(h.closing, stop)()
	x.wait(ctx, h.keepAlive)
	s.unhear(x)
}

// hear makes x the session's stream, and returns the one before.
func (s *httpSession) hear(x *httpExchange) (before *httpExchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.stream = s.stream, x
	return before
}

func (s *httpSession) unhear(x *httpExchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream == x {
		s.stream = nil
	}
}

func (h visit) deleteSession(w http.ResponseWriter, r *http.Request) {
	if s := h.sessionOf(w, r); s != nil {
		h.sessions.close(s)
		w.WriteHeader(http.StatusNoContent)
	}
}

// sessionOf is the session that the header names; nil when it is answered that there is none.
func (h visit) sessionOf(w http.ResponseWriter, r *http.Request) *httpSession {
	id := r.Header.Get(headerSession)
	if id == "" {
		refuseHTTP(w, http.StatusBadRequest, "the header "+headerSession+" is missing: initialize begins a session")
		return nil
	}
	s := h.sessions.find(id)
	if s == nil || s.pipe.server != h.server {
		refuseHTTP(w, http.StatusNotFound, "there is no such session of this project: initialize begins one")
		return nil
	}
	return s
}
