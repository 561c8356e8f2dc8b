package mcp

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

// BenchmarkCall is a call that the binary answers itself, from line to line.
func BenchmarkCall(b *testing.B) {
	for name, tail := range map[string]string{"2025-11-25": "}}", "2026-07-28": "," + modernMeta + "}}"} {
		b.Run(name, func(b *testing.B) {
			env := &commands.Env{Contract: commands.ThisContract, Table: commands.All(), Listed: []string{"starter"}}
			server := NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, slog.New(slog.DiscardHandler))
			inRead, inWrite := io.Pipe()
			outRead, outWrite := io.Pipe()
			go func() { _ = server.ServeStdio(context.Background(), inRead, outWrite) }()
			defer inWrite.Close()
			lines := bufio.NewReaderSize(outRead, 1<<20)
			ask := func(line string) {
				_, _ = io.WriteString(inWrite, line+"\n")
				if _, err := lines.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
			b.ReportAllocs()
			for b.Loop() {
				ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_tool_classes","arguments":{}` + tail)
			}
		})
	}
}
