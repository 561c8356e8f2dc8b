package commands

type inputMapListParams struct {
	IncludeBuiltin bool `json:"include_builtin" default:"false" doc:"With the engine's own actions that the project left as they are"`
}

type inputAction struct {
	Name     string   `json:"name"`
	Deadzone float64  `json:"deadzone"`
	Events   []Object `json:"events" doc:"As input-map add-event takes them"`
}

type inputMapListResult struct {
	Actions []inputAction `json:"actions"`
}

type inputAddActionParams struct {
	Action   string  `json:"action" p:"required" doc:"Name of the new action"`
	Deadzone float64 `json:"deadzone" default:"0.5" doc:"How far a stick must move, 0 to 1"`
}

type inputAddActionResult struct {
	Action  string `json:"action"`
	Created bool   `json:"created"`
}

type inputAddEventParams struct {
	Action string `json:"action" p:"required" doc:"Action to trigger"`
	Event  Object `json:"event" p:"required" doc:"type is key (key, physical=true, label, location, modifiers: ctrl, shift, alt, meta, command_or_control), mouse_button (button: left, ..., modifiers), joypad_button (button: a, ...) or joypad_motion (axis: left_x, ..., axis_value: -1 to 1); device=-1 is all"`
}

type inputAddEventResult struct {
	Action string `json:"action"`
	Event  Object `json:"event"`
	Index  int    `json:"index" doc:"Its place in the action's list, from 0"`
	Added  bool   `json:"added" doc:"False when the action had this event already"`
}

type inputRemoveEventParams struct {
	Action string `json:"action" p:"required" doc:"Action that has the event"`
	Index  int    `json:"index" p:"required" doc:"Place in the action's list of events, from 0"`
}

type inputRemoveEventResult struct {
	Action  string `json:"action"`
	Event   Object `json:"event"`
	Removed bool   `json:"removed"`
}

type inputActionParams struct {
	Action string `json:"action" p:"required" doc:"Name of the action"`
}

type inputListEventsResult struct {
	Action   string   `json:"action"`
	Deadzone float64  `json:"deadzone"`
	Events   []Object `json:"events" doc:"As input-map add-event takes them"`
}

type inputRemoveActionResult struct {
	Action  string `json:"action"`
	Removed bool   `json:"removed"`
}

type inputClearEventsResult struct {
	Action  string `json:"action"`
	Cleared int    `json:"cleared" doc:"Events that were taken out"`
}

// olderEvent makes an event of the older server's flat parameters: a keycode counts where no physical one is
// given, a button is a joypad's by joy_button_index.
const olderEvent = `(.event_type | ascii_downcase) as $t | {device: (.device // 0)} + ` +
	`(if $t | test("key") then {type: "key"} + (if (.physical_keycode // "") != "" then {key: .physical_keycode, physical: true} ` +
	`else {key: (.keycode // ""), physical: false} end) ` +
	`elif $t | test("mouse") then {type: "mouse_button", button: ((.button // "") as $b | try ($b | tonumber) catch $b)} ` +
	`elif $t | test("motion|axis") then {type: "joypad_motion", axis: (.axis // -1), axis_value: (.axis_value // 1)} ` +
	`elif $t | test("joy") then {type: "joypad_button", button: (if (.joy_button_index // -1) >= 0 then .joy_button_index ` +
	`else ((.button // "") as $b | try ($b | tonumber) catch $b) end)} else {type: $t} end) + ` +
	`(if $t | test("key|mouse") then {modifiers: [(select(.ctrl) | "ctrl"), (select(.shift) | "shift"), (select(.alt) | "alt"), (select(.meta) | "meta")]} else {} end)`

func inputMapTools() []*Tool {
	accept := inputActionParams{Action: "ui_accept"}
	return []*Tool{
		New(Spec[inputMapListParams, inputMapListResult]{
			Name: "input-map list", Class: ReadOnly,
			Summary: "List the input actions with what triggers them.",
		}),
		New(Spec[inputAddActionParams, inputAddActionResult]{
			Name: "input-map add-action", Class: Mutating,
			Alias: "input_map_add_action",
			AliasMap: AliasMap{
				Params:  map[string]string{"name": "action"},
				Results: map[string]string{"name": "action", "added": "created", "deadzone": "$arguments.deadzone // 0.5"},
			},
			Summary: "Add an input action, without events.",
			Example: inputAddActionParams{Action: "jump", Deadzone: 0.5},
		}),
		New(Spec[inputAddEventParams, inputAddEventResult]{
			Name: "input-map add-event", Class: Mutating,
			Alias: "input_map_add_event",
			AliasMap: AliasMap{
				Arguments: map[string]string{"action": ".action", "event": olderEvent, "dry_run": ".dry_run"},
				Results:   map[string]string{"event_index": "index"},
			},
			Summary: "Have a key, mouse button, joypad button or stick trigger an input action.",
			Example: inputAddEventParams{Action: "ui_accept", Event: Object{"type": Any(`"key"`), "key": Any(`"F"`)}},
		}),
		New(Spec[inputRemoveEventParams, inputRemoveEventResult]{
			Name: "input-map remove-event", Class: Mutating,
			Summary: "Take one event from an input action.",
			Example: inputRemoveEventParams{Action: "ui_accept", Index: 1},
		}),
		New(Spec[inputActionParams, inputListEventsResult]{
			Name: "input-map list-events", Class: ReadOnly,
			Alias:   "input_map_get_action_events",
			Summary: "List what triggers an input action.",
			Example: accept,
		}),
		New(Spec[inputActionParams, inputRemoveActionResult]{
			Name: "input-map remove-action", Class: Destructive,
			Alias: "input_map_remove_action",
			AliasMap: AliasMap{
				Params:  map[string]string{"name": "action"},
				Results: map[string]string{"name": "action"},
			},
			Summary: "Remove an input action with its events.",
			Example: inputActionParams{Action: "crouch"},
		}),
		New(Spec[inputActionParams, inputClearEventsResult]{
			Name: "input-map clear-events", Class: Destructive,
			Alias:    "input_map_clear_action_events",
			AliasMap: AliasMap{Results: map[string]string{"cleared": "true"}},
			Summary:  "Take all events from an input action.",
			Example:  accept,
		}),
	}
}
