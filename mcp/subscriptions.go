package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

const (
	// droppedEvent says that some are missing, whichever.
	droppedEvent = "dropped"
	// gather is how long changes are gathered before they are told: one edit gives several events.
	gather = 50 * time.Millisecond
	// linkWait is how long a subscription waits for the link to the editor, so that nothing that happens after
	// its answer is missed.
	linkWait = 2 * time.Second
)

// subscriptions are the resources that clients watch. While there are any, a link of their own to the editor
// hears its events; without an editor it waits for one.
type subscriptions struct {
	server *Server

	mu      sync.Mutex
	watched map[string]*watched
	// sessions are those that ever watched something and have not ended.
	sessions map[*sdk.ServerSession]bool
	link     *eventLink
	// telling is true from a change until all changes were told.
	telling bool
}

// watched is one resource, by its URI.
type watched struct {
	resource commands.Resource
	by       map[*sdk.ServerSession]bool
	changed  bool
}

// eventLink is the link, from the first subscription to the last.
type eventLink struct {
	stop context.CancelFunc
	// tried is closed when an editor was reached, or was not for the first time.
	tried chan struct{}
}

// watchable is the resource of a URI that the policy lets be read.
func (s *Server) watchable(uri string) (commands.Resource, bool) {
	r, tool, arguments, ok := s.dispatcher.Table.FindResource(uri)
	if !ok || !s.mayRead(r) {
		return r, false
	}
	_, err := tool.Validate(arguments, false)
	return r, err == nil
}

// subscribe is told by the SDK of a resource that a session watches from now on, by either of the two requests.
func (s *Server) subscribe(ctx context.Context, request *sdk.SubscribeRequest) error {
	resource, ok := s.watchable(request.Params.URI)
	if !ok {
		return s.asProtocolError(commands.NoResource(request.Params.URI), modern(request.Params.Meta))
	}
	link := s.subscriptions.add(request.Params.URI, resource, request.Session)
	limit := time.NewTimer(linkWait)
	defer limit.Stop()
	select {
	case <-link.tried:
	case <-limit.C:
	case <-ctx.Done():
	}
	return nil
}

func (s *Server) unsubscribe(_ context.Context, request *sdk.UnsubscribeRequest) error {
	s.subscriptions.remove(request.Session, func(uri string) bool { return uri == request.Params.URI })
	return nil
}

// honoured takes what cannot be watched out of a listen's wishes; the acknowledgement tells what is left.
func (s *Server) honoured(request *sdk.SubscriptionsListenRequest) {
	if wishes := request.Params.Notifications; wishes != nil {
		wishes.ResourceSubscriptions = slices.DeleteFunc(wishes.ResourceSubscriptions, func(uri string) bool {
			_, ok := s.watchable(uri)
			return !ok
		})
	}
}

func (w *subscriptions) add(uri string, resource commands.Resource, session *sdk.ServerSession) *eventLink {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watched == nil {
		w.watched, w.sessions = map[string]*watched{}, map[*sdk.ServerSession]bool{}
	}
	if w.watched[uri] == nil {
		w.watched[uri] = &watched{resource: resource, by: map[*sdk.ServerSession]bool{}}
	}
	w.watched[uri].by[session] = true
	if !w.sessions[session] {
		w.sessions[session] = true
		go w.untilGone(session)
	}
	if w.link == nil {
		w.link = w.open()
	}
	return w.link
}

// untilGone ends what a session watched that ends without a word.
func (w *subscriptions) untilGone(session *sdk.ServerSession) {
	_ = session.Wait()
	w.remove(session, func(string) bool { return true })
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.sessions, session)
}

func (w *subscriptions) remove(session *sdk.ServerSession, which func(uri string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for uri, one := range w.watched {
		if !which(uri) {
			continue
		}
		delete(one.by, session)
		if len(one.by) == 0 {
			delete(w.watched, uri)
		}
	}
	if len(w.watched) == 0 && w.link != nil {
		w.link.stop()
		w.link = nil
	}
}

// open begins to listen to the editor.
func (w *subscriptions) open() *eventLink {
	ctx, stop := context.WithCancel(context.Background())
	link := &eventLink{stop: stop, tried: make(chan struct{})}
	client := w.server.dispatcher.Env.EventClient(resourceEvents(), func(e bridge.Event) { w.happened(e.Name) })
	begun, missed, tried := time.Now(), false, sync.OnceFunc(func() { close(link.tried) })
	follow := &commands.Follow{
		Client: client,
		Linked: func(bridge.HelloResult) {
			if missed || time.Since(begun) >= linkWait {
				w.changed(func(commands.Resource) bool { return true })
			}
			missed = false
			tried()
		},
		Gone:      func(*bridge.Error) { missed = true; tried() },
		ComesBack: func(*bridge.Error) bool { return true },
	}
	go func() {
		_ = follow.Run(ctx) // ends with ctx alone
		_ = client.Close()
	}()
	return link
}

// resourceEvents are the events that some resource changes by.
func resourceEvents() []string {
	names := map[string]bool{droppedEvent: true}
	for _, r := range commands.Resources() {
		for _, name := range r.Events {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// happened is called from the goroutine that reads the socket.
func (w *subscriptions) happened(event string) {
	w.changed(func(r commands.Resource) bool { return event == droppedEvent || r.ChangedBy(event) })
}

// changed notes which resources are to be told about, and tells a little later.
func (w *subscriptions) changed(which func(commands.Resource) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.watched {
		if which(one.resource) {
			one.changed = true
			if !w.telling {
				w.telling = true
				time.AfterFunc(gather, w.tell)
			}
		}
	}
}

// tell sends what has changed, each resource once, and goes on when more has changed meanwhile.
func (w *subscriptions) tell() {
	for _, uri := range w.take() {
		_ = w.server.server.ResourceUpdated(context.Background(), &sdk.ResourceUpdatedNotificationParams{URI: uri})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.telling = false
	for _, one := range w.watched {
		if one.changed {
			w.telling = true
			time.AfterFunc(gather, w.tell)
			return
		}
	}
}

func (w *subscriptions) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var uris []string
	for uri, one := range w.watched {
		if one.changed {
			uris = append(uris, uri)
			one.changed = false
		}
	}
	slices.Sort(uris)
	return uris
}
