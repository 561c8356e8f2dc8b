package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// The Go SDK's client gives a call up and goes on, in each era.
func TestHTTPGoClientGivesUp(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-03-26"} {
		t.Run(revision, func(t *testing.T) {
			editor := bridgetest.New(t)
			editor.Park("scene.list", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			editor.Park("scene.tree", func(ctx context.Context, _ *bridgetest.Parked) (any, error) {
				return json.RawMessage(`{"tree":null,"truncated":false,"total":0,"scene_path":""}`), nil
			})
			w := webTo(t, editor.Query())
			client := sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.http.URL(), HTTPClient: w.client}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for i := range 3 {
				ctx, giveUp := context.WithCancel(t.Context())
				go func() {
					editor.WaitCalls(2*i + 1)
					giveUp()
				}()
				if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "godot_scene_list"}); !errors.Is(err, context.Canceled) {
					t.Errorf("a call that was given up got %v", err)
				}
				if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "godot_scene_tree"}); err != nil {
					t.Errorf("the next call got %v", err)
				}
			}
			editor.WaitCancels(3)
		})
	}
}
