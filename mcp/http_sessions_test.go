package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// begin starts an older session and returns the headers that its requests have.
func (w *web) begin(revision string) headers {
	w.t.Helper()
	response := w.do(w.asks("POST", fmt.Sprintf(initialize, revision), nil))
	r := w.read(response)
	id := response.Header.Get(headerSession)
	if r.Error != nil || id == "" || !strings.Contains(string(r.Result), revision) {
		w.t.Fatalf("initialize: %d %s %+v, session %q", response.StatusCode, r.Result, r.Error, id)
	}
	h := headers{headerSession: id, headerRevision: revision}
	if response := w.do(w.asks("POST", initialized, h)); response.StatusCode != 202 {
		w.t.Fatalf("initialized got %d", response.StatusCode)
	}
	return h
}

func (t *httpSessions) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.all)
}

func olderCall(id int, tool, rest string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q%s}}`, id, tool, rest)
}

func TestHTTPServesOlderSessions(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
	w := webTo(t, editor.Query())
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		h := w.begin(revision)
		r := w.read(w.do(w.asks("POST", olderCall(2, "godot_scene_list", ""), h)))
		if r.ID != 2.0 || r.Result == nil || strings.Contains(string(r.Result), "resultType") {
			t.Errorf("%s: %s %+v", revision, r.Result, r.Error)
		}
		if r := w.read(w.do(w.asks("POST", fmt.Sprintf(initialize, revision), h))); r.Error == nil || r.Error.Code != -32600 {
			t.Errorf("%s: a second initialize got %+v", revision, r)
		}
		if r := w.read(w.do(w.asks("POST", `{"jsonrpc":"2.0","id":4,"method":"no/such"}`, h))); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s: an unknown method got %+v", revision, r)
		}
		if response := w.do(w.asks("DELETE", "", h)); response.StatusCode != 204 {
			t.Errorf("%s: DELETE got %d", revision, response.StatusCode)
		}
		if response := w.do(w.asks("POST", olderCall(5, "godot_scene_list", ""), h)); response.StatusCode != 404 {
			t.Errorf("%s: a session that is over got %d", revision, response.StatusCode)
		}
	}
	if n := w.http.sessions.count(); n > 0 {
		t.Errorf("%d sessions are left", n)
	}
	failed := w.do(w.asks("POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`, nil))
	if r := w.read(failed); r.Error == nil || r.Error.Code != -32602 || failed.Header.Get(headerSession) != "" {
		t.Errorf("got %+v and the session %q", r, failed.Header.Get(headerSession))
	}
	for _, method := range []string{"GET", "DELETE"} {
		for id, status := range map[string]int{"": 400, "no-such": 404} {
			if response := w.do(w.asks(method, "", headers{headerSession: id})); response.StatusCode != status {
				t.Errorf("%s of session %q got %d", method, id, response.StatusCode)
			}
		}
	}
}

// An older client hears on its stream what belongs to no request, and that alone.
func TestHTTPOlderStream(t *testing.T) {
	w := webTo(t, nowhere(t))
	h := w.begin("2025-11-25")
	first := w.events(w.do(w.asks("GET", "", h)))
	if r := first.must(); r.Method != ":" {
		t.Fatalf("a stream begins with %+v", r)
	}
	enable := w.read(w.do(w.asks("POST", olderCall(2, "godot_toolset_enable", `,"arguments":{"toolset":"class"}`), h)))
	if enable.Result == nil {
		t.Fatalf("%+v", enable)
	}
	if r := first.must(); r.Method != "notifications/tools/list_changed" {
		t.Errorf("got %+v", r)
	}
	// A client that lost its stream opens another, which takes its place.
	second := w.events(w.do(w.asks("GET", "", h)))
	second.must()
	if r, more := first.next(); more {
		t.Errorf("the first stream goes on with %+v", r)
	}
	w.server.relist()
	if r := second.must(); r.Method != "notifications/tools/list_changed" {
		t.Errorf("got %+v", r)
	}
	w.stop()
	if r, more := second.next(); more {
		t.Errorf("at the end came %+v", r)
	}
}

// Older revisions: a client that goes away has cancelled nothing, a message cancels.
func TestHTTPOlderClientCancelsByMessage(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(ctx context.Context, call *bridgetest.Parked) (any, error) {
		call.Progress(1, 0, "")
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-release:
			return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
		}
	})
	w := webTo(t, editor.Query())
	h := w.begin("2025-06-18")
	call := olderCall(7, "godot_scene_list", `,"_meta":{"progressToken":"p"}`)
	cancelled := w.events(w.do(w.asks("POST", call, h)))
	if r := cancelled.must(); r.Method != "notifications/progress" {
		t.Fatalf("got %+v", r)
	}
	if r := w.read(w.do(w.asks("POST", call, h))); r.Error == nil || r.Error.Code != -32600 || r.ID != 7.0 {
		t.Errorf("an id at work got %+v", r)
	}
	notice := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	if response := w.do(w.asks("POST", notice, h)); response.StatusCode != 202 {
		t.Errorf("the notice got %d", response.StatusCode)
	}
	editor.WaitCancels(1)
	if r, more := cancelled.next(); more {
		t.Errorf("a cancelled request got %+v", r)
	}
	ctx, leave := context.WithCancel(t.Context())
	response, err := w.client.Do(w.asks("POST", strings.Replace(call, `"id":7`, `"id":8`, 1), h).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	w.events(response).must()
	leave()
	_ = response.Body.Close()
	s := w.http.sessions.find(h[headerSession])
	for { // until the server has noticed
		if _, idle := s.idleSince(); idle {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(release)
	s.pipe.calls.drain(t.Context(), time.Minute)
	if n := len(editor.WaitCancels(1)); n != 1 {
		t.Errorf("%d calls were cancelled", n)
	}
	// An answer that nobody waited for does not end the session.
	if r := w.read(w.do(w.asks("POST", olderCall(9, "godot_toolset_list", ""), h))); r.ID != 9.0 || r.Result == nil {
		t.Errorf("the next call got %s %+v", r.Result, r.Error)
	}
}

// Several messages in one array, where the revision has them.
func TestHTTPBatches(t *testing.T) {
	w := webTo(t, nowhere(t))
	const two = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	response := w.do(w.asks("POST", two, w.begin("2025-03-26")))
	var answers []reply
	if err := json.NewDecoder(response.Body).Decode(&answers); err != nil || len(answers) != 2 {
		t.Errorf("%d: %v, %v", response.StatusCode, answers, err)
	}
	h := w.begin("2025-03-26")
	if response := w.do(w.asks("POST", `[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`, h)); response.StatusCode != http.StatusAccepted {
		t.Errorf("notifications alone got %d", response.StatusCode)
	}
	if r := w.read(w.do(w.asks("POST", two, w.begin("2025-11-25")))); r.Error == nil || r.Error.Code != -32600 {
		t.Errorf("got %+v", r)
	}
}

// One revision alone: nothing is initialized, and who tries is told what is served.
func TestHTTPOfOneRevision(t *testing.T) {
	env := serverFor(t, nowhere(t)).dispatcher
	w := serveWeb(t, NewServer(env, serverFor(t, nowhere(t)).log, NewestRevision), "", nil)
	for _, h := range []headers{nil, {headerRevision: "2025-11-25"}} {
		response := w.do(w.asks("POST", fmt.Sprintf(initialize, "2025-11-25"), h))
		r := w.read(response)
		if response.StatusCode != 400 || r.Error == nil || r.Error.Code != -32022 || string(r.Error.Data) != `{"requested":"2025-11-25","supported":["2026-07-28"]}` {
			t.Errorf("%d %+v %s", response.StatusCode, r.Error, r.Error.Data)
		}
	}
	for _, method := range []string{"GET", "DELETE"} {
		if response := w.do(w.asks(method, "", headers{headerSession: "x"})); response.StatusCode != 405 || response.Header.Get("Allow") != "POST" {
			t.Errorf("%s got %d", method, response.StatusCode)
		}
	}
	if r := w.read(w.do(w.asks("POST", modernCall(2, "tools/list", ""), newer("tools/list", "")))); r.Result == nil {
		t.Errorf("%+v", r.Error)
	}
}

// A session that nobody uses any more is closed.
func TestHTTPIdleSessionsEnd(t *testing.T) {
	w := webTo(t, nowhere(t))
	idle, listening := w.begin("2025-11-25"), w.begin("2025-11-25")
	w.events(w.do(w.asks("GET", "", listening))).must()
	w.http.sessions.closeIdle(time.Now().Add(sessionIdle - time.Minute))
	if w.http.sessions.count() != 2 {
		t.Error("a session ended too soon")
	}
	w.http.sessions.closeIdle(time.Now().Add(sessionIdle + time.Minute))
	for h, status := range map[string]int{idle[headerSession]: 404, listening[headerSession]: 200} {
		if response := w.do(w.asks("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers{headerSession: h})); response.StatusCode != status {
			t.Errorf("got %d, want %d", response.StatusCode, status)
		}
	}
	for range maxSessions + 5 {
		w.begin("2025-11-25")
	}
	if n := w.http.sessions.count(); n > maxSessions {
		t.Errorf("there are %d sessions", n)
	}
	if w.http.sessions.find(listening[headerSession]) == nil {
		t.Error("a session in use made way")
	}
}

// A change of a watched resource is heard on the stream of the listen, or of the older session, that watches it.
func TestHTTPResourceUpdates(t *testing.T) {
	editor := bridgetest.New(t)
	w := webTo(t, editor.Query())
	body := modernCall(5, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["godot://scene/current"]}`)
	listen := w.events(w.do(w.asks("POST", body, newer("subscriptions/listen", ""))))
	if r := listen.must(); r.Method != "notifications/subscriptions/acknowledged" {
		t.Fatalf("got %+v", r)
	}
	h := w.begin("2025-11-25")
	stream := w.events(w.do(w.asks("GET", "", h)))
	stream.must()
	subscribe := `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"godot://scene/current"}}`
	if r := w.read(w.do(w.asks("POST", subscribe, h))); r.Error != nil {
		t.Fatalf("%+v", r.Error)
	}
	editor.WaitSockets(1)
	editor.Emit("scene_saved", nil)
	for _, e := range []*events{listen, stream} {
		if r := e.must(); r.Method != "notifications/resources/updated" || !strings.Contains(string(r.Params), "godot://scene/current") {
			t.Errorf("got %s %s", r.Method, r.Params)
		}
	}
}

// A person is asked over HTTP as on standard output: an older client by a request on the call's own stream.
func TestHTTPAsksOlderClients(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
	w := webTo(t, editor.Query())
	w.server.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
			if call, ok := request.(*sdk.CallToolRequest); ok {
				ctx = context.WithValue(ctx, outletKey{}, call.GetExtra().TokenInfo.Extra[outletName])
				said, err := call.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Go on?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
				if err != nil || said.Action != "accept" {
					return nil, invalidParams("%v, %v", said, err)
				}
			}
			return next(ctx, method, request)
		}
	})
	able := strings.Replace(fmt.Sprintf(initialize, "2025-11-25"), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	h := headers{headerSession: w.do(w.asks("POST", able, nil)).Header.Get(headerSession), headerRevision: "2025-11-25"}
	w.do(w.asks("POST", initialized, h))
	call := w.events(w.do(w.asks("POST", olderCall(7, "godot_scene_list", ""), h)))
	asked := call.must()
	if asked.Method != "elicitation/create" {
		t.Fatalf("got %+v", asked)
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"action":"accept","content":{}}}`, asked.ID)
	if response := w.do(w.asks("POST", answer, h)); response.StatusCode != 202 {
		t.Errorf("the answer got %d", response.StatusCode)
	}
	if r := call.must(); r.ID != 7.0 || r.Result == nil {
		t.Errorf("got %s %+v", r.Result, r.Error)
	}
}
