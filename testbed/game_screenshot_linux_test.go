package testbed

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

var green = color.RGBA{0, 255, 0, 255}

const paintScript = `extends ColorRect


func paint(colour: Color) -> void:
	color = colour


func go(path: String) -> void:
	get_tree().change_scene_to_file(path)


func resize(width: int, height: int) -> void:
	get_window().content_scale_size = Vector2i(width, height)
	get_window().content_scale_mode = Window.CONTENT_SCALE_MODE_VIEWPORT


func save_power() -> void:
	OS.low_processor_usage_mode = true


func is_saving_power() -> bool:
	return OS.low_processor_usage_mode
`

func paintScene(name, colour string) string {
	return fmt.Sprintf(`[gd_scene format=3]

[ext_resource type="Script" path="res://paint/paint.gd" id="1"]

[node name="%s" type="ColorRect"]
anchors_preset = 15
anchor_right = 1.0
anchor_bottom = 1.0
color = Color(%s)
script = ExtResource("1")
`, name, colour)
}

// Pictures of the game on a virtual display show what was done before they were asked for.
func TestGameScreenshot(t *testing.T) {
	e := virtualEditor(t)
	write(t, e, "paint/paint.gd", paintScript)
	write(t, e, "paint/red.tscn", paintScene("Red", "1, 0, 0, 1")+"\n[node name=\"Corner\" type=\"ColorRect\" parent=\".\"]\noffset_right = 40.0\noffset_bottom = 40.0\n")
	write(t, e, "paint/blue.tscn", paintScene("Blue", "0, 0, 1, 1"))
	c := cli(e)
	play := args{"scene_path": "res://paint/red.tscn"}
	call := func(t *testing.T, s surface, method string, given ...any) answer {
		t.Helper()
		return s.call(t, "game call", args{"node_path": ".", "method": method, "args": append([]any{}, given...)}).ok(t)
	}
	is := func(t *testing.T, a answer, want color.RGBA) {
		t.Helper()
		if got := share(taken(t, a.ok(t)), want); got < 0.9 {
			t.Errorf("%d%% of the picture has the colour %v", int(got*100), want)
		}
	}
	both(t, e, func(t *testing.T, s surface) {
		s.call(t, "game play", play).ok(t)
		is(t, s.call(t, "game screenshot", nil).has(t, map[string]string{"blank": "false"}), red)
		small := s.call(t, "game screenshot", args{"max_size": 100}).ok(t).has(t, map[string]string{"width": "100"})
		is(t, small, red)
		// At once after a change of the scene, of a colour, and in the pause.
		call(t, s, "go", "res://paint/blue.tscn")
		is(t, s.call(t, "game screenshot", nil).has(t, map[string]string{"blank": "true"}), blue)
		s.call(t, "game pause", nil).ok(t)
		call(t, s, "paint", "#00ff00")
		is(t, s.call(t, "game screenshot", nil), green)
		// A game that draws only what changes.
		call(t, s, "save_power")
		is(t, s.call(t, "game screenshot", nil), green)
		call(t, s, "is_saving_power").has(t, map[string]string{"value": "true"})
	})
	t.Run("large", func(t *testing.T) {
		call(t, c, "resize", 3840, 2160)
		c.call(t, "game resume", nil).ok(t)
		large := c.call(t, "game screenshot", args{"max_size": 0}).ok(t)
		large.has(t, map[string]string{"original_width": "3840", "original_height": "2160", "width": "3840"})
		is(t, large, green)
		file := filepath.Join(t.TempDir(), "game.png")
		is(t, typed(t, e, "game", "screenshot", "--output-path", file).has(t, map[string]string{"width": "1280", "height": "720", "path": file}), green)
	})
	t.Run("three in one go", func(t *testing.T) {
		c.call(t, "game play", play).ok(t)
		lines := `{"tool":"game call","arguments":{"node_path":".","method":"go","args":["res://paint/blue.tscn"]}}` + "\n" +
			strings.Repeat(`{"tool":"game screenshot","arguments":{"max_size":64}}`+"\n", 3)
		out := e.RunInput(lines, "call", "-")
		answers := strings.Split(strings.TrimSpace(out.Stdout), "\n")
		if len(answers) != 4 {
			t.Fatalf("%d answers: %s %s", len(answers), out.Stdout, out.Stderr)
		}
		for i, answer := range answers[1:] {
			var one struct {
				Result struct {
					DataBase64 string `json:"data_base64"`
				}
			}
			if err := json.Unmarshal([]byte(answer), &one); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(one.Result.DataBase64)))
			if err != nil {
				t.Fatalf("%v in %s", err, answer)
			}
			if share(img, blue) < 0.9 {
				t.Errorf("picture %d of three has another colour", i+1)
			}
		}
	})
	t.Run("no time", func(t *testing.T) {
		c.call(t, "game screenshot", args{"timeout_ms": 0}).fails(t, bridge.Timeout, "", "timeout_ms")
	})
	// Each frame of a step has its length whatever a display waits for.
	t.Run("step", func(t *testing.T) {
		c.call(t, "game play", play.with("fixed_fps", 60).with("paused", true)).ok(t)
		c.call(t, "game step", args{"frames": 30}).ok(t).has(t, map[string]string{"paused": "true"})
		is(t, c.call(t, "game screenshot", nil), red)
	})
	c.call(t, "game stop", nil).ok(t)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	awaitNothingLeft(t, e)
}

func TestNoPictureOfAHeadlessGame(t *testing.T) {
	_, s := gameEditor(t)
	playStage(t, s)
	s.call(t, "game screenshot", nil).fails(t, bridge.PreconditionFailed, "display", "editor start", "virtual", "game play")
}
