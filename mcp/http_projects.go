package mcp

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// projectParam of the URL names the folder of the project that is meant; the server's own without it.
const projectParam = "project"

const (
	// maxProjects is how many may be open beside the server's own; the one that was idle for longest makes way.
	maxProjects = 16
	// projectIdle is how long one may have no request, as with sessions.
	projectIdle = sessionIdle
)

// errFull is the answer while no project can make way.
var errFull = errors.New("as many projects as the server takes have requests at work: try again when one of them has its answer")

// Projects opens the servers of projects that URLs name.
type Projects struct {
	// Folder checks what a URL names and returns the project's real folder, "" for the server's own.
	Folder func(named string) (string, error)
	// Open makes a project's server. Nothing is started or dialled yet.
	Open func(folder string) (*Server, error)
}

// visit is what a request comes to: one project's server. It stands in front of the HTTP's own.
type visit struct {
	*HTTP
	server *Server
}

// visit finds the project that the URL names, and opens it when it is first asked for. leave notes the end of
// the request.
func (h *HTTP) visit(r *http.Request) (v visit, leave func(), err error) {
	own := visit{h, h.server}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return own, nil, bridge.Errorf(bridge.ValidationError, "project_dir", "the URL cannot be read: %v; %%-encode the project's folder in it, see godot-mcp editor list", err)
	}
	named, given := query[projectParam]
	switch {
	case !given:
		return own, func() {}, nil
	case len(named) > 1:
		return own, nil, bridge.Errorf(bridge.ValidationError, "project_dir", "the URL names %d projects, a session has one: leave one, see godot-mcp editor list", len(named))
	case h.Projects.Open == nil:
		return own, nil, bridge.Errorf(bridge.ResourceNotFound, "project_dir", "this server has its own project alone: leave ?project= out, see godot-mcp editor list")
	}
	folder, err := h.Projects.Folder(named[0])
	if err != nil || folder == "" {
		return own, func() {}, err
	}
	p, evicted, err := h.projects.begin(folder, h.Projects.Open)
	if len(evicted) > 0 {
		h.leaving.Go(func() { h.closeProjects(evicted) })
	}
	if err != nil {
		return own, nil, err
	}
	return visit{h, p.server}, func() { h.projects.end(p) }, nil
}

// refuseProject answers for a project that is not served, in the words of the protocol.
func refuseProject(w http.ResponseWriter, err error) {
	status, code := http.StatusBadRequest, int64(jsonrpc.CodeInvalidParams)
	text := err.Error()
	var e *bridge.Error
	switch {
	case errors.Is(err, errFull):
		status, code = http.StatusServiceUnavailable, jsonrpc.CodeInternalError
	case errors.As(err, &e) && e.Code == bridge.ResourceNotFound:
		status = http.StatusNotFound
	}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: text}})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// closeProjects ends the sessions of projects that were taken out, then their links to the editors.
func (h *HTTP) closeProjects(all []*httpProject) {
	var closing sync.WaitGroup
	for _, p := range all {
		closing.Go(func() {
			h.sessions.closeOf(p.server)
			p.server.Close()
		})
	}
	closing.Wait()
}

// httpProject is one that a URL named.
type httpProject struct {
	folder string
	server *Server
	// serving counts its requests, used is when one last began or ended.
	serving int
	used    time.Time
}

// httpProjects are the open ones.
type httpProjects struct {
	mu  sync.Mutex
	all []*httpProject
}

// begin notes a request to a project and opens it if need be. What made way for it is the caller's to close.
func (t *httpProjects) begin(folder string, open func(string) (*Server, error)) (p *httpProject, evicted []*httpProject, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p = t.find(folder); p == nil {
		if len(t.all) >= maxProjects && t.longestIdle() == nil {
			return nil, nil, errFull
		}
		server, err := open(folder)
		if err != nil {
			return nil, nil, err
		}
		if len(t.all) >= maxProjects {
			oldest := t.longestIdle()
			evicted = t.take(func(p *httpProject) bool { return p == oldest })
		}
		p = &httpProject{folder: folder, server: server}
		t.all = append(t.all, p)
	}
	p.serving++
	p.used = time.Now()
	return p, evicted, nil
}

func (t *httpProjects) end(p *httpProject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p.serving--
	p.used = time.Now()
}

// find goes by the folder itself: some systems know one by names that differ in case.
func (t *httpProjects) find(folder string) *httpProject {
	for _, p := range t.all {
		if p.folder == folder || bridge.SameDir(p.folder, folder) {
			return p
		}
	}
	return nil
}

func (t *httpProjects) longestIdle() (oldest *httpProject) {
	for _, p := range t.all {
		if p.serving == 0 && (oldest == nil || p.used.Before(oldest.used)) {
			oldest = p
		}
	}
	return oldest
}

func (t *httpProjects) takeIdle(now time.Time) []*httpProject {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.take(func(p *httpProject) bool { return p.serving == 0 && now.Sub(p.used) >= projectIdle })
}

func (t *httpProjects) takeAll() []*httpProject {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.take(func(*httpProject) bool { return true })
}

// take takes those out that are meant.
func (t *httpProjects) take(meant func(*httpProject) bool) (taken []*httpProject) {
	var kept []*httpProject
	for _, p := range t.all {
		if meant(p) {
			taken = append(taken, p)
		} else {
			kept = append(kept, p)
		}
	}
	t.all = kept
	return taken
}
