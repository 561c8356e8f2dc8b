package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// web is a server on a port, spoken to in plain HTTP.
type web struct {
	t      *testing.T
	http   *HTTP
	server *Server
	token  string
	stop   context.CancelFunc
	done   chan error
	client *http.Client
}

// serveWeb starts a server whose streams may be silent for long unless a test says otherwise.
func serveWeb(t *testing.T, server *Server, token string, change func(*HTTP)) *web {
	t.Helper()
	h, err := server.ListenHTTP("127.0.0.1", 0, token)
	if err != nil {
		t.Fatal(err)
	}
	h.keepAlive = time.Hour
	if change != nil {
		change(h)
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &web{t: t, http: h, server: server, token: token, stop: stop, done: make(chan error, 1), client: &http.Client{Transport: &http.Transport{}}}
	go func() { w.done <- h.Serve(ctx) }()
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		stop()
		if err := <-w.done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		w.done <- nil
	})
	return w
}

// webTo serves the tools with the editor that the query finds.
func webTo(t *testing.T, query bridge.Query) *web {
	t.Helper()
	return serveWeb(t, serverFor(t, query), "", nil)
}

type headers map[string]string

// asks is a request; a header that is empty is left out.
func (w *web) asks(method, body string, h headers) *http.Request {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.http.URL(), strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	all := headers{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	if w.token != "" {
		all["Authorization"] = "Bearer " + w.token
	}
	for name, value := range h {
		all[name] = value
	}
	for name, value := range all {
		if name == "Host" {
			r.Host = value
		} else if value != "" {
			r.Header.Set(name, value)
		}
	}
	return r
}

func (w *web) do(r *http.Request) *http.Response {
	w.t.Helper()
	response, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// newer are the headers of a request of the newest revision.
func newer(method, name string) headers {
	return headers{headerRevision: NewestRevision, headerMethod: method, headerName: name}
}

// call asks for a tool as a newer client does.
func (w *web) call(tool, rest string) *http.Request {
	return w.asks("POST", modernCall(7, "tools/call", fmt.Sprintf(`"name":%q%s`, tool, rest)), newer("tools/call", tool))
}

// progressing asks for a tool, and for its progress.
func (w *web) progressing(tool string) *http.Request {
	body := modernCall(7, "tools/call", fmt.Sprintf(`"name":%q`, tool))
	return w.asks("POST", strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":"p",`, 1), newer("tools/call", tool))
}

// read is a JSON answer.
func (w *web) read(response *http.Response) reply {
	w.t.Helper()
	var r reply
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || response.Header.Get("Content-Type") != "application/json" {
		w.t.Fatalf("%d %s: %.300s: %v", response.StatusCode, response.Header.Get("Content-Type"), text, err)
	}
	return r
}

// events reads a stream of them, and comments as messages of the method ":".
type events struct {
	t    *testing.T
	text *bufio.Scanner
}

func (w *web) events(response *http.Response) *events {
	w.t.Helper()
	if kind := response.Header.Get("Content-Type"); response.StatusCode != 200 || kind != "text/event-stream" {
		text, _ := io.ReadAll(response.Body)
		w.t.Fatalf("%d %s: %s", response.StatusCode, kind, text)
	}
	if response.Header.Get("X-Accel-Buffering") != "no" {
		w.t.Error("a proxy may hold the events back")
	}
	e := &events{w.t, bufio.NewScanner(response.Body)}
	e.text.Buffer(nil, 1<<20)
	return e
}

// next is the next event, false at the end.
func (e *events) next() (r reply, ok bool) {
	e.t.Helper()
	for e.text.Scan() {
		line := e.text.Text()
		switch data, isData := strings.CutPrefix(line, "data: "); {
		case isData:
			if err := json.Unmarshal([]byte(data), &r); err != nil {
				e.t.Fatalf("%q: %v", line, err)
			}
			return r, true
		case line == ":":
			return reply{Method: ":"}, true
		case line != "" && line != "event: message":
			e.t.Fatalf("the stream has the line %q", line)
		}
	}
	return r, false
}

// must is the next event, which has to come.
func (e *events) must() reply {
	e.t.Helper()
	r, ok := e.next()
	if !ok {
		e.t.Fatalf("the stream ended: %v", e.text.Err())
	}
	return r
}

// serverFor is a server whose calls go to the editor of the query.
func serverFor(t *testing.T, query bridge.Query) *Server {
	env := envFor(t, query)
	env.Transport = "http"
	return NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, slog.New(slog.DiscardHandler))
}

// What comes in, and what is sent away before anything of it is read.
func TestHTTPAdmitsWhoMayComeIn(t *testing.T) {
	w := serveWeb(t, serverFor(t, nowhere(t)), "secret-of-this-start", nil)
	own := strings.TrimSuffix(strings.TrimPrefix(w.http.URL(), "http://"), HTTPPath)
	list := modernCall(1, "tools/list", "")
	for name, c := range map[string]struct {
		h      headers
		status int
	}{
		"as it should be":     {nil, 200},
		"scheme in any case":  {headers{"Authorization": "bearer secret-of-this-start"}, 200},
		"no token":            {headers{"Authorization": ""}, 401},
		"other token":         {headers{"Authorization": "Bearer secret-of-that-start"}, 401},
		"half a token":        {headers{"Authorization": "Bearer secret-of-this-star"}, 401},
		"other scheme":        {headers{"Authorization": "Basic secret-of-this-start"}, 401},
		"own page":            {headers{"Origin": "http://" + own}, 200},
		"foreign page":        {headers{"Origin": "http://evil.example"}, 403},
		"page of no origin":   {headers{"Origin": "null"}, 403},
		"page on other port":  {headers{"Origin": "http://127.0.0.1:1"}, 403},
		"https page":          {headers{"Origin": "https://" + own}, 403},
		"name that was bent":  {headers{"Host": "evil.example"}, 403},
		"bent, with the port": {headers{"Host": "evil.example:9090", "Origin": "http://evil.example:9090"}, 403},
		"localhost":           {headers{"Host": "localhost:1"}, 200},
		"IPv6":                {headers{"Host": "[::1]:1"}, 200},
		"form":                {headers{"Content-Type": "text/plain"}, 415},
		"charset":             {headers{"Content-Type": "application/json; charset=utf-8"}, 200},
		"wants a picture":     {headers{"Accept": "image/png"}, 406},
		"takes anything":      {headers{"Accept": "*/*"}, 200},
		"takes JSON alone":    {headers{"Accept": "application/json"}, 200},
	} {
		h := newer("tools/list", "")
		for key, value := range c.h {
			h[key] = value
		}
		response := w.do(w.asks("POST", list, h))
		if response.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", name, response.StatusCode, c.status)
		}
		if challenge := response.Header.Get("WWW-Authenticate"); (c.status == 401) != strings.HasPrefix(challenge, "Bearer") {
			t.Errorf("%s: WWW-Authenticate is %q", name, challenge)
		}
	}
	elsewhere := w.asks("POST", list, newer("tools/list", ""))
	elsewhere.URL.Path = "/other"
	if response := w.do(elsewhere); response.StatusCode != 404 {
		t.Errorf("another path got %d", response.StatusCode)
	}
	for method, allow := range map[string]string{"GET": "POST", "DELETE": "POST", "PUT": "POST"} {
		if response := w.do(w.asks(method, "", headers{headerRevision: NewestRevision})); response.StatusCode != 405 || response.Header.Get("Allow") != allow {
			t.Errorf("%s got %d, Allow %q", method, response.StatusCode, response.Header.Get("Allow"))
		}
	}
	if response := w.do(w.asks("PUT", "", nil)); response.StatusCode != 405 || response.Header.Get("Allow") != "GET, POST, DELETE" {
		t.Errorf("PUT got %d, Allow %q", response.StatusCode, response.Header.Get("Allow"))
	}
	if response := w.do(w.asks("POST", strings.Repeat(" ", bridge.MaxMessage+1), newer("tools/list", ""))); response.StatusCode != 413 {
		t.Errorf("a body that is too long got %d", response.StatusCode)
	}
}

// A request of the newest revision that cannot be answered gets the code and the status that the revision has
// for it. Go SDK 1.8.0 compares names before decoding them, and words an unknown revision in plain text.
func TestHTTPRefusesAsTheRevisionSays(t *testing.T) {
	w := webTo(t, nowhere(t))
	list, named := modernCall(3, "tools/list", ""), modernCall(3, "tools/call", `"name":"godot_no_such"`)
	with := func(h headers, name, value string) headers {
		out := headers{name: value}
		for key, v := range h {
			if key != name {
				out[key] = v
			}
		}
		return out
	}
	lists := newer("tools/list", "")
	for _, c := range []struct {
		name, body   string
		h            headers
		status, code int
	}{
		{"unknown method", modernCall(3, "no/such", ""), newer("no/such", ""), 404, -32601},
		{"method that is gone", modernCall(3, "ping", ""), newer("ping", ""), 404, -32601},
		{"initialize with _meta", modernCall(3, "initialize", ""), newer("initialize", ""), 404, -32601},
		{"initialize without", fmt.Sprintf(initialize, "2025-11-25"), newer("initialize", ""), 400, -32602},
		{"no _meta", `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, lists, 400, -32602},
		{"no capabilities", `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, lists, 400, -32602},
		{"unknown tool", named, newer("tools/call", "godot_no_such"), 400, -32602},
		{"unknown revision", strings.Replace(list, "2026-07-28", "2099-01-01", 1), with(lists, headerRevision, "2099-01-01"), 400, -32022},
		{"old unknown revision", `{"jsonrpc":"2.0","id":3,"method":"ping"}`, headers{headerRevision: "1900-01-01"}, 400, -32022},
		{"no revision in the header", list, with(lists, headerRevision, ""), 400, -32020},
		{"older revision in the header", list, with(lists, headerRevision, "2025-11-25"), 400, -32020},
		{"other revision in the header", list, with(lists, headerRevision, "2027-01-01"), 400, -32020},
		{"no method in the header", list, with(lists, headerMethod, ""), 400, -32020},
		{"other method in the header", list, with(lists, headerMethod, "tools/call"), 400, -32020},
		{"method in other case", list, with(lists, headerMethod, "Tools/List"), 400, -32020},
		{"no name in the header", named, newer("tools/call", ""), 400, -32020},
		{"other name in the header", named, newer("tools/call", "godot_undo"), 400, -32020},
		{"name in bad base64", named, newer("tools/call", "=?base64?!!?="), 400, -32020},
		{"encoded name", named, newer("tools/call", "=?base64?Z29kb3Rfbm9fc3VjaA==?="), 400, -32602},
		{"no JSON", `{"jsonrpc"`, lists, 400, -32700},
		{"no UTF-8", "\"\xff\"", lists, 400, -32700},
		{"no message", `{"id":3}`, lists, 400, -32600},
		{"array", `[` + list + `]`, lists, 400, -32600},
		{"answer to nothing", `{"jsonrpc":"2.0","id":3,"result":{}}`, lists, 400, -32600},
		{"no whole number", strings.Replace(list, `"id":3`, `"id":1.5`, 1), lists, 400, -32600},
		{"no session", `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, nil, 400, -32600},
		{"no session, no JSON", `{`, nil, 400, -32700},
	} {
		response := w.do(w.asks("POST", c.body, c.h))
		r := w.read(response)
		if response.StatusCode != c.status || r.Error == nil || r.Error.Code != c.code {
			t.Errorf("%s: %d %+v, want %d and %d", c.name, response.StatusCode, r.Error, c.status, c.code)
		}
		if r.ID != 3.0 && r.ID != 1.0 && c.code != -32700 && c.code != -32600 {
			t.Errorf("%s: the answer has the id %v", c.name, r.ID)
		}
		if c.code == -32022 && !strings.Contains(string(r.Error.Data), `"2026-07-28"`) {
			t.Errorf("%s: data is %s", c.name, r.Error.Data)
		}
	}
	twice := w.asks("POST", list, lists)
	twice.Header.Add(headerMethod, "tools/list")
	if response := w.do(twice); response.StatusCode != 400 || w.read(response).Error.Code != -32020 {
		t.Errorf("a header that is there twice got %d", response.StatusCode)
	}
}

var fenceNames = regexp.MustCompile(`(<\/?project-data )[A-Z2-7]+>`)

// sameFence is a result with one name for all fences.
func sameFence(result []byte) string { return fenceNames.ReplaceAllString(string(result), "${1}NAME>") }

// One request is one answer, and what the same request gets on standard output.
func TestHTTPAnswersANewerClient(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.list", `{"scenes":["res://Größe.tscn"],"main_scene":null}`)
	w := webTo(t, editor.Query())
	line := plug(t, editor.Query())
	for _, c := range []struct{ method, name, params string }{
		{"server/discover", "", ""},
		{"tools/list", "", ""},
		{"tools/call", "godot_scene_list", `"name":"godot_scene_list"`},
		{"tools/call", "godot_node_delete", `"name":"godot_node_delete","arguments":{"node_path":"."}`},
		{"tools/call", "godot_scene_tree", `"name":"godot_scene_tree","arguments":{"wrong":1}`},
	} {
		body := modernCall(7, c.method, c.params)
		response := w.do(w.asks("POST", body, newer(c.method, c.name)))
		got := w.read(response)
		line.send(body)
		want := line.next()
		if response.StatusCode != 200 || got.ID != 7.0 || sameFence(got.Result) != sameFence(want.Result) || got.Error != nil {
			t.Errorf("%s: %d %.300s %+v, want %.300s", c.method, response.StatusCode, got.Result, got.Error, want.Result)
		}
		if response.Header.Get(headerSession) != "" {
			t.Errorf("%s began a session", c.method)
		}
	}
	notice := w.asks("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, newer("notifications/cancelled", ""))
	if response := w.do(notice); response.StatusCode != 202 || response.ContentLength != 0 {
		t.Errorf("a notification got %d with %d bytes", response.StatusCode, response.ContentLength)
	}
	calls := 0
	for _, c := range editor.Calls() {
		if c.Command == "scene.list" {
			calls++
		}
	}
	if calls != 2 {
		t.Errorf("%d calls reached the editor", calls)
	}
}

// Go SDK 1.8.0 writes an error that comes behind progress into the stream without a frame.
func TestHTTPProgressMakesAStream(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Park("scene.list", func(_ context.Context, call *bridgetest.Parked) (any, error) {
		call.Progress(1, 2, "step")
		call.Progress(2, 2, "step")
		return nil, bridge.Errorf(bridge.ResourceNotFound, "scene_path", "gone")
	})
	w := webTo(t, editor.Query())
	e := w.events(w.do(w.progressing("godot_scene_list")))
	for _, want := range []string{`"progress":1`, `"progress":2`} {
		if r := e.must(); r.Method != "notifications/progress" || !strings.Contains(string(r.Params), want) {
			t.Errorf("got %s %s, want %s", r.Method, r.Params, want)
		}
	}
	if r := e.must(); r.ID != 7.0 || !strings.Contains(string(r.Result), `"isError":true`) {
		t.Errorf("the answer is %s %+v", r.Result, r.Error)
	}
	if r, more := e.next(); more {
		t.Errorf("behind the answer came %+v", r)
	}
	// A client that takes JSON alone gets the answer alone.
	alone := w.progressing("godot_scene_list")
	alone.Header.Set("Accept", "application/json")
	if r := w.read(w.do(alone)); r.ID != 7.0 || r.Result == nil {
		t.Errorf("got %+v", r)
	}
}

// That the client goes away cancels its call, down to the editor.
func TestHTTPDisconnectCancels(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Park("scene.list", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	w := webTo(t, editor.Query())
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := w.client.Do(w.call("godot_scene_list", "").WithContext(ctx))
		left <- err
	}()
	editor.WaitCalls(1)
	leave()
	if err := <-left; err == nil {
		t.Error("there was an answer")
	}
	editor.WaitCancels(1)
}

// A stream that is silent for long is kept open by comments, and so is a call that takes long.
func TestHTTPStreamsAreKeptOpen(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(context.Context, *bridgetest.Parked) (any, error) {
		<-release
		return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
	})
	w := serveWeb(t, serverFor(t, editor.Query()), "", func(h *HTTP) { h.keepAlive = time.Millisecond })
	e := w.events(w.do(w.call("godot_scene_list", "")))
	for range 3 {
		if r := e.must(); r.Method != ":" {
			t.Fatalf("got %+v", r)
		}
	}
	close(release)
	for r := e.must(); r.ID != 7.0; r = e.must() {
		if r.Method != ":" {
			t.Fatalf("got %+v", r)
		}
	}
}

// Several listens at once, each on a stream of its own that begins with what it was granted; at the end of
// the server each gets its result.
func TestHTTPListensAreApart(t *testing.T) {
	w := webTo(t, nowhere(t))
	listen := func(id int) *events {
		body := modernCall(id, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
		e := w.events(w.do(w.asks("POST", body, newer("subscriptions/listen", ""))))
		if r := e.must(); r.Method != "notifications/subscriptions/acknowledged" || !strings.Contains(string(r.Params), fmt.Sprintf(`subscriptionId":%d`, id)) {
			t.Fatalf("got %s %s", r.Method, r.Params)
		}
		return e
	}
	one, two := listen(5), listen(5)
	w.server.relist()
	for _, e := range []*events{one, two} {
		if r := e.must(); r.Method != "notifications/tools/list_changed" {
			t.Errorf("got %+v", r)
		}
	}
	w.stop()
	for _, e := range []*events{one, two} {
		if r := e.must(); r.ID != 5.0 || r.Result == nil {
			t.Errorf("at the end came %+v", r)
		}
	}
	refused := webTo(t, nowhere(t))
	body := modernCall(6, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
	h := newer("subscriptions/listen", "")
	h["Accept"] = "application/json"
	if r := refused.read(refused.do(refused.asks("POST", body, h))); r.Error == nil || r.Error.Code != -32600 {
		t.Errorf("a listen without a stream got %+v", r)
	}
}

// At the end nothing new comes in, and calls at work have their time.
func TestHTTPEndLetsCallsFinish(t *testing.T) {
	editor := bridgetest.New(t)
	release := make(chan struct{})
	editor.Park("scene.list", func(context.Context, *bridgetest.Parked) (any, error) {
		<-release
		return json.RawMessage(`{"scenes":[],"main_scene":null}`), nil
	})
	w := webTo(t, editor.Query())
	answers := make(chan *http.Response, 1)
	go func() { answers <- w.do(w.call("godot_scene_list", "")) }()
	editor.WaitCalls(1)
	w.stop()
	<-w.http.closing.Done()
	close(release)
	if r := w.read(<-answers); r.ID != 7.0 || r.Result == nil {
		t.Errorf("got %+v", r)
	}
	if err := <-w.done; err != nil {
		t.Error(err)
	}
	w.done <- nil
	if _, err := w.client.Do(w.call("godot_scene_list", "")); err == nil {
		t.Error("a call came in after the end")
	}
}

// limited is an answer that notes the time that the client has to take it.
type limited struct {
	httptest.ResponseRecorder
	limits []time.Time
}

func (l *limited) SetWriteDeadline(t time.Time) error {
	l.limits = append(l.limits, t)
	return nil
}

// A limit that stays with the connection would end a later answer on it.
func TestHTTPTimeToTakeAMessageEndsWithIt(t *testing.T) {
	for _, a := range []accepted{{json: true}, {stream: true}} {
		l := &limited{ResponseRecorder: *httptest.NewRecorder()}
		x := newExchange(l, a)
		for _, m := range []outgoing{{text: []byte(`{"method":"x"}`)}, {text: []byte(`{"id":1}`), answer: true}} {
			if err := x.send(m); err != nil {
				t.Fatal(err)
			}
		}
		if len(l.limits) < 2 || l.limits[0].IsZero() || !l.limits[len(l.limits)-1].IsZero() {
			t.Errorf("%+v: the limits are %v", a, l.limits)
		}
	}
}
