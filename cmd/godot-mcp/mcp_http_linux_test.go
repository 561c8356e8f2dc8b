package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// The built binary, whose files and threads the system counts: a thousand connections, each of them cut in
// another place, leave none behind.
func TestHTTPThousandConnections(t *testing.T) {
	ed := bridgetest.New(t)
	s := startHTTP(t, ed, nil, "--http-no-auth")
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(s.url)
	const body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	request := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	visit := func(i int) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		sent := request[:len(request)*(i%10+1)/10]
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		if len(sent) == len(request) {
			if _, err := conn.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	open := func() int {
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	for i := range 20 {
		visit(i)
	}
	// Those that are still open then are closed by the time of the second look.
	before := open()
	for i := range 1000 {
		visit(i)
	}
	for end := time.Now().Add(20 * time.Second); open() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d files became %d", before, open())
		}
	}
	if got := s.list(t, ""); got != 200 {
		t.Errorf("a call got %d", got)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil || !strings.Contains(string(status), "Threads:") {
		t.Fatal(err)
	}
	if threads := regexp.MustCompile(`Threads:\s+(\d{3,})`).FindSubmatch(status); threads != nil {
		t.Errorf("it has %s threads", threads[1])
	}
	s.end(t)
}
