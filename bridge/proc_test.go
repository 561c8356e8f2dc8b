//go:build linux || darwin || windows

package bridge_test

import (
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

func TestBeliefNoticesAReusedProcessNumber(t *testing.T) {
	hourAgo := time.Now().Add(-time.Hour).Unix()
	wantIgnored(t, bridgetest.New(t, bridgetest.Started(hourAgo)), "was reused")
	// A file may be much younger than its process.
	e := bridgetest.New(t, bridgetest.Started(time.Now().Add(time.Hour).Unix()))
	wantEditor(t, e.Query(), e)
}
