package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func tryHTTP(t *testing.T, url, token string) Probe {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	return TryHTTP(ctx, Connect{URL: url, Token: token, Version: "1", Protocol: "2025-06-18"})
}

// What a server that is not there, or refuses, has said is told.
func TestProbeOfAddressesThatRefuse(t *testing.T) {
	const token = "a-token-of-my-own"
	answers := func(status int, text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, text, r.Header.Get("Authorization"))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		url, failed string
		status      int
		refusal     string
		noProject   bool
	}{
		"gone":     {gone.URL, "connect", 0, "", false},
		"token":    {answers(401, "not with %s"), "initialize", 401, "not with Bearer ***", false},
		"project":  {answers(404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such project, %.0s"}}`), "initialize", 404, "no such project, ", true},
		"revision": {answers(400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"another revision%.0s"}}`), "initialize", 400, "another revision", false},
		"stranger": {answers(200, "<html>%.0s"), "initialize", 0, "", false},
		"long":     {answers(500, strings.Repeat("x", 10000)+"%.0s"), "initialize", 500, strings.Repeat("x", 200), false},
	} {
		p := tryHTTP(t, c.url, token)
		if p.Failed != c.failed || p.Err == nil || p.Status != c.status || p.Refusal != c.refusal || p.NoProject() != c.noProject || strings.Contains(p.Err.Error(), token) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// The token goes to no other address than the entry's.
func TestProbeFollowsNoRedirect(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	if p := tryHTTP(t, s.URL, "a-token-of-my-own"); p.Failed != "initialize" || p.Status != http.StatusTemporaryRedirect || asked.Load() != 0 {
		t.Errorf("%+v, %d requests at the other address", p, asked.Load())
	}
}

// The limit ends a probe of a server that never answers, and of one that stops answering.
func TestProbeOfAddressesThatHang(t *testing.T) {
	for _, greets := range []bool{false, true} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var message struct {
				ID     json.RawMessage
				Method string
			}
			if json.NewDecoder(r.Body).Decode(&message) == nil && greets && message.Method == "initialize" {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Mcp-Session-Id", "s")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"v"}}}`, message.ID)
				return
			}
			<-r.Context().Done()
		}))
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		p := TryHTTP(ctx, Connect{URL: s.URL, Version: "1", Protocol: "2025-06-18"})
		stop()
		if p.Failed == "" || p.Err == nil || p.Failed == "connect" == greets {
			t.Errorf("greets %t: %+v", greets, p)
		}
		s.CloseClientConnections()
		s.Close()
	}
}
