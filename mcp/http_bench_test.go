package mcp

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// BenchmarkHTTPCall is a call that the binary answers itself, on one connection that is kept, without a
// client library.
func BenchmarkHTTPCall(b *testing.B) {
	env := &commands.Env{Contract: commands.ThisContract, Table: commands.All(), Listed: []string{"starter"}}
	server := NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, slog.New(slog.DiscardHandler))
	h, err := server.ListenHTTP("127.0.0.1", 0, "")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = h.Serve(b.Context()) }()
	conn, err := net.Dial("tcp", h.listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	ask := func(headers, body string) *http.Response {
		_, _ = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", headers, len(body), body)
		response, err := http.ReadResponse(answers, nil)
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(response, err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		return response
	}
	session := ask("", fmt.Sprintf(initialize, "2025-11-25")).Header.Get(headerSession)
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_tool_classes","arguments":{}`
	for era, c := range map[string]struct{ headers, body string }{
		"2025-11-25": {headerSession + ": " + session + "\r\n", call + "}}"},
		"2026-07-28": {headerRevision + ": 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: godot_tool_classes\r\n", call + "," + modernMeta + "}}"},
	} {
		b.Run(era, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(c.headers, c.body)
			}
		})
	}
}
