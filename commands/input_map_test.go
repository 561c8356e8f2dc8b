package commands

import (
	"encoding/json"
	"testing"
)

// The older server's flat parameters mean the same event.
func TestOlderInputEvents(t *testing.T) {
	tool, _ := All().Lookup("input-map add-event")
	for older, want := range map[string]string{
		`{"action":"jump","event_type":"key","physical_keycode":"Space"}`:                              `{"device":0,"type":"key","key":"Space","physical":true,"modifiers":[]}`,
		`{"action":"jump","event_type":"key","keycode":"KEY_A","ctrl":true,"meta":true,"shift":false}`: `{"device":0,"type":"key","key":"KEY_A","physical":false,"modifiers":["ctrl","meta"]}`,
		`{"action":"jump","event_type":"mouse_button","button":"left","device":-1,"alt":true}`:         `{"device":-1,"type":"mouse_button","button":"left","modifiers":["alt"]}`,
		`{"action":"jump","event_type":"mouse_button","button":"2"}`:                                   `{"device":0,"type":"mouse_button","button":2,"modifiers":[]}`,
		`{"action":"jump","event_type":"joypad_button","joy_button_index":3,"device":1}`:               `{"device":1,"type":"joypad_button","button":3}`,
		`{"action":"jump","event_type":"joypad_motion","axis":1,"axis_value":-1.0}`:                    `{"device":0,"type":"joypad_motion","axis":1,"axis_value":-1.0}`,
		`{"action":"jump","event_type":"touch"}`:                                                       `{"device":0,"type":"touch"}`,
	} {
		args := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(older), &args); err != nil {
			t.Fatal(err)
		}
		if err := tool.AliasMap.arguments(args); err != nil {
			t.Errorf("%s: %v", older, err)
			continue
		}
		if !sameJSON(args["event"], json.RawMessage(want)) || string(args["action"]) != `"jump"` {
			t.Errorf("%s became %s, want %s", older, args["event"], want)
		}
	}
}
