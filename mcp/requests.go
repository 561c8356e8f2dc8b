package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// open is a request that waits for its answer.
type open struct {
	method  string
	token   json.RawMessage
	session *session
	from    origin
	// cancelled is the notification that gave the request up, nil before.
	cancelled *jsonrpc.Request
}

// lasts is true for a request that is not answered by itself.
func (o *open) lasts() bool { return lasts(o.method) }

func lasts(method string) bool { return method == "subscriptions/listen" }

// requests are those at work on one pipe.
type requests struct {
	mu   sync.Mutex
	open map[jsonrpc.ID]*open
	// idle is told when the last request was answered.
	idle chan struct{}
}

func (r *requests) init() {
	r.open, r.idle = map[jsonrpc.ID]*open{}, make(chan struct{}, 1)
}

// begin notes a request; false when its id is at work already.
func (r *requests) begin(id jsonrpc.ID, call *open) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[id] != nil {
		return false
	}
	r.open[id] = call
	return true
}

func (r *requests) assign(call *open, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	call.session = s
}

// cancel marks the request that the notification names; nil when it is not at work, or must not be
// cancelled.
func (r *requests) cancel(n *jsonrpc.Request) *open {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(n.Params, &p) != nil {
		return nil
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	call := r.open[id]
	if call == nil || call.cancelled != nil || call.method == "initialize" {
		return nil
	}
	call.cancelled = n
	return call
}

// givenUp is the notification that cancelled the request, nil without one.
func (r *requests) givenUp(call *open) *jsonrpc.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return call.cancelled
}

// end takes a request off; nil when it is not at work.
func (r *requests) end(id jsonrpc.ID) *open {
	r.mu.Lock()
	defer r.mu.Unlock()
	call := r.open[id]
	delete(r.open, id)
	if r.busy() == 0 {
		select {
		case r.idle <- struct{}{}:
		default:
		}
	}
	return call
}

func (r *requests) busy() int {
	n := 0
	for _, call := range r.open {
		if !call.lasts() {
			n++
		}
	}
	return n
}

// lasting are the sessions of requests that last, by their ids.
func (r *requests) lasting() map[jsonrpc.ID]*session {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := map[jsonrpc.ID]*session{}
	for id, call := range r.open {
		if call.lasts() && call.session != nil {
			found[id] = call.session
		}
	}
	return found
}

// wants is false for what nobody asked for: progress of a request that is answered or cancelled, and
// changes that a newer client does not listen to.
func (r *requests) wants(from *session, n *jsonrpc.Request) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case n.Method == "notifications/progress":
		return r.wantsProgress(n.Params)
	case from.legacy:
		return true
	}
	for _, call := range r.open {
		if call.session == from && call.lasts() {
			return call.cancelled == nil
		}
	}
	return !strings.HasSuffix(n.Method, "/list_changed") && n.Method != "notifications/resources/updated"
}

func (r *requests) wantsProgress(params json.RawMessage) bool {
	var p struct {
		Token json.RawMessage `json:"progressToken"`
	}
	if json.Unmarshal(params, &p) != nil {
		return false
	}
	for _, call := range r.open {
		if call.cancelled == nil && bytes.Equal(call.token, p.Token) {
			return true
		}
	}
	return false
}

// drain waits until no request is at work but those that last, at most limit.
func (r *requests) drain(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		r.mu.Lock()
		busy := r.busy()
		r.mu.Unlock()
		if busy == 0 {
			return
		}
		select {
		case <-r.idle:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
