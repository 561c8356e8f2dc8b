package commands

type inputKeyParams struct {
	Key      string `json:"key" p:"required" doc:"Name as the engine spells it: A, Space, Enter, Left, F5"`
	Pressed  bool   `json:"pressed" default:"true" doc:"False lets go"`
	Shift    bool   `json:"shift" default:"false" doc:"With Shift held"`
	Ctrl     bool   `json:"ctrl" default:"false" doc:"With Ctrl held"`
	Alt      bool   `json:"alt" default:"false" doc:"With Alt held"`
	Meta     bool   `json:"meta" default:"false" doc:"With Meta held"`
	Physical bool   `json:"physical" default:"true" doc:"The key at its place on a US keyboard; false: the key that has this letter"`
}

type inputMouseParams struct {
	X         float64 `json:"x" p:"required" doc:"In coordinates of the game's root viewport"`
	Y         float64 `json:"y" p:"required" doc:"As x"`
	Button    string  `json:"button" default:"" doc:"left, right, middle, wheel_up, wheel_down, ...; empty moves the pointer"`
	Pressed   bool    `json:"pressed" default:"true" doc:"False lets go"`
	RelativeX float64 `json:"relative_x" default:"0" doc:"Way of the motion; both 0: from where the pointer was"`
	RelativeY float64 `json:"relative_y" default:"0" doc:"As relative_x"`
}

type inputDriveParams struct {
	Action   string  `json:"action" p:"required" doc:"Action of the game's input map"`
	Pressed  bool    `json:"pressed" default:"true" doc:"False lets go"`
	Strength float64 `json:"strength" default:"1" doc:"0 to 1"`
}

type inputJoypadParams struct {
	Device  int     `json:"device" default:"0" doc:"0 to 15"`
	Button  int     `json:"button" default:"-1" doc:"JoyButton of the engine: 0 is A, 11 to 14 the pad"`
	Axis    int     `json:"axis" default:"-1" doc:"JoyAxis of the engine: 0 and 1 are the left stick"`
	Value   float64 `json:"value" default:"0" doc:"Of the axis, -1 to 1"`
	Pressed bool    `json:"pressed" default:"true" doc:"Of the button, false lets go"`
}

type inputTouchParams struct {
	Index   int     `json:"index" default:"0" doc:"Finger"`
	X       float64 `json:"x" p:"required" doc:"In coordinates of the game's root viewport"`
	Y       float64 `json:"y" p:"required" doc:"As x"`
	Pressed bool    `json:"pressed" default:"true" doc:"False lifts the finger"`
}

// inputDone is what is said of all input that was put in.
type inputDone struct {
	Sent   bool     `json:"sent" doc:"The game's window has got all of it"`
	Count  int      `json:"count" doc:"Events"`
	Frame  int      `json:"frame" doc:"Process frame that began with the last event"`
	Paused bool     `json:"paused" doc:"Whether the game is paused now"`
	Late   int      `json:"late" doc:"Frames an event came later than asked, at most; 0 with fixed_fps"`
	Held   []string `json:"held" doc:"Pressed by this call and not let go"`
	Hint   string   `json:"hint,omitempty"`
}

type inputResult struct {
	Kind string `json:"kind" enum:"key,mouse_motion,mouse_button,action,joypad_button,joypad_motion,touch"`
	inputDone
}

type inputTextParams struct {
	Text string `json:"text" p:"required" doc:"Line ends are Enter, tabs Tab"`
}

type inputTextResult struct {
	Focus *string `json:"focus" doc:"Control that had the focus before, and so the keys"`
	inputDone
}

type inputSequenceParams struct {
	Events  []Object `json:"events" p:"required" doc:"type is key, text, mouse, action, joypad, touch (with the parameters of that command), drag, wait, pause or resume; due: at_frame, at_ms or wait_frames, wait_ms after the one before; hold_frames, hold_ms: from press to release"`
	DelayMS int      `json:"delay_ms" default:"0" doc:"Between events, beside what they say"`
}

type inputSequenceResult struct {
	Kind   string `json:"kind" enum:"sequence"`
	Frames int    `json:"frames" doc:"Frame of the last event, from the first on"`
	inputDone
}

type inputStatsResult struct {
	Playing   bool `json:"playing"`
	Connected bool `json:"connected"`
	Injected  int  `json:"injected" doc:"Events put into this run"`
}

type inputRecordParams struct {
	IncludeMotion bool `json:"include_motion" default:"false" doc:"With the ways of mouse and fingers"`
}

type inputRecordResult struct {
	Recording bool `json:"recording"`
	Dropped   int  `json:"dropped" doc:"Events lost of a recording that was not stopped"`
}

type inputStopParams struct {
	TimeoutMS int `json:"timeout_ms" default:"2000" doc:"Longest wait in milliseconds"`
}

type inputStopResult struct {
	Ready     bool     `json:"ready"`
	Connected bool     `json:"connected"`
	Events    []Object `json:"events" doc:"As input play-sequence takes them"`
	Frames    int      `json:"frames" doc:"Length of the recording"`
	LeftOut   int      `json:"left_out" doc:"Events of kinds that cannot be played"`
}

func inputTools() []*Tool {
	press := []Object{
		{"type": Any(`"action"`), "action": Any(`"ui_right"`), "hold_frames": Any(`30`)},
		{"type": Any(`"key"`), "key": Any(`"Space"`), "hold_ms": Any(`100`)},
	}
	return append([]*Tool{
		New(Spec[inputSequenceParams, inputSequenceResult]{
			Name: "input play-sequence", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Alias:   "input_play_sequence",
			Summary: "Play input into the game, each event at its frame.",
			Example: inputSequenceParams{Events: press},
		}),
		New(Spec[none, inputStatsResult]{
			Name: "input stats", Class: ReadOnly,
			Alias:   "input_get_stats",
			Summary: "Count the input events put into this run.",
		}),
		New(Spec[inputRecordParams, inputRecordResult]{
			Name: "input start-recording", Class: Runtime,
			Alias:   "input_record",
			Summary: "Record the input that the game gets.",
		}),
		New(Spec[inputStopParams, inputStopResult]{
			Name: "input stop-recording", Class: Runtime,
			Alias:   "input_stop_recording",
			Summary: "Stop recording, and give the events to play again.",
		}),
	}, inputEventTools()...)
}

func inputEventTools() []*Tool {
	return []*Tool{
		New(Spec[inputKeyParams, inputResult]{
			Name: "input key", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Alias:   "input_simulate_key",
			Summary: "Press or let go a key in the game.",
			Example: inputKeyParams{Key: "Space", Pressed: true, Physical: true},
		}),
		New(Spec[inputTextParams, inputTextResult]{
			Name: "input text", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Summary: "Type text into the game.",
			Example: inputTextParams{Text: "hello"},
		}),
		New(Spec[inputMouseParams, inputResult]{
			Name: "input mouse", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Alias:   "input_simulate_mouse",
			Summary: "Move the mouse in the game, press a button or turn the wheel.",
			Example: inputMouseParams{X: 24, Y: 24, Button: "left", Pressed: true},
		}),
		New(Spec[inputDriveParams, inputResult]{
			Name: "input action", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Alias:   "input_simulate_action",
			Summary: "Press or let go an input action in the game.",
			Example: inputDriveParams{Action: "ui_right", Pressed: true, Strength: 1},
		}),
		New(Spec[inputJoypadParams, inputResult]{
			Name: "input joypad", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Summary: "Press a joypad button in the game or move a stick.",
			Example: inputJoypadParams{Button: -1, Axis: 1, Value: 0.5, Pressed: true},
		}),
		New(Spec[inputTouchParams, inputResult]{
			Name: "input touch", Class: Runtime, ExecutesCode: true, Answer: "sent",
			Summary: "Put a finger on the game's screen or lift it.",
			Example: inputTouchParams{X: 24, Y: 24, Pressed: true},
		}),
	}
}
