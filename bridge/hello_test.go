package bridge_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestProof(t *testing.T) {
	// printf %s nonce | openssl dgst -sha256 -hmac key
	const want = "70b679792b5c61aa28ed9db27d5d9b9d43c3afde0804ce1524823f13e2945ece"
	if got := bridge.Proof(bridge.NewToken("key"), "nonce"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrongProofIsNotBelieved(t *testing.T) {
	e := bridgetest.New(t, bridgetest.WrongProof())
	e.Reply("node.get", `{"false":"answer"}`)
	c := newClient(t, e)
	got, err := call(c, "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_token", "does not know the token", e.Info().File)
	if got != "" {
		t.Errorf("its answer came through: %s", got)
	}
	if _, ok := c.Hello(); ok {
		t.Error("its hello was kept")
	}
	_, err = c.Connect(context.Background())
	wantError(t, err, bridge.BridgeDisconnected, "bridge_token")
}

func TestAnswerBeforeTheProofIsNotBelieved(t *testing.T) {
	for _, frame := range []string{
		`{"id":$id,"ok":true,"result":"forged"}`, `{"event":"scene_saved"}`, `{"id":$id,"progress":1}`, `{}`,
	} {
		e := bridgetest.New(t, bridgetest.SpeakFirst(frame), bridgetest.Silent())
		c := newClient(t, e)
		c.OnEvent = func(bridge.Event) { t.Error("an event came through") }
		_, err := call(c, "node.get", `{}`)
		wantError(t, err, bridge.BridgeDisconnected, "bridge_token", "before it answered hello")
	}
	e := bridgetest.New(t, bridgetest.SpeakFirst(`rubbish`), bridgetest.Silent())
	_, err := call(newClient(t, e), "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_token", "not JSON")
}

func TestHelloWithoutAProofIsNotBelieved(t *testing.T) {
	for _, frame := range []string{`{"id":1,"ok":true,"result":{}}`, `{"id":1,"ok":true,"result":{"proof":7}}`, `{"id":1,"ok":true}`} {
		e := bridgetest.New(t, bridgetest.SpeakFirst(frame), bridgetest.Silent())
		_, err := call(newClient(t, e), "node.get", `{}`)
		wantError(t, err, bridge.BridgeDisconnected, "bridge_token")
	}
}

func TestHelloThatFailsIsTold(t *testing.T) {
	e := bridgetest.New(t, bridgetest.Silent(), bridgetest.SpeakFirst(
		`{"id":1,"ok":false,"error":"PRECONDITION_FAILED","hint":"too old","required":"contract_version"}`))
	_, err := call(newClient(t, e), "node.get", `{}`)
	if got := wantError(t, err, bridge.PreconditionFailed, "contract_version", "too old"); got.Sent {
		t.Errorf("got %+v", got)
	}
}

func TestRefusedHandshake(t *testing.T) {
	for name, opt := range map[string]bridgetest.Option{
		"400": bridgetest.RefuseHandshake(400), "401": bridgetest.RefuseHandshake(401), "403": bridgetest.RefuseHandshake(403),
		"200": bridgetest.RefuseHandshake(200), "302": bridgetest.RefuseHandshake(302),
		"end of stream": bridgetest.RefuseHandshake(0), "wrong token": bridgetest.WrongToken(),
	} {
		e := bridgetest.New(t, opt)
		_, err := call(newClient(t, e), "node.get", `{}`)
		got := wantError(t, err, bridge.BridgeDisconnected, "bridge_token", e.Info().File, "godot-mcp editor list")
		if strings.Contains(got.Hint, e.Info().Token.Secret()) || got.Sent {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// Something else took the port: it may speak anything.
func TestStrangerOnThePort(t *testing.T) {
	for name, says := range map[string]string{
		"another protocol": "220 mail.example ESMTP\r\n",
		"no subprotocol":   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
		"endless header":   "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20),
		"nothing":          "",
	} {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = conn.Write([]byte(says))
			_ = conn.Close()
		}()
		ed := bridge.Editor{Port: l.Addr().(*net.TCPAddr).Port, Token: bridge.NewToken(strings.Repeat("a", 64)), PID: 1, ProjectPath: "/p"}
		c := &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return ed, nil }}
		_, err = call(c, "node.get", `{}`)
		got := wantError(t, err, bridge.BridgeDisconnected, "bridge_token")
		if strings.Contains(got.Error(), ed.Token.Secret()) {
			t.Errorf("%s: the token is in %v", name, got)
		}
		_ = l.Close()
	}
}

func TestNobodyOnThePort(t *testing.T) {
	e := bridgetest.New(t)
	e.Crash()
	_, err := call(newClient(t, e), "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "nobody listens", e.Info().File)
}
