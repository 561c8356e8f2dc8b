package commands

import (
	"context"
	"os"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// How long a game that was killed may take to go.
const lostGameWait = 5 * time.Second

// endLostGames ends what the killed editors of a project left running: games that stand in the debugger or
// hang, and so do not notice.
func endLostGames(ctx context.Context, project string) {
	lost, _ := bridge.LostGames(project)
	for _, game := range lost {
		process, err := os.FindProcess(game.PID)
		if err != nil || process.Kill() != nil {
			continue
		}
		gone(ctx, game.PID, lostGameWait)
	}
	_, stale := bridge.LostGames(project)
	for _, file := range stale {
		_ = os.Remove(file)
	}
}
