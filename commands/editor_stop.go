package commands

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

type editorStopParams struct {
	Force   bool `json:"force" default:"false" doc:"End the process when it does not go by itself; needs confirm"`
	Confirm bool `json:"confirm" default:"false" doc:"Lose unsaved work"`
	Save    bool `json:"save" default:"false" doc:"Save all open scenes first"`
}

type editorStopResult struct {
	Stopped bool     `json:"stopped"`
	PID     int      `json:"pid"`
	Unsaved []string `json:"unsaved" doc:"Scenes whose changes were lost"`
}

// What is told before the editor saves, which can take long and gives no word meanwhile.
const savingAll = "saving all open scenes"

// How long the editor may take to go after it said that it will.
const stopWait = 10 * time.Second

func editorStop(ctx context.Context, env *Env, p editorStopParams) (editorStopResult, error) {
	if p.Force && !p.Confirm {
		return editorStopResult{}, bridge.Errorf(bridge.PreconditionFailed, "confirm", "force ends the process with all that is unsaved: godot-mcp editor stop --force --confirm")
	}
	ed, err := env.editor(ctx)
	if err != nil {
		return editorStopResult{}, err
	}
	params, err := json.Marshal(p)
	if err != nil {
		return editorStopResult{}, err
	}
	if p.Save {
		say(ctx, savingAll)
	}
	answer, err := env.call(ctx, bridge.Request{Command: stopCommand, Params: params})
	if err != nil {
		return editorStopResult{}, err
	}
	var result editorStopResult
	if err := json.Unmarshal(answer, &result); err != nil {
		return result, err
	}
	say(ctx, "waiting for the editor to end")
	result.Stopped = gone(ctx, ed.PID, stopWait)
	if !result.Stopped && p.Force {
		// Its bridge has answered on this connection, so the process is the one that we may end.
		if process, err := os.FindProcess(ed.PID); err == nil {
			_ = process.Kill()
		}
		result.Stopped = gone(ctx, ed.PID, stopWait)
	}
	if !result.Stopped {
		return result, bridge.Errorf(bridge.Timeout, "", "the editor %d said that it ends and is still there after %v: godot-mcp editor stop --force --confirm", ed.PID, stopWait)
	}
	endLostGames(ctx, ed.ProjectPath)
	return result, nil
}

// gone waits for a process that is not our child, which no event tells of on every system.
func gone(ctx context.Context, pid int, most time.Duration) bool {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	limit := time.After(most)
	for bridge.Alive(pid) {
		select {
		case <-ctx.Done():
			return false
		case <-limit:
			return false
		case <-ticker.C:
		}
	}
	return true
}
