package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// probeMode makes the test binary a server that does something wrong.
const probeMode = "GODOT_MCP_TEST_PROBE"

func TestMain(m *testing.M) {
	jq.Worker()
	if mode := os.Getenv(probeMode); mode != "" {
		os.Exit(serveAs(mode))
	}
	os.Exit(m.Run())
}

func serveAs(mode string) int {
	switch mode {
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 0
	case "broken":
		fmt.Fprintln(os.Stderr, "no such project")
		return 3
	case "gone":
		return 0
	case "noisy":
		fmt.Println("Welcome!\n{\"progress\": 1")
	case "long":
		// A line that never ends is read past.
		line := strings.Repeat("x", bridge.MaxMessage+1)
		fmt.Println(line)
	case "lingering":
		// Only a kill ends this one.
		defer time.Sleep(time.Hour)
	}
	env := &commands.Env{Version: "2026.01.02", Contract: commands.ThisContract, Transport: "stdio", Table: commands.All(), Listed: []string{"starter"}}
	env.Bridge = &bridge.Client{Name: "test", Find: func(context.Context) (bridge.Editor, error) {
		return bridge.Editor{}, bridge.Errorf(bridge.BridgeDisconnected, "bridge_connected", "no editor: godot-mcp editor start")
	}}
	server := NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, slog.New(slog.DiscardHandler))
	_ = server.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	return 0
}

func try(t *testing.T, mode string, limit time.Duration) Probe {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	return Try(ctx, Start{Path: os.Args[0], Env: append(os.Environ(), probeMode+"="+mode), Version: "1"})
}

func TestProbeOfAServerThatWorks(t *testing.T) {
	p := try(t, "ok", time.Minute)
	if p.Failed != "" || p.Err != nil || p.Name != "godot-mcp" || p.Version != "2026.01.02" || p.ToolCount == 0 || p.Noise != "" || p.Protocol == "" || p.Took <= 0 {
		t.Errorf("%+v", p)
	}
	if p.Info.Bridge.Connected || p.Info.ContractVersion != commands.ContractVersion {
		t.Errorf("%+v", p.Info)
	}
}

// A client of the older handshake is answered in its revision.
func TestProbeInAnOlderProtocol(t *testing.T) {
	p := Try(t.Context(), Start{Path: os.Args[0], Env: append(os.Environ(), probeMode+"=ok"), Version: "1", Protocol: "2025-06-18"})
	if p.Failed != "" || p.Protocol != "2025-06-18" || p.ToolCount == 0 {
		t.Errorf("%+v", p)
	}
}

func TestProbeOfServersThatDoNot(t *testing.T) {
	for mode, want := range map[string]struct {
		limit               time.Duration
		failed, err, stderr string
	}{
		// The limit is what ends this one; how long it is does not matter.
		"silent": {300 * time.Millisecond, "initialize", "no answer in time", ""},
		"broken": {time.Minute, "initialize", "exit status 3", "no such project"},
		"gone":   {time.Minute, "initialize", "without an answer", ""},
	} {
		p := try(t, mode, want.limit)
		if p.Failed != want.failed || p.Err == nil || !strings.Contains(p.Err.Error(), want.err) || p.Stderr != want.stderr {
			t.Errorf("%s: %+v", mode, p)
		}
	}
	p := Try(t.Context(), Start{Path: filepath.Join(t.TempDir(), "none")})
	if p.Failed != "start" || p.Err == nil {
		t.Errorf("%+v", p)
	}
}

// Lines that are no messages are named, and what comes after them is read.
func TestProbeOfNoisyServers(t *testing.T) {
	if p := try(t, "noisy", time.Minute); p.Failed != "" || p.Noise != "Welcome!" {
		t.Errorf("%+v", p)
	}
	if p := try(t, "long", time.Minute); p.Failed != "" || p.Noise == "" || len(p.Noise) > 400 {
		t.Errorf("%+v", p)
	}
}

// A server that stays after its input has ended is killed, and its answers count.
func TestProbeEndsALingeringServer(t *testing.T) {
	if p := try(t, "lingering", time.Minute); p.Failed != "" || p.ToolCount == 0 {
		t.Errorf("%+v", p)
	}
}
