package commands

import "encoding/json"

type gamePausedResult struct {
	Paused bool `json:"paused"`
	Frame  int  `json:"frame" doc:"Frames drawn since the game began"`
}

type gameStepParams struct {
	Frames int `json:"frames" p:"arg" default:"1" doc:"Process frames to run, each with its physics, before the game is paused again"`
}

type gameTimeScaleParams struct {
	Scale float64 `json:"scale" p:"required" doc:"1 is normal, 0.5 half as fast, 0 stands still"`
}

type gameTimeScaleResult struct {
	TimeScale float64 `json:"time_scale"`
}

type gameStateHashParams struct {
	Include []string `json:"include" p:"option" doc:"Only these: a node's path with all below it, path:property, or :property of all nodes"`
}

type gameStateHashResult struct {
	Hash  string `json:"hash" doc:"SHA-256; the same for the same state in any run"`
	Frame int    `json:"frame"`
	Nodes int    `json:"nodes" doc:"Nodes that count"`
}

type gameWaitForParams struct {
	NodePath  string `json:"node_path" p:"required" kind:"node" doc:"From the current scene, or absolute from /root; it may still have to come"`
	Property  string `json:"property" p:"required" doc:"Name; inside a value with a colon, position:x"`
	Op        string `json:"op" default:"==" enum:"==,!=,<,<=,>,>=,contains,exists" doc:"exists: whether node and property are there, expected is true or false"`
	Expected  Any    `json:"expected" p:"required" doc:"In the form that get-property prints"`
	TimeoutMS int    `json:"timeout_ms" default:"5000" doc:"Longest wait in milliseconds, in real time"`
}

type gameWaitForResult struct {
	Passed   bool   `json:"passed" doc:"False when the time was over first"`
	Actual   Any    `json:"actual" doc:"The last value; null when there is none"`
	Frame    int    `json:"frame"`
	WaitedMS int    `json:"waited_ms"`
	Hint     string `json:"hint,omitempty" doc:"Why there is no value"`
}

type gameStartMonitorParams struct {
	NodePath     string  `json:"node_path" p:"required" kind:"node" doc:"From the current scene, or absolute from /root"`
	Property     string  `json:"property" p:"required" doc:"Name; inside a value with a colon, position:x"`
	Samples      int     `json:"samples" default:"30" doc:"Values to take, one a frame, 10000 at most"`
	OnChangeOnly bool    `json:"on_change_only" default:"false" doc:"Only frames in which the value changed"`
	Epsilon      float64 `json:"epsilon" default:"0.0001" doc:"What a number must differ by to have changed"`
}

type gameStartMonitorResult struct {
	Monitoring bool   `json:"monitoring"`
	NodePath   string `json:"node_path" doc:"Absolute"`
	Property   string `json:"property"`
	Samples    int    `json:"samples"`
}

type gameSample struct {
	Frame int `json:"frame"`
	Value Any `json:"value"`
}

type gameReadMonitorResult struct {
	Ready     bool         `json:"ready" doc:"Whether it has ended: all values are there, or error says why not"`
	Connected bool         `json:"connected"`
	NodePath  string       `json:"node_path"`
	Property  string       `json:"property"`
	Samples   []gameSample `json:"samples" doc:"So far, the oldest first"`
	Error     string       `json:"error,omitempty"`
}

type gamePerformanceParams struct {
	TimeoutMS int `json:"timeout_ms" default:"2000" doc:"Longest wait in milliseconds"`
}

type gamePerformanceResult struct {
	Playing   bool   `json:"playing"`
	Connected bool   `json:"connected"`
	Ready     bool   `json:"ready"`
	Monitors  Object `json:"monitors" doc:"By the engine's names (TIME_FPS, ...), and the game's own"`
	Hint      string `json:"hint,omitempty"`
}

func gameTimeTools() []*Tool {
	return []*Tool{
		New(Spec[none, gamePausedResult]{
			Name: "game pause", Class: Runtime,
			Summary: "Pause the running game; nodes that always process go on.",
		}),
		New(Spec[none, gamePausedResult]{
			Name: "game resume", Class: Runtime,
			Summary: "Let a paused game go on.",
		}),
		New(Spec[gameStepParams, gamePausedResult]{
			Name: "game step", Class: Runtime,
			Summary: "Run exactly so many frames of the game, then pause it.",
			Example: gameStepParams{Frames: 10},
		}),
		New(Spec[gameTimeScaleParams, gameTimeScaleResult]{
			Name: "game time-scale", Class: Runtime,
			Summary: "Make the running game's time pass slower or faster.",
			Example: gameTimeScaleParams{Scale: 0.5},
		}),
	}
}

func gameWatchTools() []*Tool {
	return []*Tool{
		New(Spec[gameStateHashParams, gameStateHashResult]{
			Name: "game state-hash", Class: ReadOnly,
			Summary: "Hash what the nodes of the running game hold, to compare runs.",
			Example: gameStateHashParams{Include: []string{"Player"}},
		}),
		New(Spec[gameWaitForParams, gameWaitForResult]{
			Name: "game wait-for", Class: ReadOnly, Answer: "passed",
			Summary: "Wait until a property of the running game is as expected.",
			Example: gameWaitForParams{NodePath: "Player", Property: "visible", Op: "==", Expected: Any("true"), TimeoutMS: 5000},
		}),
		New(Spec[gameStartMonitorParams, gameStartMonitorResult]{
			Name: "game start-monitor", Class: ReadOnly,
			Alias: "runtime_monitor_property", AliasMap: AliasMap{
				Defaults: map[string]json.RawMessage{"on_change_only": json.RawMessage("true")},
				Results: map[string]string{
					"on_change_only": "if $arguments.on_change_only == null then true else $arguments.on_change_only end",
					"epsilon":        "$arguments.epsilon // 0.0001",
				},
			},
			Summary: "Note a property of the running game in each frame from now on.",
			Example: gameStartMonitorParams{NodePath: "Player", Property: "position", Samples: 30, Epsilon: 0.0001},
		}),
		New(Spec[none, gameReadMonitorResult]{
			Name: "game read-monitor", Class: ReadOnly,
			Alias: "runtime_get_property_samples", AliasMap: AliasMap{Results: map[string]string{"reason": `.error // ""`}},
			Summary: "Read the values that the last monitor has noted.",
		}),
		New(Spec[gamePerformanceParams, gamePerformanceResult]{
			Name: "game performance", Class: ReadOnly,
			Alias: "profiling_get_performance_monitors", AliasMap: AliasMap{Results: map[string]string{"reason": `.hint // ""`}},
			Summary: "Read frame rate, memory, draw calls and other counters of the running game.",
		}),
	}
}
