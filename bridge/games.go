package bridge

import (
	"encoding/json"
	"path/filepath"
	"time"
)

// gamesFolder is the folder of the files that running games write, inside that of bridge files.
const gamesFolder = "games"

// Game is a running game that an editor with the addon started.
type Game struct {
	PID int `json:"pid"`
	// Started is when the file was written, in Unix seconds.
	Started int64 `json:"started"`
	// EditorPID is the process of the editor that started it.
	EditorPID int `json:"editor_pid"`
}

// LostGames returns the games of a project whose editor is no more. Most end by
// themselves then; one that stands in the debugger or hangs cannot. Stale are
// files of games that have ended.
func LostGames(project string) (lost []Game, stale []string) {
	folder := filepath.Join(HiddenFolder(project), bridgeFolder, gamesFolder)
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range files {
		data, reason := readPrivate(file)
		var game Game
		if reason != "" || json.Unmarshal(data, &game) != nil || game.PID != pidOf(filepath.Base(file)) {
			continue
		}
		started := time.Unix(game.Started, 0)
		switch {
		case !IsProcess(game.PID, started):
			stale = append(stale, file)
		case !IsProcess(game.EditorPID, started):
			lost = append(lost, game)
		}
	}
	return lost, stale
}
