package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// What is offered beside tools comes over HTTP as over a pipe.
func TestHTTPOffersResourcesPromptsAndCompletion(t *testing.T) {
	e := bridgetest.New(t)
	e.Reply("scene.tree", `{"tree":{"name":"Top","type":"Node2D","path":".","child_count":0},"truncated":false,"total":1,"scene_path":"res://main.tscn"}`)
	w := webTo(t, e.Query())
	older := w.begin("2025-06-18")
	encoded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte("godot://scene/tree/1")) + "?="
	for _, c := range []struct{ method, name, params, want string }{
		{"resources/list", "", "", `"uri":"godot://scene/current"`},
		{"resources/templates/list", "", "", `"uriTemplate":"godot://scene/tree/{max_depth}"`},
		{"resources/read", "godot://scene/tree/1", `"uri":"godot://scene/tree/1"`, `\"name\":\"Top\"`},
		{"resources/read", encoded, `"uri":"godot://scene/tree/1"`, `\"name\":\"Top\"`},
		{"prompts/list", "", "", `"name":"build_scene"`},
		{"prompts/get", "toolset_discovery", `"name":"toolset_discovery"`, "godot_tool_search"},
		{"completion/complete", "", `"ref":{"type":"ref/resource","uri":"godot://scene/tree/{max_depth}"},"argument":{"name":"max_depth","value":"3"}`, `"values":["3"]`},
	} {
		r := w.read(w.do(w.asks("POST", modernCall(2, c.method, c.params), newer(c.method, c.name))))
		if r.Error != nil || !strings.Contains(string(r.Result), c.want) || !strings.Contains(string(r.Result), `"resultType":"complete"`) {
			t.Errorf("%s: %.300s %+v", c.method, r.Result, r.Error)
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":{%s}}`, c.method, c.params)
		if r := w.read(w.do(w.asks("POST", body, older))); r.Error != nil || !strings.Contains(string(r.Result), c.want) || strings.Contains(string(r.Result), "resultType") {
			t.Errorf("older %s: %.300s %+v", c.method, r.Result, r.Error)
		}
	}
	r := w.read(w.do(w.asks("POST", modernCall(4, "resources/read", `"uri":"godot://scene/tree"`), newer("resources/read", "godot://scene/current"))))
	if r.Error == nil || r.Error.Code != -32020 {
		t.Errorf("another name in the header: %+v", r)
	}
}

// A listen hears of its resources until its client goes, and the link to the editor goes with the last one.
func TestHTTPListensHearOfResources(t *testing.T) {
	e := bridgetest.New(t)
	w := webTo(t, e.Query())
	listen := func(ctx context.Context, id int, uri string) *events {
		body := modernCall(id, "subscriptions/listen", fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q,"godot://nowhere"]}`, uri))
		s := w.events(w.do(w.asks("POST", body, newer("subscriptions/listen", "")).WithContext(ctx)))
		if r := s.must(); !strings.Contains(string(r.Params), fmt.Sprintf(`"resourceSubscriptions":[%q]`, uri)) {
			t.Fatalf("got %s %s", r.Method, r.Params)
		}
		return s
	}
	first, leave := context.WithCancel(t.Context())
	one, two := listen(first, 5, "godot://scene/tree"), listen(t.Context(), 5, "godot://node/selected")
	e.WaitSockets(1)
	e.Emit("scene_changed", nil)
	for s, uri := range map[*events]string{one: "godot://scene/tree", two: "godot://node/selected"} {
		if r := s.must(); r.Method != "notifications/resources/updated" || !strings.Contains(string(r.Params), uri) || !strings.Contains(string(r.Params), `subscriptionId":5`) {
			t.Errorf("got %s %s", r.Method, r.Params)
		}
	}
	leave()
	e.Emit("selection_changed", nil)
	if r := two.must(); !strings.Contains(string(r.Params), "godot://node/selected") {
		t.Errorf("got %s %s", r.Method, r.Params)
	}
	w.stop()
	if r := two.must(); r.ID != 5.0 || r.Result == nil {
		t.Errorf("at the end came %+v", r)
	}
	e.WaitSockets(0)
}

// An older client hears on its own stream of what it subscribed to, until its session ends.
func TestHTTPOlderClientsSubscribe(t *testing.T) {
	e := bridgetest.New(t)
	w := webTo(t, e.Query())
	session, other := w.begin("2025-06-18"), w.begin("2025-06-18")
	stream := w.events(w.do(w.asks("GET", "", session)))
	quiet := w.events(w.do(w.asks("GET", "", other)))
	if r := w.read(w.do(w.asks("POST", `{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"godot://scene/tree"}}`, session))); r.Error != nil {
		t.Fatalf("%+v", r.Error)
	}
	e.Emit("history_changed", nil)
	heard := func(s *events) reply {
		for {
			if r := s.must(); r.Method != ":" {
				return r
			}
		}
	}
	if r := heard(stream); r.Method != "notifications/resources/updated" || !strings.Contains(string(r.Params), "godot://scene/tree") {
		t.Errorf("got %s %s", r.Method, r.Params)
	}
	if response := w.do(w.asks("DELETE", "", session)); response.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE got %d", response.StatusCode)
	}
	e.WaitSockets(0)
	if r := w.read(w.do(w.asks("POST", `{"jsonrpc":"2.0","id":4,"method":"ping"}`, other))); r.Error != nil {
		t.Errorf("%+v", r.Error)
	}
	w.server.relist() // the first thing that the other one hears
	if r := heard(quiet); r.Method != "notifications/tools/list_changed" {
		t.Errorf("the other client heard %s %s", r.Method, r.Params)
	}
}
