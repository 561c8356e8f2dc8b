package testbed

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// pathWithXvfb is PATH with an X server on it.
func pathWithXvfb(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PATH")
	if _, err := exec.LookPath("Xvfb"); err == nil {
		return path
	}
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(cache, "bin")
	if _, err := os.Stat(filepath.Join(bin, "Xvfb")); err != nil {
		t.Fatalf("no Xvfb: run testbed/install-godot.sh, which sees to one: %v", err)
	}
	return bin + string(filepath.ListSeparator) + path
}

// withXvfb lets the binary find an X server as it does on a user's machine: on PATH.
func withXvfb(t *testing.T, e *Editor) {
	t.Helper()
	e.Env = append(e.Env, "PATH="+pathWithXvfb(t))
}

// virtualEditor is an editor on a virtual display.
func virtualEditor(t *testing.T) *Editor {
	t.Helper()
	e := ownWorkspace(t, "platformer2d")
	withXvfb(t, e)
	started := typed(t, e, "editor", "start", "--display", "virtual").ok(t).has(t, map[string]string{
		"started": "true", "display": "screen", "virtual": "true", "already_running": "false",
	})
	if _, err := fmt.Sscan(started.text("pid"), &e.PID); err != nil {
		t.Fatal(err)
	}
	return e
}

// aboutProject are the processes that name the project on their command lines.
func aboutProject(t *testing.T, e *Editor) (found []string) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() && bytes.Contains(line, []byte(e.Project)) {
			found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// awaitAllGone waits until editor, display and what stands between have gone.
func awaitAllGone(t *testing.T, e *Editor) {
	t.Helper()
	awaitEvery(t, 50*time.Millisecond, "the editor, its display and what stands between to be gone", func() bool { return len(aboutProject(t, e)) == 0 })
}

// awaitNothingLeft is awaitAllGone, and their files have gone too.
func awaitNothingLeft(t *testing.T, e *Editor) {
	t.Helper()
	awaitAllGone(t, e)
	if left, _ := filepath.Glob(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "*.xauth")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// taken is a picture as an answer or a file has it, with what is said of it checked.
func taken(t *testing.T, a answer) image.Image {
	t.Helper()
	var content []byte
	var err error
	if path := a.fields["path"]; path != nil {
		content, err = os.ReadFile(path.(string))
	} else {
		content, err = base64.StdEncoding.DecodeString(a.text("data_base64"))
	}
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	a.has(t, map[string]string{
		"bytes": strconv.Itoa(len(content)), "mime": "image/png",
		"width": strconv.Itoa(img.Bounds().Dx()), "height": strconv.Itoa(img.Bounds().Dy()),
	})
	return img
}

// share is how much of a picture is of this colour, give or take.
func share(img image.Image, want color.RGBA) float64 {
	near := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d < 12 && d > -12 }
	count, b := 0, img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, blue, _ := img.At(x, y).RGBA(); near(r, want.R) && near(g, want.G) && near(blue, want.B) {
				count++
			}
		}
	}
	return float64(count) / float64(b.Dx()*b.Dy())
}

var (
	red  = color.RGBA{255, 0, 0, 255}
	blue = color.RGBA{0, 0, 255, 255}
)

func filled(name, colour string) string {
	return fmt.Sprintf(`[gd_scene format=3]

[node name="%s" type="Node2D"]

[node name="Fill" type="ColorRect" parent="."]
offset_right = 500.0
offset_bottom = 300.0
color = Color(%s)
`, name, colour)
}

// A picture of this is too long for an answer.
const noisy = `[gd_scene format=3]

[sub_resource type="Shader" id="Shader_1"]
code = "shader_type canvas_item;
void fragment() {
	vec2 at = FRAGCOORD.xy;
	COLOR = vec4(fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453), fract(sin(dot(at, vec2(39.346, 11.135))) * 23421.631), fract(sin(dot(at, vec2(73.156, 52.235))) * 14375.59), 1.0);
}
"

[sub_resource type="ShaderMaterial" id="ShaderMaterial_1"]
shader = SubResource("Shader_1")

[node name="Noisy" type="Node2D"]

[node name="Fill" type="ColorRect" parent="."]
material = SubResource("ShaderMaterial_1")
offset_left = -2000.0
offset_top = -2000.0
offset_right = 4000.0
offset_bottom = 4000.0
`

// TestVirtualDisplay: an editor that draws where nobody looks, what it shows as pictures, and its end.
func TestVirtualDisplay(t *testing.T) {
	e := virtualEditor(t)
	t.Run("is told", func(t *testing.T) {
		both(t, e, func(t *testing.T, s surface) {
			s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"headless": "false", "display": "virtual"})
			s.call(t, "editor list", nil).ok(t).has(t, map[string]string{"editors.0.headless": "false", "editors.0.display": "virtual"})
		})
		if ed := theEditor(t, e); ed.Display != "virtual" || ed.Headless {
			t.Errorf("the bridge file says %+v", ed)
		}
		again := typed(t, e, "editor", "start", "--display", "virtual").ok(t).has(t, map[string]string{"started": "false", "virtual": "true"})
		other := typed(t, e, "editor", "start", "--display", "headless").ok(t).has(t, map[string]string{"started": "false", "virtual": "true"})
		if again.fields["hint"] != nil || !strings.Contains(other.text("hint"), "editor stop --save") {
			t.Errorf("hints: %s, %s", again.raw, other.raw)
		}
	})
	t.Run("whole window", func(t *testing.T) { wholeWindow(t, e) })
	t.Run("views", func(t *testing.T) { views(t, e) })
	t.Run("blank", func(t *testing.T) {
		openScene(t, e, "pictures/empty.tscn", "[gd_scene format=3]\n\n[node name=\"Empty\" type=\"Node2D\"]\n")
		both(t, e, func(t *testing.T, s surface) {
			s.call(t, "editor screenshot", args{"target": "2d"}).ok(t).has(t, map[string]string{"blank": "true"})
		})
	})
	t.Run("large", func(t *testing.T) { large(t, e) })
	t.Run("no time", func(t *testing.T) {
		both(t, e, func(t *testing.T, s surface) {
			s.call(t, "editor screenshot", args{"timeout_ms": 1}).fails(t, bridge.Timeout, "", "timeout_ms")
		})
	})
	t.Run("dialog", func(t *testing.T) { overWindow(t, e) })
	t.Run("kept", func(t *testing.T) { kept(t, e) })
	t.Run("restart", func(t *testing.T) {
		restarted := typed(t, e, "editor", "restart").ok(t).has(t, map[string]string{"display": "screen", "virtual": "true"})
		if _, err := fmt.Sscan(restarted.text("pid"), &e.PID); err != nil {
			t.Fatal(err)
		}
		typed(t, e, "editor", "status").ok(t).has(t, map[string]string{"display": "virtual"})
		taken(t, typed(t, e, "editor", "screenshot").ok(t))
	})
	t.Run("stop", func(t *testing.T) {
		if err := e.Stop(); err != nil {
			t.Fatal(err)
		}
		awaitNothingLeft(t, e)
	})
	t.Run("killed", func(t *testing.T) {
		started := typed(t, e, "editor", "start", "--display", "virtual").ok(t)
		if _, err := fmt.Sscan(started.text("pid"), &e.PID); err != nil {
			t.Fatal(err)
		}
		endByForce(t, e.PID)
		awaitNothingLeft(t, e)
	})
}

// TestInterruptedStartOnAVirtualDisplay: an engine that never answers ends with its display when the start is
// interrupted.
func TestInterruptedStartOnAVirtualDisplay(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	withXvfb(t, e)
	engine := filepath.Join(t.TempDir(), "engine")
	text := "#!/bin/sh\ncase $1 in --version) echo 4.6.3.stable.official; exit;; esac\necho \"on $DISPLAY\"\nsleep 600\n"
	if err := os.WriteFile(engine, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	start := exec.Command(e.Bin, "editor", "start", "--display", "virtual")
	start.Dir, start.Env = e.Project, append(e.Env, "GODOT_BIN="+engine)
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the engine to be started", func() bool {
		log, err := os.ReadFile(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "editor.log"))
		return err == nil && bytes.Contains(log, []byte("on :"))
	})
	if running := strings.Join(aboutProject(t, e), "\n"); !strings.Contains(running, "Xvfb") {
		t.Errorf("no display among\n%s", running)
	}
	if err := start.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := start.Wait(); start.ProcessState.ExitCode() != 130 {
		t.Error(err)
	}
	awaitAllGone(t, e)
}

func wholeWindow(t *testing.T, e *Editor) {
	open(t, e, "res://main.tscn")
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		shown := s.call(t, "editor screenshot", nil).ok(t).has(t, map[string]string{
			"width": "1280", "height": "720", "original_width": "1920", "original_height": "1080", "blank": "false",
		})
		same(t, "editor screenshot", before, state(t, e))
		colours := map[color.Color]bool{}
		img := taken(t, shown)
		for x := range 1280 {
			for y := range 720 {
				colours[img.At(x, y)] = true
			}
		}
		if len(colours) < 100 {
			t.Errorf("the window has %d colours", len(colours))
		}
		small := s.call(t, "editor screenshot", args{"max_size": 64}).ok(t).has(t, map[string]string{"width": "64", "height": "36"})
		taken(t, small)
		s.call(t, "editor screenshot", args{"max_size": 5000}).ok(t).has(t, map[string]string{"width": "1920", "scale": "1"})
	})
	file := filepath.Join(t.TempDir(), "whole.png")
	written := typed(t, e, "editor", "screenshot", "--output-path", file, "--max-size", "0").ok(t).has(t, map[string]string{"width": "1920", "path": file})
	if taken(t, written); written.fields["data_base64"] != nil || written.fields["artifact_id"] != nil {
		t.Errorf("beside the file: %.300s", written.raw)
	}
}

// views: a picture just after a change shows what was changed, and the person's main screen stays in front.
func views(t *testing.T, e *Editor) {
	first := openScene(t, e, "pictures/first.tscn", filled("First", "1, 0, 0, 1"))
	second := openScene(t, e, "pictures/second.tscn", filled("Second", "0, 0, 1, 1"))
	both(t, e, func(t *testing.T, s surface) {
		user(t, e, "screen", "Script")
		for _, step := range []struct {
			tool      string
			args      args
			has, lost color.RGBA
		}{
			{"scene open", args{"scene_path": first}, red, blue},
			{"scene open", args{"scene_path": second}, blue, red},
			{"node set-property", args{"node_path": "Fill", "property": "color", "value": "red"}, red, blue},
			{"undo", nil, blue, red},
		} {
			s.call(t, step.tool, step.args).ok(t)
			user(t, e, "screen", "Script")
			img := taken(t, s.call(t, "editor screenshot", args{"target": "2d"}).ok(t).has(t, map[string]string{"blank": "false"}))
			if share(img, step.has) < 0.05 || share(img, step.lost) > 0 {
				t.Errorf("after %s %v: %.3f red, %.3f blue", step.tool, step.args, share(img, red), share(img, blue))
			}
		}
		taken(t, s.call(t, "editor screenshot", args{"target": "3d"}).ok(t).has(t, map[string]string{"blank": "false"}))
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"main_screen": "Script"})
		user(t, e, "screen", "2D")
	})
}

// large is a picture that travels by a file, which is gone when the answer is there.
func large(t *testing.T, e *Editor) {
	openScene(t, e, "pictures/noisy.tscn", noisy)
	both(t, e, func(t *testing.T, s surface) {
		shown := s.call(t, "editor screenshot", args{"target": "2d", "max_size": 0}).ok(t)
		if n, err := strconv.Atoi(shown.text("bytes")); err != nil || n < 1<<20 {
			t.Fatalf("%s bytes are none too many for an answer", shown.text("bytes"))
		}
		if shown.fields["data_base64"] != nil {
			taken(t, shown)
		}
		left, err := filepath.Glob(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "pictures", "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left: %q, %v", left, err)
		}
	})
}

// overWindow: what lies over the editor as a window of its own is in the picture.
func overWindow(t *testing.T, e *Editor) {
	shoot := func() image.Image { return taken(t, typed(t, e, "editor", "screenshot", "--max-size", "0").ok(t)) }
	without := shoot()
	user(t, e, "dialog", "Really?")
	with := shoot()
	user(t, e, "answer", "")
	differ := 0
	for x := range 1920 {
		for y := range 1080 {
			if with.At(x, y) != without.At(x, y) {
				differ++
			}
		}
	}
	if differ < 2000 {
		t.Errorf("%d pixels of the dialog are in the picture", differ)
	}
}

// kept: a picture over MCP can be fetched again, as a tool and as a resource, from another process too.
func kept(t *testing.T, e *Editor) {
	s := mcpSession(t, e)
	shown := s.call(t, "editor screenshot", nil).ok(t)
	id := shown.text("artifact_id")
	list := typed(t, e, "artifact", "list", "--kind", "picture").ok(t).has(t, map[string]string{
		"artifacts.0.artifact_id": id, "artifacts.0.tool": "editor screenshot", "artifacts.0.sha256": shown.text("sha256"),
	})
	if list.fields["total"].(json.Number) == "0" {
		t.Errorf("%s", list.raw)
	}
	got := typed(t, e, "artifact", "get", id).ok(t).has(t, map[string]string{"sha256": shown.text("sha256"), "data_base64": shown.text("data_base64")})
	file := filepath.Join(t.TempDir(), "again.png")
	typed(t, e, "artifact", "get", id, "--output-path", file).ok(t).has(t, map[string]string{"path": file})
	content, err := os.ReadFile(file)
	if err != nil || base64.StdEncoding.EncodeToString(content) != got.text("data_base64") {
		t.Errorf("the file has %d bytes, %v", len(content), err)
	}
	read, err := s.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "godot://artifact/" + id})
	if err != nil || len(read.Contents) != 1 || !bytes.Equal(read.Contents[0].Blob, content) || read.Contents[0].MIMEType != "image/png" {
		t.Errorf("as a resource: %+v, %v", read, err)
	}
	err = filepath.WalkDir(filepath.Join(stateOf(e), "godot-mcp", "artifacts"), func(path string, entry fs.DirEntry, err error) error {
		info, missing := entry.Info()
		if missing == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has %v", path, info.Mode())
		}
		return errors.Join(err, missing)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNoPictureOfAHeadlessEditor: it draws nothing and says how to get one that does.
func TestNoPictureOfAHeadlessEditor(t *testing.T) {
	both(t, sharedEditor(t), func(t *testing.T, s surface) {
		for _, target := range []string{"editor", "2d", "3d"} {
			s.call(t, "editor screenshot", args{"target": target}).fails(t, bridge.PreconditionFailed, "display", "editor start", "virtual")
		}
		s.call(t, "editor status", nil).ok(t).has(t, map[string]string{"display": "headless"})
	})
}
