package testbed

import (
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// wideScene has controls behind a camera, in a viewport of their own, in a list that is cut off, and a dialog.
const wideScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://drive/menu.gd" id="1"]

[node name="Menu" type="Control"]
script = ExtResource("1")
mouse_filter = 2

[node name="Camera" type="Camera2D" parent="."]
offset = Vector2(300, 200)

[node name="Far" type="Button" parent="."]
offset_left = 500.0
offset_top = 300.0
offset_right = 600.0
offset_bottom = 340.0
text = "Far"

[node name="Box" type="SubViewportContainer" parent="."]
offset_left = 100.0
offset_top = 50.0
offset_right = 300.0
offset_bottom = 150.0

[node name="World" type="SubViewport" parent="Box"]
handle_input_locally = false
size = Vector2i(200, 100)

[node name="Inner" type="Button" parent="Box/World"]
offset_left = 120.0
offset_top = 40.0
offset_right = 190.0
offset_bottom = 80.0
text = "Inner"

[node name="Scroll" type="ScrollContainer" parent="."]
offset_left = 350.0
offset_top = 50.0
offset_right = 450.0
offset_bottom = 150.0

[node name="List" type="VBoxContainer" parent="Scroll"]

[node name="Upper" type="Button" parent="Scroll/List"]
custom_minimum_size = Vector2(0, 160)
text = "Upper"

[node name="Lower" type="Button" parent="Scroll/List"]
text = "Lower"

[node name="Dialog" type="AcceptDialog" parent="."]
dialog_text = "Sure?"
ok_button_text = "Yes"
`

func TestClickUIInAWindow(t *testing.T) {
	e := virtualEditor(t)
	write(t, e, "drive/menu.gd", menuScript)
	write(t, e, "drive/wide.tscn", wideScene)
	s := mcpSession(t, e)
	s.call(t, "game play", args{"scene_path": "res://drive/wide.tscn"}).ok(t)
	clicked := func(want string) {
		t.Helper()
		s.call(t, "game get-property", args{"node_path": ".", "property": "clicks"}).ok(t).has(t, map[string]string{"value": want})
	}
	press := func(text string) {
		t.Helper()
		s.call(t, "game click-ui", args{"text": text}).ok(t).has(t, map[string]string{"clicked": "true", "pressed": "true"})
	}
	press("Far")
	press("Inner")
	press("Upper")
	clicked(`["Far","Inner","Upper"]`)
	s.call(t, "game click-ui", args{"text": "Lower"}).fails(t, bridge.PreconditionFailed, "node_path", "not on the screen")

	// The window shows the viewport twice as large.
	for property, value := range map[string]any{"content_scale_size": args{"x": 576, "y": 324}, "content_scale_mode": 1} {
		s.call(t, "game set-property", args{"node_path": "/root", "property": property, "value": value}).ok(t)
	}
	press("Far")
	place := s.call(t, "game find-ui", args{"name_contains": "Far"}).ok(t)
	element := place.fields["elements"].([]any)[0].(map[string]any)["rect"].(map[string]any)
	for _, pressed := range []bool{true, false} {
		s.call(t, "input mouse", args{"x": element["x"], "y": element["y"], "button": "left", "pressed": pressed}).ok(t)
	}
	clicked(`["Far","Inner","Upper","Far","Far"]`)

	s.call(t, "game call", args{"node_path": "Dialog", "method": "popup_centered"}).ok(t)
	s.call(t, "game click-ui", args{"text": "Far"}).fails(t, bridge.PreconditionFailed, "node_path", "the window /root/Menu/Dialog")
	press("Yes")
	s.call(t, "game get-property", args{"node_path": "Dialog", "property": "visible"}).ok(t).has(t, map[string]string{"value": "false"})

	// A control in a pause gets nothing, which is told.
	s.call(t, "input play-sequence", args{"events": []args{{"type": "pause"}}}).ok(t)
	s.call(t, "game click-ui", args{"text": "Far"}).has(t, map[string]string{"clicked": "false", "pressed": "false"})
}
