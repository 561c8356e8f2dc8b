package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// HTTPPath is where the server is found.
const HTTPPath = "/mcp"

const (
	// keepAliveEvery is how long a stream may be silent: intermediaries close those that are for longer.
	keepAliveEvery = 15 * time.Second
	headerTime     = 10 * time.Second
	// bodyTime is how long the body of a request may take to come, and a message to be taken by the client.
	bodyTime       = 30 * time.Second
	idleTime       = 2 * time.Minute
	maxHeaderBytes = 64 << 10
)

// HTTP is a server on a port. Both eras are served at one URL: what its header calls a newer revision is one
// request and its answer, everything else belongs to a session that initialize began.
type HTTP struct {
	server   *Server
	listener net.Listener
	host     string
	// token is the SHA-256 of what clients must show, nil for nothing.
	token     *[sha256.Size]byte
	keepAlive time.Duration
	// bodyTime is how long the body of a request may take.
	bodyTime time.Duration

	// Projects are served beside the server's own, where URLs may name others.
	Projects Projects

	projects httpProjects
	sessions httpSessions
	// closing is done when no more is served: what lasts ends. cut is done when calls may not go on either.
	closing, cut         context.Context
	beginClosing, cutOff context.CancelFunc
	// leaving are the SDK's sessions of requests that were answered.
	leaving sync.WaitGroup
}

// ListenHTTP takes the port; 0 is any that is free. Clients have to show the token unless it is empty.
func (s *Server) ListenHTTP(host string, port int, token string) (*HTTP, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	h := &HTTP{server: s, listener: l, host: host, keepAlive: keepAliveEvery, bodyTime: bodyTime}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		h.token = &sum
	}
	h.closing, h.beginClosing = context.WithCancel(context.Background())
	h.cut, h.cutOff = context.WithCancel(context.Background())
	h.sessions.init()
	return h, nil
}

// Close gives the port back where Serve was not called.
func (h *HTTP) Close() error { return h.listener.Close() }

// Port is the one that was taken.
func (h *HTTP) Port() int { return h.listener.Addr().(*net.TCPAddr).Port }

// URL is what clients connect to.
func (h *HTTP) URL() string {
	return "http://" + net.JoinHostPort(h.host, strconv.Itoa(h.Port())) + HTTPPath
}

// Serve answers until ctx is done. Then nothing new is taken, streams that would last end with their result,
// and calls at work have five seconds.
func (h *HTTP) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return h.cut },
		ErrorLog:          slog.NewLogLogger(h.server.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(h.listener) }()
	sweep := time.NewTicker(sessionIdle / 4)
	defer sweep.Stop()
	for {
		select {
		case err := <-failed:
			h.end(server)
			return err
		case <-sweep.C:
			h.sessions.closeIdle(time.Now())
			h.closeProjects(h.projects.takeIdle(time.Now()))
		case <-ctx.Done():
			h.end(server)
			if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		}
	}
}

// end lets calls finish, at most for drainTime, and closes everything.
func (h *HTTP) end(server *http.Server) {
	h.beginClosing()
	drain, stop := context.WithTimeout(context.Background(), drainTime)
	defer stop()
	err := server.Shutdown(drain)
	h.cutOff()
	if err != nil {
		last, stop := context.WithTimeout(context.Background(), closeTime)
		defer stop()
		_ = server.Shutdown(last)
		_ = server.Close()
	}
	h.sessions.closeAll()
	h.closeProjects(h.projects.takeAll())
	waitAtMost(closeTime, h.leaving.Wait)
}

// ServeHTTP answers one HTTP request.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// net/http reads what is left of a body before it answers: who is refused must not hold on by a body that
	// never comes.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.bodyTime))
	if !h.admit(w, r) {
		return
	}
	if r.URL.Path != HTTPPath {
		refuseHTTP(w, http.StatusNotFound, "MCP is served at "+HTTPPath)
		return
	}
	v, leave, err := h.visit(r)
	if err != nil {
		refuseProject(w, err)
		return
	}
	defer leave()
	v.serve(w, r)
}

// serve answers a request to one project.
func (h visit) serve(w http.ResponseWriter, r *http.Request) {
	revision := r.Header.Get(headerRevision)
	newer := revision >= statelessSince || !servesOlder(h.server.revisions)
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r, newer)
	case newer:
		w.Header().Set("Allow", "POST")
		refuseHTTP(w, http.StatusMethodNotAllowed, "this revision has POST alone")
	case r.Method == http.MethodGet:
		h.openStream(w, r)
	case r.Method == http.MethodDelete:
		h.deleteSession(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		refuseHTTP(w, http.StatusMethodNotAllowed, "there is GET, POST and DELETE")
	}
}

// refuseHTTP answers where there is no message to answer.
func refuseHTTP(w http.ResponseWriter, status int, why string) {
	http.Error(w, why, status)
}
