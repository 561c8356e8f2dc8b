package mcp

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Who promises a body and sends none, or half of one, does not keep the connection, with a token or without.
func TestHTTPBodiesThatDoNotCome(t *testing.T) {
	w := serveWeb(t, serverFor(t, nowhere(t)), "a token of sixteen", func(h *HTTP) { h.bodyTime = 200 * time.Millisecond })
	session := w.begin("2025-11-25")[headerSession]
	knows := "Authorization: Bearer " + w.token + "\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
	for head, status := range map[string]int{
		"POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n":              401,
		"POST /mcp HTTP/1.1\r\nOrigin: http://other.example\r\n":                403,
		"POST /mcp HTTP/1.1\r\nHost: other.example\r\n":                         403,
		"GET /mcp HTTP/1.1\r\n":                                                 401,
		"POST /elsewhere HTTP/1.1\r\n" + knows:                                  404,
		"POST /mcp HTTP/1.1\r\n" + knows:                                        400,
		"GET /mcp HTTP/1.1\r\n" + knows + "Mcp-Session-Id: " + session + "\r\n": 400,
	} {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.http.Port()))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(head, "Host: ") {
			head += "Host: 127.0.0.1\r\n"
		}
		fmt.Fprintf(conn, "%sContent-Length: 1000\r\n\r\n{\"half\":", head)
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
		in := bufio.NewReader(conn)
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("%q got %v", head, err)
		}
		if response.StatusCode != status {
			t.Errorf("%q got %d, want %d", head, response.StatusCode, status)
		}
		_ = response.Body.Close()
		for err == nil {
			_, err = in.ReadByte()
		}
		if e, ok := err.(net.Error); ok && e.Timeout() {
			t.Errorf("%q keeps its connection", head)
		}
		_ = conn.Close()
	}
}

// The number of sessions has a limit also where each of them is in use.
func TestHTTPSessionsHaveALimit(t *testing.T) {
	w := webTo(t, nowhere(t))
	var first *httpSession
	for range maxSessions {
		s := w.http.sessions.find(w.begin("2025-11-25")[headerSession])
		if first == nil {
			first = s
			continue
		}
		t.Cleanup(s.begin())
	}
	end := first.begin()
	response := w.do(w.asks("POST", fmt.Sprintf(initialize, "2025-11-25"), nil))
	if response.StatusCode != 503 || response.Header.Get(headerSession) != "" {
		t.Errorf("one more got %d", response.StatusCode)
	}
	end()
	w.begin("2025-11-25")
	if n := w.http.sessions.count(); n != maxSessions || w.http.sessions.find(first.pipe.id) != nil {
		t.Errorf("there are %d sessions", n)
	}
}

// White space before an array makes it no other message.
func TestHTTPWhiteSpaceBeforeAnArray(t *testing.T) {
	w := webTo(t, nowhere(t))
	h := w.begin("2025-03-26")
	response := w.do(w.asks("POST", " \r\n\t[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]", h))
	if response.StatusCode != 202 {
		t.Errorf("got %d", response.StatusCode)
	}
}
