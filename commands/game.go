package commands

type gamePlayParams struct {
	ScenePath string   `json:"scene_path" p:"arg" default:"" kind:"project" doc:"Scene file to play; default the main scene, current is the one in front"`
	Wait      bool     `json:"wait" default:"true" doc:"Answer when the first frame has begun, or the game has failed to get there"`
	Save      bool     `json:"save" default:"false" doc:"Save all open scenes first; else the game plays the files as they are"`
	Paused    bool     `json:"paused" default:"false" doc:"Start paused"`
	FixedFPS  int      `json:"fixed_fps" default:"0" doc:"Frames per second of game time, as fast as they can be made; 0 is real time"`
	Seed      int      `json:"seed" default:"0" doc:"Seed of the global random numbers, before anything is loaded; 0 leaves them random"`
	Args      []string `json:"args" p:"option" doc:"For the game's OS.get_cmdline_user_args()"`
}

type gameLogEntry struct {
	Seq    int      `json:"seq" doc:"Number, going on from run to run"`
	Kind   string   `json:"kind" enum:"stdout,warning,error"`
	Text   string   `json:"text"`
	TimeMS int      `json:"time_ms" doc:"Milliseconds since the game began"`
	Script *string  `json:"script" doc:"Where it came from, when that is known"`
	Line   *int     `json:"line"`
	Stack  []string `json:"stack" doc:"Script calls, the innermost first"`
}

type gameBreak struct {
	Reason string   `json:"reason" doc:"Breakpoint, or the error that stopped the game"`
	Script *string  `json:"script"`
	Line   *int     `json:"line"`
	Stack  []string `json:"stack" doc:"The innermost call first"`
}

type gamePlayResult struct {
	Playing   bool           `json:"playing" doc:"False when the game has ended already"`
	Scene     string         `json:"scene"`
	Connected bool           `json:"connected" doc:"Whether the game can be asked"`
	Saved     []string       `json:"saved" doc:"Scenes saved before"`
	Errors    []gameLogEntry `json:"errors" doc:"Errors so far"`
	Restarted bool           `json:"restarted" doc:"True when a game that was running was ended first"`
	Breaked   *gameBreak     `json:"breaked" doc:"Where the game stands in the debugger; null when it runs"`
	Hint      string         `json:"hint,omitempty"`
}

type gameStopResult struct {
	Playing bool `json:"playing"`
	Stopped bool `json:"stopped" doc:"True when a game was running"`
}

type gameStatusResult struct {
	Playing   bool       `json:"playing"`
	Scene     *string    `json:"scene" doc:"Scene that was started"`
	Connected bool       `json:"connected" doc:"Whether the game can be asked"`
	Paused    bool       `json:"paused"`
	Breaked   bool       `json:"breaked" doc:"Whether it stands in the debugger, at a breakpoint or an error"`
	Break     *gameBreak `json:"break"`
	PID       *int       `json:"pid"`
	Hint      string     `json:"hint,omitempty"`
}

type gameOutputParams struct {
	SinceSeq int `json:"since_seq" p:"arg" default:"0" doc:"Only what is later than this number"`
}

type gameOutputResult struct {
	Playing   bool           `json:"playing"`
	Connected bool           `json:"connected"`
	Entries   []gameLogEntry `json:"entries" doc:"Of the last run, the oldest first"`
	NextSeq   int            `json:"next_seq" doc:"since_seq of the next call"`
	Total     int            `json:"total" doc:"Entries of the run"`
	Dropped   int            `json:"dropped" doc:"Later than since_seq and no longer kept"`
}

func gameTools() []*Tool {
	return []*Tool{
		New(Spec[gamePlayParams, gamePlayResult]{
			Name: "game play", Class: Runtime, Starter: true, ExecutesCode: true, Answer: "playing",
			Alias: "runtime_play_scene", AliasMap: AliasMap{Results: map[string]string{"paused": "$arguments.paused // false"}},
			Summary: "Play the game from the editor, and tell the errors of its start.",
			Example: gamePlayParams{ScenePath: "res://main.tscn"},
		}),
		New(Spec[none, gameStopResult]{
			Name: "game stop", Class: Runtime, Starter: true,
			Alias: "runtime_stop_scene", AliasMap: AliasMap{Results: map[string]string{"scene": `""`, "paused": "false"}},
			Summary: "End the running game, whatever it does.",
		}),
		New(Spec[none, gameStatusResult]{
			Name: "game status", Class: ReadOnly,
			Alias: "runtime_is_playing", AliasMap: AliasMap{Results: map[string]string{"scene": `.scene // ""`}},
			Summary: "Tell whether the game runs, is paused, or stands in the debugger.",
		}),
		New(Spec[gameOutputParams, gameOutputResult]{
			Name: "game output", Class: ReadOnly, Starter: true,
			Alias: "runtime_get_game_output", AliasMap: AliasMap{Results: map[string]string{"ready": "true", "reason": `""`}},
			Summary: "Read what the game printed, with its errors; also after it has ended.",
		}),
	}
}
