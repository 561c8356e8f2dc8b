package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

const (
	modernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func modernCall(id int, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`, id, method, params, modernMeta)
}

func nowhere(t *testing.T) bridge.Query {
	return bridge.Query{Project: emptyProject(t), Registry: t.TempDir()}
}

// begin starts an older session.
func (w *wire) begin(revision string) {
	w.t.Helper()
	w.send(fmt.Sprintf(initialize, revision))
	if r := w.next(); r.Error != nil || !strings.Contains(string(r.Result), revision) {
		w.t.Fatalf("initialize: %s %+v", r.Result, r.Error)
	}
	w.send(initialized)
}

// Go SDK 1.8.0 answers these with code 0, or takes them.
func TestRequestsOfNoServedRevisionAreRefused(t *testing.T) {
	w := plug(t, nowhere(t))
	meta := func(method, meta string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":{"_meta":{%s}}}`, method, meta)
	}
	const version, capabilities = `"io.modelcontextprotocol/protocolVersion":`, `"io.modelcontextprotocol/clientCapabilities":{}`
	for line, code := range map[string]int{
		meta("tools/list", version+`"2025-11-25",`+capabilities):                                           -32022,
		meta("server/discover", version+`"2025-06-18",`+capabilities):                                      -32022,
		meta("tools/list", version+`"1900-01-01",`+capabilities):                                           -32022,
		meta("server/discover", version+`"2099-01-01",`+capabilities):                                      -32022,
		meta("tools/list", capabilities):                                                                   -32602,
		meta("tools/list", version+`7,`+capabilities):                                                      -32602,
		meta("tools/list", version+`"2026-07-28"`):                                                         -32602,
		meta("tools/list", version+`"2026-07-28","io.modelcontextprotocol/clientCapabilities":7`):          -32602,
		meta("tools/list", version+`"2026-07-28","io.modelcontextprotocol/logLevel":"loud",`+capabilities): -32602,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`:                                                   -32602,
		`{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{}}`:                                  -32602,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":7}}`:                              -32602,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[1]}`:                                      -32602,
		`{"jsonrpc":"2.0","id":3,"method":"initialize"}`:                                                   -32600,
		modernCall(3, "initialize", ""):                                                                    -32601,
		modernCall(3, "ping", ""):                                                                          -32601,
		modernCall(3, "no/such", ""):                                                                       -32601,
		modernCall(3, "logging/setLevel", `"level":"info"`):                                                -32601,
		modernCall(3, "resources/subscribe", `"uri":"godot://scene/tree"`):                                 -32601,
		modernCall(3, "prompts/list", `"cursor":"x"`):                                                      -32602,
		modernCall(3, "resources/list", `"cursor":"x"`):                                                    -32602,
		modernCall(3, "resources/templates/list", `"cursor":"x"`):                                          -32602,
		modernCall(3, "tools/call", `"name":"godot_no_such"`):                                              -32602,
		modernCall(3, "tools/list", `"cursor":"x"`):                                                        -32602,
		modernCall(3, "tools/call", `"name":7`):                                                            -32602,
	} {
		w.send(line)
		if r := w.next(); r.Error == nil || r.Error.Code != code || r.ID != 3.0 {
			t.Errorf("%s got %s %+v, want %d", line, r.Result, r.Error, code)
		}
	}
}

func TestARefusedRevisionNamesThoseServed(t *testing.T) {
	w := plug(t, nowhere(t))
	for requested, want := range map[string]string{
		"2099-01-01": `["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`,
		"2025-11-25": `["2026-07-28"]`, // the others begin with initialize
	} {
		w.send(strings.Replace(modernCall(3, "server/discover", ""), "2026-07-28", requested, 1))
		r := w.next()
		if r.Error == nil {
			t.Fatalf("%s got %s", requested, r.Result)
		}
		var data struct {
			Supported json.RawMessage
			Requested string
		}
		if err := json.Unmarshal(r.Error.Data, &data); err != nil || string(data.Supported) != want || data.Requested != requested {
			t.Errorf("%s is told %s", requested, r.Error.Data)
		}
	}
}

// Go SDK 1.8.0 keeps the era of the first request.
func TestBothErasOnOnePipe(t *testing.T) {
	modern := func(t *testing.T, w *wire) {
		t.Helper()
		// Go SDK 1.8.0 says resultType only for tools that are registered with it.
		for id, tool := range map[int]string{22: "godot_toolset_list", 23: "godot_tool_classes", 24: "godot_scene_list"} {
			w.send(modernCall(id, "tools/call", fmt.Sprintf(`"name":%q`, tool)))
			if r := w.next(); !strings.Contains(string(r.Result), `"resultType":"complete"`) || !strings.Contains(string(r.Result), `serverInfo"`) {
				t.Errorf("%s answered %.300s", tool, r.Result)
			}
		}
		for id, method := range map[int]string{20: "server/discover", 21: "tools/list"} {
			w.send(modernCall(id, method, ""))
			r := w.next()
			for _, want := range []string{`"resultType":"complete"`, `"ttlMs":`, `"cacheScope":`, `"io.modelcontextprotocol/serverInfo":{`} {
				if !strings.Contains(string(r.Result), want) {
					t.Errorf("%s lacks %s: %.300s %+v", method, want, r.Result, r.Error)
				}
			}
		}
	}
	legacy := func(t *testing.T, w *wire) {
		t.Helper()
		w.send(`{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"godot_toolset_list"}}`)
		if r := w.next(); strings.Contains(string(r.Result), "resultType") || strings.Contains(string(r.Result), "serverInfo") {
			t.Errorf("an older client got %s", r.Result)
		}
		w.send(`{"jsonrpc":"2.0","id":30,"method":"tools/list"}`)
		r := w.next()
		if r.Error != nil || len(r.names(t)) == 0 {
			t.Fatalf("tools/list: %+v", r.Error)
		}
		for _, word := range []string{"resultType", "ttlMs", "cacheScope", "serverInfo"} {
			if strings.Contains(string(r.Result), `"`+word+`"`) {
				t.Errorf("an older client is told %s", word)
			}
		}
		w.answered(31)
	}
	t.Run("modern_first", func(t *testing.T) {
		w := plug(t, nowhere(t))
		modern(t, w)
		w.begin("2025-11-25")
		legacy(t, w)
		modern(t, w)
	})
	t.Run("legacy_first", func(t *testing.T) {
		w := plug(t, nowhere(t))
		w.begin("2025-11-25")
		legacy(t, w)
		modern(t, w)
		legacy(t, w)
	})
}

func TestInitializeComesOnce(t *testing.T) {
	w := plug(t, nowhere(t))
	w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`)
	w.refused(-32602, 1.0)
	w.begin("2025-06-18")
	w.send(fmt.Sprintf(initialize, "2025-06-18"))
	w.refused(-32600, 1.0)
	w.answered(2)
	w.send(`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`)
	w.refused(-32601, 3.0)
}

// Go SDK 1.8.0 lets a second listen take the place of the first.
func TestListensAreApart(t *testing.T) {
	w := plug(t, nowhere(t))
	const changes = `"notifications":{"toolsListChanged":true}`
	heard := func() string { // the listen that the next message is about
		r := w.next()
		var params struct {
			Meta struct {
				ID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
			} `json:"_meta"`
		}
		if err := json.Unmarshal(r.Params, &params); err != nil {
			t.Fatalf("%s %s: %v", r.Method, r.Params, err)
		}
		return strings.TrimPrefix(r.Method, "notifications/") + " " + string(params.Meta.ID)
	}
	for _, id := range []int{5, 6} {
		w.send(modernCall(id, "subscriptions/listen", changes))
		if got := heard(); got != fmt.Sprintf("subscriptions/acknowledged %d", id) {
			t.Fatalf("got %s", got)
		}
	}
	w.server.relist()
	if got := map[string]bool{heard(): true, heard(): true}; !got["tools/list_changed 5"] || !got["tools/list_changed 6"] {
		t.Errorf("heard %v", got)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	w.send(modernCall(7, "tools/list", ""))
	if r := w.next(); r.ID != 7.0 {
		t.Fatalf("got %+v", r)
	}
	w.server.relist()
	if got := heard(); got != "tools/list_changed 6" {
		t.Errorf("heard %s", got)
	}
	w.send(modernCall(8, "subscriptions/listen", `"notifications":{}`))
	if got := heard(); got != "subscriptions/acknowledged 8" {
		t.Fatalf("got %s", got)
	}
	if r := w.next(); r.ID != 8.0 || r.Result == nil {
		t.Errorf("a listen to nothing got %+v", r)
	}
	// The end of the input does not wait for the open one.
	_ = w.in.Close()
	if err := <-w.done; err != nil {
		t.Error(err)
	}
}

// A change is told to nobody who did not ask.
func TestNothingUnsolicitedForNewerClients(t *testing.T) {
	w := plug(t, nowhere(t))
	w.send(modernCall(1, "no/such", ""))
	w.refused(-32601, 1.0)
	w.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	w.next()
	w.server.relist()
	w.send(modernCall(3, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`))
	for {
		r := w.next()
		if r.Method == "notifications/tools/list_changed" && !strings.Contains(string(r.Params), "subscriptionId") {
			t.Fatalf("got %s %s", r.Method, r.Params)
		}
		if r.Method == "notifications/subscriptions/acknowledged" {
			return
		}
	}
}

// Revisions since 2025-06-18 have no batches; Go SDK 1.8.0 answers them in a newer session.
func TestBatchesWhereTheRevisionHasThem(t *testing.T) {
	const two = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	for _, revision := range []string{"", "2025-06-18", "2025-11-25"} {
		w := plug(t, nowhere(t))
		if revision != "" {
			w.begin(revision)
		}
		w.send(two)
		w.refused(-32600, nil)
		w.answered(3)
	}
	editor := bridgetest.New(t)
	editor.Park("scene.list", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	w := plug(t, editor.Query())
	w.begin("2025-03-26")
	w.send(`[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"},{"jsonrpc":"2.0","id":1,"method":"ping"},{"x":1},` +
		`{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"godot_scene_list"}},` + fmt.Sprintf(initialize, "2025-03-26") + `]`)
	editor.WaitCalls(1)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}`)
	if !w.out.Scan() {
		t.Fatal("no answer")
	}
	var answers []reply
	if err := json.Unmarshal(w.out.Bytes(), &answers); err != nil || len(answers) != 3 {
		t.Fatalf("%s: %v", w.out.Text(), err)
	}
	w.send(`[]`)
	w.refused(-32600, nil)
	w.send(`[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`)
	w.answered(9)
}

// One revision alone: _meta comes first, nothing is initialized, nothing is said unasked.
func TestOneRevisionAlone(t *testing.T) {
	old := plug(t, nowhere(t)).server
	w := plugServer(t, NewServer(old.dispatcher, old.log, NewestRevision))
	for line, code := range map[string]int{
		fmt.Sprintf(initialize, "2025-11-25"):                                                             -32022,
		fmt.Sprintf(initialize, "2026-07-28"):                                                             -32022,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                                  -32022,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                                                        -32602,
		`{"jsonrpc":"2.0","id":1,"method":"no/such"}`:                                                     -32602,
		modernCall(1, "initialize", ""):                                                                   -32601,
		strings.Replace(modernCall(1, "server/discover", ""), NewestRevision, "2025-11-25", 1):            -32022,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"godot_toolset_list"}}`:           -32602,
		strings.Replace(modernCall(1, "tools/list", ""), "clientCapabilities", "clientCapability", 1):     -32602,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"godot://project/info"}}`: -32602,
	} {
		w.send(line)
		r := w.next()
		if r.Error == nil || r.Error.Code != code || r.ID != 1.0 {
			t.Errorf("%s got %s %+v, want %d", line, r.Result, r.Error, code)
			continue
		}
		if code == -32022 && !strings.Contains(string(r.Error.Data), `"supported":["2026-07-28"]`) {
			t.Errorf("%s is told %s", line, r.Error.Data)
		}
	}
	w.send(initialized)
	w.send(`[` + modernCall(2, "tools/list", "") + `]`)
	w.refused(-32600, nil)
	w.server.relist()
	w.send(modernCall(3, "server/discover", ""))
	if r := w.next(); r.ID != 3.0 || !strings.Contains(string(r.Result), `"supportedVersions":["2026-07-28"]`) {
		t.Errorf("got %s %s", r.Method, r.Result)
	}
}
