package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// FuzzLine: whatever a client writes, what comes back is one JSON-RPC message a line, and the next request is
// answered. One server meets all the lines of a worker, as a client that has lost its mind would send them.
func FuzzLine(f *testing.F) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, line := range []string{
		``, `{`, `[]`, `[1,2]`, `null`, `"a"`, "\xff", "\ufeff{}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x",` + meta + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":4,"method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"godot_tool_search","arguments":{"query":"add a node"},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"godot_node_get","arguments":"{\"node_path\":1}",` + meta + `}}`,
		`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, `[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"x"}]`,
		`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"godot_tool_call","arguments":{"tool":"version","arguments":[]},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":11,"result":{}}`, `{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"godot://x",` + meta + `}}`,
	} {
		f.Add([]byte(line))
	}
	in, out := serveNobody(f)
	asked := 0
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") {
			return
		}
		asked++
		id := fmt.Sprintf("asked behind it %d", asked)
		if _, err := fmt.Fprintf(in, "%s\n{\"jsonrpc\":\"2.0\",\"id\":%q,\"method\":\"ping\"}\n", line, id); err != nil {
			t.Fatal(err)
		}
		for {
			if !out.Scan() {
				t.Fatalf("the server ended behind %q: %v", line, out.Err())
			}
			var message struct {
				JSONRPC string
				ID      any
				Error   *struct{ Message string }
			}
			if err := json.Unmarshal(out.Bytes(), &message); err != nil && out.Bytes()[0] != '[' {
				t.Fatalf("%q was answered with %q: %v", line, out.Text(), err)
			}
			if message.ID == id {
				if message.Error != nil {
					t.Fatalf("behind %q a ping was refused: %s", line, message.Error.Message)
				}
				return
			}
		}
	})
}

// serveNobody is a server without an editor, in read-only mode.
func serveNobody(f *testing.F) (io.Writer, *bufio.Scanner) {
	env := envFor(f, bridge.Query{Project: f.TempDir(), Registry: f.TempDir()})
	policy := commands.Policy{ReadOnly: true}
	server := NewServer(&commands.Dispatcher{Table: env.Table, Policy: policy, Env: env}, slog.New(slog.DiscardHandler))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	go func() {
		_ = outWrite.CloseWithError(server.ServeStdio(context.Background(), inRead, outWrite))
	}()
	f.Cleanup(func() { _ = inWrite.Close() })
	out := bufio.NewScanner(outRead)
	out.Buffer(nil, 1<<26)
	return inWrite, out
}
