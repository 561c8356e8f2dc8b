package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func found(t *testing.T, e *Editor) bridge.Editor {
	t.Helper()
	ed, err := bridge.Find(bridge.Query{Project: e.Project})
	if err != nil {
		t.Fatal(err)
	}
	return ed
}

// TestEightClientsAndTheNinth: eight are served at a time, each gets its own answers, the ninth is told
// why, and a place that becomes free is free at once.
func TestEightClientsAndTheNinth(t *testing.T) {
	e := sharedEditor(t)
	scene := openScene(t, e, "clients/eight.tscn", scene2d("Eight"))
	var clients []*bridge.Client
	for range bridge.MaxClients {
		c := direct(t, e, &bridge.Client{})
		if _, err := c.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	ninth := direct(t, e, &bridge.Client{})
	if _, err := send(t, ninth, bridge.Request{Command: "health-check"}); err == nil || err.Code != bridge.PreconditionFailed || !strings.Contains(err.Hint, "8 clients") {
		t.Errorf("the ninth client got %v", err)
	}
	typed(t, e, "scene", "tree").fails(t, bridge.PreconditionFailed, "bridge_connected", "8 clients")

	var group sync.WaitGroup
	for i, c := range clients {
		group.Go(func() {
			for round := range 20 {
				text := fmt.Sprintf("client %d round %d", i, round)
				params := asJSON(args{"node_path": "Tail", "property": "editor_description", "value": text})
				raw, err := c.Call(t.Context(), bridge.Request{Command: "node.set-property", Params: json.RawMessage(params)})
				if err != nil || !strings.Contains(string(raw), `"value":"`+text+`"`) {
					t.Errorf("%s got %s, %v", text, raw, err)
				}
			}
		})
	}
	group.Wait()
	_ = clients[0].Close()
	await(t, "the closed client's place", func() bool {
		return e.Run("health-check", "--jq", ".bridge_connected").Stdout == "true\n"
	})
	typed(t, e, "scene", "tree").ok(t).has(t, map[string]string{"scene_path": scene})
}

// TestStrangersDoNotCount: whoever lacks the token fails at the handshake, takes no place and disturbs
// nobody.
func TestStrangersDoNotCount(t *testing.T) {
	e := sharedEditor(t)
	ed := found(t, e)
	address := fmt.Sprintf("127.0.0.1:%d", ed.Port)
	keep := direct(t, e, &bridge.Client{})
	if _, err := keep.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, protocols := range map[string][]string{
		"no subprotocol":    nil,
		"wrong subprotocol": {strings.Repeat("0", 64)},
		"several":           {"graphql-ws", strings.Repeat("f", 64)},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			conn, _, err := websocket.Dial(ctx, "ws://"+address+"/", &websocket.DialOptions{Subprotocols: protocols})
			if err == nil {
				_ = conn.Write(ctx, websocket.MessageText, []byte(`{"id":1,"command":"hello","params":{}}`))
				if _, text, err := conn.Read(ctx); err == nil {
					t.Errorf("a stranger was let in and got %s", text)
				}
				_ = conn.CloseNow()
			}
		})
	}
	t.Run("plain HTTP", func(t *testing.T) {
		client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		if response, err := client.Get("http://" + address + "/"); err == nil {
			body, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				t.Errorf("plain HTTP was answered with %s", body)
			}
		}
	})
	t.Run("silent and many", func(t *testing.T) {
		for range 40 {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		}
		for range bridge.MaxClients - 1 {
			c := direct(t, e, &bridge.Client{})
			if _, err := send(t, c, bridge.Request{Command: "health-check"}); err != nil {
				t.Errorf("beside strangers a client got %v", err)
			}
		}
	})
	if _, err := send(t, keep, bridge.Request{Command: "health-check"}); err != nil {
		t.Errorf("the client from before: %v", err)
	}
}

// TestFirstCommandIsHello: with the token but without hello nothing is carried out.
func TestFirstCommandIsHello(t *testing.T) {
	e := sharedEditor(t)
	ed := found(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", ed.Port), &websocket.DialOptions{Subprotocols: []string{ed.Token.Secret()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	for _, exchange := range []struct{ message, want string }{
		{`{"id":1,"command":"editor.stop","params":{"confirm":true}}`, `"required":"bridge_token"`},
		{`{"id":2,"command":"hello","params":{"contract":99}}`, `"required":"contract_version"`},
		{`{"id":3,"command":"scene.tree","params":{}}`, `"required":"bridge_token"`},
		{`{"id":4,"command":"hello","params":7}`, `"ok":true`},
		{`not JSON`, `"error":"VALIDATION_ERROR"`},
		{`{"id":-1,"command":"scene.tree"}`, `"error":"VALIDATION_ERROR"`},
		{`{"id":5,"command":"scene.list","params":[1]}`, `"required":"params"`},
		{`{"id":6,"command":"no.such","params":{}}`, `"required":"addon_version"`},
		{`{"id":7,"command":"scene.list","unknown":1}`, `"ok":true`},
	} {
		if err := conn.Write(ctx, websocket.MessageText, []byte(exchange.message)); err != nil {
			t.Fatal(err)
		}
		_, text, err := conn.Read(ctx)
		if err != nil || !strings.Contains(string(text), exchange.want) {
			t.Fatalf("%s was answered with %s, %v; want %s", exchange.message, text, err, exchange.want)
		}
	}
}

// TestAHandlerThatDiesAnswers at once and with the reason, and the next command works.
func TestAHandlerThatDiesAnswers(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "clients/dies.tscn", scene2d("Dies"))
	c := direct(t, e, &bridge.Client{})
	// No tool sends this; validation in the binary keeps it off. The handler runs into a wrong type.
	begin := time.Now()
	_, err := send(t, c, bridge.Request{Command: "node.get", Params: json.RawMessage(`{"node_path":".","include":{"a":1}}`)})
	if err == nil || err.Code != bridge.InternalError || !strings.Contains(err.Hint, "node.get") || !strings.Contains(err.Hint, ".gd:") {
		t.Fatalf("a handler that died gave %v", err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the answer took %v", took)
	}
	if _, err := send(t, c, bridge.Request{Command: "scene.tree"}); err != nil {
		t.Error(err)
	}
}

// TestARequestKeyIsCarriedOutOnce, also when another client repeats it.
func TestARequestKeyIsCarriedOutOnce(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "clients/key.tscn", scene2d("Key"))
	first := typed(t, e, "node", "add", "Timer", "Once", "--request-key", "key-1").ok(t)
	again := typed(t, e, "node", "add", "Timer", "Once", "--request-key", "key-1").ok(t)
	if string(first.raw) != string(again.raw) || first.text("node_path") != "Once" {
		t.Errorf("the repeated request gave %s, not %s", again.raw, first.raw)
	}
	typed(t, e, "node", "add", "Timer", "Once", "--request-key", "key-2").ok(t).has(t, map[string]string{"node_path": "Once2"})
	refused := typed(t, e, "node", "add", "Timmer", "--request-key", "key-3")
	refused.fails(t, "VALIDATION_ERROR", "node_type")
	if repeated := typed(t, e, "node", "add", "Timer", "--request-key", "key-3"); repeated.err == nil || repeated.err.Hint != refused.err.Hint {
		t.Errorf("the repeated refusal is %v", repeated.err)
	}
	typed(t, e, "scene", "tree").ok(t).has(t, map[string]string{"total": "6"})
}

// TestEventsReachThoseWhoAsked, with the scene that they are about, and nobody else.
func TestEventsReachThoseWhoAsked(t *testing.T) {
	e := sharedEditor(t)
	events := make(chan string, 100)
	record := func(who string) func(bridge.Event) {
		return func(event bridge.Event) { events <- who + " " + string(event.Data) }
	}
	asks := direct(t, e, &bridge.Client{Events: []string{"scene_saved", "scene_changed", "history_changed", "scene_closed"}, OnEvent: record("asks")})
	silent := direct(t, e, &bridge.Client{OnEvent: record("silent")})
	for _, c := range []*bridge.Client{asks, silent} {
		if _, err := c.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	path := write(t, e, "clients/events.tscn", scene2d("Events"))
	var got []string
	expect := func(want string) {
		t.Helper()
		for !slices.ContainsFunc(got, func(event string) bool { return strings.Contains(event, want) }) {
			select {
			case event := <-events:
				if strings.HasPrefix(event, "silent") {
					t.Errorf("an event for nobody: %s", event)
				}
				got = append(got, strings.ReplaceAll(event, `"`, ""))
			case <-time.After(10 * time.Second):
				t.Fatalf("no event %s among %q", want, got)
			}
		}
		got = nil
	}
	s := cli(e)
	s.call(t, "scene open", args{"scene_path": path}).ok(t)
	expect("event:scene_changed,scene_path:" + path)
	s.call(t, "node add", nil).ok(t)
	expect("event:history_changed,history:" + path + ",action:node add")
	user(t, e, "step", "x")
	expect("event:history_changed,history:" + path + ",action:Move Node")
	s.call(t, "scene save", nil).ok(t)
	expect("event:scene_saved,scene_path:" + path)
	closeTab(t, e, path)
	expect("event:scene_closed,scene_path:" + path)
}

// TestTheEditorSleepsAgain: awake while commands come, as its user set it five seconds after the last one,
// and not awake for a client that says hello and nothing else.
func TestTheEditorSleepsAgain(t *testing.T) {
	e := sharedEditor(t)
	asleep := func() int {
		t.Helper()
		usec := 0
		begin := time.Now()
		await(t, "the editor to sleep again", func() bool {
			usec = user(t, e, "look", "").SleepUsec
			return usec > 1000
		})
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("the editor fell asleep only after %v", took)
		}
		return usec
	}
	usual := asleep()
	begin := time.Now()
	cli(e).call(t, "health-check", nil).ok(t)
	if usec := user(t, e, "look", "").SleepUsec; usec > 1000 {
		t.Errorf("right after a command the editor sleeps %d µs", usec)
	}
	if usec := asleep(); usec != usual {
		t.Errorf("the editor sleeps %d µs afterwards, %d before", usec, usual)
	}
	if awake := time.Since(begin); awake < 4*time.Second {
		t.Errorf("the editor was awake for %v only", awake)
	}
	silent := direct(t, e, &bridge.Client{})
	if _, err := silent.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	asleep()
	for range 20 {
		if usec := user(t, e, "look", "").SleepUsec; usec != usual {
			t.Fatalf("a silent client keeps the editor at %d µs", usec)
		}
	}
	if _, err := send(t, silent, bridge.Request{Command: "health-check"}); err != nil {
		t.Errorf("the silent client's first command: %v", err)
	}
}
