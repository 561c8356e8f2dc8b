package testbed

import (
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

const menuScript = `extends Control

var clicks: PackedStringArray = []


func _ready() -> void:
	for button: Node in find_children("*", "BaseButton"):
		(button as BaseButton).pressed.connect(_note.bind(str(button.name)))


func _note(name: String) -> void:
	clicks.append(name)
`

// menuScene fits into the 64x64 of a headless game, but for Far.
const menuScene = `[gd_scene format=3]

[ext_resource type="Script" path="res://drive/menu.gd" id="1"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Start" type="Button" parent="."]
offset_right = 30.0
offset_bottom = 30.0
text = "Go"

[node name="Inside" type="Label" parent="Start"]
text = "Inside"

[node name="Hidden" type="Control" parent="."]
visible = false

[node name="Deep" type="Button" parent="Hidden"]
offset_right = 20.0
offset_bottom = 20.0
text = "Deep"

[node name="Off" type="Button" parent="."]
offset_left = 32.0
offset_right = 62.0
offset_bottom = 30.0
disabled = true
text = "Off"

[node name="Under" type="Button" parent="."]
offset_top = 32.0
offset_right = 30.0
offset_bottom = 62.0
text = "Un"

[node name="Cover" type="Panel" parent="."]
offset_top = 30.0
offset_right = 31.0
offset_bottom = 64.0

[node name="Twin" type="CheckBox" parent="."]
offset_left = 32.0
offset_top = 32.0
offset_right = 62.0
offset_bottom = 46.0
theme_override_font_sizes/font_size = 1
text = "Twin"

[node name="Other" type="CheckBox" parent="."]
offset_left = 32.0
offset_top = 60.0
offset_right = 62.0
offset_bottom = 64.0
theme_override_font_sizes/font_size = 1
text = "Twin"

[node name="Far" type="Button" parent="."]
offset_left = 500.0
offset_right = 600.0
offset_bottom = 30.0
text = "Far"
`

func playMenu(t *testing.T, s surface) {
	t.Helper()
	s.call(t, "game play", args{"scene_path": "res://drive/menu.tscn", "fixed_fps": 60}).ok(t)
}

func TestFindUIByNameClassTextAndSight(t *testing.T) {
	s := driveEditor(t)
	playMenu(t, s)
	for want, filter := range map[string]args{
		"Start":                          {"text_contains": "go", "class_filter": "Button"},
		"Twin Other":                     {"class_filter": "CheckBox"},
		"Deep":                           {"name_contains": "dee"},
		"":                               {"name_contains": "dee", "visible_only": true},
		"Start Off Under Far Twin Other": {"class_filter": "BaseButton", "visible_only": true},
	} {
		found := s.call(t, "game find-ui", filter).ok(t).has(t, map[string]string{"ready": "true"})
		var names []string
		for _, element := range found.fields["elements"].([]any) {
			names = append(names, element.(map[string]any)["name"].(string))
		}
		for _, name := range strings.Fields(want) {
			if !strings.Contains(strings.Join(names, " "), name) {
				t.Errorf("%v finds %q, want %s", filter, names, want)
			}
		}
		if len(names) != len(strings.Fields(want)) {
			t.Errorf("%v finds %q, want %s", filter, names, want)
		}
	}
	s.call(t, "game find-ui", args{"name_contains": "Off"}).ok(t).has(t, map[string]string{
		"elements.0.path": "/root/Menu/Off", "elements.0.node_class": "Button", "elements.0.visible": "true", "elements.0.disabled": "true",
		"elements.0.text": "Off", "elements.0.rect.x": "32.0", "elements.0.rect.y": "0.0",
	})
}

func TestClickUIIsAWholeClick(t *testing.T) {
	s := driveEditor(t)
	playMenu(t, s)
	s.call(t, "game click-ui", args{"text": "Go"}).ok(t).has(t, map[string]string{"clicked": "true", "pressed": "true", "node_path": "/root/Menu/Start"})
	s.call(t, "game click-ui", args{"node_path": "Twin"}).ok(t).has(t, map[string]string{"clicked": "true", "pressed": "true"})
	s.call(t, "game click-ui", args{"node_path": "Cover"}).ok(t).has(t, map[string]string{"clicked": "true", "pressed": "null"})
	s.call(t, "game get-property", args{"node_path": ".", "property": "clicks"}).ok(t).has(t, map[string]string{"value": `["Start","Twin"]`})
	s.call(t, "game get-property", args{"node_path": "Twin", "property": "button_pressed"}).ok(t).has(t, map[string]string{"value": "true"})
	for path, words := range map[string]string{
		"Hidden/Deep": "hidden, as /root/Menu/Hidden is", "Off": "disabled", "Under": "covered by something else, /root/Menu/Cover",
		"Start/Inside": "/root/Menu/Start around it takes clicks",
	} {
		s.call(t, "game click-ui", args{"node_path": path}).fails(t, bridge.PreconditionFailed, "node_path", words)
	}
	s.call(t, "game click-ui", args{"node_path": "Far"}).fails(t, bridge.PreconditionFailed, "display", "headless")
	s.call(t, "game click-ui", args{"text": "Twin"}).fails(t, bridge.ValidationError, "text", "/root/Menu/Other")
	s.call(t, "game click-ui", args{"text": "Twix"}).fails(t, bridge.ResourceNotFound, "text", "did you mean")
	s.call(t, "game click-ui", nil).fails(t, bridge.ValidationError, "node_path", "one of them")
	s.call(t, "game click-ui", args{"node_path": "Gone"}).fails(t, bridge.ResourceNotFound, "node_path", "find-ui")
	s.call(t, "game get-property", args{"node_path": ".", "property": "clicks"}).ok(t).has(t, map[string]string{"value": `["Start","Twin"]`})
}
